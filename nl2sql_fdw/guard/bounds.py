"""Bounds on the few functions whose cost is in an argument and not in their rows.

They hold where the argument is a constant; generate_series over anything else is left to
the planner's estimate and the time limit. A length that is no constant (repeat, lpad,
rpad, array_fill) is refused unless it stands in LEAST(..., constant), since no limit of
the server's keeps one value from taking a gigabyte of memory.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from nl2sql_fdw.guard.policy import Policy, Refusal

MAX_LEVEL = 50
FORMAT_WIDTH = re.compile(r"%(?:\d+\$)?-?(\*|\d{4,})")


def constant(node: Any, level: int = 0) -> float | None:
    """Return the number that a constant expression of literals, signs, casts, + - * gives."""
    kind = type(node).__name__
    if level > MAX_LEVEL:
        raise Refusal("bound", "A bound is too long an expression.", "Write the number itself.")
    if kind == "A_Const" and not node.isnull:
        return _literal(node.val)
    if kind == "TypeCast":
        return constant(node.arg, level + 1)
    if kind == "A_Expr" and len(node.name) == 1:
        left, right = constant(node.lexpr, level + 1), constant(node.rexpr, level + 1)
        if right is None:
            return None
        return _apply(node.name[0].sval, left, right, unary=node.lexpr is None)
    return None


def _literal(value: Any) -> float | None:
    text = next((getattr(value, f) for f in ("ival", "fval", "sval") if hasattr(value, f)), None)
    try:
        return None if text is None else float(int(text, 0) if _is_prefixed(text) else text)
    except ValueError:
        return None


def _is_prefixed(text: object) -> bool:
    return isinstance(text, str) and text[:2].lower() in ("0x", "0o", "0b")


def _apply(operator: str, left: float | None, right: float, unary: bool) -> float | None:
    if unary:
        return {"-": -right, "+": right}.get(operator)
    if left is None:
        return None
    return {"+": left + right, "-": left - right, "*": left * right}.get(operator)


def check_bounds(name: str, args: tuple[Any, ...], policy: Policy) -> None:
    """Refuse a call of a costly function whose constant argument is over the policy's limit."""
    check = CHECKS.get(name)
    if check is not None and len(args) > 1:
        check(name, tuple(getattr(arg, "arg", arg) if _named(arg) else arg for arg in args), policy)


def _named(arg: Any) -> bool:
    return type(arg).__name__ == "NamedArgExpr"


def _check_series(name: str, args: tuple[Any, ...], policy: Policy) -> None:
    start, stop = constant(args[0]), constant(args[1])
    step = constant(args[2]) if len(args) > 2 else 1.0
    if start is None or stop is None or not step:
        return
    if not abs(stop - start) / abs(step) <= policy.max_series:
        raise Refusal(
            "bound",
            f"{name} would give more than {policy.max_series} rows.",
            "Use a shorter series, or take the values from a table.",
        )


def _check_length(name: str, args: tuple[Any, ...], policy: Policy) -> None:
    length = at_most(args[1])
    if length is None or not length <= policy.max_repeat:
        raise Refusal(
            "bound",
            f"{name} needs a length that is a number of at most {policy.max_repeat}.",
            f"Write a number, or least(..., {policy.max_repeat}).",
        )
    if name == "repeat" and _calls_repeat(args[0]):
        raise Refusal("bound", "repeat inside repeat multiplies its length.", "Use one repeat.")


def at_most(node: Any) -> float | None:
    """Return the largest value an expression can have: a constant, or LEAST with one."""
    while type(node).__name__ == "TypeCast":
        node = node.arg
    if type(node).__name__ == "MinMaxExpr" and node.op.name == "IS_LEAST":
        found = [value for value in map(constant, node.args) if value is not None]
        return min(found, default=None)
    return constant(node)


def _calls_repeat(node: Any) -> bool:
    stack = [node]
    while stack:
        item = stack.pop()
        if isinstance(item, tuple):
            stack.extend(item)
        elif type(item).__name__ == "FuncCall" and item.funcname[-1].sval in LENGTHS:
            return True
        elif hasattr(item, "__slots__"):
            stack.extend(getattr(item, field, None) for field in item.__slots__)
    return False


def _check_fill(name: str, args: tuple[Any, ...], policy: Policy) -> None:
    dimensions = args[1]
    total = 1.0 if type(dimensions).__name__ == "A_ArrayExpr" else float("nan")
    for element in getattr(dimensions, "elements", None) or ():
        length = at_most(element)
        total *= float("nan") if length is None else length
    if not total <= policy.max_repeat:
        raise Refusal(
            "bound",
            f"{name} needs dimensions that are numbers of at most {policy.max_repeat} in all.",
            "Write them as ARRAY[number].",
        )


def _check_format(name: str, args: tuple[Any, ...], policy: Policy) -> None:
    pattern = getattr(getattr(args[0], "val", None), "sval", None)
    widths = FORMAT_WIDTH.findall(pattern) if isinstance(pattern, str) else ["*"]
    if any(w == "*" or int(w) > policy.max_repeat for w in widths):
        raise Refusal(
            "bound",
            "format needs a constant pattern without * and with widths of at most "
            f"{policy.max_repeat}.",
            "Use || or lpad instead.",
        )


CHECKS: dict[str, Callable[[str, tuple[Any, ...], Policy], None]] = {
    "generate_series": _check_series,
    "repeat": _check_length,
    "lpad": _check_length,
    "rpad": _check_length,
    "array_fill": _check_fill,
    "format": _check_format,
}
LENGTHS = frozenset({"repeat", "lpad", "rpad"})
