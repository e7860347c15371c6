"""A report as one Markdown file: its text with numbers, what was asked about it later, and the research notes."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from operator import itemgetter

from research import core, results
from research.export import citing
from research.export.document import PartKind
from research.language import SPACE, Bilingual, Language, Phrase, bracketed
from research.text import escape_markdown

_RULE = "extractive"
"""The name of the writer that composes by rule."""

# --- the line under the title: what is missing, when it was researched, and who wrote it ----------------------------

_DATED = Phrase("Researched on {date}")
_BY_RULE = Phrase("composed by rule of quotes and calculations; no model wrote any of it")
_BY_MODEL = Phrase(
    "written by the model {model}; each sentence checked against the stored page, by rules (see Verification)"
)
_CLAIMED = Phrase("according to the file that it was taken from, which nobody checked: {claim}")
_CONTRADICTED = Phrase("Points on which sources contradict each other: {count} (see Contradictions).")


def byline(record: results.RunRecord, models: Mapping[core.Role, str]) -> str:
    """Return the line in the report's language, which begins with what is missing; `models` are those of the run."""
    language = record.brief.language
    dated = _DATED.in_(language).format(date=core.date_in_words(record.day, language))
    model = models.get(core.Role.FINAL_REPORT, record.writer)
    by = _BY_RULE.in_(language) if record.writer == _RULE else _BY_MODEL.in_(language).format(model=model)
    by = claimed(by, language) if record.is_claimed else by
    said = f"{dated} · {by}" + Bilingual(".", "。").in_(language)
    count = len(record.contradictions)
    contradicted = _CONTRADICTED.in_(language).format(count=count) if count else ""
    return SPACE.in_(language).join(filter(None, (results.shortfall(record, language), said, contradicted)))


def claimed(claim: str, language: Language) -> str:
    """Return what a file from elsewhere says of its own writer, marked as that."""
    return _CLAIMED.in_(language).format(claim=claim)


# --- the report ----------------------------------------------------------------------------------------------------
_SOURCES = Phrase("Sources")
_LIMITS = Phrase("Limits of this report")

_NAMED_AT_MOST = 5
_MORE = Phrase(" and {count} more")


def report_markdown(record: results.RunRecord, pages: Mapping[str, core.Page], models: Mapping[core.Role, str]) -> str:
    """Return the whole report of a run; `pages` hold those that it cites, `models` what wrote it, by role.

    Citations are written `[1]`; being defined at the end of the file, each is also a link to its source.
    """
    cited = core.numbered(record.draft, record.ledger)
    parts = markdown_parts(record, cited, pages, escape_markdown(byline(record, models)))
    links = citing.definitions((number, pages[page]) for page, number in cited.numbers.items())
    return _joined(*parts.values(), links)


def _joined(*parts: str) -> str:
    return "\n\n".join(part.strip() for part in parts if part.strip()) + "\n"


def markdown_parts(
    record: results.RunRecord, cited: core.Cited, pages: Mapping[str, core.Page], byline: str
) -> dict[PartKind, str]:
    """Return the parts of a report in their order, empty ones included; all but the body begin with their heading.

    `cited` is the draft of `record`, numbered. A report that follows a plan names the sources of each section.
    """
    language, evidence = record.brief.language, record.ledger
    cites = citing.Numbering(cited.numbers, pages, evidence, language, record.day)
    if record.outline is not None:
        recent = {
            page for page in cited.numbers if core.freshness(pages[page].published, record.day).age is core.Age.RECENT
        }
        text, lead = _planned_text(cited.draft, cites, recent), [byline, _LEGEND.in_(language) if recent else ""]
    else:
        text, lead = cites.text(cited.draft), [byline]
    leaning = results.concentration([one.evidence for one in record.sentences if one.verdict], evidence, pages)
    return {
        PartKind.BODY: _headed(text, record.brief.question, lead),
        PartKind.CONTRADICTIONS: citing.contradictions_markdown(record.contradictions, cites),
        PartKind.LEFT_OUT: citing.left_out_section(record.left_out, cites),
        PartKind.LIMITS: _limits(record, leaning),
        PartKind.VERIFICATION: citing.verification(record.sentences, cites),
        PartKind.SOURCES: _sources(cited, cites),
        PartKind.TRAIL: citing.trail_markdown(record.trail, cites),
    }


