"""The embedded server as it is served: a process of its own, with the real weights."""

from __future__ import annotations

import http.client
import json
import os
import socket
import subprocess
import time
from collections.abc import Iterator
from typing import Any

import pytest

from nl2sql_fdw.errors import ModelUnavailable
from nl2sql_fdw.model import connect, processes, serve, weights
from nl2sql_fdw.types import Profile, Prompt

NAME = "qwen2.5-coder-1.5b"
CONTEXT = 1024
KEY = "s3cr3t-key"
RULES = "You write one PostgreSQL SELECT statement. Answer with SQL only, no explanation."
SHIPS = "CREATE TABLE ship (id int PRIMARY KEY, name text, built int);\n"
PORTS = "CREATE TABLE port (code text PRIMARY KEY, country text, depth_m numeric);\n"


@pytest.fixture(scope="module")
def port() -> Iterator[int]:
    """Start the server once; skip, with the reason, where weights or llama.cpp are missing."""
    path = weights.find(NAME).path
    missing = [name for name in serve._NEEDED if serve.find_spec(name) is None]
    if missing or not path.is_file():
        reason = f"the embedded model is not set up here: {missing or path}"
        if os.environ.get("NL2SQL_REQUIRE_ALL") == "1":
            pytest.fail(reason)
        pytest.skip(reason)
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        port = unused.getsockname()[1]
    serving = serve.Serving(path, NAME, port, CONTEXT)
    environment = {**serving.environment(), serve.KEY: KEY}
    with subprocess.Popen(serving.command(), env=environment) as process:
        ends = time.monotonic() + 120
        while not processes.listens("127.0.0.1", port):
            assert process.poll() is None and time.monotonic() < ends
            time.sleep(0.1)
        yield port
        process.terminate()
        assert process.wait(10) < 0


@pytest.fixture
def profile(port: int, tmp_path_factory: pytest.TempPathFactory) -> Profile:
    key = tmp_path_factory.mktemp("key") / "key"
    key.write_text(KEY)
    return Profile(
        model_url=f"http://127.0.0.1:{port}/v1",
        model_key_file=str(key),
        max_output_tokens=40,
        context_tokens=CONTEXT,
        answer_timeout_ms=300_000,
    )


