"""Accounts of a team: by no way into the store does one read, change, find or count what is another's."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import research.store as door
from pages.parts.accounts import SECRET_HEADER, Login, Refused, account_of_claims
from research.core import Brief, FinishNow, FollowUpAnswered, ResearchError, UsageError
from research.settings import KeptSettings, Settings, account_named, account_of, home_of_account, kept_settings
from research.store import (
    PageUse,
    RunState,
    RunStore,
    Wanted,
    WantedPages,
    catch_up_seen,
    citing_sentences,
    export_run,
    find,
    find_pages,
    import_run,
    label,
    load_report,
    pages_kept,
    queue,
    savings,
    star,
    tags_in_use,
)
from research.store.search import catch_up_words
from research.store.store import _ACCOUNT
from tests.support.seen_pages import TODAY, end, page, quote, read
from tests.support.services import access
from tests.support.stored_runs import record

SECRET = "zanzibar"
Try = Callable[[RunStore, str], Any]


@pytest.fixture
def alice(store: RunStore) -> RunStore:
    return store.of_account("alice@example.com")


@pytest.fixture
def bob(store: RunStore) -> RunStore:
    return store.of_account("bob@example.com")


def secret_run(alice: RunStore) -> str:
    """A run of Alice's that speaks of the secret wherever a run can, has ended, and is found by all that finds runs."""
    read_page = page(7, title=f"On {SECRET}", url=f"https://{SECRET}.example/", text=f"The {SECRET}.")
    run = read(alice, read_page, quotes=(quote(1, "S7"),), question=f"Who is {SECRET}?")
    end(alice, run, cited={"S7": 1})
    label(alice, run, title=f"The {SECRET} case", tags=[SECRET])
    star(alice, run, True)
    alice.steer(run, FinishNow())
    catch_up_words(alice)
    catch_up_seen(alice)
    again = Brief(question=f"And {SECRET} now?")
    made = door.add_schedule(alice, "every day 08:00", again, door.Task(), zone="UTC", analyst="chat")
    with alice.database.writing() as connection:
        connection.execute("UPDATE runs SET schedule = ? WHERE id = ?", (made.id, run))
    return run


def _schedule_of_alice(store: RunStore) -> str:
    """The name of her schedule, of which her run came."""
    alice = store.of_account("alice@example.com")
    schedule: str = door.schedules(alice)[0].id
    return schedule