def _headed(text: str, question: str, lead: Sequence[str]) -> str:
    """Put the lines of the `lead` under the title, and a title where the analyst wrote none."""
    first, _, rest = text.lstrip().partition("\n")
    if not first.startswith("# "):
        first, rest = f"# {escape_markdown(' '.join(question.split()))}", text
    return "\n\n".join([first.strip(), *(f"*{line}*" for line in lead if line), rest.strip()])


def _limits(record: results.RunRecord, remarks: Sequence[results.Remark]) -> str:
    """Say each kind of problem once, with what it happened to, and what is remarkable about the sources.

    What the line under the title says already, it alone says.
    """
    language, subjects = record.brief.language, dict[str, list[str]]()
    for problem in record.problems:
        subjects.setdefault(problem.code, []).append(problem.subject)
    said, told = results.shortfall(record, language), {code: core.explain(code, language) for code in subjects}
    lines = [f"- {told[code]}{_named(names, language)}" for code, names in subjects.items() if told[code] not in said]
    lines += [f"- {escape_markdown(remark.text.in_(language))}" for remark in remarks]
    return f"## {_LIMITS.in_(language)}\n\n" + "\n".join(lines) if lines else ""


def _named(subjects: Sequence[str], language: Language) -> str:
    named = [escape_markdown(subject) for subject in dict.fromkeys(subjects) if subject]
    more = len(named) - _NAMED_AT_MOST
    shown = Bilingual("; ", "、").in_(language).join(named[:_NAMED_AT_MOST])
    return bracketed("", shown + (_MORE.in_(language).format(count=more) if more > 0 else ""), language)


def _sources(cited: core.Cited, cites: citing.Numbering) -> str:
    """Return the list of sources, each with the quotes behind its citations; empty if nothing is cited."""
    quotes, numbers = [cites.evidence[name] for name in cited.evidence], cites.numbers.items()
    entries = [cites.list_item(number, cites.pages[page], f"[{number}]", quotes) for page, number in numbers]
    return f"## {_SOURCES.in_(cites.language)}\n\n" + "\n".join(entries) if entries else ""


# --- the text of a report that follows a plan ----------------------------------------------------------------------

# Recent facts are marked, and each section names its sources with their dates. All of it is drawn from the citations
# when the report is printed; the draft stays as it is, so that the places of its sentences stay true.

SOURCES_OF_SECTION = Phrase("Sources of this section")
_LEGEND = Phrase("{recent_mark} and a date in bold: information of the last three months.").filled(
    recent_mark=core.RECENT_MARK
)
_HEADING = re.compile(r"^ {0,3}(#{1,6})\s", re.MULTILINE)


def _planned_text(draft: str, cites: citing.Numbering, recent: Collection[str]) -> str:
    parts = []
    for section in _sections_of(draft):
        found = {cites.evidence[name].source for name in core.cited_ids(section)}
        named = [(number, cites.pages[page]) for page, number in cites.numbers.items() if page in found]
        parts.append(cites.text(section, recent).strip())
        parts.append(citing.source_line(SOURCES_OF_SECTION.in_(cites.language), named, cites.day, cites.language))
    return "\n\n".join(part for part in parts if part)


def _sections_of(draft: str) -> Iterator[str]:
    """Yield the draft in pieces: each section with its heading; what stands before the first, with the title.

    The title is a heading of the first level at the very beginning. Of the others, the highest level makes sections.
    """
    headings = list(_HEADING.finditer(draft))
    if headings and not draft[: headings[0].start()].strip() and len(headings[0][1]) == 1:
        del headings[0]
    level = min((len(heading[1]) for heading in headings), default=0)
    starts = [heading.start() for heading in headings if len(heading[1]) == level]
    for start, end in zip([0, *starts], [*starts, len(draft)], strict=True):
        if draft[start:end].strip():
            yield draft[start:end]


# --- what was asked about it afterwards ----------------------------------------------------------------------------
_FOLLOW_UPS = Phrase("Follow-up questions")

