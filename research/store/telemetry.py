"""What whoever keeps a server sees of runs: each step as a line of the log, and as spans of OpenTelemetry.

Neither holds a question, a query, a text, an address or a key: only names of sources and models, codes, numbers, and
the ids of run and account. Logs are JSON lines, for whoever gathers those of many machines, where `RESEARCH_LOG=json`
asks for it. Spans are kept where the usual variables (`OTEL_…`) name a place for them; nothing of OpenTelemetry is
loaded before.
"""

from __future__ import annotations

import json
import logging
import os
import sys
from collections.abc import Callable, Iterable, Mapping
from datetime import UTC, datetime
from functools import cache
from importlib.metadata import entry_points
from typing import Any
from urllib.parse import urlsplit

from research import core

_log = logging.getLogger(__name__)

_SERVICE = "research-workbench"
_PLACES = ("OTEL_TRACES_EXPORTER", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "OTEL_EXPORTER_OTLP_ENDPOINT")
"""The variables that ask for spans."""
_PROTOCOLS = ("OTEL_EXPORTER_OTLP_TRACES_PROTOCOL", "OTEL_EXPORTER_OTLP_PROTOCOL")
_MISSING = "OpenTelemetry needs the extra “telemetry”: pip install 'research-workbench[telemetry]'. No spans are kept."
_NANO = 1_000_000_000

Fields = dict[str, str | int | float | bool]
_TOLD: Mapping[type[core.Event], tuple[str, ...]] = {
    core.RunStarted: ("method", "analyst"),
    core.RunResumed: (),
    core.ResearchFinished: ("reason",),
    core.SearchReturned: ("pages", "new", "seconds", "cost_usd"),
    core.SearchFailed: ("code", "seconds", "cost_usd"),
    core.ModelCalled: ("role", "model", "seconds", "input_tokens", "output_tokens", "cached_tokens", "cost_usd"),
    core.ProblemOccurred: ("stage", "code"),
    core.RunFinished: ("status", "seconds"),
}
"""What is told of which events: what holds words of others is not among it."""


class Told:
    """What is told of one run while this process carries it out. Nothing that goes wrong here reaches the run."""

    def __init__(self, run_id: str, account: str) -> None:
        self._whose: Fields = {"run": run_id, **({"account": account} if account else {})}
        self._tracer = tracer()
        self._span: Any = None
        self._sources: dict[str, str] = {}
        """The source of each search under way."""

    def __call__(self, event: core.Event) -> None:
        """Take note of an event, numbered and timed."""
        try:
            self._note(event)
        except Exception:  # noqa: BLE001 - a run must not fail because somebody watches it
            _log.warning("An event of a run could not be told", exc_info=True)

    def close(self) -> None:
        """End the span of a run that this process leaves."""
        if self._span is not None:
            self._span.set_attribute("research.status", "left")
            self._span.end()
            self._span = None

    def _note(self, event: core.Event) -> None:
        if isinstance(event, core.SearchStarted):
            self._sources[event.search] = event.source
        fields = self._fields(event)
        if fields is None:
            return
        tell(_log, event.type, self._whose | fields)
        if self._tracer is not None:
            self._trace(event, fields)

    def _fields(self, event: core.Event) -> Fields | None:
        """Return what is told of an event; None of one of which nothing is."""
        names = _TOLD.get(type(event))
        if names is None:
            return None
        fields = {name: value for name in names if (value := getattr(event, name)) is not None}
        if isinstance(event, core.SearchReturned | core.SearchFailed):
            fields["source"] = self._sources.pop(event.search, "")
        if isinstance(event, core.ModelCalled):
            fields["failed"] = bool(event.error)
        return fields

    def _trace(self, event: core.Event, fields: Fields) -> None:
        match event:
            case core.RunStarted() | core.RunResumed():
                self.close()
                self._span = self._tracer.start_span("run", start_time=_nanoseconds(event))
                self._set(self._span, self._whose | fields)
            case core.SearchReturned() | core.SearchFailed():
                self._child("search", event, event.seconds, fields, failed=isinstance(event, core.SearchFailed))
            case core.ModelCalled():
                usage: Fields = {
                    "gen_ai.operation.name": "chat",
                    "gen_ai.request.model": event.model,
                    "gen_ai.usage.input_tokens": event.input_tokens,
                    "gen_ai.usage.output_tokens": event.output_tokens,
                }
                self._child("model call", event, event.seconds, fields, usage, failed=bool(event.error))
            case core.RunFinished() if self._span is not None:
                self._set(self._span, fields)
                self._mark(self._span, event.status is core.Status.FAILED)
                self._span.end(_nanoseconds(event))
                self._span = None
            case _ if self._span is not None:
                self._span.add_event(event.type, dict(fields), _nanoseconds(event))

    def _child(self, name: str, event: core.Event, seconds: float, fields: Fields, *more: Fields, failed: bool) -> None:
        """Keep the span of something that has just ended."""
        from opentelemetry.trace import set_span_in_context

        ended = _nanoseconds(event)
        context = set_span_in_context(self._span) if self._span is not None else None
        span = self._tracer.start_span(name, context, start_time=ended - int(seconds * _NANO))
        self._set(span, self._whose | fields)
        for usual in more:
            span.set_attributes(usual)
        self._mark(span, failed)
        span.end(ended)

    @staticmethod
    def _set(span: Any, fields: Fields) -> None:
        span.set_attributes({f"research.{name}": value for name, value in fields.items()})

    @staticmethod
    def _mark(span: Any, failed: bool) -> None:
        from opentelemetry.trace import StatusCode

        if failed:
            span.set_status(StatusCode.ERROR)


