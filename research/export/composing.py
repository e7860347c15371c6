"""From a finished run to the document that every format is made from."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from operator import itemgetter

from research.core.addresses import is_web
from research.core.brief_text import fields
from research.core.citations import Cited, length_of, numbered
from research.core.dates import Age, freshness
from research.core.events import RunStarted
from research.core.ledger import Evidence
from research.core.presets import Role
from research.export.blocks import blocks_of
from research.export.byline import byline
from research.export.charts import charts_of
from research.export.document import Block, Document, Heading, Part, PartKind, QuotedPassage, Source, Text, plain
from research.export.follow_ups import all_numbers, cited_in_answers, follow_ups_markdown
from research.export.markdown import markdown_parts
from research.export.recorded import printed
from research.language import Bilingual, Language
from research.results.proof import counts
from research.results.report import Report

_CHARTS = Bilingual("Charts", "グラフ")
_CHECKED = Bilingual(
    "{supported} of {total} sentences supported; checked against the stored page, by rules.",
    "{total}文中{supported}文に裏付けあり。保存したページと規則により照合。",
)


def document_of(report: Report) -> Document:
    """Return the document of a finished run: everything of its `report.md`, in parts, and its charts."""
    record, brief = report.record, report.record.brief
    cited = numbered(record.draft, record.ledger)
    line = byline(brief.language, record.day, record.writer, _models(report))
    texts = markdown_parts(cited, pages=report.pages, **printed(record, byline=""))
    texts[PartKind.FOLLOW_UPS] = follow_ups_markdown(report)
    numbers = all_numbers(report)
    known = frozenset(numbers.values())
    joins = brief.language is Language.JA
    parts = {kind: blocks_of(text, known, language_joins_lines=joins) for kind, text in texts.items() if text.strip()}
    title, body = _titled(parts.pop(PartKind.BODY, ()))
    parts.pop(PartKind.SOURCES, None)
    charts = charts_of(report, cited)
    ordered = [Part(PartKind.BODY, body)]
    if charts:
        ordered.append(Part(PartKind.CHARTS, (_heading(_CHARTS, brief.language), *charts)))
    ordered += [Part(kind, parts[kind]) for kind in PartKind if kind in parts]
    verdicts = counts(record.sentences)
    return Document(
        run=record.run,
        title=title or " ".join(brief.question.split()),
        question=brief.question,
        language=brief.language,
        researched=record.day,
        byline=line,
        brief=tuple(fields(brief)),
        parts=tuple(ordered),
        sources=tuple(_sources(report, numbers, _used(report, cited))),
        verdicts=verdicts,
        checked=_checked(verdicts, brief.language),
        length=length_of(brief),
    )


def _models(report: Report) -> dict[Role, str]:
    started = next((event for event in report.history if isinstance(event, RunStarted)), None)
    return started.models if started else {}


def _titled(body: tuple[Block, ...]) -> tuple[str, tuple[Block, ...]]:
    """Take the title off the body."""
    if body and isinstance(body[0], Heading):
        return plain(body[0].line), body[1:]
    return "", body


def _heading(words: Bilingual, language: Language) -> Heading:
    return Heading(1, (Text(words.in_(language)),))


def _checked(verdicts: dict[str, int], language: Language) -> str:
    total = sum(verdicts.values())
    return _CHECKED.in_(language).format(supported=verdicts.get("supported", 0), total=total) if total else ""


def _used(report: Report, cited: Cited) -> dict[str, Evidence]:
    """Return the evidence that the report and the answers to further questions cite, by id."""
    evidence = report.record.ledger
    return {name: evidence[name] for name in cited.evidence} | cited_in_answers(report)


def _sources(report: Report, numbers: Mapping[str, int], used: Mapping[str, Evidence]) -> Iterator[Source]:
    language = report.record.brief.language
    for page_id, number in sorted(numbers.items(), key=itemgetter(1)):
        page = report.pages[page_id]
        known = freshness(page.published, report.record.day)
        yield Source(
            number=number,
            page=page_id,
            title=" ".join(page.title.split()) or page.site,
            url=page.url if is_web(page.url) else "",
            site=page.site,
            kind=page.kind.label.in_(language),
            dated=known.label.in_(language),
            published=page.published,
            fetched=page.fetched_at.date(),
            is_recent=known.age is Age.RECENT,
            quotes=tuple(QuotedPassage(name, entry.quote) for name, entry in used.items() if entry.source == page_id),
        )