_ANSWERED_BY_RULE = Phrase(
    "Answered on {date} from the evidence of this report: verbatim quotes, and calculations on their figures, "
    "by rule; no model wrote any of it."
)
_ANSWERED_BY_MODEL = Phrase(
    "Answered on {date} from the evidence of this report, written by the model {model}; each sentence checked against "
    "the stored page, by rules."
)
_ADDED = Phrase("Added on {date} by a further search. New sources: {count}.")
_NOTHING_ADDED = Phrase("A further search found nothing new.")
_PARTLY = Phrase("The evidence does not fully answer this.", "of an answer")
_DIFFERING = Phrase("What the added sources say differently")
_SOURCES_ADDED = Phrase("Sources of the answers that the report does not cite")


def with_follow_ups(report: results.Report) -> str:
    """Return the Markdown of a report with what was asked about it at its end; unchanged if nothing was."""
    if not report.follow_ups:
        return report.markdown
    known = {source.id for source in report.record.sources if source.number is not None}
    cites = _numbering_now(report)
    added = [
        (number, cites.pages[page]) for page, number in cites.numbers.items() if page in cites.pages.keys() - known
    ]
    parts = (report.markdown, follow_ups_markdown(report), _sources_added(added, cites, report))
    return _joined(*parts, citing.definitions(added))


def _numbering_now(report: results.Report) -> citing.Numbering:
    record = report.record
    return citing.Numbering(all_numbers(report), report.pages, report.view.evidence, record.brief.language, record.day)


def all_numbers(report: results.Report) -> dict[str, int]:
    """Return the citation number of each page that the report or an answer cites."""
    before = {source.id: source.number for source in report.record.sources if source.number is not None}
    return results.numbered_on(before, report.follow_ups, report.view.evidence)


def cited_in_answers(report: results.Report) -> dict[str, core.Evidence]:
    """Return the evidence that answers cite, by id, in the order of its first citation."""
    evidence = report.view.evidence
    ids = (name for one in report.follow_ups for name in core.cited_ids(one.answer.draft))
    return {name: evidence[name] for name in ids if name in evidence}


def follow_ups_markdown(report: results.Report) -> str:
    """Return what was asked, with its answers, and what added sources say differently; empty if nothing was asked."""
    if not report.follow_ups:
        return ""
    cites = _numbering_now(report)
    parts = [f"## {_FOLLOW_UPS.in_(cites.language)}"]
    for one in report.follow_ups:
        parts += [f"### {escape_markdown(one.answer.question)}", *_answered(one, cites)]
    added = results.added_on(report.view)
    found = [one for one in report.contradictions_now if results.is_added(one, added)] if added else []
    if found:
        parts += [f"### {_DIFFERING.in_(cites.language)}", citing.entries_markdown(found, cites, added)]
    return "\n\n".join(filter(None, parts))


def _answered(one: results.FollowUp, cites: citing.Numbering) -> Iterator[str]:
    answer, language = one.answer, cites.language
    day = core.date_in_words(answer.at, language) if answer.at else ""
    by = _ANSWERED_BY_RULE if answer.writer == _RULE else _ANSWERED_BY_MODEL
    by = by if answer.draft else Phrase("Asked on {date}.")
    said = by.in_(language).format(date=day, model=escape_markdown(answer.model))
    yield f"*{claimed(said, language) if answer.is_claimed else said}*"
    if answer.run:
        added = _ADDED.in_(language).format(date=day, count=len(answer.added)) if answer.added else ""
        yield f"*{added or _NOTHING_ADDED.in_(language)}*"
    yield cites.text(answer.draft) or Phrase("The evidence says nothing on this.").in_(language)
    if answer.draft and not answer.is_answered:
        yield escape_markdown(answer.missing) or _PARTLY.in_(language)
    listed = citing.verdict_counts(answer.sentences, language) if answer.writer != _RULE else ""
    yield f"*{listed}*" if listed else ""


def _sources_added(added: Iterable[tuple[int, core.Page]], cites: citing.Numbering, report: results.Report) -> str:
    """List the pages that only answers cite, each with what is quoted from it."""
    quotes = cited_in_answers(report).values()
    lines = [cites.list_item(number, page, f"(<{citing.page_address(page)}>)", quotes) for number, page in added]
    return "\n".join([f"### {_SOURCES_ADDED.in_(cites.language)}", "", *lines]) if lines else ""


