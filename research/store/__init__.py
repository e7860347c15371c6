"""Runs as they are stored, carried out, found again and moved. Each part is loaded when it is first asked for."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from research.store.api import Asking as Asking, delete_notes as delete_notes, run_sync as run_sync
    from research.store.cache import CacheContent as CacheContent
    from research.store.recorder import (
        Recorder as Recorder,
        StoredJournal as StoredJournal,
        follow_ups_to as follow_ups_to,
        forget_follow_up as forget_follow_up,
        load_report as load_report,
        origin_of as origin_of,
    )
    from research.store.runner import Runner as Runner, can_resume as can_resume
    from research.store.search import (
        LONGEST_TAG as LONGEST_TAG,
        MOST_TAGS as MOST_TAGS,
        Excerpt as Excerpt,
        MatchPlace as MatchPlace,
        RunsFound as RunsFound,
        Wanted as Wanted,
        excerpt as excerpt,
        find as find,
        follow as follow,
        label as label,
        past_runs as past_runs,
        star as star,
        tags_in_use as tags_in_use,
    )
    from research.store.seen import (
        FoundPages as FoundPages,
        Order as Order,
        PagesKept as PagesKept,
        PageUse as PageUse,
        RunSaving as RunSaving,
        Savings as Savings,
        SeenPage as SeenPage,
        Use as Use,
        WantedPages as WantedPages,
        catch_up_seen as catch_up_seen,
        citing_sentences as citing_sentences,
        find_pages as find_pages,
        page_seen as page_seen,
        pages_kept as pages_kept,
        quotes_of_page as quotes_of_page,
        remove_unused_pages as remove_unused_pages,
        savings as savings,
        savings_by_run as savings_by_run,
        unused_pages as unused_pages,
        uses_of_page as uses_of_page,
    )
    from research.store.store import (
        RunState as RunState,
        RunStore as RunStore,
        RunSummary as RunSummary,
        utc_now as utc_now,
    )
    from research.store.transfer import (
        UnusableRunFile as UnusableRunFile,
        export_run as export_run,
        file_name as file_name,
        import_run as import_run,
    )

_HOMES = {
    "research.store.api": (
        "Asking",
        "delete_notes",
        "run_sync",
    ),
    "research.store.cache": ("CacheContent",),
    "research.store.recorder": (
        "Recorder",
        "StoredJournal",
        "follow_ups_to",
        "forget_follow_up",
        "load_report",
        "origin_of",
    ),
    "research.store.runner": (
        "Runner",
        "can_resume",
    ),
    "research.store.search": (
        "LONGEST_TAG",
        "MOST_TAGS",
        "Excerpt",
        "MatchPlace",
        "RunsFound",
        "Wanted",
        "excerpt",
        "find",
        "follow",
        "label",
        "past_runs",
        "star",
        "tags_in_use",
    ),
    "research.store.seen": (
        "FoundPages",
        "Order",
        "PagesKept",
        "PageUse",
        "RunSaving",
        "Savings",
        "SeenPage",
        "Use",
        "WantedPages",
        "catch_up_seen",
        "citing_sentences",
        "find_pages",
        "page_seen",
        "pages_kept",
        "quotes_of_page",
        "remove_unused_pages",
        "savings",
        "savings_by_run",
        "unused_pages",
        "uses_of_page",
    ),
    "research.store.store": (
        "RunState",
        "RunStore",
        "RunSummary",
        "utc_now",
    ),
    "research.store.transfer": (
        "UnusableRunFile",
        "export_run",
        "file_name",
        "import_run",
    ),
}


def __getattr__(name: str) -> Any:
    """Load a name when it is first used: a list of runs needs nothing of what carries one out."""
    for home, names in _HOMES.items():
        if name in names:
            return getattr(import_module(home), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
