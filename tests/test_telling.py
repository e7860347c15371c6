"""What a scheduled run came to is told, by e-mail or to a webhook, over a real wire; what fails there harms nothing."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from pydantic import SecretStr
from pytest_httpserver import HTTPServer
from werkzeug import Response

from research.cli import main
from research.core import Brief, UsageError
from research.engine import World
from research.language import Language
from research.settings import Settings
from research.store import RunState, RunStore, Task, Worker, add_schedule, run_schedule, told_address
from tests.support.mail_server import MailServer
from tests.support.scripted import MemorySource, ScriptedAnalyst, found_page, scripted_world

FROM = "research@example.com"
FIRST, SECOND = "Pumps cost 5 dollars [E1].", "Pumps cost 7 dollars [E1]. Valves are sold out [E1]."


@pytest.fixture
def store(tmp_path: Path) -> Iterator[RunStore]:
    store = RunStore(tmp_path)
    yield store
    store.close()


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(home=tmp_path)


def with_mail(settings: Settings, address: str) -> Settings:
    return settings.model_copy(update={"mail_server": SecretStr(address), "mail_from": FROM})


def scheduled(store: RunStore, tell: str, language: Language = Language.EN) -> str:
    brief = Brief(question="What of pumps?", language=language)
    return add_schedule(store, "every day 08:00", brief, Task(tell=tell), zone="UTC", analyst="extractive").id


def carried_out(store: RunStore, settings: Settings, schedule: str, draft: str) -> list[str]:
    """Carry out a run of a schedule whose report says this; return what the worker says."""

    def build(brief: Brief, used: Settings, **_: object) -> World:
        page = found_page("pumps", "Pumps cost 5 dollars. Pumps cost 7 dollars. Valves are sold out.")
        analyst = ScriptedAnalyst(topics=["T"], on_write=lambda _: f"# Pumps\n\n{draft}\n")
        return scripted_world(analyst, MemorySource([page]))

    said: list[str] = []
    run_schedule(store, schedule)
    Worker(store, settings, build=build, say=said.append).work(until_idle=True)
    return said


def test_a_webhook_hears_what_changed_since_the_run_before(
    store: RunStore, settings: Settings, httpserver: HTTPServer
) -> None:
    httpserver.expect_request("/hook", method="POST").respond_with_data("ok")
    schedule = scheduled(store, httpserver.url_for("/hook"))
    for draft in (FIRST, SECOND, SECOND):
        said = carried_out(store, settings, schedule, draft)
        assert said[-2].startswith("run_told run="), "the worker ends when all is told"
    first, second, third = (json.loads(request.data) for request, _ in httpserver.log)
    assert first["text"] == "What of pumps?\n\nThe run is complete. It is the first of its schedule."
    assert (first["status"], first["changes"]) == ("complete", None)
    assert second["changes"]["changed"] == ["Pumps cost 5 dollars. → Pumps cost 7 dollars."]
    assert second["changes"]["new"] == ["Valves are sold out."]
    assert "- Pumps cost 5 dollars. → Pumps cost 7 dollars." in second["text"]
    assert third["text"].endswith("Nothing changed since the run before.")
    assert [run.id for run in store.list()] == [told["run"] for told in (third, second, first)]


def test_a_webhook_that_answers_late_is_asked_again_and_no_more_than_that(
    store: RunStore, settings: Settings, httpserver: HTTPServer, caplog: pytest.LogCaptureFixture
) -> None:
    httpserver.expect_ordered_request("/hook").respond_with_data("later", status=503)
    httpserver.expect_ordered_request("/hook").respond_with_data("ok")
    schedule = scheduled(store, httpserver.url_for("/hook"))
    assert carried_out(store, settings, schedule, FIRST)[-2].startswith("run_told")
    httpserver.clear()
    httpserver.expect_request("/hook").respond_with_handler(
        lambda _: Response(status=302, headers={"Location": httpserver.url_for("/elsewhere")})
    )
    assert carried_out(store, settings, schedule, SECOND)[-2].startswith("run_not_told")
    assert [request.path for request, _ in httpserver.log] == ["/hook"], "it follows nobody"
    assert {run.state for run in store.list()} == {RunState.COMPLETE}
    told = [record.getMessage() for record in caplog.records if record.name.startswith("research")]
    assert told and "/hook" not in "".join(told), "an address may hold what opens it"


@pytest.mark.parametrize("login", [None, ("ann", "p@ss word")])
def test_an_e_mail_holds_what_changed_and_the_report(
    store: RunStore, settings: Settings, login: tuple[str, str] | None
) -> None:
    with MailServer(login) as server:
        escaped = server.address.replace("p@ss word", "p%40ss%20word")
        schedule = scheduled(store, "ann@example.com", Language.JA)
        for draft in (FIRST, SECOND):
            said = carried_out(store, with_mail(settings, escaped), schedule, draft)
            assert said[-2].startswith("run_told")
    _, mail = server.mails
    assert (mail["From"], mail["To"], mail["Subject"]) == (FROM, "ann@example.com", "調査：What of pumps?")
    text = mail.get_content()
    assert text.startswith("調査は")
    assert "Pumps cost 5 dollars. → Pumps cost 7 dollars." in text
    assert "# Pumps" in text


def test_a_mail_that_nobody_takes_is_no_harm(store: RunStore, settings: Settings) -> None:
    with MailServer(refuses=True) as server:
        schedule = scheduled(store, "ann@example.com")
        said = carried_out(store, with_mail(settings, server.address), schedule, FIRST)
    assert said[-2].startswith("run_not_told")
    assert len(server.recipients) == 1, "it is not asked again"
    assert not server.mails


@pytest.mark.parametrize(
    "address", ["ann", "ftp://files.example", "javascript:alert(1)", "http://169.254.169.254/latest", "a@b", "a b@c.de"]
)
def test_what_is_no_address_is_refused_in_the_readers_language(address: str, settings: Settings) -> None:
    able = with_mail(settings, "smtp://localhost")
    with pytest.raises(UsageError) as refused:
        told_address(address, able)
    assert "neither" in refused.value.text.in_(Language.EN)
    assert "アドレス" in refused.value.text.in_(Language.JA)
    assert told_address("  ", able) == ""
    assert told_address(" ann@example.com", able) == "ann@example.com"
    with pytest.raises(UsageError, match="RESEARCH_SMTP"):
        told_address("ann@example.com", settings)


@pytest.mark.parametrize(
    "address",
    ["http://127.0.0.1:9200/", "http://10.0.0.7/hook", "http://[::1]/", "https://0x7f000001/", "http://localhost/"],
)
def test_an_account_names_no_address_in_the_servers_own_network(address: str, tmp_path: Path) -> None:
    of_account = Settings.from_environment({"RESEARCH_HOME": str(tmp_path)}, account="bob@example.com")
    with pytest.raises(UsageError, match="RESEARCH_WEBHOOK_HOSTS"):
        told_address(address, of_account)
    assert told_address("https://192.0.1.1/hook", of_account) == "https://192.0.1.1/hook"
    assert told_address(address, Settings(home=tmp_path)) == address, "without a login it is their own network"


def test_what_an_account_has_told_reaches_nobody_in_the_servers_own_network(
    store: RunStore, settings: Settings, httpserver: HTTPServer
) -> None:
    """Its name may have led elsewhere when it was entered."""
    httpserver.expect_request("/hook").respond_with_data("ok")
    bob = store.of_account("bob@example.com")
    said = carried_out(bob, settings, scheduled(bob, httpserver.url_for("/hook")), FIRST)
    assert said[-2].startswith("run_not_told")
    assert not httpserver.log


@pytest.mark.parametrize("listed", ["localhost", "chat.example, LOCALHOST.", "127.0.0.0/8,::1"])
def test_what_an_administrator_lists_inside_may_be_told_and_nothing_else_there(
    listed: str, store: RunStore, tmp_path: Path, httpserver: HTTPServer
) -> None:
    httpserver.expect_request("/hook").respond_with_data("ok")
    given = {"RESEARCH_HOME": str(tmp_path), "RESEARCH_WEBHOOK_HOSTS": listed}
    of_account, hook = Settings.from_environment(given, account="bob@example.com"), httpserver.url_for("/hook")
    assert told_address(hook, of_account) == hook
    with pytest.raises(UsageError, match="RESEARCH_WEBHOOK_HOSTS"):
        told_address("http://10.0.0.7/hook", of_account)
    bob = store.of_account("bob@example.com")
    said = carried_out(bob, Settings.from_environment(given), scheduled(bob, hook), FIRST)
    assert said[-2].startswith("run_told")
    assert len(httpserver.log) == 1


def test_where_no_service_can_be_nothing_is_told_whatever_is_listed(tmp_path: Path) -> None:
    given = {"RESEARCH_HOME": str(tmp_path), "RESEARCH_WEBHOOK_HOSTS": "169.254.0.0/16"}
    with pytest.raises(UsageError, match="neither"):
        told_address("http://169.254.169.254/latest", Settings.from_environment(given, account="bob@example.com"))


@pytest.mark.parametrize("nonsense", ["http://chat.example", "10.0.0.1/8", "10.0.0.256", "chat.example:8065", "a b"])
def test_a_list_of_what_may_be_told_that_cannot_be_read_lets_nothing_begin(nonsense: str, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="RESEARCH_WEBHOOK_HOSTS") as refused:
        Settings.from_environment({"RESEARCH_HOME": str(tmp_path), "RESEARCH_WEBHOOK_HOSTS": f"10.0.0.0/8,{nonsense}"})
    assert nonsense in refused.value.text.in_(Language.JA)


def test_the_command_line_keeps_whom_to_tell(
    environment: dict[str, str], capsys: pytest.CaptureFixture[str], httpserver: HTTPServer
) -> None:
    asked = ["schedule", "add", "every day 08:00", "What of pumps?", "--tell"]
    assert main([*asked, "ann@example.com"], environment) == 2
    assert "RESEARCH_SMTP" in capsys.readouterr().err
    mails = environment | {"RESEARCH_SMTP": "smtp://ann:secret@localhost", "RESEARCH_MAIL_FROM": FROM}
    assert main([*asked, "ann@example.com"], mails) == 0
    assert "secret" in Settings.from_environment(mails).mail_server.get_secret_value()  # type: ignore[union-attr]
    assert "secret" not in repr(Settings.from_environment(mails))
