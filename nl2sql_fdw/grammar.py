"""Load PostgreSQL's grammar, as pglast carries it, apart from the server's own.

pglast's parser is a copy of the server's C code and exports the same names (palloc,
errstart, CurrentMemoryContext ...). Loaded plainly into a backend it would call the
backend's functions on its own data, and crash the server. RTLD_DEEPBIND makes it
prefer its own. Import this module before anything that imports pglast.
"""

from __future__ import annotations

import os
import sys

_flags = sys.getdlopenflags()
sys.setdlopenflags(_flags | getattr(os, "RTLD_DEEPBIND", 0))
try:
    import pglast.parser  # noqa: F401
finally:
    sys.setdlopenflags(_flags)
