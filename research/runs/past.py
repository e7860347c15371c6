"""What past runs took: the ground of an estimate."""

from __future__ import annotations

import json
from collections.abc import Sequence

from research.brief import Brief
from research.brief_text import method_of
from research.estimate import PastRun
from research.presets import PRESETS, PresetName, Role
from research.runs.model import RunState
from research.runs.store import RunStore
from research.vocabulary import SourceName
from research.workload import RoleTokens

_LATEST = 20
# Reports written anew, and searches for a follow-up question, are runs of another kind.
_ALIKE = """
    SELECT seconds, json_extract(record, '$.usage') AS usage, started.body AS started
    FROM runs JOIN events AS started ON started.run = runs.id AND started.type = 'run_started'
    WHERE state = ? AND analyst = ? AND record IS NOT NULL
        AND coalesce(json_extract(brief, '$.preset'), ?) = ?
        AND coalesce(json_extract(brief, '$.method'), ?) = ?
        AND coalesce(json_extract(started.body, '$.rewritten_from'), '') = ''
        AND coalesce(json_extract(started.body, '$.follow_up_to'), '') = ''
    ORDER BY created_at DESC LIMIT ?
"""


def past_runs(store: RunStore, brief: Brief, analyst: str, *, web: bool) -> Sequence[PastRun]:
    """Return the latest complete runs of the brief's preset and method by `analyst`, with the web or without it.

    Raises:
        StoreError: the store cannot be read.
    """
    with store.database.reading() as connection:
        rows = connection.execute(
            _ALIKE,
            (
                RunState.COMPLETE.value,
                analyst,
                PresetName.QUALITY.value,
                brief.preset.value,
                PRESETS[brief.preset].method.value,
                method_of(brief).value,
                _LATEST,
            ),
        ).fetchall()
    return [
        PastRun(seconds=row["seconds"], tokens=_tokens(json.loads(row["usage"] or "{}")))
        for row in rows
        if (SourceName.WEB.value in json.loads(row["started"])["sources"]) is web
    ]


def _tokens(usage: dict[str, dict[str, int]]) -> dict[Role, RoleTokens]:
    """Return the tokens of each role; one that only another version knows counts nothing."""
    known = {role.value for role in Role}
    return {
        Role(name): RoleTokens(used.get("input_tokens", 0), used.get("output_tokens", 0))
        for name, used in usage.items()
        if name in known
    }
