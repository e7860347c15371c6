"""Events in words, one line each."""

from __future__ import annotations

from research.events import (
    SUPERVISOR,
    AnyEvent,
    CollectionIndexed,
    FinishRequested,
    PageRead,
    ProblemOccurred,
    Reflected,
    ReportStarted,
    RunStarted,
    SearchStarted,
    StopRequested,
    TopicFinished,
    TopicQueued,
)
from research.language import Bilingual, Language
from research.problems import explain
from research.sources.cleaning import clean_title

_LONGEST = 160

_STARTED = Bilingual("Run {run}: {analyst}, {sources}", "実行 {run}：{analyst}、{sources}")
_ANALYSTS = {
    "chat": Bilingual("research by models", "モデルによる調査"),
    "extractive": Bilingual("research by rules, without any model", "モデルを使わない規則による調査"),
}
_INDEXED = Bilingual(
    "{source}: files read: {total}. {skipped}", "{source}：{total} 件のファイルを読み込みました。{skipped}"
)
_TOPIC = Bilingual("{lane} Topic: {text}", "{lane} トピック：{text}")
_REFLECTED = Bilingual("{lane} Reflection: {text}", "{lane} 考察：{text}")
_SEARCHED = Bilingual("{lane} Search in {source}: {text}", "{lane} {source}を検索：{text}")
_READ = Bilingual("{lane} Read: {text}", "{lane} 読んだページ：{text}")
_TOPIC_DONE = Bilingual("{lane} Done; quotes kept: {count}", "{lane} 終了：引用 {count} 件")
_SUPERVISOR = Bilingual("Supervisor", "統括")
_COMMA = Bilingual(", ", "、")
_PROBLEM = Bilingual("Problem: {text}", "問題：{text}")
_PLAIN = {
    "report_started": Bilingual("Writing the report", "レポートを執筆中"),
    "finish_requested": Bilingual(
        "Finishing: the report is written from what there is", "調査を切り上げ、これまでの内容からレポートを書きます"
    ),
    "stop_requested": Bilingual("Stopping", "停止します"),
}


def line_of(event: AnyEvent, language: Language) -> str | None:
    """Return what to show of an event, or None if it is not worth a line.

    Text of others is shown on one line, shortened, and without anything that a terminal would obey.
    """
    lane = getattr(event, "lane", "")
    parts: dict[str, str] = {"lane": _SUPERVISOR.in_(language) if lane == SUPERVISOR else lane}
    match event:
        case RunStarted():
            said, parts = _STARTED, _started(event, language)
        case CollectionIndexed() if event.done == event.total:
            said, parts = _INDEXED, _indexed(event, language)
        case TopicQueued():
            said, parts["text"] = _TOPIC, event.topic
        case Reflected():
            said, parts["text"] = _REFLECTED, event.reflection
        case SearchStarted():
            said, parts["text"] = _SEARCHED, event.query
            parts["source"] = event.source.label.in_(language)
        case PageRead():
            said = _READ
            parts["text"] = " · ".join(part for part in (event.title, event.site, event.published) if part)
        case TopicFinished():
            said, parts["count"] = _TOPIC_DONE, str(len(event.evidence))
        case ProblemOccurred():
            said, parts["text"] = _PROBLEM, explain(event.code, language, event.subject)
        case ReportStarted() | FinishRequested() | StopRequested():
            said = _PLAIN[event.type]
        case _:
            return None
    return said.in_(language).format(**{name: shortened(part) for name, part in parts.items()})


def shortened(text: str, length: int = _LONGEST) -> str:
    """Return text on one line of at most `length` characters, without control characters."""
    plain = clean_title(text)
    return plain if len(plain) <= length else plain[: length - 1] + "…"


def _started(event: RunStarted, language: Language) -> dict[str, str]:
    analyst = _ANALYSTS[event.analyst].in_(language) if event.analyst in _ANALYSTS else event.analyst
    sources = _COMMA.in_(language).join(source.label.in_(language) for source in event.sources)
    return {"run": event.run, "analyst": analyst, "sources": sources}


def _indexed(event: CollectionIndexed, language: Language) -> dict[str, str]:
    skipped = " ".join(explain(code, language, name) for name, code in event.skipped)
    return {"source": event.source.label.in_(language), "total": str(event.total), "skipped": skipped}
