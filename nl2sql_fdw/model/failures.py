"""What can go wrong with a model server, each with the command that mends it."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import urlsplit

from nl2sql_fdw.errors import ModelUnavailable
from nl2sql_fdw.types import Prompt, Reply

OLLAMA_PORT = 11434
_QUOTED_BYTES = 200
_LOOPBACK = ("127.0.0.1", "localhost", "::1")


@dataclass(frozen=True)
class Server:
    """The server and model that a failure is about."""

    url: str
    model: str
    context_tokens: int
    provider: str = "openai"

    @property
    def _runs_ollama(self) -> bool:
        return self.provider == "ollama" or urlsplit(self.url).port == OLLAMA_PORT

    def _start(self) -> str:
        if self._runs_ollama:
            return "Start it with `ollama serve`."
        if urlsplit(self.url).hostname in _LOOPBACK:
            return "Start it with `nl2sql model serve`."
        return f"Start the server at {self.url}, or set the profile's model_url."

    def _pull(self) -> str:
        if self._runs_ollama:
            return f"Fetch it with `ollama pull {self.model}`."
        return (
            f"Fetch it with `nl2sql model pull {self.model}`, then start it with "
            f"`nl2sql model serve {self.model}`; or set the profile's model_name."
        )

    def _raise_context(self) -> str:
        if self._runs_ollama:
            return "Choose a model with a longer context, or lower the profile's context_tokens."
        return (
            f"Restart it with `nl2sql model serve --context {self.context_tokens}`, "
            "or lower the profile's context_tokens."
        )

    def _error(self, what: str, detail: str = "", hint: str = "") -> ModelUnavailable:
        return ModelUnavailable(
            f"Model {self.model} at {self.url} {what}.", detail, hint or self._start()
        )

    def down(self, reason: str) -> ModelUnavailable:
        return ModelUnavailable(
            f"No model server answers at {self.url} (model {self.model}).", reason, self._start()
        )

    def foreign(self, detail: str) -> ModelUnavailable:
        return self._error(
            "cannot be reached: what answers there is no model server",
            detail,
            f"Check the port in the profile's model_url. {self._start()}",
        )

    def missing(self, detail: str) -> ModelUnavailable:
        return self._error("is not there", detail, self._pull())

    def locked(self, status: int) -> ModelUnavailable:
        return self._error(
            f"refused the key (HTTP {status})",
            hint="Put the right key into the file that the profile's model_key_file names.",
        )

    def failed(self, status: int, detail: str) -> ModelUnavailable:
        return self._error(f"answered HTTP {status}", detail, "See the model server's log.")

    def loading(self, ms: int) -> ModelUnavailable:
        return self._error(
            f"is still loading after {seconds(ms)}",
            hint="Ask again later, or raise the profile's load_timeout_ms.",
        )

    def busy(self, ms: int) -> ModelUnavailable:
        return self._error(
            f"took the connection but has said nothing for {seconds(ms)}: it is busy, or hangs",
            hint="It may be busy with other questions: look again in a minute.",
        )

    def late(self, ms: int) -> ModelUnavailable:
        return self._error(
            f"did not answer within {seconds(ms)}",
            hint="Raise the profile's answer_timeout_ms, or use a smaller model.",
        )

    def broken(self, detail: str) -> ModelUnavailable:
        return self._error("broke off its reply", detail, "See the model server's log.")

    def garbage(self, sent: str) -> ModelUnavailable:
        return self._error(
            "sent something that is no reply", sent[:_QUOTED_BYTES], "See the model server's log."
        )

    def blank(self, finish_reason: str | None, max_output_tokens: int) -> ModelUnavailable:
        if finish_reason == "length":
            return self._error(
                f"spent its {max_output_tokens} tokens without an answer",
                hint="Raise the profile's max_output_tokens, or use a model that does not think.",
            )
        return self._error("sent an empty reply", hint="Ask again, or use another model.")

    def too_long(self, detail: str) -> ModelUnavailable:
        return self._error("has too small a context for the prompt", detail, self._raise_context())

    def check(self, reply: Reply, prompt: Prompt) -> Reply:
        """Return the reply unless the server has plainly cut the prompt to fit its context.

        The estimate is 1 token per 3 bytes, and no tokenizer of ours packs more than 6
        bytes of a prompt into one, so half the estimate is the fewest that is plausible.
        A server that cuts in the middle keeps half its context and two tokens more.
        """
        seen, estimate = reply.prompt_tokens, prompt.estimated_tokens
        if seen is None or seen >= estimate:
            return reply
        if seen * 2 < estimate or seen == self.context_tokens // 2 + 2:
            raise self.too_long(
                f"The server read {seen} tokens of a prompt of about {estimate}: it cut the rest."
            )
        return reply


def seconds(ms: int) -> str:
    """Write milliseconds as seconds, without needless digits."""
    return f"{ms / 1000:g} s"
