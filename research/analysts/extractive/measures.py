"""Margins, ratios and lines of financial statements: what a question calls them, and what they are computed from.

A measure is known by name (gross margin, 流動比率), or the question defines it: “X is defined as: revenue / (average
PP&E between FY2018 and FY2019)”. `statements.py` works them out.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from operator import add, mul, sub, truediv
from pathlib import Path
from typing import NamedTuple

from research.text import Asked, Operation, folded, tokens

_VOCABULARY = Path(__file__).with_name("measures.txt")
_SMALL_WORDS = "a an and by consolidated for from greater in note of on the to"
_BESIDE_LINES = "amount billion cash end growth million net out paid pay rate total usd year"
_OF_SHARES = "fraction part percent percentage portion proportion ratio share"
_SMALL, _BESIDE, _SHARES = (frozenset(words.split()) for words in (_SMALL_WORDS, _BESIDE_LINES, _OF_SHARES))
"""Words that make a line no other: those of its label, those that a question has beside its name, and in asking for a
share."""
_OPERATIONS = (Operation.LOOK_UP, Operation.CHANGE, Operation.COMPARE, Operation.REASON)
_DEFINED = re.compile(
    r"\b(?:is|are)\s+(?:defined|calculated|computed)\s+as:?\s+(?P<is>.+?)(?:[.?](?=\s)|[.?]?$)"
    r"|\bdefine\s+(?P<name>[\w &-]+?)\s+as:?\s+(?P<as>.+?)(?:[.?](?=\s)|[.?]?$)",
    re.IGNORECASE,
)
_SHARE = re.compile(
    r"(?<![\w&-])(?P<part>[\w&-]+(?: [\w&-]+){0,4}?)\s+as\s+an?\s+(?:%|percent(?:age)?)\s+of\s+"
    r"(?P<whole>[\w&-]+(?: [\w&-]+)?)"
    r"|(?<![\w&-])(?P<of>[\w&-]+(?: [\w&-]+){0,3}?)\s+(?:\([^()]*\)\s*)?%\s*margin",
    re.IGNORECASE,
)
"""A share of which both are told: capex as a % of revenue, D&A % margin."""
_ARTICLE = re.compile(r"^(?:the|its|their)\s+|\s+(?:business|division|segment)s?$", re.IGNORECASE)
_PART_FIRST = re.compile(r"[はが].*の何[％%割]")
_PART = re.compile(
    r"\b(?:from|by|in|through)\s+(?P<from>[^?.,]{1,60}?)(?:\s+(?:in|for)\s+[^?.,]{0,20}\d[^?.,]{0,20})?[?.]?\s*$"
    r"|\b(?:do|does|did)\s+(?P<does>[^?.,]{1,60}?)\s+(?:account|represent|make|contribut|generat)"
    r"|に占める(?P<within>[^は、？?]{1,40}?)(?:売上高?)?の(?:割合|比率|シェア|構成比)"
    r"|の何(?:[%％割]|パーセント)[がはを](?P<told>[^、？?]{1,40}?)(?:から|による|で|です|が占|は占|か)"
    r"|のうち、?(?P<among>[^、？?]{1,40}?)(?:売上高?)?[はが](?:何|どの|どれ)"
)
"""The part of a whole that a question tells the share of: what stands in a row of a table by that name."""
GROWTH_A_YEAR = re.compile(r"\bCAGR\b|\bcompound(?:ed)? annual(?:ised|ized)? growth|年平均成長率", re.IGNORECASE)
MOVES = re.compile(
    r"\b(?:chang|compar|declin|decreas|drop|fell|grew|grow|improv|increas|rais|stable|trend)\w*|\b(?:rise|fall|rose)\b"
    r"|比較|比べ|増|減|変化|推移|改善|悪化|上昇|低下|前年",
    re.IGNORECASE,
)
"""What asks how a measure was the year before as well."""


@dataclass(frozen=True)
class Line:
    """A line of a statement."""

    name: str
    labels: tuple[str, ...]
    """How statements call it, the best first, without small words; one that ends in `*` may go on."""
    is_paid: bool = False
    """Whether its sign says nothing: statements print costs and payments in brackets, or not."""
    formula: str = ""
    """What it is computed from where no line says it; of what is paid, what tells its sign."""

    def rank(self, label: str) -> int | None:
        """Return the place of a label, as `called` returns it, among its own; None if it is none of them."""
        for place, own in enumerate(self.labels):
            if label == own or (own.endswith("*") and label.startswith(own[:-1])):
                return place
        return None


class Term(NamedTuple):
    """A line of a year, or its `average` or `change` with the year before."""

    line: Line
    of: str = ""


class Formula(NamedTuple):
    """An arithmetic expression whose names `t0`, `t1`, … are its terms."""

    tree: ast.expr
    terms: tuple[Term, ...]


class Measure(NamedTuple):
    """What is asked for, and how it is computed."""

    name: str
    formula: Formula
    is_share: bool = False
    """Whether it is told in percent."""
    labels: frozenset[str] = frozenset()
    """How a row is called that says it itself."""


# --- what a question asks for ---------------------------------------------------------------------------------------


@lru_cache(maxsize=256)
def measures_in(asked: Asked) -> tuple[Measure, ...]:
    """Return the measures that a question defines, else those that it names, else the lines that are all it asks."""
    if asked.operation is Operation.RATIO:
        return tuple(_share_asked(asked))
    if asked.operation not in _OPERATIONS or asked.wants_series:
        return ()
    if defined := _definitions(asked.beside):
        name, text = defined[0]
        for other, meant in defined[1:]:  # What a definition is made of may be defined behind it.
            text = re.sub(rf"(?<!\w){re.escape(other)}(?!\w)", f"({meant})".replace("\\", " "), text)
        formula = parsed(text)
        return (Measure(name, formula),) if formula is not None else ()
    if match := _SHARE.search(asked.question):
        part, whole = _line(match["part"] or match["of"]), _line(match["whole"] or "revenue")
        if part and whole:
            return (_share(part, whole),)
    said = folded(asked.question)
    found = [_ratio(name) for name in sorted(_named(_vocabulary().ratios, said), key=said.find)]
    return tuple(found or _lines_asked(asked))


def _definitions(said: str) -> list[tuple[str, str]]:
    """Return what a question defines, by name, in its order."""
    found = []
    for match in _DEFINED.finditer(said):
        name = match["name"] or re.split(r"[.?:!]\s", said[: match.start()])[-1]
        found.append((name.strip(), match["is"] or match["as"]))
    return found


def _ratio(name: str) -> Measure:
    """Return a measure that is known by name; it has other names, which are those of the same formula."""
    ratios = _vocabulary().ratios
    text, is_share = ratios[name]
    formula = parsed(text)
    assert formula is not None, text
    labels = frozenset(called(other) for other, (own, _) in ratios.items() if own == text)
    return Measure(name, formula, is_share, labels)


def _share_asked(asked: Asked) -> Iterator[Measure]:
    """Yield the share of one line in another, if the question asks for nothing else: of the one that it names first.

    売上高の何％ names the whole behind its part. What share of revenue comes from the iPhone names no line of
    statements as its part, but what a row may be called.
    """
    low = folded(asked.question)
    named = sorted(_lines_asked(asked, _BESIDE | _SHARES), key=lambda one: low.replace(",", "").find(one.name))
    if len(named) == 2:
        whole, part = (measure.formula.terms[0].line for measure in named)
        yield _share(whole, part) if _PART_FIRST.search(low) else _share(part, whole)
        return
    match = _PART.search(asked.question)
    wholes = [_vocabulary().lines[name] for name in _named(_vocabulary().lines, low)]
    if match and len(wholes) == 1 and (label := called(said := _ARTICLE.sub("", next(filter(None, match.groups()))))):
        spelt = (called(form) for name in asked.names if name.stands_in(folded(said)) for form in name.forms)
        yield _share(
            Line(said, tuple(one for own in dict.fromkeys((label, *spelt)) for one in (own, f"{own}*"))), wholes[0]
        )


def _share(part: Line, whole: Line) -> Measure:
    return Measure(f"{part.name} ÷ {whole.name}", Formula(_DIVIDED, (Term(part), Term(whole))), is_share=True)


def _lines_asked(asked: Asked, beside: frozenset[str] = _BESIDE) -> Iterator[Measure]:
    """Yield the lines by which things asked are called, if nothing else is said of them."""
    lines = _vocabulary().lines
    names = list(_named(lines, folded(asked.question))) or list(_named(lines, folded(" ".join(asked.attributes))))
    said = beside.union(*(called(name).split() for name in names))
    bare = (MOVES.sub(" ", GROWTH_A_YEAR.sub(" ", one)) for one in asked.attributes)
    words = [{word for word in called(one).split() if word.isalpha()} for one in bare]
    if all(one <= said for one in words):
        yield from (Measure(name, Formula(_ALONE, (Term(lines[name]),))) for name in names)


def _named(names: Iterable[str], low: str) -> Iterator[str]:
    """Yield the names that a folded text says, the longest first, none within another."""
    found: list[tuple[int, int]] = []
    low = low.replace(",", "")
    for name in sorted(names, key=len, reverse=True):
        for match in re.finditer(rf"(?<![a-z]){re.escape(name)}(?![a-z])", low):
            if not any(start < match.end() and match.start() < end for start, end in found):
                found.append(match.span())
                yield name
                break


def points_measured(asked: Asked) -> tuple[str, ...]:
    """Return those of the things asked that measures answer."""
    said = {word for measure in measures_in(asked) for word in called(measure.name).split()}
    told = zip(asked.points, asked.attributes, strict=True)
    return tuple(point for point, attribute in told if said & {*called(attribute).split()})


# --- formulas -------------------------------------------------------------------------------------------------------

_SPOKEN = (
    (re.compile(r"\((?:from|in|on|using) [^()]*\)", re.IGNORECASE), " "),
    (
        re.compile(r"\bbetween\b[^()+*/]*?\band\b\s*\S*?\d+|\b(?:in |for )?FY ?\d+|\b(?:19|20)\d\d\b", re.IGNORECASE),
        " ",
    ),
    (re.compile(r"\s(?:divided by|over)\s|÷|／", re.IGNORECASE), " / "),
    (re.compile(r"\s(?:less|minus)\s|\s[-–]\s", re.IGNORECASE), " − "),
    (re.compile(r"\splus\s|＋", re.IGNORECASE), " + "),
    (re.compile(r"\s(?:times|multiplied by)\s|×", re.IGNORECASE), " * "),
)
"""What a formula in words has besides: where its lines stand, and of which years, as the question says; its signs."""
_WORDS = re.compile(r"[^()+*/−]+")
_OF_TWO = re.compile(r"\s*(?:the\s+)?(?P<of>average|change)\s+(?:(?:of|in)\s+)?", re.IGNORECASE)
_ALONE = ast.parse("t0", mode="eval").body
_DIVIDED = ast.parse("t0 / t1", mode="eval").body
SIGNS: Mapping[type[ast.operator], tuple[str, Callable[[float, float], float]]] = {
    ast.Add: ("+", add),
    ast.Sub: ("−", sub),
    ast.Mult: ("×", mul),
    ast.Div: ("÷", truediv),
}


@lru_cache(maxsize=256)
def parsed(text: str) -> Formula | None:
    """Return a formula that is written in names, words and signs; None if the text is none."""
    for spoken, sign in _SPOKEN:
        text = spoken.sub(sign, text)
    terms: list[Term] = []

    def placed(words: re.Match[str]) -> str:
        said = words.group().strip(" ,.:;")
        if not said or said.replace(".", "").isdecimal():
            return words.group()
        match = _OF_TWO.match(said)
        line = _line(said[match.end() :] if match else said)
        terms.append(Term(line, match["of"].lower() if match else "") if line else Term(Line(said, ())))
        return f" t{len(terms) - 1} "

    try:
        tree = ast.parse(_WORDS.sub(placed, text).replace("−", "-").strip(), mode="eval").body
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        return None
    known = (ast.BinOp, ast.Name, ast.Constant, ast.Load, *SIGNS)
    return Formula(tree, tuple(terms)) if terms and all(isinstance(node, known) for node in ast.walk(tree)) else None


def _line(words: str) -> Line | None:
    """Return the line that words name; one that is not known is called as they say."""
    lines = _vocabulary().lines
    if name := next(_named(lines, folded(words)), ""):
        return lines[name]
    label = called(words)
    return Line(words.strip(), (label,)) if label else None


def called(label: str) -> str:
    """Return a label as it is compared with others: its words without small ones and numbers of notes."""
    return " ".join(word for word in tokens(label) if word not in _SMALL and not word.isdecimal())


class _Vocabulary(NamedTuple):
    lines: dict[str, Line]
    ratios: dict[str, tuple[str, bool]]
    """The formula of each name, and whether it is a share."""


@lru_cache(maxsize=1)
def _vocabulary() -> _Vocabulary:
    told = _Vocabulary({}, {})
    for entry in _VOCABULARY.read_text(encoding="utf-8").splitlines():
        left, is_line, right = entry.partition(":=")
        if entry.startswith("#") or not entry:
            continue
        if not is_line:
            left, _, right = entry.partition("=")
            formula = right.strip()
            told.ratios.update(dict.fromkeys(_names(left), (formula.lstrip("% "), formula.startswith("%"))))
            continue
        labels, _, formula = right.partition("|")
        line_names = _names(left.rstrip(" ~"))
        labelled = tuple(called(one) + "*" * one.rstrip().endswith("*") for one in labels.split(";") if one.strip())
        line = Line(line_names[0], labelled, left.rstrip().endswith("~"), formula.strip())
        told.lines.update(dict.fromkeys(line_names, line))
        if not labelled:  # No statement prints it: it is computed wherever it is asked for.
            told.ratios.update(dict.fromkeys(line_names, (line.formula, False)))
    return told


def _names(listed: str) -> list[str]:
    """Return names that stand between commas, as `_named` compares them: without any of their own."""
    return [folded(name.strip()) for name in listed.split(",") if name.strip()]
