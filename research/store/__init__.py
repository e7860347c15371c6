"""Runs as they are stored, carried out, found again and moved."""

# fmt: off
from research.store.api import Asking, estimate, run_sync, stream
from research.store.database import Action, ActionTaken, latest_actions
from research.store.queue import (
    Health, Rhythm, Schedule, Task, add_schedule, enter, has_work, health, health_told, local_zone,
    pause_schedule, remove_schedule, run_schedule, runs_of_schedule, schedules, waiting_before,
)
from research.store.recorder import (
    Recorder, StoredJournal, delete_notes, follow_ups_to, forget_follow_up, load_report, notes,
)
from research.store.runner import Runner, can_resume
from research.store.search import (
    LONGEST_TAG, MOST_TAGS, Excerpt, MatchPlace, RunsFound, Wanted, excerpt, find, follow, label, past_runs, star,
    tags_in_use,
)
from research.store.seen import (
    Order, PagesKept, PageUse, Savings, SeenPage, Use, WantedPages, catch_up_seen,
    citing_sentences, find_pages, page_seen, pages_kept, quotes_of_page, savings, uses_of_page,
)
from research.store.store import MOST_BREAKS, RunState, RunStore, RunSummary, utc_now
from research.store.telemetry import logs_are_json, write_json
from research.store.telling import told_address
from research.store.transfer import CannotMove, UnusableRunFile, export_run, file_name, import_run, move_runs
from research.store.runner import Worker, to_log, to_stderr
from research.store.world import AnalystChoice, CacheContent, make_ready, move_summaries, uses_models