ANSWER = FollowUpAnswered(number=0, question="?", writer="chat", draft="!", is_answered=False, is_covered=False)
METHODS: dict[str, Try] = {
    "create": lambda store, run: store.create(Brief(question="Mine?"), "chat"),
    "answers": lambda store, run: store.answers(run),
    "extend": lambda store, run: store.extend(run, [], [page(9)]),
    "finish": lambda store, run: store.finish(run, record(run), "Mine."),
    "heartbeat": lambda store, run: store.heartbeat(run),
    "take_over": lambda store, run: store.take_over(run, "me"),
    "steer": lambda store, run: store.steer(run, FinishNow()),
    "share": lambda store, run: store.share(run, True),
    "note": lambda store, run: store.note(door.Action.EXPORTED, run),
    "delete": lambda store, run: store.delete(run),
    "settle": lambda store, run: store.settle(),
    "catch_up": lambda store, run: store.catch_up("seen_waiting", lambda connection, run: None),
    "changing": lambda store, run: store.changing(run).__enter__(),
    "reading": lambda store, run: store.reading(run).__enter__(),
    "get": lambda store, run: store.get(run),
    "ended": lambda store, run: store.ended(run),
    "list": lambda store, run: store.list(1_000),
    "chosen": lambda store, run: store.chosen("SELECT id FROM runs", ()),
    "events": lambda store, run: store.events(run),
    "events_of_type": lambda store, run: store.events_of_type(run, "evidence_found"),
    "pages": lambda store, run: store.pages(run),
    "page_text": lambda store, run: store.page_text(page(7, text=f"The {SECRET}.").sha256),
    "record": lambda store, run: store.record(run),
    "markdown": lambda store, run: store.markdown(run),
    "steering": lambda store, run: store.steering(run),
    "of": lambda store, run: None,
    "of_account": lambda store, run: store.of_account("mallory' OR ''='"),
    "close": lambda store, run: None,
}
FUNCTIONS: dict[str, Try] = {
    "add_schedule": lambda store, run: door.add_schedule(
        store, "every day 08:00", Brief(question="Mine?"), door.Task(), zone="UTC", analyst="chat"
    ),
    "can_resume": lambda store, run: door.can_resume(store, store.get(run)),
    "catch_up_seen": lambda store, run: catch_up_seen(store),
    "citing_sentences": lambda store, run: citing_sentences(
        store,
        [PageUse(run, "", RunState.COMPLETE, TODAY, "S7", 1, 1)],  # type: ignore[arg-type]
    ),
    "delete_notes": door.delete_notes,
    "enter": lambda store, run: door.enter(store, Brief(question="Mine?"), "chat", door.Task()),
    "excerpt": lambda store, run: door.excerpt(store, FOREIGN[0], SECRET),
    "export_run": export_run,
    "find": lambda store, run: [find(store, one) for one in (Wanted(), Wanted(words=SECRET), Wanted(tags=(SECRET,)))],
    "find_pages": lambda store, run: find_pages(store, WantedPages(), today=TODAY),
    "follow": lambda store, run: door.follow(store, store.create(Brief(question="Mine?"), "chat"), run),
    "follow_ups_to": door.follow_ups_to,
    "forget_follow_up": lambda store, run: door.forget_follow_up(store, run, 1),
    "has_work": lambda store, run: door.has_work(store),
    "health": lambda store, run: door.health(store),
    "health_told": lambda store, run: door.health_told(store, uses_workers=False),
    "import_run": lambda store, run: import_run(store, FOREIGN[1]),
    "label": lambda store, run: label(store, run, title="Mine", tags=[]),
    "load_report": load_report,
    "notes": door.notes,
    "page_seen": lambda store, run: [door.page_seen(store, number) for number in range(9)],
    "pages_kept": lambda store, run: pages_kept(store).pages or None,
    "past_runs": lambda store, run: door.past_runs(store, Brief(question="Mine?"), "chat", web=False),
    "pause_schedule": lambda store, run: door.pause_schedule(store, _schedule_of_alice(store), True),
    "quotes_of_page": lambda store, run: [door.quotes_of_page(store, number) for number in range(9)],
    "remove_schedule": lambda store, run: door.remove_schedule(store, _schedule_of_alice(store)),
    "run_schedule": lambda store, run: door.run_schedule(store, _schedule_of_alice(store)),
    "runs_of_schedule": lambda store, run: door.runs_of_schedule(store, _schedule_of_alice(store), 9),
    "savings": lambda store, run: savings(store).runs or None,
    "schedules": lambda store, run: door.schedules(store),
    "star": lambda store, run: star(store, run, False),
    "tags_in_use": lambda store, run: tags_in_use(store),
    "uses_of_page": lambda store, run: [door.uses_of_page(store, number) for number in range(9)],
    "waiting_before": door.waiting_before,
}
FOREIGN: list[Any] = [None, None]
"""What Alice's run looks like, and its file: Bob may have been given both."""


def test_every_way_into_the_store_is_tried() -> None:
    methods = {name for name, one in vars(RunStore).items() if name[0] != "_" and not isinstance(one, property)}
    assert methods == set(METHODS)
    takes_store = {
        name
        for name, one in vars(door).items()
        if inspect.isfunction(one) and next(iter(inspect.signature(one).parameters), "") == "store"
    }
    assert takes_store == set(FUNCTIONS)


def test_another_account_is_not_there(alice: RunStore, bob: RunStore) -> None:
    run = secret_run(alice)
    FOREIGN[:] = [alice.get(run), export_run(alice, run)]
    before = everything(alice)
    for way, attempt in (METHODS | FUNCTIONS).items():
        try:
            said: Any = attempt(bob, run)
        except ResearchError as error:
            said = str(error).replace(run, "")
        assert SECRET not in repr(said) and run not in repr(said), way
        kept = everything(alice)
        assert [line for line in kept if run in line or SECRET in line] == before, way


