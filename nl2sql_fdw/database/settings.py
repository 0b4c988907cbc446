"""Tell whether a setting was assigned inside a backend, even where its value is the same again.

The server keeps a setting's text in memory of its own and takes new memory for each
assignment. The text from before a subtransaction is kept until that ends, so that its
address cannot come back meanwhile. No SQL shows the address; the server's own function
GetConfigOption, which every extension in C may call, returns it.
"""

from __future__ import annotations

import ctypes
from functools import cache
from typing import Any


@cache
def _get_config_option() -> Any:
    """Return the function; PyDLL keeps the interpreter lock, which the server's own needs."""
    function = ctypes.PyDLL(None).GetConfigOption
    function.argtypes = (ctypes.c_char_p, ctypes.c_bool, ctypes.c_bool)
    function.restype = ctypes.c_void_p
    return function


def stamp(name: str) -> tuple[int | None, bytes | None]:
    """Return the address and the text of a setting, (None, None) where it does not exist.

    Only text settings have an address of their own; every setting with a dot in its name is
    one until some library defines it otherwise.
    """
    missing_ok, restrict = True, False
    address = _get_config_option()(name.encode(), missing_ok, restrict)
    return (address, ctypes.string_at(address)) if address else (None, None)
