"""What there is to see, page by page: each shot is an address and what to do there."""

from __future__ import annotations

from playwright.sync_api import Page

from tests.support.shots.homes import Homes
from tests.support.shots.shot import Act, Shot, after, click, last_tab, settle, tab, type_into, upload


def shots(homes: Homes) -> dict[str, Shot]:
    """Return every shot of every page by its name."""
    parts = (_door, _start, _run, _report, _library, _schedules, _batch, _compare, _experiments, _sources, _settings)
    return {name: shot for part in parts for name, shot in part(homes).items()}


_NAMES = {"en": "Asanagi Pump Industries", "ja": "あさなぎポンプ工業"}
_QUESTION = type_into(".st-key-brief_question textarea", "How large is the pump market?", leave="Tab")
_TEMPLATE = click(".st-key-template_chosen [role=radio]")
_MORE = click(".st-key-more_open summary")
_DOCUMENT = upload("sales-2025.md", b"# Sales\n\nSales in Vietnam were 320 million yen in fiscal 2024.\n")


def _door(homes: Homes) -> dict[str, Shot]:
    """What is seen by whom no login names."""
    return {"login": Shot(homes.page(home=homes.login)), "turned-away": Shot(homes.page(home=homes.strange))}


def _start(homes: Homes) -> dict[str, Shot]:
    """The start page: as it opens, filled, by a template, for a reader, with and without keys, with mistakes."""
    here, newcomer, keyed = (homes.page(home=home) for home in (homes.address, homes.newcomer, homes.keyed))
    named = after(_TEMPLATE, type_into(".st-key-template_subject input", _NAMES[homes.language]))
    return {
        "new": Shot(here),
        "new-newcomer": Shot(newcomer),
        "new-models": Shot(keyed),
        "new-filled": Shot(here, after(click(".sample", 1), _MORE)),
        "new-template": Shot(here, _TEMPLATE),
        "new-template-named": Shot(here, named),
        "new-persona": Shot(keyed, after(_QUESTION, _MORE, _persona)),
        "new-method-menu": Shot(here, after(_MORE, click(".st-key-brief_method input"))),
        "new-capped": Shot(keyed, after(_QUESTION, _MORE, _cap)),
        "new-save-and-load": Shot(here, after(named, click(".st-key-save_and_load button"))),
        "new-documents": Shot(here, click(".st-key-documents_open summary")),
        "new-refused": Shot(here, after(click(".st-key-documents_open summary"), upload("budget.xlsx", b"PK"))),
        "new-unreadable": Shot(keyed, click(".st-key-documents_open summary")),
        "new-added": Shot(keyed, after(click(".st-key-documents_open summary"), _DOCUMENT)),
        "new-error-empty": Shot(newcomer, click(".st-key-start button")),
    }


def _persona(page: Page) -> None:
    """Choose the reader of the report."""
    click(".st-key-brief_audience input")(page)
    page.get_by_role("option").nth(2).click()
    settle(page)


def _cap(page: Page) -> None:
    """Say what the run may cost, less than it probably will."""
    type_into(".st-key-brief_max_cost_usd input", "0.05")(page)


_TIMELINE = "[class*=st-key-timeline_] summary"


def _run(homes: Homes) -> dict[str, Shot]:
    """A run while it is under way: its plan, its researchers, steering, writing; and runs that broke off or failed."""
    run = homes.run
    return {
        "waiting": Shot(run("waiting", home=homes.team)),
        "plan": Shot(run("plan")),
        "plan-edit": Shot(run("plan"), click(".st-key-plan_edit button")),
        "live": Shot(run("live")),
        "live-source": Shot(run("live"), click(".reading .title")),
        "live-block-site": Shot(run("live"), click(".reading .steer")),
        "live-drop-topic": Shot(run("live"), click(".lane-tools .steer")),
        "live-timeline": Shot(run("live"), click(_TIMELINE)),
        "live-steered": Shot(run("steered")),
        "writing": Shot(run("writing")),
        "partial": Shot(run("partial")),
        "costly": Shot(run("costly", home=homes.keyed)),
        "hurried": Shot(run("hurried", home=homes.keyed)),
        "broken": Shot(run("broken")),
        "failed": Shot(run("failed")),
        "unknown": Shot(homes.page("run") + "&id=none"),
    }


_CITE = click(".cite", 1)
_VERDICT = click(".verdict:is(.partial, .unsupported, .uncited)")


