"""The figures that a question wants put in order, as far as pages with them were read; a rule reads no others."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from research.analysts.extractive.asked import core, things_asked
from research.analysts.extractive.quoting import worths
from research.analysts.extractive.superlative import asked_of_all_countries, tells_the_order_of
from research.analysts.extractive.tables import Cell, cited_table, figures_of
from research.analysts.protocol import ReportRequest
from research.evidence import Evidence, Page
from research.language import Bilingual
from research.text.concepts import Concept, query_of
from research.text.data_lines import latest_year
from research.text.markdown import escape_markdown
from research.text.names import Name, places_in, regions_in
from research.text.words import tokens
from research.verification.figures import figures
from research.vocabulary import SourceKind

_SHOWN = 10
_SAYS = 0.9
_FEWEST = 2
"""Countries from which there is an order."""
_MOST = 0.5
"""Share of what is asked that a label must say more than."""
_NARROWER = 0.2
"""What each further word of a label takes from what it says: urban population is less than population."""
_NEUTRAL = frozenset({"total", "real", "overall", "annual", "rate", "value", "計", "合計"})
_OTHER_MEASURES = frozenset({"growth", "change", "per", "capita", "成長", "増加"})
"""Words of a label that make it another measure: GDP growth is no GDP."""
_BRACKETS = re.compile(r"[(（][^()（）]*[)）]")
_COUNTRY = Bilingual("Country", "国")
_HEADING = Bilingual("In order, of the countries read", "読んだ国の中での順")


@dataclass(frozen=True)
class Standings:
    """The figures of one label, one for each country, in the order asked for."""

    label: str
    cells: tuple[Cell, ...]

    def table(self, request: ReportRequest) -> str:
        """Return heading and table as Markdown."""
        language = request.brief.language
        return f"## {_HEADING.in_(language)}\n\n{cited_table(_COUNTRY, self.label, self.cells[:_SHOWN], language)}\n\n"

    def note(self, question: str, *, is_told: bool) -> Bilingual:
        """Say before anything else what this order is not; `is_told`, sources also say themselves who comes first."""
        area = next(iter(regions_in(question)), None)
        where = Bilingual("", "")
        if area:
            where = Bilingual(
                f" Which of them lie in {area.en} was not checked.", f"{area.ja}の国かどうかは確かめていません。"
            )
        label, count = escape_markdown(self.label), len(self.cells)
        first = Bilingual(f", the first {_SHOWN} of which stand", f"、うち先頭の {_SHOWN} か国を")
        if count <= _SHOWN:
            first = Bilingual(", which stand", "、それを")
        untold = Bilingual("", "")
        if not is_told:
            untold = Bilingual(
                " No source that was read says which come first.", "どの国が上位かを述べた情報源もありませんでした。"
            )
        return Bilingual(
            "This is no ranking of all countries: rules read the pages that a search brings, not those on every "
            f"country. “{label}” was found for {count} countries{first.en} below in order; countries that come before "
            f"them may be missing.{where.en}{untold.en} To compare countries for sure, name them in the question.",
            "これは全世界の順位ではありません。規則が読むのは検索で見つかったページだけで、すべての国ではないためです。"
            f"「{label}」の数値は {count} か国について見つかり{first.ja}順に掲げます。"
            f"これらより上位の国が抜けている可能性があります。{where.ja}{untold.ja}確実に比べるには、問いに国名を書いてください。",
        )


_NOTHING = Bilingual(
    "Rules cannot answer which countries come first: they do not read every country's pages, and found no figure for "
    "several countries to put in order. Name the countries to compare in the question.",
    "どの国が上位かを、規則で答えることはできません。すべての国のページを読むわけではなく、順に並べられる数値も複数の国については"
    "見つかりませんでした。比べたい国名を問いに書いてください。",
)


def order_parts(kept: Sequence[Evidence], request: ReportRequest) -> Iterator[str]:
    """Yield what a report begins with where all countries are to be put in order: a warning, and those read."""
    question = request.brief.question
    if asked_of_all_countries(question) is None:
        return
    found = standings_of(kept, request.pages, question)
    note = found.note(question, is_told=bool(telling(kept, question))) if found else _NOTHING
    yield f"**{note.in_(request.brief.language)}**\n\n"
    if found:
        yield found.table(request)


def standings_of(found: Sequence[Evidence], pages: Mapping[str, Page], question: str) -> Standings | None:
    """Return the figures of the countries read in the order that the question asks for, if there are several."""
    asked = asked_of_all_countries(question)
    if asked is None:
        return None
    by_label: dict[str, dict[Name, Cell]] = defaultdict(dict)
    for cell in sorted(figures_of(found, pages), key=lambda one: -latest_year(one.value)):
        countries = [place for place in places_in(cell.subject) if place.en != "European Union"]
        if len(countries) == 1 and figures(cell.value):
            by_label[cell.label].setdefault(countries[0], cell)
    wanted = [one for one in things_asked(question) if not one.is_period]
    told = {label: _says(label, wanted) for label, row in by_label.items() if len(row) >= _FEWEST}
    best = max(told, key=lambda label: (told[label], len(by_label[label])), default="")
    if not best or told[best] <= 0:
        return None
    cells = _same_unit(by_label[best].values())
    ordered = sorted(cells, key=lambda cell: figures(cell.value)[0].value, reverse=not asked.is_least)
    return Standings(best, tuple(ordered)) if len(ordered) >= _FEWEST else None


def in_order(entries: Sequence[Evidence], request: ReportRequest) -> list[Evidence]:
    """Return what answers such a question: what sources say of the order themselves, then the figures in order."""
    query = query_of(core(request.brief.question))
    told = telling(entries, request.brief.question)
    worth = worths(told, request.pages, query)
    found = standings_of(entries, request.pages, request.brief.question)
    by_id = {entry.id: entry for entry in entries}
    rows = [by_id[cell.evidence] for cell in found.cells[:_SHOWN]] if found else []
    return list(dict.fromkeys([*sorted(told, key=lambda one: -worth[one.id]), *rows]))


def telling(entries: Sequence[Evidence], question: str) -> list[Evidence]:
    """Return the quotes in which a source says itself which countries come first."""
    return [one for one in entries if tells_the_order_of(one.quote, things_asked(question))]


def without_others(entries: Sequence[Evidence], request: ReportRequest) -> list[Evidence]:
    """Leave out what others' pages say of single countries, where there are figures in order; others ask for all."""
    found = standings_of(entries, request.pages, request.brief.question)
    if found is None:
        return list(entries)
    wanted = {*(one.id for one in in_order(entries, request)), *(cell.evidence for cell in found.cells)}
    return [one for one in entries if one.id in wanted or request.pages[one.source].kind is SourceKind.DOCUMENT]


def _says(label: str, wanted: Sequence[Concept]) -> float:
    """Return how far a label speaks of what is asked and of nothing else; 0 if it does not."""
    said = set(tokens(label))
    matched = [one for one in wanted if one.match(said) >= _SAYS]
    narrower = set(tokens(_BRACKETS.sub(" ", label))) - _NEUTRAL - {token for one in matched for token in one.tokens}
    told = sum(one.weight for one in matched)
    if told <= _MOST * sum(one.weight for one in wanted):
        return 0.0
    is_other = not _OTHER_MEASURES.isdisjoint(narrower)
    return told * max(0.1, 1 - _NARROWER * len(narrower)) * (_NARROWER if is_other else 1)


def _same_unit(cells: Iterable[Cell]) -> list[Cell]:
    """Return the cells in the unit that most of them have: others cannot stand in one order."""
    groups: dict[tuple[str | None, str | None], list[Cell]] = defaultdict(list)
    for cell in cells:
        first = figures(cell.value)[0]
        groups[first.unit, first.currency].append(cell)
    return max(groups.values(), key=len)
