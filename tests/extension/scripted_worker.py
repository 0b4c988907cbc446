"""The extension's real worker with a scripted, instant model, and with layers off where asked.

a question "sql: SELECT 1" gets SELECT 1; "hang" gets no answer; NL2SQL_TEST_OFF=guard,cost
"""

from __future__ import annotations

import os
import time
from collections.abc import Sequence

from nl2sql_fdw.entry import sqlite_worker
from nl2sql_fdw.types import ALL_LAYERS, Layers, Poll, Profile, Prompt, Reply


class ScriptedModel:
    name = "scripted"

    def __init__(self, profile: Profile) -> None:
        """Take a profile, as model.connect does."""

    def complete(self, prompt: Prompt, poll: Poll) -> Reply:
        asked = prompt.messages()[-1]["content"] if prompt.later else prompt.tail
        while "hang" in asked and "sql:" not in asked:
            time.sleep(0.1)
            poll()
        return Reply(asked.partition("sql:")[2].splitlines()[0].strip())

    def sample(self, prompt: Prompt, poll: Poll, count: int, temperature: float) -> Sequence[Reply]:
        return [self.complete(prompt, poll)] * count


def main() -> None:
    off = {name: False for name in os.environ.get("NL2SQL_TEST_OFF", "").split(",") if name}
    sqlite_worker.main(ScriptedModel, Layers(**off) if off else ALL_LAYERS)


if __name__ == "__main__":
    main()
