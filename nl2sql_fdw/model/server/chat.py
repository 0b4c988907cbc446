"""Chat turns as tokens, by the template that came with the weights."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from jinja2 import TemplateError
from llama_cpp.llama_chat_format import Jinja2ChatFormatter

from nl2sql_fdw.model.server.runtime import Runtime

_CHATML = (
    "{% for m in messages %}<|im_start|>{{ m.role }}\n{{ m.content }}<|im_end|>\n{% endfor %}"
    "{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
)
_HIDDEN = "\ue000{}\ue001"
_SHOWN = re.compile("\ue000([0-9]+)\ue001")


class BadTurns(Exception):
    """The template refuses these turns."""


class Template:
    """Writes turns as the model was trained to read them.

    A mark of the template inside a turn, such as <|im_end|> in a question or in a row of
    data, stays text: nothing that a turn says can end it or begin another.
    """

    def __init__(self, runtime: Runtime) -> None:
        self._runtime = runtime
        self._formatter = Jinja2ChatFormatter(
            runtime.template or _CHATML, eos_token=runtime.end, bos_token=runtime.begin
        )
        marks = sorted(runtime.marks(), key=len, reverse=True)
        self._marks = re.compile("|".join(map(re.escape, marks)) or r"(?!)")

    def tokens(self, messages: Sequence[Mapping[str, str]]) -> list[int]:
        """Return the prompt that asks for the next turn; raises BadTurns."""
        hidden: list[str] = []

        def hide(found: re.Match[str]) -> str:
            hidden.append(found[0])
            return _HIDDEN.format(len(hidden) - 1)

        def guarded(text: str) -> str:
            plain = text.replace("\ue000", "\ufffd")  # ours alone, whoever writes it
            return self._marks.sub(hide, plain)

        turns = [{**turn, "content": guarded(turn["content"])} for turn in messages]
        parts = _SHOWN.split(self._write(turns))
        tokens = []
        for at, part in enumerate(parts):
            spelled = at % 2 == 1  # odd parts are the numbers of what was hidden
            text = hidden[int(part)] if spelled else part
            tokens += self._runtime.tokenize(text, special=not spelled) if text else []
        return tokens

    def _write(self, turns: Sequence[Mapping[str, Any]]) -> str:
        try:
            text = str(self._formatter(messages=turns).prompt)
        except (TemplateError, ValueError, TypeError) as error:
            raise BadTurns(str(error)) from error
        begin = self._runtime.begin
        if self._runtime.begins_itself and begin and not text.startswith(begin):
            return begin + text
        return text
