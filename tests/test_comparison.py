"""One question in several ways, side by side."""

from __future__ import annotations

from pathlib import Path

import pytest

import research
from research.cli import main
from research.core import PRESETS, Brief, Length, MethodName, PresetName, Role, SearchStarted, SourceName, UsageError
from research.engine import (
    Comparison,
    PastRun,
    RoleTokens,
    Variant,
    VariantOutcome,
    estimate,
    models_of,
    rounded,
    sources_of,
    variants,
)
from research.language import Language
from research.results import RunRecord, Usage
from research.settings import Settings
from research.store import Runner, RunStore, past_runs
from research.terminal import estimate_lines
from tests.support.reports import sales_report
from tests.support.services import access

BRIEF = Brief(question="How much did pump sales grow?", preset=PresetName.SPEED)


@pytest.fixture
def library(documents: Path) -> Path:
    for site, sales in (("north", "4.2"), ("south", "5.1"), ("west", "3.8")):
        text = (
            f"# Pumps in the {site}\n\nPump sales grew {sales}% in 2025. Demand for pumps came from water utilities.\n"
        )
        (documents / f"{site}.md").write_text(text, encoding="utf-8")
    return documents


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
        assert one.sites == 1, "documents of one's own are of no site each"
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


def test_a_query_of_a_researcher_counts_once_however_many_sources_it_was_sent_to(tmp_path: Path) -> None:
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
    assert VariantOutcome.of(report.model_copy(update={"history": tuple(asked)})).queries == 3


# --- what a run will take, before it begins --------------------------------------------------------------------------


MODELS = PRESETS[PresetName.QUALITY].models


def brief(**fields: object) -> Brief:
    return Brief.model_validate({"question": "Why tea?", **fields})


def past(seconds: float, tokens: int) -> PastRun:
    return PastRun(seconds, {Role.RESEARCH: RoleTokens(tokens, tokens / 10), Role.SUMMARIZATION: RoleTokens(tokens)})


@pytest.mark.parametrize("method", list(MethodName))
@pytest.mark.parametrize("preset", list(PresetName))
def test_from_the_limits_there_is_a_range_for_everything(preset: PresetName, method: MethodName) -> None:
    found = estimate(brief(preset=preset, method=method), PRESETS[preset].models, web=True)
    assert found.cost_usd is not None
    for span in (found.seconds, found.tokens, found.cost_usd):
        assert 0 < span.low < span.high
    assert "limits" in found.basis.en
    assert found.basis.ja != found.basis.en
    assert not found.is_free


def test_a_slower_preset_longer_reports_and_more_sources_take_more() -> None:
    def high(**fields: object) -> float:
        sources = int(str(fields.pop("sources", 1)))
        found = estimate(brief(**fields), MODELS, sources=sources)
        assert found.cost_usd is not None
        return found.cost_usd.high

    assert high(preset="speed") < high(preset="quality")
    assert high(length=Length.PAGE) < high(length=Length.LONG)
    assert high(sources=1) < high(sources=3)
    assert high(method="chained") < high(method="supervised")
    shallow = high(method="outlined", queries_per_section=1, iterations=1)
    assert shallow < high(method="outlined", queries_per_section=3, iterations=5)


def test_the_search_for_the_question_itself_is_counted_unless_the_web_is_searched_beside_others() -> None:
    def least(sources: int, *, web: bool, method: str = "supervised") -> str:
        return estimate(brief(method=method), MODELS, sources=sources, web=web).basis.en.split(": ")[1].split(" to ")[0]

    assert least(1, web=True) == least(1, web=False) == "3"
    assert (least(2, web=False), least(2, web=True)) == ("3", "2")
    assert least(1, web=True, method="chained") == "1"


def test_without_models_it_is_free_and_takes_seconds() -> None:
    found = estimate(brief(preset="speed"), {})
    assert found.is_free
    assert (found.tokens.high, found.cost_usd and found.cost_usd.high) == (0, 0)
    assert 0 < found.seconds.low < found.seconds.high < 30
    assert estimate(brief(preset="speed"), {}, web=True).seconds.high > found.seconds.high


def test_three_past_runs_are_a_better_guide_than_the_limits() -> None:
    runs = [past(60, 10_000), past(70, 12_000), past(200, 40_000)]
    assert "limits" in estimate(brief(), MODELS, runs[:2]).basis.en
    found = estimate(brief(), MODELS, runs)
    assert found.basis.en == "From the last 3 runs of this kind on this computer."
    assert 60 <= found.seconds.low < 70 < found.seconds.high <= 200
    assert found.cost_usd is not None
    assert 0 < found.cost_usd.low < found.cost_usd.high < 1