def everything(store: RunStore) -> list[str]:
    """All that the database holds of the secret run."""
    tables = ("runs", "events", "run_pages", "steering", "tags", "search_texts", "seen_pages", "page_uses")
    with store.database.reading() as connection:
        rows = [
            f"{table} {tuple(row)}"
            for table in (*tables, "run_savings", "schedules")
            for row in connection.execute(f"SELECT * FROM {table}")
        ]
    owned = [row for row in rows if SECRET in row or "-" in row]
    ids = {row.split("'")[1] for row in rows if row.startswith("runs") and SECRET in row}
    return [row for row in owned if SECRET in row or any(one in row for one in ids)]


def test_nothing_of_it_is_counted(alice: RunStore, bob: RunStore) -> None:
    secret_run(alice)
    assert find(bob, Wanted()).total == 0 and find(alice, Wanted()).total == 1
    assert find_pages(bob, WantedPages(), today=TODAY).total == 0
    assert pages_kept(bob).pages == 0 and pages_kept(alice).pages == 1


def test_no_name_of_an_account_is_taken_for_a_part_of_a_query(store: RunStore) -> None:
    for account in ("runs.alice", "seen_pages.alice", "own", "true"):
        one = store.of_account(account)
        read(one, page(1), question=account)
        catch_up_seen(one)
        assert [run.question for run in one.list()] == [account]
        assert find_pages(one, WantedPages(), today=TODAY).total == 1
    for name in ("a'", "a?", "a%", "{a}", "a b", "a\n", "é", "a" * 301):
        with pytest.raises(UsageError, match="No account"):
            store.of_account(name)


def test_a_page_of_both_is_counted_for_each_alone(alice: RunStore, bob: RunStore) -> None:
    for store in (alice, alice, bob):
        read(store, page(1), quotes=(quote(1, "S1"),))
    for store, runs in ((alice, 2), (bob, 1)):
        catch_up_seen(store)
        (one,) = find_pages(store, WantedPages(), today=TODAY).pages
        assert (one.runs, one.quotes) == (runs, runs)


def test_who_has_no_login_is_an_account_of_its_own(store: RunStore, alice: RunStore) -> None:
    run = secret_run(alice)
    mine = store.create(Brief(question="Mine?"), "chat")
    assert [one.id for one in store.list()] == [mine]
    with pytest.raises(UsageError):
        alice.get(mine)
    with pytest.raises(UsageError):
        store.get(run)


READS = ("get", "ended", "events", "pages", "record", "markdown", "export_run", "load_report", "reading", "page_text")
WRITES = ("extend", "finish", "heartbeat", "steer", "share", "delete", "changing", "label", "star",
          "delete_notes", "forget_follow_up")  # fmt: skip


def test_what_is_shared_is_read_and_not_written(alice: RunStore, bob: RunStore) -> None:
    run = secret_run(alice)
    alice.share(run, True)
    assert [(one.account, one.shared) for one in bob.list()] == [("alice@example.com", True)]
    assert find(bob, Wanted(words=SECRET)).total == 1
    for way in READS:
        (METHODS | FUNCTIONS)[way](bob, run)
    before = everything(alice)
    for way in WRITES:
        with pytest.raises(UsageError):
            (METHODS | FUNCTIONS)[way](bob, run)
    assert everything(alice) == before
    assert tags_in_use(bob) == ()
    alice.share(run, False)
    for way in READS:
        with pytest.raises(UsageError):
            (METHODS | FUNCTIONS)[way](bob, run)


def test_an_answer_is_kept_with_no_run_of_another(alice: RunStore, bob: RunStore) -> None:
    from research.store.recorder import join, keep_answer, keep_search

    run = secret_run(alice)
    alice.share(run, True)
    with pytest.raises(UsageError):
        keep_answer(bob, run, ANSWER)
    with pytest.raises(UsageError):
        keep_search(bob, run, 1, "20260101-aaaaaa")
    with pytest.raises(UsageError):
        join(bob, run, load_report(bob, run), "Mine", 1)


