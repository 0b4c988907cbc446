"""Runs in dbt's own environment: one dbt command a line, as JSON; one reply a line.

Importing dbt takes longer than most of its commands: here it is imported once.
The file's name must not start with dbt_: dbt would import it as a plugin.
"""

import json
import os
import sys
import tempfile

from dbt.cli.main import dbtRunner


def captured(command):
    """Run one command with its output in a file; return its exit status and that output."""
    with tempfile.TemporaryFile() as out:
        sys.stdout.flush()
        kept = os.dup(1)
        os.dup2(out.fileno(), 1)
        try:
            result = dbtRunner().invoke(command)
        finally:
            sys.stdout.flush()
            os.dup2(kept, 1)
            os.close(kept)
        out.seek(0)
        said = out.read().decode()
    if result.exception:
        said += f"\n{result.exception}"
    return {"code": 0 if result.success else 1, "output": said}


for line in sys.stdin:
    asked = json.loads(line)
    os.environ.update(asked["env"])
    os.chdir(asked["folder"])
    print(json.dumps(captured(asked["words"])), flush=True)