def _nanoseconds(event: core.Event) -> int:
    assert event.at is not None
    return int(event.at.timestamp() * _NANO)


def tracer() -> Any:
    """Return who makes spans; None where nobody asked for any."""
    if os.environ.get("OTEL_SDK_DISABLED", "").lower() == "true" or not any(map(os.environ.get, _PLACES)):
        return None
    return _exporting(os.environ.get("OTEL_TRACES_EXPORTER") or "otlp")


@cache
def _exporting(named: str) -> Any:
    """Return who makes spans that those exporters get; made once. It serves this program alone, no library in it."""
    try:
        from opentelemetry.sdk.resources import Resource
        from opentelemetry.sdk.trace import TracerProvider
        from opentelemetry.sdk.trace.export import BatchSpanProcessor
    except ImportError:
        _log.warning(_MISSING)
        return None
    usual = {} if os.environ.get("OTEL_SERVICE_NAME") else {"service.name": _SERVICE}
    provider = TracerProvider(resource=Resource.create(usual))
    try:
        for name in filter(None, map(str.strip, named.split(","))):
            if name != "none":
                provider.add_span_processor(BatchSpanProcessor(exporter_of(name, os.environ)()))
    except core.UsageError as error:
        _log.warning("%s", error)
        return None
    return provider.get_tracer(_SERVICE)


def exporter_of(name: str, environment: Mapping[str, str]) -> Callable[[], Any]:
    """Return what makes the exporter of a name, as `OTEL_TRACES_EXPORTER` has it, of those that are installed.

    Raises:
        UsageError: none of that name is installed.
    """
    if name == "otlp":
        protocol = next(filter(None, map(environment.get, _PROTOCOLS)), "http/protobuf")
        name = "otlp_proto_grpc" if protocol == "grpc" else "otlp_proto_http"
    found = tuple(entry_points(group="opentelemetry_traces_exporter", name=name))
    if not found:
        raise core.UsageError(f"No exporter of OpenTelemetry named {name!r} is installed; no spans are kept.")
    made: Callable[[], Any] = found[0].load()
    return made


# --- lines of a log ---------------------------------------------------------------------------------------------------

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
        return core.without_secrets(text, map(_told_in_no_log, secrets))


def _told_in_no_log(secret: str) -> str:
    """Return the secret itself; of an address its password, as the rest of it is no secret and made of common words."""
    return (urlsplit(secret).password or "") if "://" in secret else secret
