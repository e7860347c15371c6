"""Runs side by side."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from pages.parts.library.runs import run_link, title
from pages.parts.nodes import Element, el, group, icon, lang_of, link, rows_of, unbroken
from pages.parts.report.head import STATE_ICONS, analyst_label, state_label
from pages.parts.report.text import ICONS
from pages.parts.ui import Ui
from research.core import PRESETS, Sentence
from research.engine import KEPT_CALLS, READING, Variant, VariantOutcome
from research.export.words import period_in_words
from research.language import SPACE
from research.quantities import label_as_written
from research.results import ClaimPair, Difference, FigureChange, FigureValue, SourceEntry, borne_out
from research.store import RunState, RunSummary
from research.verification import Label, beside


@dataclass(frozen=True)
class Compared:
    """One column: a run, and what it came to if it has ended."""

    run: RunSummary
    outcome: VariantOutcome | None
    name: str = ""
    """What the run is called where it is told from another one."""


_Cell = Callable[[VariantOutcome], str]


@dataclass(frozen=True)
class _Measure:
    """One row: what is measured, and how it is said."""

    name: str
    said: _Cell
    so_far: Callable[[RunSummary], str] | None = None
    """What is known of it while a run is under way."""


def comparison(columns: Sequence[Compared], ui: Ui, *, headed: bool = True) -> list[Element]:
    """Return the table; runs that are under way, or that left nothing, show their state and nothing else.

    A table that is not `headed` stands below `sides`, which say what the runs are: its columns have their names alone.
    """
    heads = [el("th", "", el("span", "unseen", ui._("Measure")), scope="col")]
    heads += [_head(column, columns, ui) if headed else _named(column) for column in columns]
    with_models = _with_models(columns)
    rows = [_row(measure, columns) for measure in _measures(ui, with_models=with_models)]
    read = SPACE.in_(ui.language).join(map(ui.of_term, ([KEPT_CALLS] if with_models else []) + [READING]))
    table = el("table", "compared", el("thead", "", group("tr", "", heads)), group("tbody", "", rows))
    return [
        el("div", "wide-table", table, tabindex="0", role="region", aria_label=ui._("Comparison")),
        el("p", "faint how-to-read", read),
    ]


def sides(columns: Sequence[Compared], ui: Ui) -> list[Element]:
    """Return two runs beside each other: what they are, without what they came to."""
    return [group("div", "halves", [group("div", "half", _about(one, columns, ui), key=one.run.id) for one in columns])]


def measures(columns: Sequence[Compared], ui: Ui) -> list[Element]:
    """Return the table under a head of its own, for below what differs."""
    return [el("h2", "measures", ui._("The two runs in numbers")), *comparison(columns, ui, headed=False)]


def _head(column: Compared, columns: Sequence[Compared], ui: Ui) -> Element:
    kind = "named" if _is_named(column, columns) else ""
    return group("th", kind, _about(column, columns, ui), scope="col", key=column.run.id)


def _named(column: Compared) -> Element:
    return el("th", "", el("span", "side-name", column.name), scope="col", key=column.run.id)


def _is_named(column: Compared, columns: Sequence[Compared]) -> bool:
    """Whether the run goes by its name: where the runs do not all ask the same, and where it was given one."""
    return len(_asked(columns)) > 1 or bool(column.run.title)


def _about(column: Compared, columns: Sequence[Compared], ui: Ui) -> list[Element | None]:
    run = column.run
    way = Variant.of(run.brief)
    is_running = run.state is RunState.RUNNING
    method, preset = ui.of_term(way.method.label), ui.of_term(PRESETS[way.preset].label)
    named = _is_named(column, columns)
    words, facts = (title(run.name), [method, preset]) if named else (method, [preset])
    if column.outcome is not None and column.outcome.is_rewritten:
        facts.append(ui._("rewritten"))
    return [
        el("span", "side-name", column.name) if column.name else None,
        run_link(run.id, words, title=words if named else None),
        el("span", "faint", " · ".join(facts)),
        el("span", "faint", ui.moment(run.created_at)),
        el(
            "span", f"state {run.state}",
            icon(STATE_ICONS[run.state], "spin" if is_running else ""), state_label(run.state, ui),
        ),
        _remark(column, ui),
    ]  # fmt: skip


def _remark(column: Compared, ui: Ui) -> Element | None:
    """Say what happened to a run that did not end as it should."""
    state = column.run.state
    if state.is_open or state is RunState.COMPLETE:
        return None
    if column.outcome is None:
        said = ui._("It broke off before anything was found.")
    else:
        said = {
            RunState.PARTIAL: ui._("Incomplete: its report says what is missing."),
            RunState.FAILED: ui._("No report: its page says what went wrong."),
            RunState.INTERRUPTED: ui._("It broke off. Counted is what it had found until then."),
        }[state]
    return el("span", "faint remark", said)


def _with_models(columns: Sequence[Compared]) -> bool:
    """Whether models did the work in any of the runs."""
    return any(column.run.analyst != "extractive" for column in columns)


def _row(measure: _Measure, columns: Sequence[Compared]) -> Element:
    said = [_said(column, measure) for column in columns]
    cells = [el("td", "", words, key=column.run.id) for column, words in zip(columns, said, strict=True)]
    is_same = len(said) > 1 and len(set(said)) == 1
    return group("tr", "same" if is_same else "", [el("th", "", measure.name, scope="row"), *cells], key=measure.name)


def _said(column: Compared, measure: _Measure) -> str:
    if column.outcome is not None:
        return measure.said(column.outcome)
    if not column.run.state.is_open:
        return "–"
    return "…" if measure.so_far is None else f"{measure.so_far(column.run)} …"


def _measures(ui: Ui, *, with_models: bool) -> list[_Measure]:
    of_models = [
        _Measure(ui._("Research by"), lambda one: analyst_label(one.analyst, ui)),
        _Measure(ui._("Cost"), lambda one: ui.price(one.cost_usd)),
        _Measure(ui._("Model calls"), lambda one: _calls(one, ui)),
        _Measure(ui._("Tokens"), lambda one: ui.number(one.tokens)),
    ]
    return [
        _Measure(ui._("Time"), lambda one: ui.duration(one.seconds), lambda run: ui.duration(run.seconds)),
        *(of_models if with_models else []),
        _Measure(ui._("Searches"), lambda one: ui.number(one.queries)),
        _Measure(ui._("Pages read"), lambda one: ui.number(one.pages), lambda run: ui.number(run.pages)),
        _Measure(ui._("Sites"), lambda one: ui.number(one.sites)),
        _Measure(ui._("Pages cited"), lambda one: ui.number(one.cited)),
        _Measure(ui._("Quotes cited"), lambda one: ui.number(one.quotes)),
        _Measure(ui._("Sufficiency"), lambda one: f"{one.score}/10"),
        _Measure(ui._("Coverage", "share"), lambda one: ui.percent(one.coverage)),
        _Measure(ui._("Sentences supported"), lambda one: _verdicts(one, ui)),
    ]


def _calls(one: VariantOutcome, ui: Ui) -> str:
    made = ui.number(one.calls)
    if not one.kept_calls:
        return made
    return ui._("{made} (+{kept} kept)").format(made=made, kept=ui.number(one.kept_calls))


def _verdicts(one: VariantOutcome, ui: Ui) -> str:
    supported, checked = borne_out(one.verdicts), sum(one.verdicts.values())
    if not checked:
        return "–"
    return ui._("{part} of {whole}").format(part=ui.number(supported), whole=ui.number(checked))


def question(columns: Sequence[Compared]) -> list[Element]:
    """Return the question of the runs; nothing if they ask different ones, which then stand over the columns."""
    asked = _asked(columns)
    return [el("p", "asked", *asked, lang=lang_of(asked[0]))] if len(asked) == 1 else []


def _asked(columns: Sequence[Compared]) -> list[str]:
    return list(dict.fromkeys(title(column.run.question) for column in columns))


SHOWN = 12
"""Entries of a list that are open; the rest is folded."""
_SYMBOLS = {"new": "add", "gone": "remove", "changed": "change_history"}


@dataclass(frozen=True)
class DifferenceWords:
    """What the two sides are called, and what stands on one side alone."""

    before: str
    after: str
    gone: str
    new: str
    repeats: bool

    @classmethod
    def of(cls, ui: Ui, *, repeats: bool) -> DifferenceWords:
        """Return the words for two runs, of which the second one `repeats` the first or does not."""
        gone = ui._("Gone") if repeats else ui._("Only in the first run")
        new = ui._("New") if repeats else ui._("Only in the second run")
        return cls(*side_names(ui, repeats=repeats), gone, new, repeats)

    def in_order(self, gone: Element | None, new: Element | None) -> list[Element | None]:
        """Return what is gone and what is new as a reader asks for it: news first, of two equal runs the first."""
        return [new, gone] if self.repeats else [gone, new]


def side_names(ui: Ui, *, repeats: bool) -> tuple[str, str]:
    """Return what two runs are called, of which the second one `repeats` the first or does not."""
    return (ui._("Last time"), ui._("This time")) if repeats else (ui._("First run"), ui._("Second run"))


def section(name: str, parts: Sequence[Element | None]) -> Element:
    """Return lists under their common name."""
    return group("section", "", [el("h3", "", name), *parts], key=name)


def listed(kind: str, name: str, rows: list[Element], ui: Ui, *, shown: int = SHOWN) -> Element | None:
    """Return a list under its name and count; what is beyond the first entries, `shown` of them, is folded."""
    if not rows:
        return None
    head = el("h4", kind, icon(_SYMBOLS[kind]), ui.bracketed(name, ui.number(len(rows)))) if kind else None
    rest = folded(ui._("{count} more"), rows[shown:], ui)
    return el("div", "", head, group("ul", "differing", rows[:shown]), rest, key=kind or "all")


def folded(name: str, rows: list[Element], ui: Ui) -> Element | None:
    """Return a list that opens under its name, which says how many entries it has."""
    if not rows:
        return None
    summary = el("summary", "", name.format(count=ui.number(len(rows))))
    return el("details", "more", summary, group("ul", "differing", rows), key=name)


def counts(found: Difference, words: DifferenceWords, ui: Ui) -> Element:
    """Return what changed in figures, claims and sources, then what the two runs cost and took, where that differs."""
    claims, sources, (before, after) = found.claims, found.sources, found.spent
    entries = [
        (ui._("Figures changed") if words.repeats else ui._("Figures that differ"), _changed_figures(found, ui)),
        (ui._("Claims"), _changes(len(claims.new), len(claims.gone), _reworded(len(claims.changed), ui), words, ui)),
        (
            ui._("Sources"),
            _changes(len(sources.new), len(sources.lost), _rewritten(len(sources.changed), ui), words, ui),
        ),
    ]
    spent = [(ui._("Time"), tuple(map(ui.duration, found.seconds)))]
    if before.tokens or after.tokens:
        spent.insert(0, (ui._("Cost"), (ui.price(before.cost_usd), ui.price(after.cost_usd))))
    entries += [(name, " → ".join(both)) for name, both in spent if both[0] != both[1]]
    return rows_of("figures", entries, "figure")


def _changed_figures(found: Difference, ui: Ui) -> str:
    changed, compared = len(found.figures.changed), found.figures.compared
    if not compared:
        return ui._("none in common")
    return ui._("{part} of {whole} compared").format(part=ui.number(changed), whole=ui.number(compared))


def _changes(new: int, gone: int, changed: str, words: DifferenceWords, ui: Ui) -> str:
    """Say what is new and what is gone, in the order of the lists below, then what `changed`."""
    said_new, said_gone = (
        (ui._("{count} new"), ui._("{count} gone"))
        if words.repeats
        else (ui._("{count} only in the second"), ui._("{count} only in the first"))
    )
    added = said_new.format(count=ui.number(new)) if new else ""
    lost = said_gone.format(count=ui.number(gone)) if gone else ""
    sides = [added, lost] if words.repeats else [lost, added]
    same = ui._("unchanged") if words.repeats else ui._("the same")
    return ui.listed([part for part in (*sides, changed) if part]) or same


def _reworded(count: int, ui: Ui) -> str:
    return ui._("{count} changed").format(count=ui.number(count)) if count else ""


def _rewritten(count: int, ui: Ui) -> str:
    return ui._("{count} with another text").format(count=ui.number(count)) if count else ""


_MULTIPLE = 10.0
"""Share of its earlier size from which a change is said as a multiple of it: nobody pictures +12,300 %."""


def figures(found: Difference, words: DifferenceWords, ui: Ui) -> Element:
    """Return the figures that changed; or that none did, or could."""
    rows = [_figure(change, words, ui) for change in found.figures.changed]
    none = ui._("No figure stands in the sources of both runs.")
    if found.figures.compared:
        none = ui._("No figure that both runs have for the same period differs.")
    return section(ui._("Figures"), [listed("", "", rows, ui)] if rows else [el("p", "faint", none)])


def _figure(change: FigureChange, words: DifferenceWords, ui: Ui) -> Element:
    period = period_in_words(change.period, ui.language) if change.period else ""
    measured = " · ".join(filter(None, (beside(change.subject, change.label), label_as_written(change.label), period)))
    return el(
        "li", "pair",
        el("span", "whole", measured),
        el("div", "", el("span", "label", words.before), *_values(change.before)),
        el("div", "", el("span", "label", words.after), *_values(change.after, by=_by(change, ui))),
    )  # fmt: skip


def _values(values: Sequence[FigureValue], *, by: str = "") -> list[Element]:
    return [
        el(
            "p", "",
            el("span", "value", one.text),
            " ",
            el("span", "by", by) if by else None,
            link(one.source.url, one.source.title, "faint title"),
        )
        for one in values
    ]  # fmt: skip


def _by(change: FigureChange, ui: Ui) -> str:
    """Say by how much a figure changed; of a percentage in points. Nothing if that cannot be said."""
    share = change.share
    if share is None:
        return ""
    if change.unit == "%":
        return _signed(change.after[0].value - change.before[0].value, ui._("{number} points"), ui)
    if share >= _MULTIPLE:
        return ui._("{number} times as much").format(number=ui.number(round(share + 1)))
    return _signed(share * 100, "{number}%", ui)


def _signed(value: float, pattern: str, ui: Ui) -> str:
    """Write a change with its sign, to one digit behind the point; a smaller one to the first digit that shows it."""
    digits = next((digits for digits in (1, 2, 3) if round(value, digits)), 4)
    return f"{'+' if value > 0 else '−'}{pattern.format(number=ui.number(round(abs(value), digits)))}"


_APART = "\N{EM SPACE}"
"""Stands before a verdict; at the end of a line it takes no room, so that a verdict on the next one is not indented."""
_UNCITED = 3
"""Pages that a run alone read and that are shown at once, though it cites fewer."""
_PIECE = re.compile(r"[0-9][0-9.,]*|[A-Za-zÀ-ɏ'’-]+|\s+|.", re.DOTALL)


def differences(found: Difference, ui: Ui, *, since: str = "") -> list[Element]:
    """Return what differs; `since` is the moment of the earlier run, if the later one repeats it."""
    words = DifferenceWords.of(ui, repeats=bool(since))
    head = ui._("What changed since {moment}").format(moment=since) if since else ui._("What differs")
    claims, sources = found.claims, found.sources
    parts = [
        (bool(found.figures.changed), figures(found, words, ui)),
        (bool(claims.changed or claims.new or claims.gone), _claims(found, words, ui)),
        (
            bool(sources.new or sources.lost or sources.changed),
            _sources(found, words, ui),
        ),
    ]
    parts.sort(key=lambda part: not part[0])  # what did not change is not in the way of what did
    how = ui._(
        "Found by rule: claims are matched by their words, sources by their address, figures by what they measure and "
        "the period. No model was asked."
    )
    none = None if any(is_changed for is_changed, _ in parts) else ui._("No figure, claim or source differs.")
    top = el("header", "", el("h2", "", head), el("p", "", none) if none else None, counts(found, words, ui))
    return [
        group("section", "differences", [top, *(part for _, part in parts), el("p", "faint", how)], key="differences")
    ]


# --- claims ----------------------------------------------------------------------------------------------------


def _claims(found: Difference, words: DifferenceWords, ui: Ui) -> Element:
    claims = found.claims
    same = [pair for pair in claims.both if not pair.is_changed]
    lists = [
        listed("changed", ui._("Changed"), [_pair(pair, words, ui) for pair in claims.changed], ui),
        *words.in_order(
            listed("gone", words.gone, [_claim(one, ui) for one in claims.gone], ui),
            listed("new", words.new, [_claim(one, ui) for one in claims.new], ui),
        ),
        folded(ui._("In both, or nearly the same ({count})"), [_claim(pair.after, ui) for pair in same], ui),
    ]
    if not found.same_language:
        remark = ui._(
            "The two reports are in different languages, so their sentences cannot be matched. Sources and figures can."
        )
        lists.insert(0, el("p", "faint", remark))
    return section(ui._("Claims"), lists)


def _claim(sentence: Sentence, ui: Ui) -> Element:
    return el("li", "", *_told(sentence, list(unbroken(_line(sentence))), ui))


def _told(sentence: Sentence, words: Sequence[Element | str], ui: Ui) -> list[Element | str | None]:
    """Return the words of a sentence, as they are to be shown, in its own language, and the verdict on it."""
    return [group("span", "", words, lang=lang_of(sentence.text)), _APART, _verdict(sentence, ui)]


def _line(sentence: Sentence) -> str:
    """Return the words of a sentence; of the row of a table, its cells."""
    return " · ".join(cell for part in sentence.text.split("|") if (cell := part.strip()))


def _verdict(sentence: Sentence, ui: Ui) -> Element | None:
    if not sentence.shown:
        return None
    label = Label(sentence.shown)
    return el("span", f"said-of {label.value}", icon(ICONS[label]), el("span", "", ui.of_term(label.words)))


def _pair(pair: ClaimPair, words: DifferenceWords, ui: Ui) -> Element:
    first, second = _marked(_line(pair.before), _line(pair.after))
    return el(
        "li", "pair",
        el("div", "", el("span", "label", words.before), *_told(pair.before, first, ui)),
        el("div", "", el("span", "label", words.after), *_told(pair.after, second, ui)),
    )  # fmt: skip


def _marked(before: str, after: str) -> tuple[list[Element | str], list[Element | str]]:
    """Return both texts with what differs marked."""
    first, second = _PIECE.findall(before), _PIECE.findall(after)
    left, right = list[Element | str](), list[Element | str]()
    for kind, start, end, begin, stop in SequenceMatcher(None, first, second, autojunk=False).get_opcodes():
        for side, text in ((left, "".join(first[start:end])), (right, "".join(second[begin:stop]))):
            if text:
                side.extend(unbroken(text) if kind == "equal" else [el("mark", "", text)])
    return left, right


# --- sources ---------------------------------------------------------------------------------------------------


def _sources(found: Difference, words: DifferenceWords, ui: Ui) -> Element:
    sources = found.sources
    lists = [
        *words.in_order(
            _on_one_side("gone", words.gone, sources.lost, ui),
            _on_one_side("new", words.new, sources.new, ui),
        ),
        listed("changed", ui._("In both, with another text"), [_source(one, ui) for one in sources.changed], ui),
        folded(ui._("In both, unchanged ({count})"), [_source(one, ui) for one in sources.same], ui),
    ]
    return section(ui._("Sources"), lists)


def _on_one_side(kind: str, name: str, sources: Sequence[SourceEntry], ui: Ui) -> Element | None:
    """Return the pages that one run alone read; those that it does not cite are folded, but for a few."""
    cited = sum(one.number is not None for one in sources)
    return listed(kind, name, [_source(one, ui) for one in sources], ui, shown=min(SHOWN, max(_UNCITED, cited)))


def _source(source: SourceEntry, ui: Ui) -> Element:
    facts = [source.site, ui.partial_date(source.published) if source.published else ""]
    if source.number is not None:
        facts.append(ui._("cited"))
    line = " · ".join(fact for fact in facts if fact)
    return el("li", "", link(source.url, source.title, "title"), " ", el("span", "faint", line))
