"""The service over HTTP: research asked for, followed, steered and handed out; and who may ask."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import httpx
import pytest
import schemathesis
from hypothesis import Phase, given, settings

from research.cli import main
from research.export import FORMATS
from research.service import add_token
from research.store import RunStore, latest_actions
from tests.support.machine import wait_until
from tests.support.service import TEXT, events_of, market_reports, served

QUESTION = "How did the pump market in Vietnam grow?"
BRIEF = {"question": QUESTION, "preset": "speed"}
JA = {"Accept-Language": "ja"}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return market_reports(tmp_path)


@pytest.fixture
def service(environment: dict[str, str], folder: Path, stocked: Callable[[Path], Path]) -> Iterator[httpx.Client]:
    stocked(Path(environment["RESEARCH_HOME"]))  # Searches for further questions are by way of the samples.
    with served(environment, folder) as client:
        yield client


def started(client: httpx.Client, **more: object) -> str:
    answer = client.post("/runs", json={"brief": BRIEF, "library": "reports", "analyst": "extractive", **more})
    assert answer.status_code == 201, answer.text
    assert answer.headers["location"] == f"/runs/{answer.json()['id']}"
    run: str = answer.json()["id"]
    return run


def test_a_run_is_started_followed_and_handed_out_in_every_format(service: httpx.Client) -> None:
    run = started(service)
    told = events_of(service, run)
    assert [number for number, _ in told] == list(range(1, len(told) + 1))
    assert (told[0][1], told[-1][1]) == ("run_started", "run_finished")
    assert service.get(f"/runs/{run}").json()["state"] == "complete"
    assert [one["id"] for one in service.get("/runs").json()] == [run]
    assert service.get(f"/runs/{run}/record").json()["brief"]["question"] == QUESTION
    for name, one in FORMATS.items():
        answer = service.get(f"/runs/{run}/report", params={"format": name})
        assert answer.status_code == 200, answer.text
        assert answer.headers["content-type"].partition(";")[0] == one.mime
        assert f'.{one.suffix}"' in answer.headers["content-disposition"]
        assert answer.content
    assert "4.2%" in service.get(f"/runs/{run}/report").text


def test_who_breaks_off_goes_on_without_a_gap_and_hears_nothing_twice(service: httpx.Client) -> None:
    run = started(service)
    first = events_of(service, run, most=4)
    rest = events_of(service, run, after=first[-1][0])
    whole = events_of(service, run)
    assert first + rest == whole
    assert events_of(service, run, after=whole[-1][0]) == []


def steered(client: httpx.Client, run: str, **steer: object) -> None:
    answer = client.post(f"/runs/{run}/steer", json=steer)
    assert answer.status_code == 202, answer.text


def held(client: httpx.Client) -> str:
    """Start a run whose plan waits for its reader."""
    run = started(client, brief={**BRIEF, "method": "outlined"}, attended=True)
    wait_until(lambda: "plan_drafted" in [kind for _, kind in events_of(client, run, most=3)])
    steered(client, run, kind="hold_plan")
    return run


def test_a_plan_is_edited_and_a_question_added(service: httpx.Client) -> None:
    run = held(service)
    steered(service, run, kind="begin_with_plan", outline={"sections": [{"title": "Growth of the pump market"}]})
    steered(service, run, kind="add_question", text="Who bought most of the pumps?")
    told = [kind for _, kind in events_of(service, run)]
    assert {"plan_held", "plan_settled", "question_added"} <= set(told)
    assert service.get(f"/runs/{run}").json()["state"] in ("complete", "partial")
    assert service.get(f"/runs/{run}/record").json()["trail"]


@pytest.mark.parametrize(("kind", "event"), [("finish_now", "finish_requested"), ("stop_now", "stop_requested")])
def test_a_run_is_ended_early(service: httpx.Client, kind: str, event: str) -> None:
    run = held(service)
    answer = service.get(f"/runs/{run}/report")
    assert (answer.status_code, answer.json()["code"]) == (409, "run_open")
    steered(service, run, kind=kind)
    assert event in [kind for _, kind in events_of(service, run)]
    assert service.get(f"/runs/{run}/report").status_code == 200


def test_a_report_is_asked_about_searched_for_and_written_anew(service: httpx.Client) -> None:
    run = started(service)
    assert service.post(f"/runs/{run}/questions", json={"question": "?", "of": "?"}).status_code == 422
    events_of(service, run)
    answer = service.post(
        f"/runs/{run}/questions", json={"question": "How did the pump market in Vietnam grow in 2025?"}
    )
    assert answer.status_code == 200, answer.text
    assert (answer.json()["number"], "4.2%" in answer.json()["draft"]) == (1, True)
    assert service.get(f"/runs/{run}/questions").json() == [answer.json()]
    small = service.post(f"/runs/{run}/questions/1/search")
    assert small.status_code == 202, small.text
    events_of(service, small.json()["id"])
    assert service.post(f"/runs/{run}/questions/9/search").status_code == 409
    new = service.post(f"/runs/{run}/rewrite", json={"length": "short", "language": "ja"})
    assert (new.status_code, new.headers["location"]) == (201, f"/runs/{new.json()['id']}")
    events_of(service, new.json()["id"])
    record = service.get(f"/runs/{new.json()['id']}/record").json()
    assert (record["brief"]["language"], record["brief"]["length"]) == ("ja", "short")
    assert service.post(f"/runs/{run}/rewrite", json={"length": "endless"}).status_code == 422
    refused = service.post(f"/runs/{run}/resume", headers=JA)
    assert (refused.status_code, refused.json()["code"]) == (409, "not_possible")
    assert not refused.json()["message"].isascii()


def test_a_folder_is_searched_and_a_text_verified(service: httpx.Client) -> None:
    assert service.get("/libraries").json() == ["reports"]
    (hit, *_) = service.get("/libraries/reports", params={"q": "pump market"}).json()
    assert (hit["file"], hit["title"]) == ("market.md", "Market")
    assert TEXT in hit["text"]
    asked = {"text": "The pump market grew by 4.2% in 2025. It fell by 9% in Laos.", "pages": [TEXT]}
    borne, other = service.post("/verify", json=asked, headers=JA).json()
    assert (borne["label"], borne["page"]) == ("supported", 0)
    assert (other["label"], other["figures_missing"]) == ("unsupported", ["9%"])
    assert "9%" in other["reason"]
    assert other["reason"] != "Figure not on the page: 9%"


@pytest.mark.parametrize(
    ("asked", "body", "status", "code"),
    [
        ("POST /runs", {"brief": {"question": " "}}, 422, "unusable"),
        ("POST /runs", {"brief": {**BRIEF, "preset": "fast"}}, 422, "unusable"),
        ("POST /runs", {"brief": {**BRIEF, "sources": ["nowhere"]}}, 409, "not_possible"),
        ("POST /runs", {"brief": BRIEF, "library": "/etc"}, 404, "library_unknown"),
        ("POST /runs", {"brief": BRIEF, "analyst": "chat"}, 409, "not_possible"),
        ("POST /runs", [], 422, "malformed"),
        ("GET /runs/20260101-000000", None, 404, "run_unknown"),
        ("GET /runs/%00", None, 404, "run_unknown"),
        ("GET /runs/20260101-000000/events", None, 404, "run_unknown"),
        ("GET /libraries/..?q=a", None, 404, "unknown"),
        ("GET /runs?limit=0", None, 422, "unusable"),
        ("PUT /runs", None, 405, "no_method"),
        ("GET /elsewhere", None, 404, "unknown"),
    ],
)
def test_what_cannot_be_done_is_told_in_the_readers_language(
    service: httpx.Client, asked: str, body: object, status: int, code: str
) -> None:
    english = service.request(*asked.split(), json=body)
    japanese = service.request(*asked.split(), json=body, headers=JA)
    assert (english.status_code, english.json()["code"]) == (status, code)
    assert english.json()["message"].isascii()
    assert not japanese.json()["message"].isascii()


def test_what_has_ended_is_not_steered(service: httpx.Client) -> None:
    run = started(service)
    events_of(service, run)
    answer = service.post(f"/runs/{run}/steer", json={"kind": "finish_now"})
    assert (answer.status_code, answer.json()["code"]) == (409, "run_ended")


# --- who may ask -----------------------------------------------------------------------------------------------


def test_a_token_opens_its_account_and_no_other(
    environment: dict[str, str], folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with served(environment, folder) as client:
        assert client.get("/runs").status_code == 200
        tokens = {}
        for name in ("alice", "bob"):
            # Whoever makes a token need not know how the login writes a name.
            assert main(["token", "add", "--account", name.capitalize()], environment) == 0
            tokens[name] = {"Authorization": f"Bearer {capsys.readouterr().out.strip()}"}
        for headers in ({}, {"Authorization": "Bearer wrong"}, {"Authorization": "Basic eDp5"}):
            answer = client.get("/runs", headers=headers)
            assert (answer.status_code, answer.json()["code"]) == (401, "token_wanted")
        assert client.get("/health").json()["status"] == "ok"
        asked = {"brief": BRIEF, "library": "reports"}
        run = client.post("/runs", json=asked, headers=tokens["alice"]).json()["id"]
        wait_until(lambda: client.get(f"/runs/{run}", headers=tokens["alice"]).json()["finished_at"])
        assert client.get("/runs", headers=tokens["bob"]).json() == []
        for path in ("", "/events", "/report", "/record"):
            assert client.get(f"/runs/{run}{path}", headers=tokens["bob"]).status_code == 404
        with_store = RunStore(Path(environment["RESEARCH_HOME"])).of_account("alice")
        with_store.share(run, True)
        assert client.get(f"/runs/{run}/report", headers=tokens["bob"]).status_code == 200
        asked_of = client.post(f"/runs/{run}/steer", json={"kind": "stop_now"}, headers=tokens["bob"])
        assert asked_of.status_code == 404
        question = {"question": "How did the pump market in Vietnam grow in 2025?"}
        assert client.post(f"/runs/{run}/questions", json=question, headers=tokens["alice"]).status_code == 200
        main(["token", "list"], environment)
        kept = capsys.readouterr().out
        assert "alice" in kept
        main(["token", "remove", kept.split()[0]], environment)
        assert client.get("/runs", headers=tokens["alice"]).status_code == 401
        home = Path(environment["RESEARCH_HOME"])
        assert not any(
            one["Authorization"].split()[1] in (home / "settings/tokens.json").read_text() for one in tokens.values()
        )
        told = [one.action.value for one in latest_actions(with_store.database) if one.account == "alice"]
        assert told == ["access_taken", "asked", "shared", "started", "access_given"]


def test_what_others_can_reach_does_not_start_without_a_token(
    environment: dict[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["serve", "--host", "0.0.0.0"], environment) == 2
    assert "token add" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"Host": "evil.example"}, 421),
        ({"Origin": "http://evil.example"}, 403),
        ({"X-Forwarded-For": "10.0.0.9"}, 401),
    ],
)
def test_no_page_of_the_web_gets_in_and_nobody_by_way_of_another_server(
    service: httpx.Client, headers: dict[str, str], status: int
) -> None:
    assert service.get("/runs", headers=headers).status_code == status


def test_a_request_that_is_too_large_is_not_read(service: httpx.Client) -> None:
    assert service.post("/verify", content=iter([b" " * 1_000_000] * 9)).status_code == 413


# --- its description -------------------------------------------------------------------------------------------


@pytest.mark.filterwarnings("ignore::hypothesis.errors.HypothesisDeprecationWarning")  # schemathesis itself
def test_the_service_is_as_it_describes_itself(service: httpx.Client, environment: dict[str, str]) -> None:
    """Whatever a stranger's program makes of the description, it gets what the description says, and no failure."""
    run = started(service)
    events_of(service, run)
    headers = {"Authorization": f"Bearer {add_token(Path(environment['RESEARCH_HOME']), '')}"}
    schema = schemathesis.openapi.from_dict(service.get("/openapi.json", headers=headers).json())
    schema.config.base_url = str(service.base_url)
    few = settings(max_examples=12, deadline=None, database=None, derandomize=True, phases=[Phase.generate])
    tried = []
    for found in schema.get_all_operations():
        operation = found.ok()

        def holds(case: schemathesis.Case) -> None:
            if "run_id" in case.path_parameters and len(case.path_parameters["run_id"]) % 2:
                case.path_parameters["run_id"] = run
            if isinstance(case.body, dict) and isinstance(case.body.get("brief"), dict):
                case.body["brief"]["sources"] = ["library"]
                case.body["library"] = "reports"
            case.call_and_validate(headers=headers)

        few(given(case=operation.as_strategy())(holds))()
        tried.append(f"{operation.method} {operation.path}")
    assert "post /runs/{run_id}/steer" in tried
