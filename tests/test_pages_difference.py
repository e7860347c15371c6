"""What differs between two runs, as elements: what is counted, what is marked, and what comes first."""

from __future__ import annotations

from pathlib import Path

import pytest

from pages.parts.library.comparison import differences
from pages.parts.nodes import Element, el
from pages.parts.ui import Ui
from research.language import Language
from research.results import FigureChange, FigureValue, Report, SourceEntry, difference
from research.results.difference import Figures
from research.store import RunStore, load_report
from tests.support import sample_runs
from tests.support.reports import sales_report

EN, JA = Ui.of(Language.EN, None), Ui.of(Language.JA, None)


def find(tree: list[Element], kind: str) -> list[Element]:
    return el("div", "", *tree).find(kind)


@pytest.mark.parametrize("ui", [EN, JA], ids=str)
def test_the_difference_of_two_runs_is_counted_and_marked(tmp_path: Path, ui: Ui) -> None:
    store = RunStore(tmp_path)
    before = load_report(store, sample_runs.sales(store, ui.language))
    same = load_report(store, sample_runs.sales(store, ui.language))
    store.close()
    old, new = ("293", "391") if ui is EN else ("2億9,300万円", "3億9,100万円")
    sentences = [
        one.model_copy(update={"text": one.text.replace(old, new)}) for one in same.record.sentences
    ]  # fmt: skip
    after = same.model_copy(update={"record": same.record.model_copy(update={"sentences": tuple(sentences)})})
    tree = differences(difference(before, after), ui, since="yesterday")
    text = el("div", "", *tree).text()
    assert ui._("What changed since {moment}").format(moment="yesterday") in text
    assert ui._("{count} changed").format(count=1) in text
    (pair,) = find(tree, "pair")
    assert ui._("Last time") in pair.text()
    marks = [child for side in pair.children if isinstance(side, Element) for child in side.children]
    marked = [one.text() for one in marks if isinstance(one, Element) and one.tag == "mark"]
    assert "".join(marked).startswith(old[0])
    alike = el("div", "", *differences(difference(before, same), ui)).text()
    assert ui._("the same") in alike
    assert ui._("No figure, claim or source differs.") in alike
    assert ui._("No figure, claim or source differs.") not in text
    assert ui._("What differs") in alike


def read_again(before: Report) -> Report:
    """The same run when its first page had another text."""
    first, *rest = before.record.sources
    return with_sources(before, first.model_copy(update={"sha256": "0" * 64}), *rest)


def with_sources(report: Report, *sources: SourceEntry) -> Report:
    return report.model_copy(update={"record": report.record.model_copy(update={"sources": sources})})


@pytest.mark.parametrize(("ui", "said"), [(EN, "1 with another text"), (JA, "本文変更1件")], ids=str)
def test_a_page_that_says_something_else_now_is_counted(tmp_path: Path, ui: Ui, said: str) -> None:
    before = sales_report(tmp_path)
    (counted,) = find(differences(difference(before, read_again(before)), ui), "figures")
    assert said in counted.text()


@pytest.mark.parametrize(
    ("unit", "before", "after", "said"),
    [
        (None, 455.0, 470.0, ("+3.3%", "+3.3%")),
        (None, 470.0, 455.0, ("−3.2%", "−3.2%")),
        (None, 100_000.0, 100_020.0, ("+0.02%", "+0.02%")),
        (None, 2.0, 60.0, ("30 times as much", "30倍")),
        ("%", 12.5, 14.0, ("+1.5 points", "+1.5ポイント")),
        (None, 0.0, 5.0, ("", "")),
    ],
)
def test_a_figure_says_by_how_much_it_changed(
    unit: str | None, before: float, after: float, said: tuple[str, str], tmp_path: Path
) -> None:
    source = sales_report(tmp_path).record.sources[0]
    values = [(FigureValue(text=str(value), value=value, source=source),) for value in (before, after)]
    change = FigureChange(subject="", label="Sales", unit=unit, period=None, before=values[0], after=values[1])
    same = difference(sales_report(tmp_path), sales_report(tmp_path))
    found = same.model_copy(update={"figures": Figures(compared=1, changed=(change,))})
    assert tuple("".join(by.text() for by in find(differences(found, ui), "by")) for ui in (EN, JA)) == said