def test_a_run_that_waits_or_broke_off_is_left_alone(alice: RunStore, bob: RunStore) -> None:
    waiting, broken_off = (queue.enter(alice, Brief(question="Who?"), "chat", door.Task()) for _ in range(2))
    with alice.database.writing() as connection:
        connection.execute("UPDATE runs SET state = 'interrupted' WHERE id = ?", (broken_off,))
    for shared in (False, True):
        alice.share(waiting, shared)
        with pytest.raises(UsageError):
            queue.cancel(bob, waiting)
        assert not queue.enter_again(bob, broken_off, door.Task())
        assert not bob.take_over(broken_off, "me")
    assert [alice.get(run).state for run in (waiting, broken_off)] == [RunState.WAITING, RunState.INTERRUPTED]


def test_keys_of_an_account_are_its_own(tmp_path: Path) -> None:
    environment = {"RESEARCH_HOME": str(tmp_path)}

    def enter(home: Path, key: str) -> None:
        kept = KeptSettings(services=access(key=key), shares_own_words=True)
        kept_settings.change(home, lambda _: kept)

    enter(tmp_path, "of all")
    enter(home_of_account(tmp_path, "alice@example.com"), "of Alice")
    keys = {}
    for account in ("", "alice@example.com", "bob@example.com"):
        settings = Settings.from_environment(environment, account=account)
        keys[account] = settings.secrets, settings.shares_own_words
    kept_settings.change(
        home_of_account(tmp_path, "alice@example.com"),
        lambda _: KeptSettings(services=access("https://api.example")),
    )
    assert Settings.from_environment(environment, account="alice@example.com").secrets == ("of all",)
    assert keys[""] == (("of all",), True)
    assert keys["alice@example.com"] == (("of Alice",), True)
    assert keys["bob@example.com"] == (("of all",), False)


@pytest.mark.parametrize("name", ["../../etc", "/", "a\0b", "..", "a/b", "", "A" * 10_000])
def test_the_folder_of_an_account_is_never_a_path_of_its_name(tmp_path: Path, name: str) -> None:
    place = home_of_account(tmp_path, name)
    assert place == tmp_path or (place.parent == tmp_path / "accounts" and place.name.isalnum())


class Sent(NamedTuple):
    """A request, as the server hands it to the door."""

    peer: str
    headers: tuple[tuple[str, str], ...]

    @property
    def scope(self) -> dict[str, Any]:
        headers = [(name.lower().encode(), value.encode()) for name, value in self.headers]
        return {"type": "http", "client": (self.peer, 50_000), "headers": headers, "path": "/"}


BY_ADDRESS = {"RESEARCH_LOGIN_HEADER": "X-User", "RESEARCH_LOGIN_PROXIES": "10.0.0.5, 10.1.0.0/24"}
BY_SECRET = {"RESEARCH_LOGIN_HEADER": "X-User", "RESEARCH_LOGIN_SECRET": "0123456789abcdef"}
ALICE = ("X-User", "Alice@Example.com")
TOLD = (SECRET_HEADER, "0123456789abcdef")


@pytest.mark.parametrize(
    ("set_up", "peer", "headers"),
    [
        (BY_ADDRESS, "10.0.0.5", [ALICE]),
        (BY_ADDRESS, "10.1.0.77", [ALICE, ("X-Forwarded-For", "203.0.113.9")]),
        (BY_ADDRESS, "::ffff:10.0.0.5", [ALICE]),
        (BY_SECRET, "127.0.0.1", [ALICE, TOLD]),
        (BY_ADDRESS | BY_SECRET, "10.0.0.5", [ALICE, TOLD]),
    ],
)
def test_a_proxy_is_believed(set_up: dict[str, str], peer: str, headers: list[tuple[str, str]]) -> None:
    assert Login.of(set_up).judged(Sent(peer, tuple(headers)).scope) == "alice@example.com"