def _report(homes: Homes) -> dict[str, Shot]:
    """A run that has ended: its report, what stands behind each sentence, and everything that can be done with it."""
    run = homes.run
    return {
        "report": Shot(run("complete")),
        "report-by-rule": Shot(run("house")),
        "report-old": Shot(run("old")),
        "report-rewritten": Shot(run("rewritten")),
        "report-card": Shot(run("complete"), _CITE),
        "report-drawer": Shot(run("complete"), after(_CITE, click(".st-key-report .card [data-send^='quote:']"))),
        "report-contents": Shot(run("complete"), _contents),
        "report-strict": Shot(run("strict"), click(".left-out summary")),
        "report-to-check": Shot(run("sales"), click(".st-key-to_check label")),
        "report-downloads": Shot(run("complete"), click("[class*=st-key-download_menu_] button")),
        "report-rewrite": Shot(run("complete"), click(".st-key-rewrite button")),
        "report-follow-up": Shot(run("asked"), _asked),
        "report-follow-up-typed": Shot(run("complete"), _asking),
        "verdict-card": Shot(run("complete"), click(".verdict")),
        "verdict-unsupported": Shot(run("sales"), _VERDICT),
        "figures": Shot(run("house"), tab(1)),
        "figures-chart": Shot(run("sales"), tab(1)),
        "figures-none": Shot(run("wordy"), tab(1)),
        "contradictions": Shot(run("sales"), tab(2)),
        "contradictions-none": Shot(run("complete"), tab(2)),
        "report-sources": Shot(run("house"), tab(3)),
        "report-notes": Shot(run("notes"), tab(4)),
        "log": Shot(run("complete"), last_tab),
        "log-timeline": Shot(run("complete"), after(last_tab, click("[class*=st-key-timeline_] summary"))),
    }


def _contents(page: Page) -> None:
    """Unfold the contents where they are folded, and go to a section."""
    folded = page.locator(".toc-folded summary")
    if folded.is_visible():
        folded.click()
    else:
        page.locator(".toc button").nth(1).click()
    settle(page)


def _asked(page: Page) -> None:
    """Look at what was asked about the report."""
    page.locator("li.follow-up").first.scroll_into_view_if_needed()


def _asking(page: Page) -> None:
    """Type a question about the report."""
    field = page.locator(".st-key-follow_up_question textarea")
    field.scroll_into_view_if_needed()
    field.fill("2030? 2040?")


_RUN_WORDS = {"en": "renewables", "ja": "再生可能"}
_RUN_SEARCH = ".st-key-runs_words input"
_MENU = click(".run:has(.dot.complete) .menu-opener", 1)


def _chosen(entry: str) -> Act:
    """Choose an entry of the menu of a run, by its message."""
    return after(_MENU, click(f".card [data-send^='{entry}:']"))


def _library(homes: Homes) -> dict[str, Shot]:
    """The library of runs: search, menu, dialogs, comparing, and what it says when there is nothing."""
    here, empty = homes.page("runs"), homes.page("runs", home=homes.newcomer)
    importing = click("[data-testid=stPopover] button")
    return {
        "runs": Shot(here),
        "runs-empty": Shot(empty),
        "runs-found": Shot(here, type_into(_RUN_SEARCH, _RUN_WORDS[homes.language])),
        "runs-none-found": Shot(here, type_into(_RUN_SEARCH, "zebra")),
        "runs-tag": Shot(here, click(".run .tag")),
        "runs-menu": Shot(here, _MENU),
        "runs-name": Shot(here, _chosen("label")),
        "runs-export": Shot(here, _chosen("export")),
        "runs-delete": Shot(here, _chosen("delete")),
        "runs-duplicate": Shot(here, _chosen("change")),
        "runs-comparing": Shot(here, _chosen("compare")),
        "runs-import": Shot(here, importing),
        "runs-import-refused": Shot(here, after(importing, upload("broken.run.zip", b"no archive"))),
    }


def _schedules(homes: Homes) -> dict[str, Shot]:
    """What is asked again and again, the form of a new one, and the page while there is none."""
    here, new = homes.page("schedules"), click(".st-key-schedule_new button")
    return {
        "schedules": Shot(here),
        "schedules-new": Shot(here, new),
        "schedules-delete": Shot(here, click("[data-send^='forget:']")),
        "schedules-empty": Shot(homes.page("schedules", home=homes.newcomer)),
    }


