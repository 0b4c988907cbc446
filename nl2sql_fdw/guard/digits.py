"""Bounds on arithmetic with very long numbers, which nothing interrupts.

A numeric may have 131,072 digits before its point. One power or product of such takes the
server a third of a second, in which it looks for no cancel; neither does it between two
operations of one row. Two hundred of them in one short statement took a minute that no
time limit could end. So the ways to long numbers are narrow, and the operations counted.
"""

from __future__ import annotations

import re
from typing import Any

from nl2sql_fdw.guard.bounds import at_most, constant
from nl2sql_fdw.guard.findings import Findings
from nl2sql_fdw.guard.policy import Refusal

POWERS = frozenset({"^", "power", "pow", "factorial"})
PRODUCTS = frozenset({"*", "/", "%", "div", "mod", "gcd", "lcm", "sqrt", "exp", "ln", "log"})
GROWING = frozenset({
    "string_agg", "array_to_string", "repeat", "lpad", "rpad", "replace", "regexp_replace",
    "concat", "concat_ws", "format", "overlay",
})  # fmt: skip
"""What can make a text long enough to be cast to a long number."""
EXPONENT = re.compile(r"[eE][+]?0*(\d+)")


def check_digits(name: str, args: tuple[Any, ...], found: Findings) -> None:
    """Count one operator or function; refuse too many, too large an exponent or factorial."""
    if name in POWERS:
        found.powers += 1
        _check_count(found.powers, found.policy.max_powers, "powers")
        _check_size(name, args, found)
    elif name in PRODUCTS:
        found.products += 1
    elif name in GROWING:
        found.grows = True


def check_products(found: Findings) -> None:
    """Refuse too many products, at the end: fewer where a text may have been made long."""
    most = found.policy.max_long_products if found.grows else found.policy.max_products
    _check_count(found.products, most, "products and quotients")


def check_literal(text: str, found: Findings) -> None:
    """Refuse a number that is written, or by its exponent made, longer than any is needed."""
    exponent = EXPONENT.search(text)
    if len(text) > found.policy.max_exponent or (
        exponent and int(exponent[1][:9]) > found.policy.max_exponent
    ):
        raise Refusal("bound", "A number has far too many digits.", "Write a shorter number.")


def _check_count(count: int, most: int, what: str) -> None:
    if count > most:
        raise Refusal(
            "bound", f"The SQL has more than {most} {what}.", "Ask for fewer figures at once."
        )


def _check_size(name: str, args: tuple[Any, ...], found: Findings) -> None:
    """An exponent may be a column's (most powers are of fractions); a factorial's number not."""
    size = at_most(args[-1]) if name == "factorial" else constant(args[-1])
    if size is None and name != "factorial":
        return
    if size is None or not abs(size) <= found.policy.max_exponent:
        raise Refusal(
            "bound",
            f"{name} is taken of, or to, a number of more than {found.policy.max_exponent}.",
            "Use a smaller number.",
        )
