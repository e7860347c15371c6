"""The part of a Markdown report that holds what was asked about it afterwards, with the sources that this added."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from babel.dates import format_date

from research.core.citations import render_marks
from research.core.ledger import Evidence, Page
from research.export.citing import address, definitions, is_linkable, kept_apart, source_facts
from research.export.contradictions_markdown import entries_markdown
from research.language import Bilingual, Language
from research.results.proof import counts
from research.results.record import FollowUp, added_on, is_added, numbered_on
from research.results.report import Report
from research.text.markdown import escape_markdown
from research.verification.labels import Label

_TITLE = Bilingual("Follow-up questions", "追加の質問")
_BY_RULE = Bilingual(
    "Answered on {date} from the evidence of this report: verbatim quotes chosen by rule; no model wrote any of it.",
    "{date}に、このレポートの根拠から回答。規則により選んだ原文の引用で、モデルによる文章は含みません。",
)
_BY_MODEL = Bilingual(
    "Answered on {date} from the evidence of this report, written by the model {model}; each sentence checked against "
    "the stored page, by rules.",
    "{date}に、このレポートの根拠からモデル {model} が回答を執筆。各文は保存したページと規則により照合。",
)
_ASKED = Bilingual("Asked on {date}.", "{date}の質問。")
_ADDED = Bilingual(
    "Added on {date} by a further search. New sources: {count}.", "{date}の追加検索で更新。新しい情報源：{count}件。"
)
_NOTHING_ADDED = Bilingual(
    "A further search found nothing new.", "追加で検索しましたが、新しい情報はありませんでした。"
)
_NOTHING = Bilingual("The evidence says nothing on this.", "これに関する記述は根拠の中にありません。")
_PARTLY = Bilingual("The evidence does not fully answer this.", "根拠だけでは十分に答えられません。")
_COUNT = Bilingual("{label}: {count}", "{label} {count}")
_COMMA = Bilingual(" · ", "、")
_CONTRADICTIONS = Bilingual("What the added sources say differently", "追加した情報源との食い違い")
_SOURCES = Bilingual("Sources of the answers that the report does not cite", "レポート本文にない、回答の情報源")


def with_follow_ups(report: Report) -> str:
    """Return the Markdown of a report with what was asked about it at its end; unchanged if nothing was."""
    if not report.follow_ups:
        return report.markdown
    known = {source.id for source in report.record.sources if source.number is not None}
    numbers = all_numbers(report)
    fresh = {page: number for page, number in numbers.items() if page not in known and page in report.pages}
    parts = [
        report.markdown,
        follow_ups_markdown(report),
        _sources(fresh, report),
        definitions((number, report.pages[page]) for page, number in fresh.items()),
    ]
    return "\n\n".join(part.strip() for part in parts if part.strip()) + "\n"


def all_numbers(report: Report) -> dict[str, int]:
    """Return the citation number of each page that the report or an answer cites."""
    before = {source.id: source.number for source in report.record.sources if source.number is not None}
    return numbered_on(before, report.follow_ups, report.view.evidence)


def follow_ups_markdown(report: Report) -> str:
    """Return what was asked, with its answers; empty if nothing was."""
    language, numbers, evidence = report.record.brief.language, all_numbers(report), report.view.evidence
    parts = []
    for one in report.follow_ups:
        parts += [f"### {escape_markdown(one.answer.question)}", *_said(one, numbers, evidence, language)]
    if not parts:
        return ""
    return "\n\n".join([f"## {_TITLE.in_(language)}", *filter(None, [*parts, _contradictions(report, numbers)])])


def _contradictions(report: Report, numbers: Mapping[str, int]) -> str:
    """Return what the sources that joined the report say differently, from others or from each other."""
    added, language = added_on(report.view), report.record.brief.language
    found = [one for one in report.contradictions_now if is_added(one, added)] if added else []
    if not found:
        return ""
    entries = entries_markdown(found, numbers, language, report.pages, added)
    return f"### {_CONTRADICTIONS.in_(language)}\n\n{entries}"


def cited_in_answers(report: Report) -> dict[str, Evidence]:
    """Return the evidence that answers cite, by id, in the order of its first citation."""
    evidence = report.view.evidence
    found: dict[str, Evidence] = {}

    def note(ids: list[str]) -> str:
        found.update((name, evidence[name]) for name in ids if name in evidence)
        return ""

    for one in report.follow_ups:
        render_marks(one.answer.draft, note)
    return found


def _said(
    one: FollowUp, numbers: Mapping[str, int], evidence: Mapping[str, Evidence], language: Language
) -> Iterator[str]:
    answer = one.answer
    day = format_date(answer.at, "long", locale=language.value) if answer.at else ""
    by = _BY_RULE if answer.writer == "extractive" else _BY_MODEL
    by = by if answer.draft else _ASKED
    yield f"*{by.in_(language).format(date=day, model=escape_markdown(answer.model))}*"
    if answer.run:
        added = _ADDED.in_(language).format(date=day, count=len(answer.added)) if answer.added else ""
        yield f"*{added or _NOTHING_ADDED.in_(language)}*"

    def marks(ids: list[str]) -> str:
        sources = dict.fromkeys(numbers[evidence[name].source] for name in ids if name in evidence)
        return " ".join(f"[{number}]" for number in sources)

    yield kept_apart(render_marks(answer.draft, marks)) or _NOTHING.in_(language)
    if answer.draft and not answer.is_answered:
        yield escape_markdown(answer.missing) or _PARTLY.in_(language)
    if answer.writer != "extractive":
        listed = [
            _COUNT.in_(language).format(label=Label(name).words.in_(language), count=count)
            for name, count in counts(answer.sentences).items()
        ]
        yield f"*{_COMMA.in_(language).join(listed)}*" if listed else ""


def _sources(fresh: Mapping[str, int], report: Report) -> str:
    """List the pages that only answers cite, each with what is quoted from it."""
    language = report.record.brief.language
    cited: dict[str, list[Evidence]] = {page: [] for page in fresh}
    for entry in cited_in_answers(report).values():
        if entry.source in cited:
            cited[entry.source].append(entry)
    lines = [_source(number, report.pages[page], cited[page], report) for page, number in fresh.items()]
    return "\n".join([f"### {_SOURCES.in_(language)}", "", *lines]) if lines else ""


def _source(number: int, page: Page, quotes: list[Evidence], report: Report) -> str:
    language, title = report.record.brief.language, escape_markdown(page.title)
    label = f"[{title}](<{address(page.url)}>)" if is_linkable(page) else title
    return f"{number}. {label} — {source_facts(page, quotes, report.record.day, language)}"
