"""Runs as they are stored, carried out, found again and moved."""

from research.store.api import Asking as Asking, run_sync as run_sync
from research.store.owners import (
    Action as Action,
    ActionTaken as ActionTaken,
    latest_actions as latest_actions,
)
from research.store.queue import (
    Schedule as Schedule,
    Task as Task,
    add_schedule as add_schedule,
    local_zone as local_zone,
    remove_schedule as remove_schedule,
    schedules as schedules,
    waiting_before as waiting_before,
)
from research.store.recorder import (
    Recorder as Recorder,
    StoredJournal as StoredJournal,
    delete_notes as delete_notes,
    follow_ups_to as follow_ups_to,
    forget_follow_up as forget_follow_up,
    load_report as load_report,
    notes as notes,
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
    MOST_BREAKS as MOST_BREAKS,
    RunState as RunState,
    RunStore as RunStore,
    RunSummary as RunSummary,
    utc_now as utc_now,
)
from research.store.transfer import (
    CannotMove as CannotMove,
    Moved as Moved,
    UnusableRunFile as UnusableRunFile,
    export_run as export_run,
    file_name as file_name,
    import_run as import_run,
    move_runs as move_runs,
)
from research.store.worker import Worker as Worker
from research.store.world import CacheContent as CacheContent, uses_models as uses_models
