"""The events of a run, for whoever follows one with `research.stream` or reads an `events.jsonl`."""

from research.core.events import *  # noqa: F403
