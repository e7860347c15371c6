"""Logs as JSON lines, for whoever gathers those of many machines: `RESEARCH_LOG=json`.

A line holds what happened, not what was asked or found. No key is told, whatever a message holds.
"""

from __future__ import annotations

import json
import logging
import sys
from collections.abc import Callable, Iterable, Mapping
from datetime import UTC, datetime
from urllib.parse import urlsplit

from research.core.safety import without_secrets

_OURS = ("research", "workbench")
_FIELDS = "fields"
"""The attribute of a record that holds what it tells by name."""


def logs_are_json(environment: Mapping[str, str]) -> bool:
    """Whether the environment asks for JSON lines."""
    return environment.get("RESEARCH_LOG", "").strip().lower() == "json"


def write_json(secrets: Callable[[], Iterable[str]]) -> None:
    """Write all logs of this process to stderr as JSON lines from now on, ours from `INFO` on.

    `secrets` are asked for whenever a message is written.
    """
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(_JsonLine(secrets))
    handler.addFilter(_is_told)
    logging.basicConfig(handlers=[handler], level=logging.WARNING, force=True)
    for name in _OURS:
        logging.getLogger(name).setLevel(logging.INFO)


def _is_told(record: logging.LogRecord) -> bool:
    """Whether a record is ours or a warning: what libraries say below that may hold addresses with keys."""
    return record.levelno >= logging.WARNING or record.name.partition(".")[0] in _OURS


def tell(logger: logging.Logger, event: str, fields: Mapping[str, object]) -> None:
    """Log that something happened, with what is told of it by name: ids, numbers, words of our own."""
    told = {"event": event, **{name: value for name, value in fields.items() if value not in (None, "")}}
    if logger.isEnabledFor(logging.INFO):
        logger.info("%s", " ".join(f"{name}={value}" for name, value in told.items()), extra={_FIELDS: told})


class _JsonLine(logging.Formatter):
    def __init__(self, secrets: Callable[[], Iterable[str]]) -> None:
        super().__init__()
        self._secrets = secrets

    def format(self, record: logging.LogRecord) -> str:
        """Return a record as one line."""
        at = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")
        line: dict[str, object] = {"at": at, "level": record.levelname.lower(), "logger": record.name}
        fields = getattr(record, _FIELDS, None)
        if fields is not None:
            line |= fields
        else:
            line["message"] = self._clean(record.getMessage())
        if record.exc_info:
            line["error"] = self._clean(self.formatException(record.exc_info))
        return json.dumps(line, ensure_ascii=False, default=str)

    def _clean(self, text: str) -> str:
        try:
            secrets = tuple(self._secrets())
        except Exception:  # noqa: BLE001 - settings that cannot be read must not keep a message from being logged
            secrets = ()
        return without_secrets(text, map(_told_in_no_log, secrets))


def _told_in_no_log(secret: str) -> str:
    """Return the secret itself; of an address its password, as the rest of it is no secret and made of common words."""
    return (urlsplit(secret).password or "") if "://" in secret else secret
