"""The embedded server's parts that need no model: its cache, its text, its choice of tokens."""

from __future__ import annotations

import numpy as np
import pytest

from nl2sql_fdw.model.server.cache import KEPT, Cache, Row
from nl2sql_fdw.model.server.sampling import Sampling, choose
from nl2sql_fdw.model.server.text import Text


class Cells:
    """A memory that keeps which tokens each sequence would see, as llama.cpp does."""

    def __init__(self) -> None:
        self.held: dict[int, list[int]] = {}

    def copy(self, source: int, target: int, length: int) -> None:
        assert not self.held.get(target), "a sequence is copied over another"
        self.held[target] = self.held[source][:length]

    def drop(self, sequence: int, start: int = 0) -> None:
        self.held[sequence] = self.held.get(sequence, [])[:start]


def read(cache: Cache, cells: Cells, prompt: list[int]) -> tuple[Row, int]:
    """Take a row, read the rest of the prompt into it; return it with what it had."""
    row = cache.take(prompt)
    reused = len(row.tokens)
    assert cells.held.get(row.number, []) == row.tokens == prompt[:reused]
    row.tokens += prompt[reused:]
    cells.held[row.number] = list(row.tokens)
    return row, reused


@pytest.fixture
def cells() -> Cells:
    return Cells()


@pytest.fixture
def cache(cells: Cells) -> Cache:
    return Cache(cells, 12)


def test_the_longest_common_start_is_reused(cache: Cache, cells: Cells) -> None:
    for prompt in ([1, 2, 3], [1, 2, 4, 5], [7, 8]):
        cache.release(read(cache, cells, prompt)[0], keep=True)
    assert read(cache, cells, [1, 2, 4, 6])[1] == 3
    assert read(cache, cells, [7, 9])[1] == 1
    assert read(cache, cells, [6, 6])[1] == 0


def test_the_last_token_is_always_read_anew(cache: Cache, cells: Cells) -> None:
    cache.release(read(cache, cells, [1, 2, 3])[0], keep=True)
    assert read(cache, cells, [1, 2, 3])[1] == 2


def test_a_row_at_work_lends_its_start_and_keeps_its_own(cache: Cache, cells: Cells) -> None:
    first, _ = read(cache, cells, [1, 2, 3, 4])
    second, reused = read(cache, cells, [1, 2, 3, 9])
    assert reused == 3 and second is not first
    assert cells.held[first.number] == [1, 2, 3, 4]


def test_a_prompt_that_goes_on_takes_the_row_itself(cache: Cache, cells: Cells) -> None:
    first, _ = read(cache, cells, [1, 2, 3])
    cache.release(first, keep=True)
    again, reused = read(cache, cells, [1, 2, 3, 4, 5])
    assert again is first and reused == 3


def test_the_least_recently_used_goes_first(cache: Cache, cells: Cells) -> None:
    for start in range(KEPT):
        cache.release(read(cache, cells, [start, 0])[0], keep=True)
    cache.release(read(cache, cells, [0, 0, 1])[0], keep=True)  # uses the oldest again
    assert cache.evict()
    assert read(cache, cells, [1, 0])[1] == 0
    assert read(cache, cells, [0, 0, 2])[1] == 2


def test_only_so_many_idle_prompts_stay(cache: Cache, cells: Cells) -> None:
    for start in range(KEPT + 3):
        cache.release(read(cache, cells, [start, 0, 0])[0], keep=True)
    assert sum(1 for held in cells.held.values() if held) == KEPT


def test_rows_at_work_are_never_evicted(cache: Cache, cells: Cells) -> None:
    rows = [read(cache, cells, [start, 0])[0] for start in range(3)]
    assert not cache.evict()
    assert [cells.held[row.number] for row in rows] == [[0, 0], [1, 0], [2, 0]]


def test_with_no_row_free_the_most_alike_idle_one_is_cut(cells: Cells) -> None:
    cache = Cache(cells, 2)
    cache.release(read(cache, cells, [1, 2, 3])[0], keep=True)
    read(cache, cells, [9, 9])
    row, reused = read(cache, cells, [1, 2, 4])
    assert reused == 2 and cells.held[row.number] == [1, 2, 4]


def test_a_character_is_given_out_whole() -> None:
    text = Text([])
    assert [text.add(byte.to_bytes(1, "big")) for byte in "aé€".encode()] == [
        *("a", "", "é", "", "", "€")
    ]
    assert text.add(b"\xe2") == "" and text.close() == "\ufffd"


def test_a_stop_string_is_found_across_tokens() -> None:
    text = Text(["```\n", "END"])
    given = [text.add(piece) for piece in (b"SELECT 1\n`", b"``", b"\nmore")]
    assert given == ["SELECT 1\n", "", ""] and text.stopped and text.close() == ""


def test_what_only_began_like_a_stop_string_is_given_out() -> None:
    text = Text(["```\n"])
    assert text.add(b"a``") == "a" and text.add(b"b`") == "``b" and text.close() == "`"


def test_the_earliest_of_two_stops_counts() -> None:
    text = Text(["two", "one"])
    assert text.add(b"0 one two") == "0 "


LOGITS = np.log(np.array([0.1, 0.6, 0.3], dtype=np.float32))


def test_at_temperature_0_the_most_probable_is_chosen() -> None:
    sampling = Sampling(temperature=0)
    assert choose(LOGITS, sampling, sampling.generator(0)) == (1, pytest.approx(np.log(0.6)))


def test_draws_have_the_frequencies_of_the_probabilities() -> None:
    sampling = Sampling(temperature=1, top_p=1, seed=5)
    chance = sampling.generator(0)
    drawn = [choose(LOGITS, sampling, chance)[0] for _ in range(5000)]
    shares = np.bincount(drawn) / 5000
    assert shares == pytest.approx([0.1, 0.6, 0.3], abs=0.03)


def test_a_logprob_is_of_the_model_whatever_the_temperature() -> None:
    sampling = Sampling(temperature=5, top_p=1, seed=1)
    chance = sampling.generator(0)
    for _ in range(50):
        token, logprob = choose(LOGITS, sampling, chance)
        assert logprob == pytest.approx(float(LOGITS[token]), abs=1e-5)


def test_top_p_leaves_out_the_tail() -> None:
    sampling = Sampling(temperature=1, top_p=0.85, seed=5)
    chance = sampling.generator(0)
    assert {choose(LOGITS, sampling, chance)[0] for _ in range(500)} == {1, 2}
    narrow = Sampling(temperature=1, top_p=0.5, seed=5)
    assert {choose(LOGITS, narrow, chance)[0] for _ in range(200)} == {1}


def test_choices_of_a_request_differ_and_a_seed_repeats_them() -> None:
    def draws(seed: int, index: int) -> list[int]:
        sampling = Sampling(temperature=1, top_p=1, seed=seed)
        chance = sampling.generator(index)
        return [choose(LOGITS, sampling, chance)[0] for _ in range(40)]

    assert draws(3, 0) == draws(3, 0)
    assert len({tuple(draws(3, 0)), tuple(draws(3, 1)), tuple(draws(4, 0))}) == 3
