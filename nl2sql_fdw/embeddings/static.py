"""Word vectors out of a file: the token embeddings that come inside wordllama's wheel.

Only its two files are read. Importing the package took 0.7 s and 60 MB; reading them takes a
tenth of the time, and the vectors are mapped, so that every backend shares the same pages.
"""

from __future__ import annotations

import json
import mmap
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.util import find_spec
from itertools import pairwise
from pathlib import Path

from nl2sql_fdw.arrays import np
from nl2sql_fdw.embeddings.protocol import Vectors

_WEIGHTS = "weights/l2_supercat_256.safetensors"
_TOKENS = "tokenizers/l2_supercat_tokenizer_config.json"
_TENSOR = "embedding.weight"
_WORD_BEGINS = "\u2581"
_MOST_WORDS = 50_000


class StaticEmbedder:
    """A text's vector is the mean of its words', a word's the mean of its tokens'."""

    name = "wordllama-l2-supercat-256"

    def __init__(self, folder: Path) -> None:
        self._table = _mapped(folder / _WEIGHTS)
        self._ids = _vocabulary(folder / _TOKENS)
        self._words: dict[str, Vectors] = {}

    def embed(self, texts: Sequence[str]) -> Vectors:
        found = np.zeros((len(texts), self._table.shape[1]), np.float32)
        for row, text in zip(found, texts, strict=True):
            for word in text.split():
                row += self._word(word)
        return _normed(found)

    def _word(self, word: str) -> Vectors:
        if word not in self._words:
            if len(self._words) >= _MOST_WORDS:
                self._words.clear()
            ids = tokens(word, self._ids)
            rows = self._table[ids].astype(np.float32)
            self._words[word] = _normed(rows.sum(axis=0, keepdims=True))[0]
        return self._words[word]


@cache
def load() -> StaticEmbedder | None:
    """Return the embedder, one per process; None where the files are not installed."""
    found = find_spec("wordllama")
    for folder in found.submodule_search_locations or () if found else ():
        if (Path(folder) / _WEIGHTS).exists() and (Path(folder) / _TOKENS).exists():
            return StaticEmbedder(Path(folder))
    return None


def tokens(word: str, ids: Mapping[str, int]) -> list[int]:
    """Split a word as the model did: join the pair whose union has the lowest number, and again.

    That is byte-pair encoding, whose merges are numbered in the order in which they were found.
    A character that the vocabulary lacks is left out.
    """
    parts = [_WORD_BEGINS, *word]
    while True:
        pairs = [(ids.get(a + b), n) for n, (a, b) in enumerate(pairwise(parts))]
        known = [(number, n) for number, n in pairs if number is not None]
        if not known:
            return [ids[part] for part in parts if part in ids]
        _, n = min(known)
        parts[n : n + 2] = [parts[n] + parts[n + 1]]


def _vocabulary(path: Path) -> dict[str, int]:
    found: dict[str, int] = json.loads(path.read_text(encoding="utf-8"))["model"]["vocab"]
    return found


def _mapped(path: Path) -> np.ndarray[tuple[int, int], np.dtype[np.float16]]:
    """Map the one tensor of a safetensors file: eight bytes of length, a JSON header, the data."""
    with path.open("rb") as file:
        data = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    start = 8 + int.from_bytes(data[:8], "little")
    shape = json.loads(data[8:start])[_TENSOR]["shape"]
    count = shape[0] * shape[1]
    return np.frombuffer(data, np.float16, count, start).reshape(shape[0], shape[1])


def _normed(rows: Vectors) -> Vectors:
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    normed: Vectors = (rows / np.where(lengths == 0, 1, lengths)).astype(np.float32)
    return normed