@pytest.mark.parametrize(
    ("set_up", "peer", "headers"),
    [
        (BY_ADDRESS, "10.0.0.6", [ALICE]),
        (BY_ADDRESS, "127.0.0.1", [ALICE]),
        (BY_ADDRESS, "", [ALICE]),
        # What a program on this computer can say of where it comes from, and the server then puts in its place.
        (BY_ADDRESS, "10.0.0.5", [ALICE, ("X-Forwarded-For", "10.0.0.5")]),
        (BY_ADDRESS, "10.0.0.5", [ALICE, ("X-Forwarded-For", "10.0.0.5:1234, 127.0.0.1")]),
        (BY_ADDRESS, "10.0.0.5", [ALICE, ALICE]),
        (BY_ADDRESS, "10.0.0.5", [("X-User", "bob, alice")]),
        (BY_ADDRESS, "10.0.0.5", [("X-User", " ")]),
        (BY_ADDRESS, "10.0.0.5", []),
        (BY_SECRET, "10.0.0.5", [ALICE]),
        (BY_SECRET, "127.0.0.1", [ALICE, (SECRET_HEADER, "0123456789abcdeF")]),
        (BY_SECRET, "127.0.0.1", [ALICE, TOLD, TOLD]),
        (BY_ADDRESS | BY_SECRET, "10.0.0.5", [ALICE]),
        (BY_ADDRESS | BY_SECRET, "10.0.0.6", [ALICE, TOLD]),
        ({"RESEARCH_LOGIN_HEADER": "X-User"}, "127.0.0.1", [ALICE]),
        (BY_ADDRESS | {"RESEARCH_LOGIN_PROXIES": "127.0.0.1"}, "127.0.0.1", [ALICE]),
        (BY_ADDRESS | {"RESEARCH_LOGIN_PROXIES": "127.0.0.0/8"}, "127.0.0.1", [ALICE]),
        (BY_ADDRESS | {"RESEARCH_LOGIN_PROXIES": "0.0.0.0/0"}, "10.0.0.5", [ALICE]),
        (BY_ADDRESS | {"RESEARCH_LOGIN_PROXIES": "::1"}, "::1", [ALICE]),
        (BY_ADDRESS | {"RESEARCH_LOGIN_PROXIES": "::/120"}, "::1", [ALICE]),
        (BY_ADDRESS | {"RESEARCH_LOGIN_PROXIES": "127.0.3.0/24"}, "127.0.3.1", [ALICE]),
        (BY_ADDRESS | {"RESEARCH_LOGIN_PROXIES": "proxy"}, "10.0.0.5", [ALICE]),
        (BY_SECRET | {"RESEARCH_LOGIN_SECRET": "short"}, "10.0.0.5", [ALICE, (SECRET_HEADER, "short")]),
        (BY_ADDRESS | {"RESEARCH_LOGIN_SECRET": "short"}, "10.0.0.5", [ALICE, (SECRET_HEADER, "short")]),
    ],
)
def test_nobody_else_is(set_up: dict[str, str], peer: str, headers: list[tuple[str, str]]) -> None:
    with pytest.raises(Refused):
        Login.of(set_up).judged(Sent(peer, tuple(headers)).scope)


def test_each_name_is_another_account() -> None:
    names = [
        "alice", "alice@x", "Ålice", "a'--", "a'", "a=27=", "a=3d=27=", "a=", "a=b", "a=b=", "a=b==",
        "a?", "a%", "", "\u212a@x", "k@x", "é", "e\u0301", "a b", "a\nb",
    ]  # fmt: skip
    long = ["a" * 80, "a" * 81, "a" * 500, "a" * 499 + "é"]
    accounts = [account_of(name) for name in (*names, *long)]
    assert len(set(accounts)) == len(accounts)
    assert account_of(" Alice@X ") == "alice@x"
    assert [account_named(account) for account in accounts] == accounts, "an administrator names them as they are shown"
    assert account_named(" Ann@X ") == "ann@x"
    for account in accounts:
        assert _ACCOUNT.fullmatch(account)


def test_mail_that_nobody_has_verified_names_nobody() -> None:
    claims = {"iss": "https://login.example", "sub": "1", "email": "Alice@example.com"}
    assert account_of_claims(claims | {"email_verified": True}) == "alice@example.com"
    for said in ({}, {"email_verified": False}, {"email_verified": "false"}):
        assert account_of_claims(claims | said).startswith("oidc:")
    assert account_of_claims(claims) != account_of_claims(claims | {"iss": "https://other.example"})
