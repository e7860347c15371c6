"""One question in several ways, side by side."""

from __future__ import annotations

from pathlib import Path

import pytest

import research
from research.core import PRESETS, Brief, MethodName, PresetName, SearchStarted, SourceName, UsageError
from research.engine import Comparison, Variant, VariantOutcome, variants
from research.language import Language
from research.settings import Settings
from tests.support.reports import sales_report

BRIEF = Brief(question="How much did pump sales grow?", preset=PresetName.SPEED)


@pytest.fixture
def library(tmp_path: Path) -> Path:
    folder = tmp_path / "documents"
    folder.mkdir()
    for site, sales in (("north", "4.2"), ("south", "5.1"), ("west", "3.8")):
        text = (
            f"# Pumps in the {site}\n\nPump sales grew {sales}% in 2025. Demand for pumps came from water utilities.\n"
        )
        (folder / f"{site}.md").write_text(text, encoding="utf-8")
    return folder


def settings(tmp_path: Path) -> Settings:
    return Settings(home=tmp_path / "home")


def test_methods_and_presets_are_combined() -> None:
    found = variants(BRIEF, ["chained", "noted"], ["speed", "quality"])
    assert [(way.preset.value, way.method.value) for way in found] == [
        ("speed", "chained"), ("speed", "noted"), ("quality", "chained"), ("quality", "noted"),
    ]  # fmt: skip


def test_presets_alone_keep_their_own_methods() -> None:
    found = variants(BRIEF, presets=["speed", "fact-strict"])
    assert [way.method for way in found] == [PRESETS[way.preset].method for way in found]


def test_methods_alone_keep_the_preset_of_the_brief() -> None:
    assert {way.preset for way in variants(BRIEF, list(MethodName))} == {PresetName.SPEED}


@pytest.mark.parametrize("methods", [[], ["chained"], ["chained", "chained"]])
def test_one_way_is_no_comparison(methods: list[str]) -> None:
    with pytest.raises(UsageError, match="two or more"):
        variants(BRIEF, methods)


def test_a_name_that_does_not_exist_is_refused_with_those_that_do() -> None:
    with pytest.raises(UsageError, match="“chaned”; there are: outlined, chained"):
        variants(BRIEF, ["chaned", "noted"])
    with pytest.raises(UsageError, match="「fast」はありません"):
        variants(BRIEF.model_copy(update={"language": Language.JA}), presets=["fast", "speed"])


def test_a_way_is_applied_to_everything_but_the_rest_of_the_brief() -> None:
    brief = BRIEF.model_copy(update={"note": "for the board"})
    way = Variant(preset=PresetName.COST, method=MethodName.NOTED)
    assert way.applied_to(brief).note == "for the board"
    assert Variant.of(way.applied_to(brief)) == way


async def test_a_question_is_researched_in_every_way_and_measured_alike(tmp_path: Path, library: Path) -> None:
    found = await research.compare(
        BRIEF, methods=list(MethodName), library=library, analyst="extractive", settings=settings(tmp_path)
    )
    assert [one.variant.method for one in found.outcomes] == list(MethodName)
    for one in found.outcomes:
        assert one.pages == 3, one.variant
        assert 1 <= one.cited <= 3
        assert one.quotes >= one.cited
        assert one.calls == one.tokens == one.kept_calls == 0
        assert one.verdicts.get("supported", 0) == sum(one.verdicts.values()) > 0
        assert 0 <= one.coverage <= 1
        assert one.queries >= 1
    assert list(found.table["method"]) == [name.value for name in MethodName]


async def test_runs_can_be_compared_afterwards(tmp_path: Path, library: Path) -> None:
    held = settings(tmp_path)
    reports = [
        await research.run(way.applied_to(BRIEF), library=library, analyst="extractive", settings=held)
        for way in variants(BRIEF, ["chained", "supervised"])
    ]
    again = [research.load(report.record.run, settings=held) for report in reports]
    assert Comparison.of(again) == Comparison.of(reports)


async def test_a_run_without_anything_has_an_outcome(tmp_path: Path, library: Path) -> None:
    brief = Brief(question="Quantum gravity in Ouagadougou?", preset=PresetName.SPEED)
    report = await research.run(brief, library=library, analyst="extractive", settings=settings(tmp_path))
    one = VariantOutcome.of(report)
    assert (one.cited, one.quotes, one.score, one.coverage) == (0, 0, 0, 0.0)


async def test_the_table_says_how_to_read_it_in_both_languages(tmp_path: Path, library: Path) -> None:
    for language, words, status in (
        (Language.EN, "share of one checklist", "Complete"),
        (Language.JA, "共通の確認項目", "完了"),
    ):
        brief = BRIEF.model_copy(update={"language": language, "question": "Pump | sales?"})
        found = await research.compare(
            brief, methods=["chained", "noted"], library=library, analyst="extractive", settings=settings(tmp_path)
        )
        markdown = found.to_markdown()
        assert words in markdown
        rows = [line for line in markdown.splitlines() if line.startswith("|")]
        assert len({line.count("|") for line in rows}) == 1
        assert len(rows) == 4
        assert [row.split(" | ")[1] for row in rows[2:]] == [status, status]


def test_a_query_counts_once_however_many_sources_it_was_sent_to(tmp_path: Path) -> None:
    report = sales_report(tmp_path)
    asked = [
        SearchStarted(lane=lane, search=f"Q{number}", query=query, source=source)
        for number, (lane, query, source) in enumerate(
            [
                ("R1", "sales", SourceName.WEB),
                ("R1", "sales", SourceName.LIBRARY),
                ("R2", "sales", SourceName.WEB),
                ("R2", "staff", SourceName.WEB),
            ]
        )
    ]
    assert VariantOutcome.of(report.model_copy(update={"history": tuple(asked)})).queries == 2
