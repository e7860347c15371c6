"""Searches, sources, quotes and sentences of one run are the same numbers on every screen and in every file."""

from __future__ import annotations

import csv
import re
from datetime import UTC, datetime

import pytest

import research
from pages.parts.library.comparison import Compared, comparison
from pages.parts.library.runs import Left, runs
from pages.parts.live.lanes import activity
from pages.parts.nodes import Element
from pages.parts.report.head import header
from pages.parts.report.text import summary
from pages.parts.ui import Ui
from research.core import Brief, SourceName
from research.engine import VariantOutcome
from research.language import Language
from research.results import Report, borne_out, counts
from research.settings import Settings
from research.store import RunStore, RunSummary
from tests.support.vectors import with_shared_vectors

NOW = datetime(2026, 11, 22, tzinfo=UTC)
QUESTIONS = {
    Language.EN: "What were the overseas sales in fiscal 2025, and what is the target of the house?",
    Language.JA: "海外売上高の目標と2025年度の実績はどうなっているか。",
}
NOTE = "# Sales\n\nOverseas sales were 4.1 billion yen in fiscal 2025.\n\n海外売上高は2025年度に41億円だった。\n"
SEARCHES = {Language.EN: r"searches: (\d+)|(\d+) search", Language.JA: r"検索(\d+)回|検索 (\d+)回"}


@pytest.fixture(scope="module", params=list(Language))
def ended(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[Report, RunSummary]:
    """A run by rule over two sources, to each of which every query goes."""
    home, documents = tmp_path_factory.mktemp("home"), tmp_path_factory.mktemp("documents")
    with_shared_vectors(home)
    (documents / "note.md").write_text(NOTE, encoding="utf-8")
    brief = Brief(
        question=QUESTIONS[request.param],
        sources=(SourceName.HOUSE, SourceName.LIBRARY),
        language=request.param,
    )
    settings = Settings.from_environment({"RESEARCH_HOME": str(home)})
    report = research.run_sync(brief, library=documents, settings=settings)
    store = RunStore(home)
    run = store.get(report.record.run)
    store.close()
    return report, run


def test_searches_sources_and_quotes_agree(ended: tuple[Report, RunSummary]) -> None:
    report, run = ended
    ui = Ui.of(run.brief.language, None)
    searches, sources, quotes = map(len, (report.view.queries, report.record.sources, report.record.evidence))
    assert report.view.searches > searches > 1, "each was sent to several sources"

    head = pairs(header(report.view, "complete", NOW, ui))
    assert [head[ui._(name)] for name in ("Searches", "Sources", "Quotes")] == [
        str(searches),
        str(sources),
        str(quotes),
    ]
    table = compared(report, run, ui)
    assert (table[ui._("Searches")], table[ui._("Pages read")]) == (str(searches), str(sources))
    assert ui.n_("{count} source", "{count} sources", sources) in row(report, run, ui)
    lanes = " ".join(facts.text() for node in activity(report.view, ui) for facts in node.find("lane-facts"))
    assert searched(lanes, ui) == searched(report.markdown, ui) == searches
    front = dict(line.split(": ", 1) for line in report.export("md").decode().split("---")[1].strip().splitlines())
    assert (front["sources_read"], front["quotes"]) == (str(sources), str(quotes))
    assert len(list(csv.reader(report.export("sources-csv").decode("utf-8-sig").splitlines()))) == 1 + sources


def test_sentences_agree(ended: tuple[Report, RunSummary]) -> None:
    report, run = ended
    ui = Ui.of(run.brief.language, None)
    counted = counts(report.record.sentences)
    supported, checked = str(borne_out(counted)), str(sum(counted.values()))
    assert checked != "0"

    shown = summary(report.record.sentences, ui)[0]
    assert checked in shown.text()
    assert [entry.children[1].text() for entry in shown.find("count")] == list(map(str, counted.values()))  # type: ignore[union-attr]
    of_all = ui._("{part} of {whole}").format(part=supported, whole=checked)
    assert compared(report, run, ui)[ui._("Sentences supported")] == of_all
    assert ui._("{part} of {whole} supported").format(part=supported, whole=checked) in row(report, run, ui)


def pairs(nodes: list[Element]) -> dict[str, str]:
    """Names and values of the figures in these nodes."""
    shown = [figure for node in nodes for figure in node.find("figure")]
    return {name.text(): value.text() for name, value in (one.children for one in shown)}  # type: ignore[union-attr]


def compared(report: Report, run: RunSummary, ui: Ui) -> dict[str, str]:
    """The measures of the table that compares runs."""
    table = comparison([Compared(run, VariantOutcome.of(report))], ui)[0].children[0]
    rows = table.children[1].children  # type: ignore[union-attr]
    return {name.text(): value.text() for name, value in (row.children for row in rows)}  # type: ignore[union-attr]


def row(report: Report, run: RunSummary, ui: Ui) -> str:
    """What the list of runs says of a run."""
    return runs([run], ui, left={run.id: Left.of(report.record)})[0].text()


def searched(text: str, ui: Ui) -> int:
    """How many searches a text speaks of, researcher by researcher."""
    return sum(int(one or other) for one, other in re.findall(SEARCHES[ui.language], text))
