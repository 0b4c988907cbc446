"""Vectors of words without a server: read from the wheel's files, as its own code would."""

from __future__ import annotations

import subprocess
import sys
from importlib.util import find_spec

import numpy as np
import pytest
from tokenizers import Tokenizer

from nl2sql_fdw.embeddings import static

WORDS = (
    "customer",
    "nationality",
    "tweeted",
    "sportsinfo",
    "orderdetails",
    "maß",
    "naïve",
    "x",
    "2024",
)


@pytest.fixture(scope="module")
def embedder() -> static.StaticEmbedder:
    found = static.load()
    assert found
    return found


def test_words_are_split_as_the_model_did(embedder: static.StaticEmbedder) -> None:
    (folder,) = find_spec("wordllama").submodule_search_locations
    published = Tokenizer.from_file(f"{folder}/{static._TOKENS}")
    for word in WORDS:
        expected = published.encode(word, add_special_tokens=False).ids
        assert static.tokens(word, embedder._ids) == expected, word


def test_vectors_have_length_one_and_what_says_nothing_has_none(
    embedder: static.StaticEmbedder,
) -> None:
    found = embedder.embed(["home port", "", "ship"])
    assert found.dtype == np.float32
    assert np.linalg.norm(found, axis=1) == pytest.approx([1, 0, 1])


def test_synonyms_are_nearer_than_strangers(embedder: static.StaticEmbedder) -> None:
    movie, film, country, nation, policy = embedder.embed(
        ["movie", "film", "country", "nation", "policy"]
    )
    assert movie @ film > 0.5 > movie @ policy
    assert country @ nation > 0.5 > country @ film


def test_the_packages_own_code_is_not_loaded() -> None:
    code = (
        "import sys; from nl2sql_fdw.embeddings import connect; connect().embed(['ship']);"
        "sys.exit(bool({'wordllama', 'tokenizers', 'pydantic'} & set(sys.modules)))"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