# --- the research notes as files of their own: Markdown for people, JSON for programs --------------------------------

_TITLE = Phrase("Research notes: {question}")
_BYLINE = Phrase("Researched on {date}. Run {run}.")

_HEADING = re.compile(r"^(#{1,6})(?=\s)", re.MULTILINE)


def clean_notes(notes: Sequence[results.ResearchNote], record: results.RunRecord) -> tuple[results.ResearchNote, ...]:
    """Return the notes with summaries in which every citation exists and no address is the analyst's own."""
    evidence = record.ledger
    return tuple(note.model_copy(update={"summary": core.cite(note.summary, evidence).draft.strip()}) for note in notes)


def note_numbers(notes: Sequence[results.ResearchNote], record: results.RunRecord) -> dict[str, int]:
    """Return the number of each page that the notes rest on: the report's, and further ones for what it does not cite.

    The notes are clean (see `clean_notes`). A number means the same source in the report and in the notes.
    """
    numbers = {source.id: source.number for source in record.sources if source.number is not None}
    last = max(numbers.values(), default=0)
    for note in notes:
        for page in _pages_of(note, record):
            if page not in numbers:
                numbers[page] = last = last + 1
    return numbers


def _pages_of(note: results.ResearchNote, record: results.RunRecord) -> list[str]:
    """Return the pages that a clean note cites, then those that it names."""
    evidence = record.ledger
    return list(dict.fromkeys([*(evidence[name].source for name in core.cited_ids(note.summary)), *note.sources]))


def notes_markdown(notes: Sequence[results.ResearchNote], record: results.RunRecord) -> str:
    """Return the notes as Markdown, in the language of the report, each with its sources and their dates."""
    notes, language = clean_notes(notes, record), record.brief.language
    cites = citing.Numbering(note_numbers(notes, record), {}, record.ledger, language, record.day)
    pages = {source.id: source for source in record.sources}
    day, question = core.date_in_words(record.day, language), escape_markdown(record.brief.question)

    def numbered(names: Iterable[str]) -> list[tuple[int, results.SourceEntry]]:
        return sorted(((cites.numbers[name], pages[name]) for name in names if name in pages), key=itemgetter(0))

    parts = [
        f"# {_TITLE.in_(language).format(question=question)}",
        f"*{_BYLINE.in_(language).format(date=day, run=record.run)}*",
    ]
    for note in notes:
        parts.append(f"## {note.step}. {escape_markdown(note.query)}")
        parts.append(cites.text(_lowered(note.summary)))
        named = numbered(note.sources)
        parts.append(citing.source_line(Phrase("Sources").in_(language), named, record.day, language))
    parts.append(citing.definitions(numbered({page for note in notes for page in _pages_of(note, record)})))
    return "\n\n".join(part for part in parts if part) + "\n"


def notes_json(notes: Sequence[results.ResearchNote], record: results.RunRecord) -> str:
    """Return the notes as JSON: step, query, summary (Markdown, citing quotes as `[E12]`), sources and quotes."""
    pages = {source.id: source for source in record.sources}
    quotes = record.ledger
    listed = [
        {
            "step": note.step,
            "query": note.query,
            "summary": note.summary,
            "sources": [_source(pages[page]) for page in note.sources if page in pages],
            "quotes": [
                quotes[name].model_dump(include={"id", "source", "quote"}) for name in core.cited_ids(note.summary)
            ],
        }
        for note in clean_notes(notes, record)
    ]
    head = {"run": record.run, "question": record.brief.question, "researched": record.started_at}
    return json.dumps(head | {"notes": listed}, ensure_ascii=False, indent=2) + "\n"


def _lowered(summary: str) -> str:
    """Return a summary whose headings are under that of its note."""
    return _HEADING.sub(lambda match: "#" * min(len(match[1]) + 2, 6), summary)


def _source(page: results.SourceEntry) -> dict[str, object]:
    return page.model_dump(include={"id", "url", "title", "site", "kind", "published"})
