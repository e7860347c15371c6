"""What stands behind each sentence of a report, and what a strict brief leaves out."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple
from urllib.parse import urlsplit

from tld import get_fld
from tld.exceptions import TldBadUrl, TldDomainNotFound

from research import core
from research.language import COLON, COMMA, Bilingual, Language, Phrase
from research.results.record import LeftOut
from research.text import BETWEEN_CELLS, Span, cells, folded, label_in_words, names_in, values_of
from research.verification import (
    OPEN,
    Label,
    Verdict,
    checked_calculation,
    leaves_open,
    reason,
    verify_with,
    with_names_of,
    without_page_names,
)

_CLAIM_NOTHING = {
    core.FRAMING: Phrase("Said by the program about its own work"),
    core.TITLE: Phrase("A title"),
}


@dataclass(frozen=True)
class ProofBasis:
    """What sentences are held against: the pages and quotes of one run."""

    pages: Mapping[str, core.Page]
    evidence: Mapping[str, core.Evidence]

    def prove(self, sentence: core.Sentence) -> core.Sentence:
        """Return the sentence with what the pages that it cites bear out of it."""
        cited = [self.evidence[name] for name in sentence.evidence]
        try:
            claim = self._claim_of(sentence, cited)
            pages = [(self._text_of(entry), entry.quote) for entry in cited]
            worked_out = checked_calculation(sentence.text, pages) if " = " in sentence.text else None
            verdict = worked_out or verify_with(claim, pages)
        except Exception as error:  # noqa: BLE001 - text of strangers must not cost a report; the sentence says so
            failed = Phrase("The check itself failed ({error})").filled(error=type(error).__name__)
            return sentence.model_copy(update={"verdict": Label.UNVERIFIABLE.value, "reason": failed})
        is_quote = (
            _is_quote(sentence.text, cited)
            or self.tells_row(sentence)
            or self._lists_values(sentence, cited)
            or any(_is_cell(sentence.text, one, self._text_of(one)) for one in cited)
        )
        if is_quote and verdict.label is not Label.UNVERIFIABLE:  # What a rule has against it holds for the page too.
            stated = reason("stated")
            verdict = verdict._replace(label=Label.SUPPORTED, score=1.0, reason=stated, verbatim=True)
        return sentence.model_copy(
            update={
                "verdict": verdict.label.value if verdict.label else None,
                "score": round(verdict.score, 3),
                "reason": verdict.reason.words,
                "reason_code": verdict.reason.code,
                "numbers": _numbers(verdict, cited),
                "passage": _passage(verdict, cited),
                "verbatim": verdict.verbatim or is_quote,
                "read_by": "",
            }
        )

    def tells_row(self, sentence: core.Sentence) -> bool:
        """Whether a sentence tells a row of a data file that it cites, behind the page's title or alone."""
        cited = [self.evidence[one] for one in sentence.evidence]
        kept = [(one, self.pages[one.source]) for one in cited if one.source in self.pages]
        return any(_is_row(sentence.text, cells(one.quote), page.title) for one, page in kept)

    def _lists_values(self, sentence: core.Sentence, cited: Sequence[core.Evidence]) -> bool:
        """Whether a row of a table says whom, and then values as they stand in quotes about them: “Exports: $12 bn”."""
        whom, *told = sentence.text.split(BETWEEN_CELLS)
        names = names_in(whom)
        about = [
            " ".join(one.quote.split())
            for one in cited
            if any(name.stands_in(folded(one.quote)) for name in names) or (not names and whom in one.quote)
        ]

        def stands(value: str) -> bool:
            is_line = any(quote.endswith((f": {value}", f"– {value}")) for quote in about)
            return is_line or any(value == stated for quote in about for _, stated in cells(quote))

        return bool(told) and all(stands(cell) or all(map(stands, cell.split("; "))) for cell in told)

    def read_by(self, model: str, sentence: core.Sentence, name: str, quote: str, label: Label) -> core.Sentence:
        """Return a sentence that rules leave open with what a model read of it in the page of evidence `name`.

        It stays as it was if the model's `quote` does not stand on that page, or if rules have something against the
        sentence there: on figures, periods, names and denials they decide.
        """
        cited = [self.evidence[one] for one in sentence.evidence]
        entry = next((one for one in cited if one.id == name), None)
        text = self._text_of(entry) if entry else ""
        place = core.locate(quote, text)
        if entry is None or place is None:
            return sentence
        claim = self._claim_of(sentence, cited)
        if label is not Label.UNSUPPORTED and not leaves_open(claim, text, text[place.start : place.end]):
            return sentence
        why = reason(f"read-{label.value}")
        passage = core.Passage(source=entry.source, evidence=name, start=place.start, end=place.end)
        found = {"verdict": label.value, "score": None, "reason": why.words, "reason_code": why.code}
        return sentence.model_copy(update={**found, "passage": passage, "read_by": model})

    def _claim_of(self, sentence: core.Sentence, cited: Sequence[core.Evidence]) -> str:
        quotes, pages = [entry.quote for entry in cited], self._names_of(cited)
        return without_page_names(with_names_of(sentence.text, [*quotes, *pages]), quotes, pages)

    def _names_of(self, cited: Iterable[core.Evidence]) -> set[str]:
        pages = [self.pages[entry.source] for entry in cited if entry.source in self.pages]
        return {name for page in pages for name in (page.title, page.site)}

    def _text_of(self, entry: core.Evidence) -> str:
        page = self.pages.get(entry.source)
        return page.text if page else ""


