"""Both clients against a scripted server on a real socket, and every way that it can fail."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from fake_model import FakeModel, Script

from nl2sql_fdw.errors import BadSetup, ModelUnavailable
from nl2sql_fdw.model import connect
from nl2sql_fdw.types import Profile, Prompt, Reply

PROMPT = Prompt("You write SQL.", "Table ship(id int). ", "How many ships?")
PROVIDERS = ("openai", "ollama")
Ask = Callable[..., Reply]


@pytest.fixture
def fake() -> Iterator[FakeModel]:
    with FakeModel() as model:
        yield model


@pytest.fixture(params=PROVIDERS)
def provider(request: pytest.FixtureRequest) -> str:
    return request.param


@pytest.fixture
def ask(fake: FakeModel, provider: str) -> Ask:
    """Ask PROMPT, with a profile of the given settings."""

    def send(prompt: Prompt = PROMPT, poll: Callable[[], None] = lambda: None, **settings: object):
        url = fake.url if provider == "openai" else fake.ollama_url
        given = {"answer_timeout_ms": 1000, "load_timeout_ms": 1000, "model_url": url, **settings}
        return connect(Profile(model_provider=provider, **given)).complete(prompt, poll)

    return send


def test_a_reply_comes_back_whole_with_its_counts(fake: FakeModel, ask: Ask, provider: str) -> None:
    fake.enqueue(Script("SELECT count(*)\nFROM ship", prompt_tokens=40, cached_tokens=32))
    reply = ask()
    assert reply.text == "SELECT count(*)\nFROM ship"
    assert (reply.prompt_tokens, reply.output_tokens, reply.finish_reason) == (40, 8, "stop")
    assert reply.cached_tokens == (32 if provider == "openai" else None)


def test_the_question_is_sent_with_every_bound(fake: FakeModel, ask: Ask, provider: str) -> None:
    fake.enqueue("SELECT 1")
    ask(context_tokens=4096, max_output_tokens=99, model_keep_alive="300")
    (sent,) = fake.chats
    assert sent["messages"] == PROMPT.messages()
    assert sent["stream"] is True
    if provider == "openai":
        assert (sent["temperature"], sent["seed"], sent["max_tokens"]) == (0, 0, 99)
    else:
        bounds = {"num_ctx": 4096, "num_predict": 99, "temperature": 0, "seed": 0}
        assert sent["options"] == bounds
        assert sent["keep_alive"] == 300 and sent["think"] is False
        preload = fake.requests[0].body
        assert preload["prompt"] == "" and preload["options"] == bounds


@pytest.mark.parametrize(
    ("text", "sent"), [("10m", "10m"), ("-1", -1), ("300", 300), ("1.5h", "1.5h"), ("", None)]
)
def test_keep_alive_has_its_json_type(fake: FakeModel, text: str, sent: object) -> None:
    fake.enqueue("SELECT 1")
    profile = Profile(model_provider="ollama", model_url=fake.ollama_url, model_keep_alive=text)
    connect(profile).complete(PROMPT, lambda: None)
    assert [r.body.get("keep_alive") for r in fake.requests] == [sent, sent]


def test_ollama_host_is_used_where_the_profile_names_no_url(
    fake: FakeModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OLLAMA_HOST", fake.ollama_url)
    fake.enqueue("SELECT 1")
    assert connect(Profile(model_provider="ollama")).complete(PROMPT, lambda: None).text


def test_m9_a_tool_call_beside_the_sql_is_no_second_turn(fake: FakeModel, ask: Ask) -> None:
    fake.enqueue(Script("SELECT 1", tool_call=True), Script("SELECT 2", tool_call=True))
    assert ask().text == "SELECT 1"
    assert len(fake.chats) == 1


def test_a_server_that_does_not_stream_is_understood(fake: FakeModel, ask: Ask) -> None:
    fake.enqueue(Script("SELECT 1", fault="whole"))
    assert ask().text == "SELECT 1"


def test_the_logprobs_of_a_reply_come_with_it(fake: FakeModel) -> None:
    fake.enqueue(Script("SELECT 1", logprobs=(-0.1, -0.5, -0.3)), "SELECT 1")
    model = connect(Profile(model_url=fake.url))
    reply = model.complete(PROMPT, lambda: None)
    assert (reply.mean_logprob, reply.least_logprob) == (pytest.approx(-0.3), -0.5)
    assert model.complete(PROMPT, lambda: None).mean_logprob is None


def test_a_server_that_refuses_logprobs_is_asked_without(fake: FakeModel) -> None:
    fake.enqueue(Script(fault="no_logprobs"), "SELECT 1", "SELECT 2")
    model = connect(Profile(model_url=fake.url))
    assert model.complete(PROMPT, lambda: None).text == "SELECT 1"
    assert model.complete(PROMPT, lambda: None).text == "SELECT 2"
    assert ["logprobs" in chat for chat in fake.chats] == [True, False, False]


def test_samples_are_asked_for_at_once(fake: FakeModel) -> None:
    fake.enqueue(Script("SELECT 1", prompt_tokens=40, cached_tokens=8, logprobs=(-1.0,)))
    fake.enqueue(Script("SELECT 2", logprobs=(-2.0, -4.0)), "SELECT 3")
    replies = connect(Profile(model_url=fake.url)).sample(PROMPT, lambda: None, 3, 0.7)
    assert [reply.text for reply in replies] == ["SELECT 1", "SELECT 2", "SELECT 3"]
    assert [reply.mean_logprob for reply in replies] == [-1.0, -3.0, None]
    assert [reply.cached_tokens for reply in replies] == [8, 40, 40]
    assert [reply.output_tokens for reply in replies] == [1, 2, None]
    (sent,) = fake.chats
    assert (sent["n"], sent["temperature"], sent["seed"]) == (3, 0.7, 1)


def test_samples_that_a_server_holds_back_are_asked_for_again(provider: str) -> None:
    with FakeModel(max_choices=1) as fake:
        fake.enqueue("SELECT 1", "SELECT 2", "SELECT 3")
        url = fake.url if provider == "openai" else fake.ollama_url
        model = connect(Profile(model_provider=provider, model_url=url))
        replies = model.sample(PROMPT, lambda: None, 3, 0.7)
        assert [reply.text for reply in replies] == ["SELECT 1", "SELECT 2", "SELECT 3"]
        drawn = [chat.get("options", chat) for chat in fake.chats]
        assert [(d["seed"], d["temperature"]) for d in drawn] == [(1, 0.7), (2, 0.7), (3, 0.7)]


def test_an_empty_sample_is_drawn_again(fake: FakeModel) -> None:
    fake.enqueue("", "SELECT 2", "SELECT 3")
    replies = connect(Profile(model_url=fake.url)).sample(PROMPT, lambda: None, 2, 0.7)
    assert [reply.text for reply in replies] == ["SELECT 2", "SELECT 3"]


FAILURES = [
    # fault, words of the message, words of the hint
    ("hang", "did not answer within 0.5 s", "answer_timeout_ms"),
    ("hang_midway", "did not answer within 0.5 s", "answer_timeout_ms"),
    ("garbage", "no reply", "log"),
    ("noise", "no model server", "port"),
    ("broken_chunk", "broke off", "log"),
    ("cut_stream", "broke off", "log"),
    ("empty_object", "no reply", "log"),
    ("stream_error", "broke off", "log"),
    ("drop", "broke off", "log"),
    ("denied", "refused the key (HTTP 401)", "model_key_file"),
    ("crash", "answered HTTP 500", "log"),
    ("words", "no reply", "log"),
]


@pytest.mark.parametrize(("fault", "message", "hint"), FAILURES, ids=[f[0] for f in FAILURES])
def test_each_failure_is_one_clear_error(
    fake: FakeModel, ask: Ask, fault: str, message: str, hint: str
) -> None:
    fake.enqueue(Script("SELECT 1 FROM ship", fault=fault))
    with pytest.raises(ModelUnavailable) as caught:
        ask(answer_timeout_ms=500, load_timeout_ms=500, max_output_tokens=20)
    error = caught.value
    assert f"127.0.0.1:{fake.port}" in error.message and "qwen2.5-coder-1.5b" in error.message
    assert message in error.message.replace("is still loading after", "did not answer within")
    assert hint in error.hint.replace("load_timeout_ms", "answer_timeout_ms") and error.hint


def test_c5_a_missing_model_is_named_with_its_command(
    fake: FakeModel, ask: Ask, provider: str
) -> None:
    fake.enqueue(Script(fault="missing"))
    with pytest.raises(
        ModelUnavailable, match=r"qwen2\.5-coder-1\.5b at .* is not there"
    ) as caught:
        ask()
    command = "nl2sql model pull" if provider == "openai" else "ollama pull"
    assert f"`{command} qwen2.5-coder-1.5b`" in caught.value.hint


def test_c5_a_server_that_is_down_is_named_with_its_command(provider: str) -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{unused.getsockname()[1]}"
        with pytest.raises(ModelUnavailable, match=f"No model server answers at {url}") as caught:
            connect(Profile(model_provider=provider, model_url=url)).complete(PROMPT, lambda: None)
    assert {"openai": "`nl2sql model serve`", "ollama": "`ollama serve`"}[provider] in (
        caught.value.hint
    )


def test_m7_whitespace_without_end_is_stopped(fake: FakeModel, ask: Ask) -> None:
    fake.enqueue(Script("", fault="blanks"))
    with pytest.raises(ModelUnavailable, match="empty reply"):
        ask(answer_timeout_ms=10_000)
    _until(lambda: fake.abandoned)


def test_m7_whitespace_after_the_sql_ends_the_reply(fake: FakeModel, ask: Ask) -> None:
    fake.enqueue(Script("SELECT 1", fault="blanks"))
    assert ask(answer_timeout_ms=10_000).text == "SELECT 1"


def test_an_empty_reply_is_a_failure(fake: FakeModel, ask: Ask) -> None:
    fake.enqueue("")
    with pytest.raises(ModelUnavailable, match="empty reply"):
        ask()


def test_tokens_spent_on_thinking_alone_are_named(fake: FakeModel, ask: Ask) -> None:
    fake.enqueue(Script("", finish_reason="length"))
    with pytest.raises(ModelUnavailable, match="spent its 512 tokens without an answer"):
        ask()


@pytest.mark.parametrize("read", [2048, 4098])
def test_c1_a_silently_cut_prompt_is_refused(fake: FakeModel, ask: Ask, read: int) -> None:
    fake.enqueue(Script("SELECT 1", prompt_tokens=read))
    prompt = Prompt("", "x" * 22_500, "?", estimated_tokens=7500)
    with pytest.raises(ModelUnavailable, match="too small a context") as caught:
        ask(prompt, context_tokens=8192)
    assert str(read) in caught.value.detail and "context" in caught.value.hint


@pytest.mark.parametrize("read", [3750, 5600, 7500, 9000])
def test_c1_a_plausible_count_passes(fake: FakeModel, ask: Ask, read: int) -> None:
    fake.enqueue(Script("SELECT 1", prompt_tokens=read))
    assert ask(Prompt("", "x" * 22_500, "?", estimated_tokens=7500)).prompt_tokens == read


def test_c1_a_server_that_says_the_prompt_is_too_long(fake: FakeModel) -> None:
    fake.enqueue(Script(fault="too_long"))
    with pytest.raises(ModelUnavailable, match="too small a context") as caught:
        connect(Profile(model_url=fake.url)).complete(PROMPT, lambda: None)
    assert "nl2sql model serve --context 8192" in caught.value.hint


def test_c1_a_server_that_says_so_only_without_a_stream(fake: FakeModel) -> None:
    fake.enqueue(Script(fault="no_body"), Script(fault="too_long"))
    with pytest.raises(ModelUnavailable, match="too small a context"):
        connect(Profile(model_url=fake.url)).complete(PROMPT, lambda: None)
    assert [(chat["stream"], chat["max_tokens"]) for chat in fake.chats] == [
        (True, 512),
        (False, 1),
    ]


@pytest.mark.parametrize("then", ["no_body", ""])
def test_a_stream_without_a_word_is_a_failure(fake: FakeModel, ask: Ask, then: str) -> None:
    fake.enqueue(Script(fault="no_body"), Script("SELECT", fault=then))
    with pytest.raises(ModelUnavailable, match="broke off"):
        ask()


def test_c4_a_cold_load_has_its_own_limit_and_one_connection() -> None:
    with FakeModel(default="SELECT 1", load_s=0.7) as slow:
        profile = Profile(
            model_provider="ollama",
            model_url=slow.ollama_url,
            load_timeout_ms=3000,
            answer_timeout_ms=300,
        )
        assert connect(profile).complete(PROMPT, lambda: None).text == "SELECT 1"
        assert [r.path for r in slow.requests] == ["/api/generate", "/api/chat"]
        assert not slow.abandoned


def test_c4_a_load_past_its_limit_says_so() -> None:
    with FakeModel(default="SELECT 1", load_s=5) as slow:
        profile = Profile(model_provider="ollama", model_url=slow.ollama_url, load_timeout_ms=300)
        with pytest.raises(ModelUnavailable, match=r"still loading after 0\.3 s") as caught:
            connect(profile).complete(PROMPT, lambda: None)
    assert "load_timeout_ms" in caught.value.hint


def test_c4_a_loading_openai_server_is_waited_for(fake: FakeModel) -> None:
    fake.enqueue(Script(fault="loading"), Script(fault="loading"), "SELECT 1")
    profile = Profile(model_url=fake.url, answer_timeout_ms=500, load_timeout_ms=5000)
    assert connect(profile).complete(PROMPT, lambda: None).text == "SELECT 1"


def test_c4_asking_again_does_not_restart_the_clock(fake: FakeModel) -> None:
    fake.enqueue(*[Script(fault="loading")] * 20)
    started = time.monotonic()
    profile = Profile(model_url=fake.url, load_timeout_ms=1200)
    with pytest.raises(ModelUnavailable, match=r"still loading after 1\.2 s"):
        connect(profile).complete(PROMPT, lambda: None)
    assert time.monotonic() - started < 2.5


class _Cancel(Exception):
    """What a database raises from poll."""


@pytest.mark.parametrize("fault", ["hang", "hang_midway"])
def test_c6_a_cancel_ends_a_hanging_call_within_half_a_second(
    fake: FakeModel, ask: Ask, fault: str
) -> None:
    fake.enqueue(Script("SELECT 1 FROM ship", fault=fault))
    canceled_at = time.monotonic() + 0.3

    def poll() -> None:
        if time.monotonic() >= canceled_at:
            raise _Cancel

    before = threading.active_count()
    with pytest.raises(_Cancel):
        ask(poll=poll, answer_timeout_ms=60_000, load_timeout_ms=60_000)
    assert time.monotonic() - canceled_at < 0.5
    _until(lambda: fake.abandoned)  # so the server stops generating
    assert fake.abandoned[0] - canceled_at < 0.5
    _until(lambda: threading.active_count() <= before)


def test_a_key_is_sent_from_its_file_and_shown_nowhere(
    fake: FakeModel, ask: Ask, tmp_path: Path
) -> None:
    key_file = tmp_path / "key"
    key_file.write_text("s3cr3t-key\n")
    fake.enqueue(Script(fault="denied"))
    with pytest.raises(ModelUnavailable) as caught:
        ask(model_key_file=str(key_file))
    assert fake.requests[0].headers["authorization"] == "Bearer s3cr3t-key"
    assert "s3cr3t" not in caught.value.message + caught.value.detail + caught.value.hint


def test_a_missing_key_file_is_named(ask: Ask) -> None:
    with pytest.raises(BadSetup, match="/nowhere/key cannot be read"):
        ask(model_key_file="/nowhere/key")


@pytest.mark.parametrize("url", ["127.0.0.1:8642", "ftp://127.0.0.1/v1", "http://", "http://a:b/"])
def test_a_url_that_cannot_work_is_bad_setup(provider: str, url: str) -> None:
    with pytest.raises(BadSetup, match="is no URL of a model server"):
        connect(Profile(model_provider=provider, model_url=url))


def test_an_unknown_provider_is_bad_setup() -> None:
    with pytest.raises(BadSetup, match="'cloud'"):
        connect(Profile(model_provider="cloud"))


def _until(condition: Callable[[], object], seconds: float = 2.0) -> None:
    """Wait for what the other side of a socket does soon."""
    ends = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < ends, "it never happened"
        time.sleep(0.01)