def _batch(homes: Homes) -> dict[str, Shot]:
    """A question for every row of a table: the form, a table that was taken in, and rows that are carried out."""
    here, table = homes.page("batch"), upload("companies.csv", b"company,country\nAcme,Japan\nBolt,Vietnam\n")
    asked = type_into(".st-key-batch_question textarea", "What does {company} make?", leave="Control+Enter")
    return {
        "batch": Shot(here, click("[class*=st-key-batch_rows_] summary")),
        "batch-table": Shot(here, after(table, asked)),
        "batch-empty": Shot(homes.page("batch", home=homes.newcomer)),
    }


def _compare(homes: Homes) -> dict[str, Shot]:
    """Comparing: the form, methods on one question, runs under way, two runs, changes since last time."""
    form, beside = homes.page("compare"), homes.beside
    return {
        "compare": Shot(form),
        "compare-empty": Shot(homes.page("compare", home=homes.newcomer)),
        "compare-error": Shot(form, click(".st-key-compare_start button")),
        "compare-methods": Shot(beside("house", "notes", "rewritten")),
        "compare-two": Shot(beside("sales", "complete")),
        "compare-changes": Shot(beside("sales", "repeated")),
        "compare-live": Shot(beside("live", "complete")),
        "compare-unknown": Shot(homes.page("compare") + "&runs=none"),
    }


def _experiments(homes: Homes) -> dict[str, Shot]:
    """Experiments: the ways and two reports to be rated, what was preferred, and the page while there is none."""
    return {
        "experiments": Shot(homes.page("experiments")),
        "experiments-rated": Shot(homes.page("experiments"), click(".st-key-rate_first button")),
        "experiments-empty": Shot(homes.page("experiments", home=homes.newcomer)),
    }


_INDEX = click(".st-key-collection_index_own button")
_PAGE_SEARCH = ".st-key-seen_words input"


def _sources(homes: Homes) -> dict[str, Shot]:
    """Sources and cache: pages read with their drawer, the cache, sets of sites, collections of documents."""
    here, empty = homes.page("sources"), homes.page("sources", home=homes.newcomer)
    cited = type_into(_PAGE_SEARCH, "fiscal-2025-results")

    def on(place: int, *acts: Act) -> Shot:
        return Shot(here, after(tab(place), *acts))

    return {
        "sources": Shot(here),
        "sources-empty": Shot(empty),
        "sources-none-found": Shot(here, type_into(_PAGE_SEARCH, "zebra")),
        "sources-drawer": Shot(here, click(".seen-page button", 1)),
        "sources-drawer-sentences": Shot(here, after(cited, click(".seen-page button"), click(".seen-uses summary"))),
        "sources-cache": on(1),
        "sources-cache-empty": Shot(empty, tab(1)),
        "sources-cache-clear": on(1, click(".st-key-cache_clear button")),
        "sources-sets": on(2),
        "sources-set-new": on(2, click(".st-key-site_set_new button")),
        "sources-set-copy": on(2, click(".site-set [data-send^='copy:']")),
        "sources-set-export": on(2, click("[data-testid=stPopover] button", 1)),
        "sources-documents": on(3),
        "sources-unreadable": Shot(homes.page("sources", home=homes.keyed), after(tab(3), _INDEX)),
    }


def _settings(homes: Homes) -> dict[str, Shot]:
    """Settings: without keys, with those of the environment, a check that fails, and an address that is none."""
    return {
        "settings": Shot(homes.page("settings")),
        "settings-keys": Shot(homes.page("settings", home=homes.keyed)),
        "settings-models": Shot(homes.page("settings", home=homes.keyed), click(".st-key-advanced summary")),
        "settings-refused": Shot(
            homes.page("settings", home=homes.team),
            after(click(".st-key-actions summary"), click(".st-key-provider_openai_save button")),
        ),
        "settings-check": Shot(
            homes.page("settings", home=homes.keyed), click(".st-key-service_openai_search_save button")
        ),
        "settings-error": Shot(homes.page("settings"), _wrong),
    }


def _wrong(page: Page) -> None:
    """Enter an address that is none."""
    card = page.locator(".st-key-entry_provider_openai")
    card.locator("[class*=st-key-provider_openai_address] input").fill("localhost:1/v1")
    card.locator("[class*=st-key-provider_openai_save] button").click()
    settle(page)
