"""llama.cpp behind a few calls: tokens in, logits out, sequences copied and dropped."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import llama_cpp as llama
import numpy as np
import numpy.typing as npt

BATCH = 512
"""The most tokens of one decode."""

_ABORTED = 2
_ATOI = ctypes.CDLL(None).atoi

Logits = npt.NDArray[np.float32]


class CannotLoad(Exception):
    """The weights are no model that llama.cpp reads, or there is too little memory."""


class Interrupted(Exception):
    """`interrupt` was called: the decode has changed nothing."""


class DecodeFailed(Exception):
    """llama.cpp gave up in the middle; what the cache holds is unknown."""


@dataclass(frozen=True)
class Entry:
    """One token for a decode: its place in its sequence, and whether its logits are wanted."""

    token: int
    position: int
    sequence: int
    logits: bool


class Runtime:
    """A loaded model with room for `cells` tokens, shared by `sequences` sequences.

    Cells that sequences have in common, because one is a copy of another's start, count once.
    Only one thread may call `decode`, `copy` and `drop`; any may call `interrupt`.
    """

    def __init__(self, path: Path, cells: int, sequences: int, threads: int) -> None:
        llama.llama_backend_init()
        self._model = llama.llama_model_load_from_file(
            str(path).encode(), llama.llama_model_default_params()
        )
        if not self._model:
            raise CannotLoad(f"llama.cpp cannot load {path}.")
        self._context = llama.llama_init_from_model(
            self._model, _parameters(cells, sequences, threads)
        )
        if not self._context:
            raise CannotLoad(f"llama.cpp cannot make a context of {cells} tokens.")
        self._memory = llama.llama_get_memory(self._context)
        # llama.cpp asks between operations, a thousand times for each token, whether to stop.
        # A function of Python would need the interpreter's lock each time; atoi("0") does not.
        self._stop = ctypes.create_string_buffer(b"0")
        llama.llama_set_abort_callback(
            self._context, ctypes.cast(_ATOI, llama.ggml_abort_callback), self._stop
        )
        self._vocabulary = llama.llama_model_get_vocab(self._model)
        self._batch = llama.llama_batch_init(BATCH, 0, 1)
        self.words = int(llama.llama_vocab_n_tokens(self._vocabulary))
        self.trained_context = int(llama.llama_model_n_ctx_train(self._model))

    def decode(self, entries: Sequence[Entry]) -> bool:
        """Run the tokens through the model; return False, nothing done, where no cell is free.

        Raises Interrupted, and DecodeFailed for whatever else goes wrong.
        """
        batch = self._batch
        batch.n_tokens = len(entries)
        for at, entry in enumerate(entries):
            batch.token[at] = entry.token
            batch.pos[at] = entry.position
            batch.n_seq_id[at] = 1
            batch.seq_id[at][0] = entry.sequence
            batch.logits[at] = entry.logits
        status = llama.llama_decode(self._context, batch)
        if status == _ABORTED:
            for entry in reversed(entries):
                self.drop(entry.sequence, entry.position)
            raise Interrupted
        if status not in (0, 1):
            raise DecodeFailed(f"llama_decode returned {status}.")
        return bool(status == 0)

    def interrupt(self, stop: bool = True) -> None:
        """Make the decode at work, or the next one, raise Interrupted; or take that back."""
        self._stop.value = b"1" if stop else b"0"

    def logits(self, at: int) -> Logits:
        """Return what the token at that place of the last decode gave; the next overwrites it."""
        row = llama.llama_get_logits_ith(self._context, at)
        return np.ctypeslib.as_array(row, shape=(self.words,))

    def copy(self, source: int, target: int, length: int) -> None:
        """Make the first `length` tokens of a sequence the start of an empty one."""
        llama.llama_memory_seq_cp(self._memory, source, target, 0, length)

    def drop(self, sequence: int, start: int = 0) -> None:
        """Forget a sequence from that position on."""
        llama.llama_memory_seq_rm(self._memory, sequence, start, -1)

    def tokenize(self, text: str, special: bool) -> list[int]:
        """Split into tokens; with `special` the marks of turns are such, else mere text."""
        data = text.encode(errors="replace")
        room = len(data) + 8
        tokens = (llama.llama_token * room)()
        count = llama.llama_tokenize(
            self._vocabulary, data, len(data), tokens, room, False, special
        )
        return list(tokens[:count])

    def piece(self, token: int) -> bytes:
        """Return the bytes of a token; a character may be spread over several."""
        size = 64
        while True:
            buffer = ctypes.create_string_buffer(size)
            got = llama.llama_token_to_piece(self._vocabulary, token, buffer, size, 0, False)
            if got >= 0:
                return buffer.raw[:got]
            size = -got

    def ends(self, token: int) -> bool:
        """Tell whether the token ends a reply."""
        return bool(llama.llama_vocab_is_eog(self._vocabulary, token))

    def marks(self) -> list[str]:
        """Return the texts that `tokenize` takes for control tokens where `special` is set."""
        controls = (
            token
            for token in range(self.words)
            if llama.llama_vocab_is_control(self._vocabulary, token)
        )
        return [text for text in map(self._text, controls) if text]

    @property
    def template(self) -> str | None:
        """The chat template that came with the weights."""
        found = llama.llama_model_chat_template(self._model, None)
        return found.decode() if found else None

    @property
    def begin(self) -> str:
        return self._text(llama.llama_vocab_bos(self._vocabulary))

    @property
    def begins_itself(self) -> bool:
        """Tell whether a prompt starts with `begin` although its template writes none."""
        return bool(llama.llama_vocab_get_add_bos(self._vocabulary))

    @property
    def end(self) -> str:
        return self._text(llama.llama_vocab_eos(self._vocabulary))

    def _text(self, token: int) -> str:
        if token < 0:
            return ""
        found = llama.llama_vocab_get_text(self._vocabulary, token)
        return found.decode(errors="replace") if found else ""


def _parameters(cells: int, sequences: int, threads: int) -> Any:
    parameters = llama.llama_context_default_params()
    parameters.n_ctx = cells
    parameters.n_batch = parameters.n_ubatch = BATCH
    parameters.n_seq_max = sequences
    parameters.n_threads = parameters.n_threads_batch = threads
    parameters.kv_unified = True  # one pool of cells, so that sequences can share them
    # Skips cells of other sequences: with 2,000 of them, reading a prompt took 1.45 times as long.
    parameters.flash_attn_type = llama.LLAMA_FLASH_ATTN_TYPE_ENABLED
    parameters.no_perf = True
    return parameters


@llama.llama_log_callback
def _say_nothing(level: int, text: bytes, data: ctypes.c_void_p) -> None:
    """Take llama.cpp's log and drop it."""


def quiet() -> None:
    """Make llama.cpp log nothing but what Python raises."""
    llama.llama_log_set(_say_nothing, ctypes.c_void_p(0))