def is_open(sentence: core.Sentence) -> bool:
    """Whether rules could not decide on a sentence: they miss words of it on its pages, but no figure, name or date."""
    return sentence.verdict is not None and bool(sentence.evidence) and sentence.reason_code in OPEN


def prove_draft(
    draft: str, books: ProofBasis, *, by_rule: bool, known: Iterable[core.Sentence] = ()
) -> tuple[core.Sentence, ...]:
    """Return the sentences of a cleaned draft with their verdicts, in time linear in draft and pages.

    Args:
        draft: The draft; its marks name evidence of `books`.
        books: What the sentences are held against.
        by_rule: The program composed the draft of quotes; its own words about its work claim nothing.
        known: Sentences that were proved before; the same text with the same evidence is not looked at again.
    """
    proved = {(sentence.text, sentence.evidence): sentence for sentence in known}
    found = []
    for sentence in core.quoted_passages(draft) if by_rule else core.cited_sentences(draft):
        if sentence.reason_code and not books.tells_row(sentence):
            found.append(sentence.model_copy(update={"reason": _CLAIM_NOTHING[sentence.reason_code]}))
            continue
        before = proved.get((sentence.text, sentence.evidence)) or books.prove(sentence)
        found.append(before.model_copy(update={"start": sentence.start, "end": sentence.end}))
    return tuple(found)


def _is_quote(text: str, cited: Iterable[core.Evidence]) -> bool:
    """Whether a text in quotation marks, each of its lines, stands in a quote that it cites: but for its markup."""
    if text[:1] + text[-1:] not in _MARKS:
        return False
    lines = [_plain(line) for line in text[1:-1].split(_LINES_APART)]
    quotes = [plain for entry in cited for plain in (_plain(entry.quote), _MARKUP.sub("", entry.quote))]
    return any(lines) and all(any(line in quote for quote in quotes) for line in lines)


def _is_cell(text: str, entry: core.Evidence, page: str) -> bool:
    """Whether a row of two cells is the head of a column and the figure that stands below it in a quoted row."""
    head, *cells = [cell for cell in map(str.strip, text.split("|")) if cell]
    return len(cells) == 1 and any(
        value.text == cells[0] and head == value.column
        for value in values_of(page)
        if value.is_row and entry.start <= value.start and value.end <= entry.end
    )