def test_past_runs_are_priced_at_the_models_that_are_set_now() -> None:
    runs = [past(60, 10_000)] * 3
    cheap = estimate(brief(), dict.fromkeys(Role, "gpt-5.4-nano"), runs)
    dear = estimate(brief(), dict.fromkeys(Role, "gpt-5.4"), runs)
    assert cheap.cost_usd is not None and dear.cost_usd is not None
    assert cheap.cost_usd.high < dear.cost_usd.low


def test_where_a_price_is_not_known_none_is_named() -> None:
    found = estimate(brief(), MODELS | {Role.RESEARCH: "qwen2.5:0.5b"})
    assert found.cost_usd is None
    assert found.unpriced == ("qwen2.5:0.5b",)
    assert found.tokens.high > 0


def test_a_cap_is_the_most_that_it_will_take() -> None:
    found = estimate(brief(max_cost_usd=0.5, max_minutes=2), MODELS)
    assert found.cost_usd is not None
    assert (found.cost_usd.high, found.seconds.high) == (0.5, 120)
    assert found.cost_usd.low < 0.5


def test_models_and_sources_are_those_that_a_run_would_have() -> None:
    keyless, keyed = (
        Settings(home=Path("/nowhere")),
        Settings(home=Path("/nowhere"), services=access("http://x", to="service_tavily")),
    )
    assert models_of(brief(), keyless) == {}
    with_models = Settings(home=Path("/nowhere"), services=access("http://x"), models={Role.RESEARCH: "mine"})
    assert models_of(brief(), with_models)[Role.RESEARCH] == "mine"
    assert models_of(brief(), with_models)[Role.FINAL_REPORT] == MODELS[Role.FINAL_REPORT]
    assert sources_of(brief(sources=["house"]), keyed, has_documents=True) == (SourceName.HOUSE,)
    assert sources_of(brief(), keyed, has_documents=True) == (SourceName.LIBRARY, SourceName.WEB)
    assert SourceName.HOUSE in sources_of(brief(), keyless, has_documents=False)


def test_past_runs_are_read_from_the_store_by_kind(tmp_path: Path) -> None:
    store = RunStore(tmp_path)
    asked = brief(preset="speed", sources=["house"], question="What sales targets has Asanagi set?")
    with Runner(store, Settings(home=tmp_path)) as runner:
        for _ in range(3):
            runner.wait(runner.start(asked), 60)
    found = past_runs(store, asked, "extractive", web=False)
    assert len(found) == 3
    assert all(run.seconds > 0 for run in found)
    assert past_runs(store, asked, "extractive", web=True) == []
    assert past_runs(store, asked, "chat", web=False) == []
    assert past_runs(store, brief(), "extractive", web=False) == []
    assert past_runs(store, brief(preset="speed", method="noted"), "extractive", web=False) == []
    assert len(past_runs(store, brief(preset="speed", method="chained"), "extractive", web=False)) == 3
    record = store.record(store.list()[0].id)
    assert record is not None
    store.finish(record.run, with_usage(record), "# Report")
    assert found[0].tokens != past_runs(store, asked, "extractive", web=False)[0].tokens
    assert past_runs(store, asked, "extractive", web=False)[0].tokens[Role.RESEARCH] == RoleTokens(100, 7)
    store.close()


def with_usage(record: RunRecord) -> RunRecord:
    return record.model_copy(update={"usage": {Role.RESEARCH: Usage(calls=1, input_tokens=100, output_tokens=7)}})


def test_the_command_line_prints_it_and_runs_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    home = {"RESEARCH_HOME": str(tmp_path)}
    assert main(["run", "Why tea?", "--estimate"], home) == 0
    assert "Cost: free, no model is called." in capsys.readouterr().out
    keys = home | {"OPENAI_API_KEY": "sk-none"}
    assert main(["run", "Why tea?", "--estimate", "--max-cost", "0.5", "--language", "ja"], keys) == 0
    said = capsys.readouterr().out
    assert "0.50ドル" in said
    store = RunStore(tmp_path)
    assert store.list() == []
    store.close()


@pytest.mark.parametrize(
    ("given", "said"), [(["--max-cost", "0"], "above 0"), (["--max-minutes", "1e9"], "1440"), ([], "--out DIR")]
)
def test_wrong_caps_are_refused_in_words(
    given: list[str], said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = ["--out", str(tmp_path / "out")] if given else []
    assert main(["run", "Why tea?", *given, *out], {"RESEARCH_HOME": str(tmp_path)}) == 2
    assert said in capsys.readouterr().err


def test_a_price_that_is_not_known_is_said_on_the_command_line() -> None:
    found = estimate(brief(), dict.fromkeys(Role, "qwen2.5:0.5b"))
    assert "Cost: the price of qwen2.5:0.5b is not known." in estimate_lines(found, brief().language)


def test_an_estimate_is_no_more_precise_than_it_can_be() -> None:
    assert [rounded(value) for value in (0, 7, 1_234, 2_536_040)] == [0, 7, 1_200, 2_500_000]