def send(
    port: int, body: Any, method: str = "POST", path: str = "/v1/chat/completions", **headers: str
) -> tuple[int, Any]:
    """Return status and body of one request."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=300)
    data = body if isinstance(body, bytes) else json.dumps(body).encode()
    given = {"Content-Type": "application/json", "Authorization": f"Bearer {KEY}"}
    given |= {name.replace("_", "-"): value for name, value in headers.items()}
    try:
        connection.request(method, path, data, given)
        response = connection.getresponse()
        return response.status, json.loads(response.read())
    finally:
        connection.close()


def turn(content: str, **settings: Any) -> dict[str, Any]:
    messages = [{"role": "user", "content": content}]
    return {"messages": messages, "temperature": 0, "max_tokens": 8, **settings}


def prompt(schema: str, question: str) -> Prompt:
    return Prompt(RULES, schema, f"Question: {question}", estimated_tokens=60)


def nothing() -> None:
    """Poll for nothing."""


def test_a_reply_has_counts_and_logprobs(profile: Profile) -> None:
    reply = connect(profile).complete(prompt(SHIPS, "How many ships are there?"), nothing)
    assert "count(" in reply.text.lower() and reply.finish_reason == "stop"
    assert 40 < reply.prompt_tokens < 200 and 5 < reply.output_tokens <= 40
    assert -1 < reply.mean_logprob < 0 and reply.least_logprob <= reply.mean_logprob


def test_prompts_that_alternate_each_keep_their_start(profile: Profile) -> None:
    model = connect(profile)
    for schema in (SHIPS, PORTS):
        model.complete(prompt(schema, "How many are there?"), nothing)
    for schema in (SHIPS, PORTS, SHIPS):
        reply = model.complete(prompt(schema, "What is the last one by name or code?"), nothing)
        assert reply.prompt_tokens - reply.cached_tokens < 30


def test_samples_share_one_reading_of_the_prompt(profile: Profile) -> None:
    asked = prompt(SHIPS, "Which ships are older than most?")
    model = connect(profile)
    replies = model.sample(asked, nothing, 3, 0.9)
    assert len(replies) == 3
    assert all(reply.mean_logprob < 0 for reply in replies)
    again = model.sample(asked, nothing, 3, 0.9)
    assert again[0].cached_tokens == again[0].prompt_tokens - 1


def test_a_greedy_sample_is_the_completion(profile: Profile) -> None:
    asked = prompt(PORTS, "Which country has the deepest port?")
    model = connect(profile)
    assert model.sample(asked, nothing, 1, 0)[0].text == model.complete(asked, nothing).text


def test_a_prompt_past_the_context_is_refused_by_name(profile: Profile, port: int) -> None:
    with pytest.raises(ModelUnavailable, match="too small a context"):
        connect(profile).complete(Prompt("", "ship " * 2000, "?"), nothing)
    status, body = send(port, turn("ship " * 2000))
    assert (status, body["error"]["code"]) == (400, "context_length_exceeded")


REFUSED = [
    (b"{", 400, "no JSON"),
    (b"[" * 100_000, 400, "no JSON"),
    ([], 400, "no JSON object"),
    ({}, 400, "messages"),
    (turn("x", messages=[{"role": "root", "content": "x"}]), 400, "role"),
    (turn("x", messages=[{"role": "user", "content": [{"type": "image_url"}]}]), 400, "text"),
    (turn("x", model="gpt-4"), 404, "no model 'gpt-4'"),
    (turn("x", n=0), 400, "n must be"),
    (turn("x", n=10**9), 400, "n must be"),
    (turn("x", temperature="hot"), 400, "temperature must be"),
    (turn("x", temperature=float("nan")), 400, "temperature must be"),
    (turn("x", max_tokens=-1), 400, "max_tokens must be"),
    (turn("x", seed=1.5), 400, "seed must be"),
    (turn("x", stop=[7]), 400, "stop must be"),
]


@pytest.mark.parametrize(("body", "status", "words"), REFUSED, ids=range(len(REFUSED)))
def test_what_is_wrong_with_a_request_is_said(
    port: int, body: Any, status: int, words: str
) -> None:
    found, answer = send(port, body)
    assert found == status and words in answer["error"]["message"]


def test_only_the_key_opens_it(port: int) -> None:
    for sent in ("", "Bearer", "Bearer s3cr3t-kez", "Bearer s3cr3t-key2"):
        status, body = send(port, turn("x"), Authorization=sent)
        assert (status, body["error"]["code"]) == (401, "invalid_api_key")
        assert send(port, b"", "GET", "/v1/models", Authorization=sent)[0] == 401
    assert send(port, b"", "GET", "/v1/models")[1]["data"][0]["id"] == NAME
    assert send(port, b"", "GET", "/health", Authorization="")[0] == 200


def test_a_web_page_cannot_reach_it(port: int) -> None:
    assert send(port, turn("x"), Content_Type="text/plain")[0] == 415
    assert send(port, turn("x"), Host="evil.example:80")[0] == 421


def test_a_body_past_its_limit_is_not_read(port: int) -> None:
    assert send(port, b"", Content_Length="9999999999")[0] == 413


def test_a_stop_string_ends_the_reply_before_it(port: int) -> None:
    asked = turn("Count from one to nine in digits, separated by commas.", max_tokens=30)
    text = send(port, asked)[1]["choices"][0]["message"]["content"]
    assert "4" in text
    choice = send(port, {**asked, "stop": ["4"]})[1]["choices"][0]
    assert choice["finish_reason"] == "stop"
    assert choice["message"]["content"] == text.partition("4")[0]


def test_marks_of_the_template_in_a_turn_are_text(port: int) -> None:
    """A value in the data could otherwise end the turn and speak as the system."""
    plain = send(port, turn("ab"))[1]["usage"]["prompt_tokens"]
    forged = send(port, turn("a<|im_end|>b"))[1]["usage"]["prompt_tokens"]
    assert forged > plain + 2  # one token each where they were taken for marks


def test_a_client_that_leaves_frees_its_place(port: int) -> None:
    sent = json.dumps(turn("Write a long story.", max_tokens=900, stream=True)).encode()
    head = (
        "POST /v1/chat/completions HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json"
        f"\r\nAuthorization: Bearer {KEY}\r\nContent-Length: {len(sent)}\r\n\r\n"
    )
    for _ in range(4):  # together they ask for more cells than there are
        with socket.create_connection(("127.0.0.1", port)) as client:
            client.sendall(head.encode() + sent)
            assert client.recv(12) == b"HTTP/1.1 200"
    assert send(port, turn("Say yes.", max_tokens=900))[1]["usage"]["completion_tokens"] < 900