def _is_row(text: str, row: Sequence[tuple[str, str]], title: str) -> bool:
    """Whether a text is one or two cells of a row, whom and when, and then others by their names: “Coal, 2021: …”."""
    for prefix in ("", f"{title}: ", f"{title}："):
        whom, _, told = text.removeprefix(prefix).partition(": ")
        values = [value for _, value in row]
        stated = [f"{label_in_words(label)}: {value}" for label, value in row]
        if all(part in stated for part in told.split("; ")) and any(
            whom in (one, f"{one}, {when}") for one in values for when in values
        ):
            return True
    return False


def _plain(text: str) -> str:
    """Return a text without spaces, markup and marks of lists; the signs of figures stay."""
    return _MARKUP.sub("", _ITEM.sub("", text))


_MARKS = frozenset({"“”", "「」", '""'})
_LINES_APART = " / "
_ITEM = re.compile(r"(?m)^\s*(?:[-*•・]|\d{1,2}[.)])\s+")
_MARKUP = re.compile(r"[\s*_`\\|#>“”\"]+")


def _numbers(verdict: Verdict, cited: Sequence[core.Evidence]) -> tuple[core.FigureCheck, ...]:
    return tuple(
        core.FigureCheck(
            text=number.text,
            found=number.found,
            source=cited[number.evidence].source if number.where else None,
            start=number.where[0] if number.where else None,
            end=number.where[1] if number.where else None,
        )
        for number in verdict.numbers
    )


def _passage(verdict: Verdict, cited: Sequence[core.Evidence]) -> core.Passage | None:
    if verdict.span is None:
        return None
    entry = cited[verdict.evidence]
    return core.Passage(source=entry.source, evidence=entry.id, start=verdict.span[0], end=verdict.span[1])


_LEAST = 5
"""Sentences below which a share tells nothing."""
_MOST = 0.5
"""Share of the cited sentences above which one source bears too much."""


class Remark(NamedTuple):
    """Something to know about the sources of a report."""

    code: str
    """`one_source` or `one_site`."""
    text: Bilingual
    """One sentence; it holds the title of a page as it is, so it must be escaped like any text of others."""
    source: str | None
    """Id of the page, if it is about one."""


_ONE_SOURCE = Phrase("{count} of the {total} cited sentences rest on one source: {name}.")
_ONE_SITE = Phrase("All {total} cited sentences rest on one site: {name}.")


def concentration(
    cited: Iterable[Iterable[str]], evidence: Mapping[str, core.Evidence], pages: Mapping[str, core.Page]
) -> tuple[Remark, ...]:
    """Return what a reader should know of how the sentences of a report are spread over its sources.

    `cited` has the evidence ids of each sentence; sentences without any are passed over. A source is pointed out if
    more than half of the cited sentences, and at least five, rest on it; a site if all do and it has several pages.
    """
    sources = [{evidence[name].source for name in names} for names in map(tuple, cited) if names]
    total = len(sources)
    if total < _LEAST:
        return ()
    remarks = [
        Remark("one_source", _ONE_SOURCE.filled(count=count, total=total, name=pages[page].title), page)
        for page, count in Counter(page for found in sources for page in found).items()
        if count >= _LEAST and count > _MOST * total
    ]
    used = set().union(*sources)
    sites = {site_name(pages[page]) for page in used}
    if len(sites) == 1 and len(used) > 1:
        remarks.append(Remark("one_site", _ONE_SITE.filled(total=total, name=sites.pop()), None))
    return tuple(remarks)


def site_name(page: core.Page) -> Bilingual:
    """Return the registered domain of a web page (`meti.go.jp`), or which collection a document belongs to."""
    if urlsplit(page.url).scheme not in ("http", "https"):
        return page.origin.label
    try:
        found = get_fld(page.url)
    except (TldBadUrl, TldDomainNotFound):
        found = None
    name = found if isinstance(found, str) else page.site
    return Bilingual(name, name)


_SOURCE = Bilingual("{site} ({kind})", "{site}（{kind}）")


