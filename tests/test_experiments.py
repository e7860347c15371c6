"""Experiments: ways of asking over questions with known facts, kept, capped and resumed; public sets as questions."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import research
from bench.loopback import Latencies, Loopback
from research import prompts
from research.cli import main
from research.experiments import (
    SETS,
    Experiment,
    Question,
    Results,
    deepresearch_scores,
    experiment,
    load_results,
    read,
    results_in,
)
from research.settings import Settings
from research.store import RunStore


@pytest.fixture
def documents(tmp_path: Path) -> Path:
    folder = tmp_path / "documents" / "pumps"
    folder.mkdir(parents=True)
    for name, sold in {"Aoba": 120, "Kiso": 95}.items():
        (folder / f"{name}.md").write_text(f"# {name}\n\n{name} sold {sold} pumps in 2025.\n", encoding="utf-8")
    return folder.parent


def written(tmp_path: Path, **more: object) -> Path:
    questions = [
        {"id": name, "question": f"How many pumps did {name} sell in 2025?", "collection": "pumps", "facts": facts}
        for name, facts in {"Aoba": ["120"], "Kiso": ["95", "Osaka"]}.items()
    ]
    said = {"questions": questions, "documents": "documents", "presets": ["speed"], "methods": ["chained", "noted"]}
    file = tmp_path / "tried.json"
    file.write_text(json.dumps(said | {"analyst": "extractive"} | more), encoding="utf-8")
    return file


def test_every_way_is_asked_every_question_and_nothing_twice(
    tmp_path: Path, documents: Path, environment: dict[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    file, out = written(tmp_path), tmp_path / "out"
    asked = ["experiment", str(file), "--out", str(out), "--quiet"]
    assert main(asked, environment) == 0
    told = capsys.readouterr().out
    assert "| speed | chained | 2 | 67% |" in told
    lines = (out / "runs.jsonl").read_text(encoding="utf-8").splitlines()
    rows = [json.loads(line) for line in lines]
    assert {(row["method"], row["question"]) for row in rows} == {
        (method, name) for method in ("chained", "noted") for name in ("Aoba", "Kiso")
    }
    assert {row["missing"] for row in rows if row["question"] == "Kiso"} == {"Osaka"}
    assert all((out / "reports" / f"{row['key']}.md").is_file() for row in rows)
    # A line that was cut off is asked again, and nothing else.
    (out / "runs.jsonl").write_text("\n".join([*lines[:3], lines[3][:40]]) + "\n", encoding="utf-8")
    assert main(asked, environment) == 0
    assert capsys.readouterr().out.count("67%") == told.count("67%")
    store = RunStore(Path(environment["RESEARCH_HOME"]))
    assert len(store.list()) == 5
    store.close()


def test_results_without_a_place_are_kept_where_the_page_shows_them(
    tmp_path: Path, documents: Path, environment: dict[str, str]
) -> None:
    file = written(tmp_path, methods=["chained"], most=1)
    assert main(["experiment", str(file), "--quiet"], environment) == 0
    ((name, folder),) = results_in(Path(environment["RESEARCH_HOME"])).items()
    assert name == "tried"
    assert [row["question"] for row in load_results(folder).rows] == ["Aoba"]


def test_the_frame_has_quality_and_what_it_took(tmp_path: Path, documents: Path) -> None:
    heard: list[tuple[int, int]] = []
    results = research.experiment(
        written(tmp_path, methods=["chained"]),
        tmp_path / "out",
        settings=Settings(home=tmp_path / "home"),
        on_done=lambda done, of: heard.append((done, of)),
    )
    assert heard == [(0, 2), (1, 2), (2, 2)]
    frame = results.frame.set_index("question")
    assert frame.loc["Aoba", ["facts", "report", "first"]].tolist() == [1, 1, 1]
    assert frame.loc["Kiso", ["facts", "report", "pages"]].tolist() == [2, 1, 1]
    assert (frame["supported"] <= frame["checked"]).all()
    assert (frame["tokens"] == 0).all()
    assert results.by_way["seconds"][0] > 0
    assert "<td>chained</td>" in results._repr_html_()


def test_models_of_roles_and_prompts_are_ways_and_a_cap_holds_for_all_runs(tmp_path: Path) -> None:
    own = tmp_path / "own.md"
    own.write_text(prompts.load("summarise").text + "\nThe word Kumquat is never to be written.\n", encoding="utf-8")
    tried: dict[str, object] = {
        "questions": [{"id": "pumps", "question": "How large is the pump market?", "facts": ["billion dollars"]}],
        "methods": ["chained"],
        "analyst": "chat",
        "models": {"large": {"final_report": "gpt-5.4"}, "small": {"final_report": "gpt-5.4-nano"}},
        "prompts": {"usual": {}, "own": {"summarise": own}},
        "max_cost_usd": 5,
    }
    quick = Latencies(decision=0, search=(0, 0), summary=(0, 0), compression=0, repair=0, frame=0, report_piece=0)
    with Loopback(quick) as world:
        settings = Settings.from_environment({"RESEARCH_HOME": str(tmp_path / "home"), **world.environment})
        results = experiment(tried, tmp_path / "out", settings=settings)
        ways = {(row["models"], row["prompts"]) for row in results.rows}
        assert ways == {(models, prompt) for models in ("large", "small") for prompt in ("usual", "own")}
        bodies = [request.body for request in world.openai.requests]
        told = [body for body in bodies if "Kumquat" in json.dumps(body)]
        assert 0 < len(told) < len(bodies)
        assert "gpt-5.4-nano" in {body["model"] for body in bodies}
        spent = sum(row["cost_usd"] for row in results.rows)
        assert spent > 0
        less = experiment(
            tried | {"max_cost_usd": spent / 2, "methods": ["noted"]}, tmp_path / "out", settings=settings
        )
    assert (len(less.rows), less.left) == (0, 4)


def test_what_cannot_be_tried_is_said(tmp_path: Path, documents: Path) -> None:
    settings = Settings(home=tmp_path / "home")
    for more, words in (
        ({"methods": ["guessed"]}, "guessed"),
        ({"colour": "red"}, "colour"),
        ({"questions": "nowhere.yaml"}, "nowhere.yaml"),
        ({"questions": "nowhere", "set": "nothing"}, "hotpotqa"),
        ({"brief": {"length": "endless"}}, "length"),
    ):
        with pytest.raises(research.UsageError, match=words):
            experiment(written(tmp_path, **more), tmp_path / "out", settings=settings)
    assert Results([]).by_way.empty
    assert read(written(tmp_path)).documents == tmp_path / "documents"


def test_prompts_are_replaced_where_they_fit_and_only_meanwhile() -> None:
    before = prompts.load("write_plain")
    with prompts.replaced({"write_plain": "Be brief."}):
        assert prompts.load("write_plain").text == "Be brief."
        assert prompts.load("write_plain").hash != before.hash
    assert prompts.load("write_plain") == before
    with pytest.raises(ValueError, match="places"), prompts.replaced({"write_plain": "Be $brief."}):
        pass


# --- public sets, in files of their form ---------------------------------------------------------------------------


def test_passages_of_a_set_become_documents(tmp_path: Path) -> None:
    paragraphs = [
        {"title": "Orden", "paragraph_text": "Orden is a town on the Vell.", "is_supporting": True},
        {"title": "Vell", "paragraph_text": "The Vell is a river.", "is_supporting": False},
    ]
    row = {"id": "2hop__1", "question": "Which town is on the Vell?", "answer": "Orden", "answer_aliases": []}
    (tmp_path / "dev.jsonl").write_text(json.dumps(row | {"paragraphs": paragraphs}) + "\n", encoding="utf-8")
    tried = Experiment(
        questions=tmp_path / "dev.jsonl", set="musique", presets=("speed",), methods=("chained",), analyst="extractive"
    )
    results = experiment(tried, tmp_path / "out", settings=Settings(home=tmp_path / "home"))
    assert (results.rows[0]["facts"], results.rows[0]["report"]) == (1, 1)


def test_a_figure_of_a_filing_counts_in_its_units(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "pdfs").mkdir()
    (tmp_path / "pdfs" / "PUMPS_2022_10K.pdf").write_bytes(b"%PDF-1.4")
    rows = [
        {"financebench_id": "a", "question": "Revenue?", "answer": "$1577.00", "doc_name": "PUMPS_2022_10K"},
        {"financebench_id": "b", "question": "Why?", "answer": "Prices rose.", "doc_name": "PUMPS_2022_10K"},
        {"financebench_id": "c", "question": "Gone?", "answer": "1", "doc_name": "NOT_THERE"},
    ]
    lines = "\n".join(map(json.dumps, rows))
    (tmp_path / "data" / "financebench_open_source.jsonl").write_text(lines, encoding="utf-8")
    figure, words = SETS["financebench"](tmp_path, tmp_path / "documents")
    assert (tmp_path / "documents" / figure.collection / "PUMPS_2022_10K.pdf").is_file()
    (fact,) = figure.wanted
    assert fact.stands_in(["revenue in 2022: $1577 million"])
    assert fact.stands_in(["revenue: 1577000 thousand"])
    assert not fact.stands_in(["revenue: 15770"])
    assert words.wanted == ()


def test_tasks_for_the_web_leave_articles_for_their_judges(tmp_path: Path, documents: Path) -> None:
    rows = [
        {"id": 51, "topic": "Industry", "language": "en", "prompt": "How many pumps did Aoba sell in 2025?"},
        {"id": 1, "topic": "Industry", "language": "zh", "prompt": "水泵？"},
    ]
    place = tmp_path / "query.jsonl"
    place.write_text("\n".join(json.dumps(row, ensure_ascii=False) for row in rows), encoding="utf-8")
    tried = Experiment(
        questions=place,
        set="deepresearch_bench",
        presets=("speed",),
        methods=("chained",),
        analyst="extractive",
        brief={"sources": ["house"]},
    )
    experiment(tried, tmp_path / "out", settings=Settings(home=tmp_path / "home"))
    (line,) = (tmp_path / "out" / "articles-01-speed-chained.jsonl").read_text(encoding="utf-8").splitlines()
    article = json.loads(line)
    assert (article["id"], article["prompt"]) == ("51", rows[0]["prompt"])
    assert article["article"].startswith("# ")


def test_what_judges_of_others_said_is_put_beside_each_other(tmp_path: Path) -> None:
    for name, overall in {"articles-01-speed-chained": 0.31, "published": 0.4065}.items():
        file = tmp_path / "race" / name / "race_result.txt"
        file.parent.mkdir(parents=True)
        file.write_text(f"Comprehensiveness: 0.3\nInsight: 0.29\nOverall Score: {overall}\n", encoding="utf-8")
    fact = tmp_path / "fact" / "published" / "fact_result.txt"
    fact.parent.mkdir(parents=True)
    fact.write_text("total_citations: 18.8\ntotal_valid_citations: 13.6\nvalid_rate: 0.72\n", encoding="utf-8")
    frame = deepresearch_scores(tmp_path)
    assert frame.index.tolist() == ["published", "articles-01-speed-chained"]
    assert frame["Overall Score"].round(2).tolist() == [40.65, 31.0]
    assert frame.loc["published", ["citations", "valid citations", "valid share"]].tolist() == [18.8, 13.6, 0.72]
    assert frame.loc["articles-01-speed-chained"].isna().sum() == 3
    assert deepresearch_scores(tmp_path / "none").empty


def test_a_question_on_what_is_not_there_names_it() -> None:
    with pytest.raises(ValueError, match="asked"):
        Question(id="x", question="?", absent=True)
