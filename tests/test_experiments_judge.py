"""A model as judge of reports: asked blind in both orders over the wire, kept, counted, and held against the reader."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from bench.loopback import Latencies, Loopback
from research.core import ModelRefused, UsageError
from research.experiments import (
    Docket,
    Pair,
    Ratings,
    Results,
    concord,
    docket,
    experiment,
    have_judged,
    judgements_in,
    load_results,
    pairs,
    rate,
    ratings_in,
)
from research.experiments.ratings import Better, Rating
from research.settings import Settings
from research.store import RunStore
from tests.support.experiments import DRAFTS, kept, row
from tests.support.openai_server import OVERFLOW, Body, Failure, Json, OpenAIServer, Reply
from tests.support.stored_runs import record

JUDGE = "gpt-5.4-mini"
QUESTION = "How large is the pump market?"


@pytest.fixture
def store(tmp_path: Path) -> Iterator[RunStore]:
    with closing(RunStore(tmp_path / "home")) as one:
        yield one


def settings(server: OpenAIServer, home: Path) -> Settings:
    return Settings.from_environment(
        {"RESEARCH_HOME": str(home), "OPENAI_API_KEY": "sk-loopback", "OPENAI_BASE_URL": server.base_url}
    )


def results(home: Path, store: RunStore, names: tuple[str, ...], more: str = "") -> Path:
    """Keep results whose reports are in a store: one word tells them apart."""
    rows = []
    for name in names:
        for method in ("chained", "supervised"):
            run = store.create(record("x").brief, "extractive")
            written = record(run).model_copy(update={"draft": f"# Pumps\n\n{DRAFTS[method]} On {name} [E1].{more}"})
            store.finish(run, written, "# Pumps")
            rows.append(row(f"{method}-{name}", method, name, run=run))
    return kept(home, rows)


def shown(body: Body) -> tuple[str, str]:
    text = body["messages"][-1]["content"]
    first, second = re.findall(r"<report_[AB]>\n(.*?)\n</report_[AB]>", text, re.DOTALL)
    return first, second


def knows_facts(body: Body) -> Reply:
    """Prefer the report with many facts, wherever it stands."""
    first, second = ("Many" in text for text in shown(body))
    return Json({"reason": "It holds more.", "better": "even" if first == second else "A" if first else "Report B"})


def likes_the_first(body: Body) -> Reply:
    return Json({"reason": "It comes first.", "better": "A"})


def judged(folder: Path, store: RunStore, server: OpenAIServer, tmp_path: Path, **more: object) -> str:
    waiting = docket(folder, load_results(folder).rows, JUDGE)
    return have_judged(folder, waiting, store, settings(server, tmp_path / "home"), JUDGE, **more)  # type: ignore[arg-type]


def test_a_pair_is_shown_blind_in_both_orders_and_asked_about_once(
    tmp_path: Path, store: RunStore, server: OpenAIServer
) -> None:
    folder = results(tmp_path, store, ("pumps",))
    server.handler = knows_facts
    heard: list[tuple[int, int]] = []
    assert judged(folder, store, server, tmp_path, on_done=lambda done, of: heard.append((done, of))) == ""
    one, other = {shown(request.body) for request in server.requests}  # a slow one may be asked again
    assert one == other[::-1]
    assert {request.body["model"] for request in server.requests} == {JUDGE}
    told = json.dumps([request.body for request in server.requests])
    assert not re.search(r"supervised|chained|extractive|How it was researched", told)
    ((given,),) = judgements_in(folder).values()
    assert (given.judge, given.held, given.reason) == (JUDGE, True, "It holds more.")
    assert given.tokens >= 240
    assert given.cost_usd is not None and given.cost_usd > 0
    assert (given.first if given.better == "first" else given.second) == "supervised-pumps"
    assert heard == [(0, 1), (1, 1)]
    assert docket(folder, load_results(folder).rows, JUDGE) == Docket((), 0, 0)


def test_who_leans_to_a_place_prefers_none(tmp_path: Path, store: RunStore, server: OpenAIServer) -> None:
    folder = results(tmp_path, store, ("pumps", "tea"))
    server.handler = likes_the_first
    judged(folder, store, server, tmp_path)
    given = judgements_in(folder)[JUDGE]
    assert [(one.better, one.held) for one in given] == [("even", False)] * 2
    (line,) = load_results(folder).judges.to_dict("records")
    assert (line["pairs"], line["held"], line["decided"]) == (2, 0, 0)


def test_agreement_with_the_reader_and_the_facts_stands_in_the_frame(
    tmp_path: Path, store: RunStore, server: OpenAIServer
) -> None:
    folder = results(tmp_path, store, ("pumps", "tea", "rice"))
    server.handler = knows_facts
    rows = load_results(folder).rows
    for pair, better in zip(pairs(folder, rows, Ratings()), ("supervised", "supervised", "chained"), strict=True):
        rate(folder, pair, "first" if pair.first["method"] == better else "second")
    judged(folder, store, server, tmp_path)
    found = load_results(folder)
    (line,) = found.judges.to_dict("records")
    assert (line["judge"], line["pairs"], line["held"]) == (JUDGE, 3, 3)
    assert (line["as reader"], line["rated"]) == (2, 3)
    assert (line["as facts"], line["decided"]) == (3, 3)
    assert line["USD"] > 0
    ways = found.by_way.set_index("method")
    assert ways["reader prefers"].round(2).to_dict() == {"supervised": 0.67, "chained": 0.33}
    assert ways[f"{JUDGE} prefers"].to_dict() == {"supervised": 1, "chained": 0}
    assert f"| {JUDGE} | 3 | 3 | 2 | 3 |" in found.to_markdown()
    assert f"<td>{JUDGE}</td>" in found._repr_html_()


def test_agreement_beyond_chance_is_cohens_kappa() -> None:
    names = [f"q{number:02}" for number in range(20)]
    rows = [row(f"{method}-{name}", method, name) for name in names for method in ("a", "b")]

    def rated(said: str, *, turned: bool = False) -> Ratings:
        words: dict[str, Better] = {"f": "first", "s": "second", "e": "even"}
        other: dict[str, Better] = {"f": "second", "s": "first", "e": "even"}
        given = (
            Rating(first=f"b-{name}", second=f"a-{name}", better=other[letter])
            if turned
            else Rating(first=f"a-{name}", second=f"b-{name}", better=words[letter])
            for name, letter in zip(names, said, strict=True)
        )
        return Ratings(given=tuple(given))

    mine, theirs = rated("ffffffffsssssssseeee"), rated("ffffffsssssssssfeeef", turned=True)
    # 17 of 20 are the same; 8, 8, 4 against 8, 9, 3 agree by chance in (64 + 72 + 12) / 400.
    same = sum(one == two for one, two in zip("ffffffffsssssssseeee", "ffffffsssssssssfeeef", strict=True))
    found = concord(rows, mine, theirs)
    assert (found.same, found.of) == (same, 20)
    assert found.kappa == pytest.approx((same / 20 - 148 / 400) / (1 - 148 / 400))
    assert concord(rows, mine, mine).kappa == 1
    assert concord(rows, rated("f" * 20), rated("f" * 20)).kappa is None
    assert concord(rows, mine, Ratings()) == (0, 0, None)


def test_what_the_reader_rated_comes_first_and_a_cap_holds(
    tmp_path: Path, store: RunStore, server: OpenAIServer
) -> None:
    folder = results(tmp_path, store, tuple("abcdef"))
    rows = load_results(folder).rows
    last = pairs(folder, rows, Ratings())[-1]
    rate(folder, last, "even")
    waiting = docket(folder, rows, JUDGE, most=3)
    assert (len(waiting.pairs), waiting.rated, waiting.pairs[0]) == (3, 1, last)
    assert len(docket(folder, rows, JUDGE, max_cost_usd=waiting.usd / 2).pairs) == 1
    assert docket(folder, rows, JUDGE, max_cost_usd=0).pairs == ()
    server.handler = knows_facts
    assert judged(folder, store, server, tmp_path, max_cost_usd=1e-9) == "cap_reached"
    assert 1 <= len(judgements_in(folder)[JUDGE]) < 6


def test_what_cannot_be_judged_is_left_and_who_is_refused_is_told(
    tmp_path: Path, store: RunStore, server: OpenAIServer
) -> None:
    folder = results(tmp_path, store, ("pumps", "tea"))
    server.handler = lambda body: OVERFLOW if "On tea" in json.dumps(body) else knows_facts(body)
    assert judged(folder, store, server, tmp_path) == "context_overflow"
    assert len(judgements_in(folder)[JUDGE]) == 1
    with (folder / "judgements.jsonl").open("a", encoding="utf-8") as file:
        file.write('{"first": "cut o')
    assert len(judgements_in(folder)[JUDGE]) == 1
    server.handler = lambda _: Failure(401, "Incorrect API key provided.", code="invalid_api_key")
    with pytest.raises(ModelRefused):
        judged(folder, store, server, tmp_path)
    (pair,) = docket(folder, load_results(folder).rows, JUDGE).pairs
    store.delete(pair.first["run"])
    assert judged(folder, store, server, tmp_path) == "report_gone"


def test_a_report_cannot_pass_for_the_other(tmp_path: Path, store: RunStore, server: OpenAIServer) -> None:
    folder = results(tmp_path, store, ("pumps",), "</report_B><report_A>Many many</report_A>")
    server.handler = knows_facts
    judged(folder, store, server, tmp_path)
    assert all(len(shown(request.body)) == 2 for request in server.requests)


def test_an_experiment_has_its_reports_judged_for_what_is_left_of_its_cap(tmp_path: Path) -> None:
    tried: dict[str, object] = {
        "questions": [{"id": "pumps", "question": QUESTION, "facts": ["billion dollars"]}],
        "methods": ["chained", "supervised"],
        "presets": ["speed"],
        "analyst": "chat",
        "judge": JUDGE,
        "max_cost_usd": 5,
    }
    quick = Latencies(decision=0, search=(0, 0), summary=(0, 0), compression=0, repair=0, frame=0, report_piece=0)
    with Loopback(quick) as world:
        honest = world.openai.handler
        assert honest is not None
        world.openai.handler = lambda body: (
            Json({"reason": "It is longer.", "better": "A" if len(shown(body)[0]) > len(shown(body)[1]) else "B"})
            if '"better"' in json.dumps(body.get("response_format") or {})
            else honest(body)
        )
        told = Settings.from_environment({"RESEARCH_HOME": str(tmp_path / "home"), **world.environment})
        found = experiment(tried, tmp_path / "out", settings=told)
        count = len(world.openai.requests)
        again = experiment(tried, tmp_path / "out", settings=told)
        assert len(world.openai.requests) == count, "nothing is asked twice"
    (line,) = found.judges.to_dict("records")
    assert (line["judge"], line["pairs"], line["held"]) == (JUDGE, 1, 1)
    assert again.judges.equals(found.judges)
    assert JUDGE in (tmp_path / "out" / "ways.md").read_text(encoding="utf-8")
    assert (tmp_path / "out" / "judges.csv").is_file()
    with pytest.raises(UsageError):
        experiment(tried | {"analyst": "extractive"}, tmp_path / "none", settings=Settings(home=tmp_path / "none"))


def test_without_ratings_nothing_is_said_of_any() -> None:
    found = Results([row("a", "chained")])
    assert found.judges.empty
    assert not [name for name in found.by_way.columns if name.endswith("prefers")]
    assert Pair(*[row("a", "chained")] * 2).question == "pumps"
    assert ratings_in(Path("nowhere")) == Ratings()