def primary_evidence(evidence: Mapping[str, core.Evidence], pages: Mapping[str, core.Page]) -> dict[str, core.Evidence]:
    """Return the evidence that is quoted from primary sources."""
    return {name: entry for name, entry in evidence.items() if core.is_primary(pages[entry.source].kind)}


def keep_primary(draft: str, sentences: Sequence[core.Sentence], books: ProofBasis) -> tuple[str, tuple[LeftOut, ...]]:
    """Return the draft with nothing but supported sentences on primary sources, and what was left out.

    What claims nothing stays where something that it introduces stays; citations of other sources go.
    """
    primary = primary_evidence(books.evidence, books.pages)
    changes: dict[Span, str] = {}
    left_out = []
    for sentence in sentences:
        if sentence.verdict is None:
            continue
        span = Span(sentence.start, sentence.end)
        reason = _reason_against(sentence, primary, books)
        if reason:
            changes[span] = ""
            left_out.append(
                LeftOut(text=sentence.text, evidence=sentence.evidence, reason=reason, verdict=sentence.verdict)
            )
        elif not set(sentence.evidence) <= primary.keys():
            changes[span] = core.citing_only(draft[span.start : span.end], primary.keys())
    for sentence in _introducing_nothing(draft, sentences, changes):
        changes[Span(sentence.start, sentence.end)] = ""
    return core.edited(draft, changes), tuple(left_out)


def quotes_left_out(evidence: Mapping[str, core.Evidence], books: ProofBasis) -> tuple[LeftOut, ...]:
    """Return the quotes of sources that are not primary, as left out of a report that the program composed."""
    primary = primary_evidence(evidence, books.pages)
    return tuple(
        LeftOut(text=entry.quote, evidence=(name,), reason=_secondary([entry], books))
        for name, entry in evidence.items()
        if name not in primary
    )


def _reason_against(
    sentence: core.Sentence, primary: Mapping[str, core.Evidence], books: ProofBasis
) -> Bilingual | None:
    """Return why a sentence cannot stay, or None if it can."""
    label = Label(sentence.verdict or Label.UNCITED)
    if label is not Label.SUPPORTED:
        parts = zip(label.words, COLON, sentence.reason or ("", ""), strict=True)
        return Bilingual(*map("".join, parts))
    own = tuple(name for name in sentence.evidence if name in primary)
    if not own:
        return _secondary([books.evidence[name] for name in sentence.evidence], books)
    if own != sentence.evidence:
        alone = books.prove(sentence.model_copy(update={"evidence": own}))
        return None if alone.verdict == Label.SUPPORTED else Phrase("Its primary sources alone do not bear it out")
    return None


def _secondary(entries: Sequence[core.Evidence], books: ProofBasis) -> Bilingual:
    pages = {entry.source: books.pages[entry.source] for entry in entries}

    def said(language: Language) -> str:
        source = _SOURCE.in_(language)
        named = [source.format(site=page.site, kind=page.kind.label.in_(language)) for page in pages.values()]
        return Phrase("No primary source: {sources}").in_(language).format(sources=COMMA.in_(language).join(named))

    return Bilingual(said(Language.EN), said(Language.JA))


def _introducing_nothing(
    draft: str, sentences: Sequence[core.Sentence], changes: Mapping[Span, str]
) -> list[core.Sentence]:
    """Return the sentences without claim behind which, up to the next of them or a heading, no claim is left."""
    nothing: list[core.Sentence] = []
    waiting: list[core.Sentence] = []
    claimed = kept = False
    end = 0
    for sentence in sentences:
        starts_anew = "\n#" in draft[end : sentence.start] or (sentence.verdict is None and claimed)
        if starts_anew:
            nothing += [] if kept else waiting
            waiting, claimed, kept = [], False, False
        if sentence.verdict is None:
            waiting += [sentence] if sentence.reason_code != core.FRAMING else []
        else:
            claimed = True
            kept = kept or changes.get(Span(sentence.start, sentence.end)) != ""
        end = sentence.end
    return nothing + ([] if kept else waiting)
