"""Calculations that a report prints, done again: “12.0% = 240 ÷ $2,000”, “1,618.7 = sum of 48 rows”.

A calculation is right if its figures stand in the quotes that it cites, or are what rows of a data file come to that it
chooses (`research.quantities.row_queries`), and its result follows from them.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence
from operator import add, mul, neg, sub, truediv

from research.core import OF_ROWS, How, made_of_rows
from research.language import Language
from research.quantities import FURTHER, WORKED, Frame, frames, part_of
from research.text import folded, number_in, place_in
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
_AVERAGED = re.compile(r"^\([^()÷×−]*\) ÷ \d+$")
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
    if _AVERAGED.search(match["worked"]) and operands[-1]["digits"] == str(len(operands) - 1):
        operands = operands[:-1]  # An average counts what it adds up.
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


# --- what rows come to -----------------------------------------------------------------------------------------------

_TOLD = re.compile(rf"(?P<rows>{OF_ROWS})(?:\s?[(（](?P<where>.+)[)）])?")
_OPERAND = re.compile(
    r"(?P<figure>[-−]?\d[\d,]*(?:\.\d+)?(?:e[-+]?\d+)?) ?"
    rf"[(（](?P<rows>{OF_ROWS})(?:(?:, |、)(?P<where>.+))?[)）]"
)
_PLAIN = re.compile(r"(?P<figure>[-−]?\d[\d,]*(?:\.\d+)?)")
"""What a single row says."""
_SIGN = re.compile(r" ([÷−]) ")
_RESULT = re.compile(
    r"(?P<figure>[-−+]?\d[\d,]*(?:\.\d+)?(?:e[-+]?\d+)?)(?P<unit>%|％| times|倍)?"
    r"(?: \((?P<rate>[-−+]\d+(?:\.\d+)?)%\))?",
    re.IGNORECASE,
)
"""A result; of a change, with its rate in brackets."""
_BETWEEN = re.compile(r"[\W_]+")


def told_again(text: str, pages: Sequence[str]) -> bool | None:
    """Return whether what is told of the rows of one of some pages is so, made anew; None of text that tells nothing.

    Args:
        text: A line without marks: whose figure it is and its column, a colon, the figure, “ = ”, and its rows.
        pages: The texts of the pages that it cites.
    """
    head, equals, worked = text.rpartition(" = ")
    said = re.split(r":\s|：", head)[-1] if equals else ""
    result = _RESULT.fullmatch(said.strip())
    operands = _SIGN.split(worked)
    told = [_TOLD.fullmatch(one) or _OPERAND.fullmatch(one) or _PLAIN.fullmatch(one) for one in operands[::2]]
    if not result or not all(told) or all(one is not None and one.re is _PLAIN for one in told):
        return None
    found = [one for page in dict.fromkeys(pages) for frame in frames(page) for one in (frame, frame.parts)]
    return any(_is_so(result, head, [one for one in told if one], operands[1::2], frame) for frame in found)


def _is_so(result: re.Match[str], head: str, told: Sequence[re.Match[str]], signs: Sequence[str], frame: Frame) -> bool:
    """Whether it is so of the column that the head names, the longest of those whose names stand in it."""
    made = [made_of_rows(one["rows"])[0] for one in told if one.re is not _PLAIN]
    columns = frame.labels if How.DIFFERENT in made else (*frame.numbers, *_worked(frame, head))
    measured = sorted((one for one in columns if _is_named(one, head)), key=len, reverse=True)
    label = next(iter(measured), "")
    where = [said for _, said in _where_of(told[0])] if len(told) == 1 else []
    if any(_is_unsaid(said, folded(head)) for said in where if not said[:1].isdigit()):
        return False  # Whose figure it is, the head says as the rows do.
    anew = [_made_anew(one, label, frame, is_last=one is told[-1]) for one in told]
    return all(one is not None for one in anew) and _follows(result, [one or 0.0 for one in anew], signs)


def _is_named(column: str, head: str) -> bool:
    """Whether a head names a column, whatever stands between its words: revenue_million_yen, revenue (million yen)."""
    said, whole = folded(column), folded(head)
    bare = _BETWEEN.sub("", said)
    return said in whole or (bool(bare) and bare in _BETWEEN.sub("", whole))


def _worked(frame: Frame, head: str) -> list[str]:
    """Return the columns that a head works out from two: price × stock."""
    signs = [sign for sign in WORKED if sign in head]
    named = [one for one in frame.labels if _is_named(one, head)] if signs else []
    return [f"{one}{sign}{other}" for sign in signs for one in named for other in named if one != other]


def _is_unsaid(said: str, head: str) -> bool:
    """Whether a head does not say what a cell does, in either language where it is a country."""
    return all(folded(place_in(language, said)) not in head for language in Language)


def _where_of(told: re.Match[str]) -> list[tuple[str, str]]:
    said = told.groupdict().get("where") or ""
    pairs = (cell.partition(": ") for cell in said.split(FURTHER) if cell)
    return [(name, value) for name, _, value in pairs]


def _made_anew(told: re.Match[str], label: str, frame: Frame, *, is_last: bool) -> float | None:
    """Return what the rows that are told of come to; None if there are not so many, or their figure is another."""
    if told.re is _PLAIN:
        if is_last and told["figure"] == "1":  # Of “− 1”, which makes a change of a ratio.
            return 1.0
        said = float(told["figure"].replace(",", "").replace("−", "-"))
        return said if any(frame.figure(row, label) == said for row in frame.rows) else None
    how, count = made_of_rows(told["rows"])
    where = dict(_where_of(told))
    own = [one for one, said in where.items() if not said]
    label = own[0] if own else label
    if how is not How.COUNT and not label:
        return None
    part = part_of(frame, how, label, {one: said for one, said in where.items() if said})
    if part is None or len(part.rows) != count:
        return None
    figure = told.groupdict().get("figure")
    return part.value if figure is None or _is_near(figure, part.value) else None


def _follows(result: re.Match[str], made: Sequence[float], signs: Sequence[str]) -> bool:
    value = made[0]
    for sign, other in zip(signs, made[1:], strict=True):
        if sign == "÷" and not other:
            return False
        value = value / other if sign == "÷" else value - other
    is_share = (result["unit"] or "") in ("%", "％")
    if result["unit"] and "÷" not in signs:
        return False
    if rate := result["rate"]:
        is_so = list(signs) == ["−"] and made[1] > 0 and _is_near(rate, 100 * (made[0] / made[1] - 1))
        return is_so and _is_near(result["figure"], value)
    return _is_near(result["figure"], value * 100 if is_share and "÷" in signs else value)


def _is_near(said: str, value: float) -> bool:
    """Whether a figure is another as far as its digits go."""
    plain = said.replace(",", "").replace("−", "-").lower()
    told = float(plain)
    decimals = len(plain.partition("e")[0].partition(".")[2])
    return abs(told - value) <= 0.5 * 10.0**-decimals * (10.0 ** int(plain.partition("e")[2] or 0)) + 1e-9 * abs(value)
