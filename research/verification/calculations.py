"""Calculations that a report prints, done again: “12.0% = 240 ÷ $2,000”, “1,618.7 = sum of 48 rows”.

A calculation is right if its figures stand in the quotes that it cites, or are what rows of a data file come to that it
chooses (`research.quantities.frames`), and its result follows from them.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence
from operator import add, mul, neg, sub, truediv

from research.quantities import told_again
from research.text import number_in
from research.verification.verdicts import Label, Number, Verdict, reason

_LABEL = re.compile(r"^.*(?::\s|：)")
"""What stands before a result: its years, and figures in its name, are no results."""
_EQUALS = re.compile(r"(?P<result>[^=]+?) = (?P<worked>[^=]+)")
_FIGURE = re.compile(
    r"(?P<minus>[-−](?=[$€£¥\d]))?[$€£¥]?(?P<digits>\d[\d,]*(?:\.\d+)?)"
    r"(?P<unit>\s?(?:(?:thousand|million|billion|trillion)\b|[^\W\d_÷×]+|[%％])?)",
    re.IGNORECASE,
)
_LOSS = re.compile(r"\(([$€£¥]?\d[\d,.]*)\)")
"""A figure in brackets is negative; figures with a sign between them are only worked out first."""
_SIGNS = {"÷": "/", "×": "*", "−": "-", "+": "+", "(": "(", ")": ")"}
_CONSTANTS = frozenset(("2", "4", "12", "100", "360", "365"))
"""What a formula brings along: halves, months, days."""
_WORKED = {ast.Add: add, ast.Sub: sub, ast.Mult: mul, ast.Div: truediv}
_MISCOMPUTED = Verdict(Label.UNSUPPORTED, 0.0, None, (), reason("miscomputed"))
_LONGEST = 600
"""Characters of a calculation; what is longer is prose."""


def checked_calculation(text: str, evidence: Sequence[tuple[str, str]]) -> Verdict | None:
    """Return the verdict on a calculation, done again with its own figures; None where a text prints none.

    Args:
        text: A line without marks: a label, the result, “ = ”, and what it is worked out from.
        evidence: The text of the page and the quote on it, of each piece that the line cites.
    """
    if len(text) > _LONGEST:
        return None
    is_so = told_again(text, [page for page, _ in evidence])
    if is_so is not None:
        return Verdict(Label.SUPPORTED, 1.0, None, (), reason("computed-rows")) if is_so else _MISCOMPUTED
    return _checked_formula(text, evidence)


def _checked_formula(text: str, evidence: Sequence[tuple[str, str]]) -> Verdict | None:
    match = _EQUALS.fullmatch(text)
    results = list(_FIGURE.finditer(_LABEL.sub("", match["result"]))) if match else []
    operands = list(_FIGURE.finditer(match["worked"])) if match else []
    worked = _value(match["worked"]) if match and len(operands) > 1 else None
    if match is None or worked is None or not results:
        return None
    numbers = [_found(one.group(), one["digits"], evidence) for one in operands]
    missing = [one.text for one in numbers if not one.found]
    if missing:
        return Verdict(Label.UNSUPPORTED, 0.0, None, tuple(numbers), reason("figure-missing", *missing[:1]))
    is_share = "÷" in match["worked"] and "%" not in match["worked"]
    if not any(_agrees(one, worked, is_share=is_share) for one in results):
        return Verdict(Label.UNSUPPORTED, 0.0, None, tuple(numbers), reason("miscomputed"))
    return Verdict(Label.SUPPORTED, 1.0, None, tuple(numbers), reason("computed"))


def _value(worked: str) -> float | None:
    """Return what figures and signs come to; None if they are no calculation."""
    said = _LOSS.sub(r"−\1", worked)
    plain = _FIGURE.sub(lambda one: f" {_number(one)!r} ", said)
    for sign, plainly in _SIGNS.items():
        plain = plain.replace(sign, plainly)
    try:
        return _of(ast.parse(plain.strip(), mode="eval").body)
    except (
        SyntaxError,
        ValueError,
        TypeError,
        KeyError,
        ZeroDivisionError,
        OverflowError,
        RecursionError,
        MemoryError,
    ):
        return None


def _of(node: ast.expr) -> float:
    match node:
        case ast.Constant(value=float() as number):
            return number
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return neg(_of(operand))
        case ast.BinOp(left=left, op=op, right=right):
            return float(_WORKED[type(op)](_of(left), _of(right)))
    raise ValueError(node)


def _number(figure: re.Match[str]) -> float:
    number = number_in(f"{figure['digits']}{figure['unit']}") or 0.0
    return -number if figure["minus"] else number


def _agrees(result: re.Match[str], worked: float, *, is_share: bool) -> bool:
    """Whether a result is what was worked out, as far as its digits go."""
    unit = _scale(result)
    decimals = len(result["digits"].partition(".")[2])
    told = _number(result) / unit
    shown = worked * 100 if is_share and result["unit"].strip() in ("%", "％") else worked / unit
    return abs(told - shown) <= 0.5 * pow(10.0, -decimals) + 1e-9 * abs(shown)


def _scale(figure: re.Match[str]) -> float:
    """Return what multiplies a figure: a million of `3.2 million`."""
    bare = float(figure["digits"].replace(",", ""))
    return (number_in(f"{figure['digits']}{figure['unit']}") or bare) / bare if bare else 1.0


def _found(text: str, digits: str, evidence: Sequence[tuple[str, str]]) -> Number:
    """Return whether a figure stands in a quote, and where on its page; what a formula brings along stands nowhere."""
    zeros = "0*" if "." in digits else r"(?:\.0+)?"  # Printed as 32 and 4,350, it stands in a file as 32.0 and 4350.
    standing = re.compile(rf"(?<![\d,.]){re.escape(digits).replace(',', ',?')}{zeros}(?![\d]|[,.]\d)")
    for index, (page, quote) in enumerate(evidence):
        if match := standing.search(quote):
            at = page.find(quote)
            where = (at + match.start(), at + match.end()) if at >= 0 else None
            return Number(text.strip(), True, where, index)
    return Number(text.strip(), digits in _CONSTANTS, None)
