"""Mend names against the catalog, without a model call.

Only the names are touched, in the original text; whatever is unclear stays as it is, for
the server's own error. `entry` drives the walk in `walk`, which asks `scope` what a name
could mean and `spelling` which name was meant, and records its edits in `text`. `literals`
does the same for texts, by what stands in the data. `full` writes out what a finished
statement leaves to the search path.
"""

from nl2sql_fdw.bind.entry import bind
from nl2sql_fdw.bind.full import in_full
from nl2sql_fdw.bind.literals import mend_literals
from nl2sql_fdw.bind.ratio import mend_ratio

__all__ = ["bind", "in_full", "mend_literals", "mend_ratio"]
