"""Calls of models and searches: how long they are waited for, what they use and cost, and the cap on a run."""

from __future__ import annotations

import asyncio
import math
import threading
import time
from collections import deque
from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass
from enum import Enum, auto
from functools import lru_cache
from typing import Protocol, TypeVar

from research.core.brief import Brief
from research.core.citations import PAGES, length_of
from research.core.errors import CapReached, Stage
from research.core.events import (
    Event,
    EvidenceFound,
    ModelCalled,
    PlanDrafted,
    PlanSettled,
    SearchFailed,
    SearchReturned,
)
from research.core.vocabulary import PRESETS, Role

# --- how long an answer is waited for --------------------------------------------------------------------------------

# Most calls that do not answer in the usual time never do: a connection was lost on the way, a worker hangs. Whoever
# asks a second time then waits a little longer than usual, not until the first has run out of its time.

T = TypeVar("T")

OUTRUN = "outrun"
"""How a request ended that was given up because a second one answered first."""
_REMEMBERED = 60
"""Calls of one kind that are looked back on: servers are slower at some hours than at others."""
_ENOUGH = 3
"""Calls of one kind from which they say what is usual."""
_SLOW = 0.9
"""The share of calls that take no longer than what is called usual."""
_FAR = 3.0
"""How many times longer than usual is far beyond it: of answers that do come, fewer than one in a hundred."""
_UNKNOWN = 10.0
"""Seconds after which a second request is sent while nothing is known of a server."""
_LEAST = 2.0
"""Seconds before which none is sent, however quick a server usually is: it may be busy for a moment."""
_LEAST_LIMIT = 15.0
"""Seconds that two requests to a quick server are given before both are given up."""
_SPARES, _SPARES_A_CALL = 3, 0.2
"""Second requests that a server is sent at most: so many, and a fifth of what it answered. One that is slow because it
has too much to do is not to be asked for more: until it has answered at all, it is sent one."""
_IN_VAIN = 3
"""As how many a second request counts that the first one outran: a small model on one's own computer answers one call
after the other, and takes twice as long for each that is sent twice."""
_LOOK = 0.05
"""Seconds between two looks at what came of other requests, at least."""
_UNKNOWN_GAP, _LEAST_GAP, _MOST_GAP = 30.0, 8.0, 60.0
"""Seconds between two pieces of a stream after which it is taken to have stalled."""
_FAR_GAP = 10.0
_DRIP, _HEAD_START = 2.0, 60.0
"""Characters a second that a stream has to bring, and how many it may be behind: models that are of any use bring ten
times as many, on a slow computer too."""


class Awaited(Enum):
    """What is waited for."""

    WHOLE = auto()
    FIRST = auto()
    """The first piece of a stream."""
    GAP = auto()
    """The longest time between two of its pieces."""


@dataclass(frozen=True)
class Patience:
    """How long an answer is waited for, in seconds."""

    again: float
    """After so long a second request is sent beside the first."""
    limit: float
    """After so long both are given up."""


class Pace:
    """What is known of one server: how long its answers took, by kind of call. Used on one event loop at a time."""

    def __init__(self, scale: float = 1.0) -> None:
        """`scale` multiplies all that is assumed of servers in general: less than 1 makes for impatience."""
        self._scale = scale
        self._took: dict[tuple[str, Awaited], deque[tuple[float, float]]] = {}
        self._answers = self._spares = self._undecided = 0
        self._begun = self._newest_answered = 0
        self._answered_at = -math.inf

    def begin(self) -> int:
        """Take in that a request begins; return its number."""
        self._begun += 1
        return self._begun

    def end(self, number: int) -> None:
        """Take in that a request was answered."""
        self._newest_answered = max(self._newest_answered, number)
        self._answered_at = time.monotonic()

    def is_overtaken(self, number: int) -> bool:
        """Whether one that began later was answered: then a request does not wait its turn, it is late."""
        return self._newest_answered > number

    def late_at(self, number: int, began: float, again: float) -> float:
        """Return when a request is late that began at `began`: `again` seconds after that, or after its server last
        answered any, for a server of one's own answers one call after the other."""
        return (began if self.is_overtaken(number) else max(began, self._answered_at)) + again

    def note(self, kind: str, part: Awaited, size: float, seconds: float) -> None:
        """Take in that something of a `kind` (a role, say) and a size (tokens) took so long."""
        self._took.setdefault((kind, part), deque(maxlen=_REMEMBERED)).append((size, seconds))
        self._answers += part is not Awaited.GAP

    def patience(self, kind: str, part: Awaited, size: float, most: float) -> Patience:
        """Return how long to wait for a whole answer or its beginning: at most `most` seconds.

        A kind that is not known yet is taken to be like the server's others as to the second request, and is given all
        the time there is before it is given up.
        """
        known = self._usual([(kind, part)], size)
        if known is not None:
            again = max(_FAR * known, _LEAST * self._scale)
            return Patience(again, min(most, max(_FAR * again, _LEAST_LIMIT * self._scale)))
        others = self._usual([one for one in self._took if one[1] is Awaited.WHOLE], size)
        if others is None:
            return Patience(_UNKNOWN * self._scale, most)
        return Patience(max(_FAR * others, _LEAST * self._scale), most)

    def gap(self, kind: str, most: float) -> float:
        """Return how long to wait for the next piece of a stream."""
        known = self._usual([(kind, Awaited.GAP)], 0)
        if known is None:
            return min(most, _UNKNOWN_GAP * self._scale)
        return min(most, max(_LEAST_GAP, min(_MOST_GAP, _FAR_GAP * known)) * self._scale)

    def may_ask_again(self, number: int) -> bool:
        """Whether a second request is in place, and if so count it; `note_spare` is then told what became of it.

        While nothing tells a request that is lost from a server that is slow, one at a time shows which it is.
        """
        if self._undecided and not self.is_overtaken(number):
            return False
        if self._spares >= (_SPARES + self._answers * _SPARES_A_CALL if self._answers else 1):
            return False
        self._spares += 1
        self._undecided += 1
        return True

    def note_spare(self, *, is_in_vain: bool) -> None:
        """Take in how a second request ended: `is_in_vain` if the first was answered all the same."""
        self._undecided -= 1
        self._spares += _IN_VAIN - 1 if is_in_vain else 0

    def _usual(self, kinds: list[tuple[str, Awaited]], size: float) -> float | None:
        """Return the time that nine of ten such calls kept to, or None if too few are known.

        The more there is to read, the longer: a call that was asked for less is taken to have lasted longer.
        """
        took = [one for kind in kinds for one in self._took.get(kind, ())]
        seconds = sorted(lasted * max(1.0, size / max(asked, 1.0)) for asked, lasted in took)
        return seconds[math.ceil(_SLOW * len(seconds)) - 1] if len(seconds) >= _ENOUGH else None


@lru_cache(maxsize=64)
def pace_of(server: str) -> Pace:
    """Return what this process knows of a server (or of a model on it): the same for all runs that ask it."""
    return Pace()


class Drip:
    """Tells a stream that only seems alive: it brings a letter now and then, and would go on for hours."""

    def __init__(self) -> None:
        self._room = _HEAD_START
        self._at: float | None = None

    @property
    def is_unused(self) -> bool:
        """Whether nothing has come yet."""
        return self._at is None

    def is_dry(self, characters: int, now: float) -> bool:
        """Take in a piece of a stream at `now`; return whether it has been too slow for too long by then."""
        since = 0.0 if self._at is None else now - self._at
        self._at = now
        self._room = min(_HEAD_START, self._room - since * _DRIP + max(1, characters))
        return self._room <= 0


async def hedged(begin: Callable[[bool], Awaitable[T]], patience: Patience, pace: Pace,
                 discard: Callable[[T], Awaitable[None]] | None = None) -> T:  # fmt: skip
    """Return what `begin(False)` brings, or `begin(True)`, which is begun beside it when the first is late.

    One that fails leaves it to the other. The one that is not needed is cancelled with the message `OUTRUN`, or handed
    to `discard` if it has just come as well. Both end themselves after `patience.limit`.

    Raises:
        Exception: the first failed with it, and the second was not begun or failed as well.
    """
    tasks = [asyncio.ensure_future(begin(False))]
    number, chosen = pace.begin(), None
    try:
        if await _is_late(tasks[0], number, patience, pace) and pace.may_ask_again(number):
            tasks.append(asyncio.ensure_future(begin(True)))
        pending = set(tasks)
        while pending and chosen is None:
            done, pending = await asyncio.wait(pending, return_when=asyncio.FIRST_COMPLETED)
            chosen = next((task for task in tasks if task in done and _has_answered(task)), None)
        return (chosen or tasks[0]).result()
    finally:
        if chosen is not None:
            pace.end(number)
        if len(tasks) > 1:
            pace.note_spare(is_in_vain=chosen is tasks[0])
        for task in tasks:
            task.cancel(OUTRUN if chosen is not None else None)
        await asyncio.gather(*tasks, return_exceptions=True)
        if discard is not None:
            for task in tasks:
                if task is not chosen and _has_answered(task):
                    await discard(task.result())


async def _is_late(task: asyncio.Future[T], number: int, patience: Patience, pace: Pace) -> bool:
    """Wait for an answer until it is late; return False if it came, failed, or is given up before it is late."""
    began = time.monotonic()
    while (left := pace.late_at(number, began, patience.again) - time.monotonic()) > 0:
        # Another answer may show at any time that this one is late already.
        done, _ = await asyncio.wait([task], timeout=min(left, max(patience.again / 4, _LOOK)))
        if done:
            return False
    return not task.done() and time.monotonic() - began < patience.limit


def _has_answered(task: asyncio.Future[T]) -> bool:
    return not task.cancelled() and task.exception() is None


def is_outrun(error: asyncio.CancelledError) -> bool:
    """Whether a request was cancelled because another one answered first."""
    return OUTRUN in error.args


_UNLISTED_INPUT, _UNLISTED_OUTPUT = 5.0, 20.0
"""US dollars for a million tokens, where not even a price list is installed."""


PRICE_LISTS = {"gemini": "google", "google_genai": "google", "bedrock": "aws", "azure_openai": "openai"}
"""Whose list holds for models of these; where an Azure deployment is named as its model, it costs what OpenAI takes."""
_FREE = ("ollama", "lmstudio", "llamacpp")
"""Servers of one's own: nothing is paid for a call."""


def price_usd(
    model: str, input_tokens: int, output_tokens: int, *, cached_tokens: int = 0, provider: str = "openai"
) -> float | None:
    """Return the list price of one call in US dollars, or None if the model's price is not known.

    Args:
        model: The name as it is sent to the provider (`gpt-5.4`).
        input_tokens: All tokens of the prompt, `cached_tokens` included.
        output_tokens: All tokens of the answer, hidden reasoning included.
        cached_tokens: Tokens of the prompt that the provider had kept and charges less for.
        provider: The company whose price list counts.
    """
    if provider in _FREE:
        return 0.0
    try:
        from genai_prices import Usage, calc_price
    except ImportError:
        return None
    usage = Usage(input_tokens=input_tokens, output_tokens=output_tokens, cache_read_tokens=cached_tokens)
    try:
        return float(calc_price(usage, model, provider_id=PRICE_LISTS.get(provider, provider)).total_price)
    except LookupError:
        return None


def price_of(model: str, input_tokens: int, output_tokens: int) -> float | None:
    """Return the list price of a call to a model as settings name it (`gpt-5.4`, `anthropic:claude-…`), if known."""
    provider, colon, name = model.partition(":")
    if colon and (price := price_usd(name, input_tokens, output_tokens, provider=provider)) is not None:
        return price
    return price_usd(model, input_tokens, output_tokens)


def assumed_price(input_tokens: int, output_tokens: int) -> float:
    """Return what a call counts whose model has no known price: as much as it would to the presets' dearest model."""
    models = {model for preset in PRESETS.values() for model in preset.models.values()}
    prices = (price_of(model, input_tokens, output_tokens) for model in models)
    unlisted = (input_tokens * _UNLISTED_INPUT + output_tokens * _UNLISTED_OUTPUT) / 1_000_000
    return max((price for price in prices if price is not None), default=unlisted)


def _price(model: str, input_tokens: int, output_tokens: int) -> float:
    known = price_of(model, input_tokens, output_tokens)
    return assumed_price(input_tokens, output_tokens) if known is None else known


def _paid(call: ModelCalled) -> float:
    return assumed_price(call.input_tokens, call.output_tokens) if call.cost_usd is None else call.cost_usd


PAGE_TOKENS = 900
"""Tokens of a page of a report, in either language, with its citations."""
REPORT_PROMPT = 2_500
"""Tokens that the prompt of a report has besides its evidence."""
ANSWER_TOKENS = {
    Role.PLANNING: 1_500,
    Role.RESEARCH: 700,
    Role.SUMMARIZATION: 700,
    Role.COMPRESSION: 900,
    Role.FINAL_REPORT: 1_500,
}
"""Tokens that an answer may well have; that of the last role when it mends a report or answers a question."""
OBSERVED_TOKENS = 12_000
"""Tokens of what was observed so far that a decision is shown at most."""
_ASCII_PER_TOKEN = 4
_QUOTE_OVERHEAD = 40
"""Tokens that a quote takes in the prompt of a report besides its words: its id and source."""


def tokens_in(text: str) -> int:
    """Return about how many tokens a text has, rather more than fewer: a sign of Japanese counts as one."""
    wide = len(text) - len(text.encode("ascii", "ignore"))
    return wide + -(-(len(text) - wide) // _ASCII_PER_TOKEN)


def report_tokens(brief: Brief) -> int:
    """Return the tokens of a report as long as it may be."""
    return PAGES[length_of(brief)].most * PAGE_TOKENS


_PAGE_PROMPT = 1_600
"""Tokens of a page as a model is shown it, with what it is told."""
_FOR_RESEARCH = 0.25
"""The share of a cap that must be left for research; where the report would leave less, it is composed by rule."""
_WRITING_SPEED = 50
"""Tokens a second."""
_WRITING_BY_RULE = 5.0
"""Seconds."""
_PROVING = 2.0
"""Seconds in which a report is held against its pages."""
GIVEN_UP = ("cancelled", OUTRUN, "model_timeout", "cap_reached")
"""How a call ended that may be paid for although its answer was not waited for."""
_MOST_STRETCH = 2.0
_TICK = 0.5


@dataclass(frozen=True)
class PlannedCall:
    """A model call that somebody wants to make."""

    role: Role
    model: str
    input_tokens: int
    """About how many tokens its prompt has."""
    is_report: bool = False
    """It writes the whole report."""
    fee_usd: float = 0.0
    """What it costs besides its tokens: a search, say. A call without tokens costs nothing else."""
    is_spare: bool = False
    """It is made beside one that is late: if there is no room for it now, it is not needed."""
    longest: int = 0
    """Tokens that its answer may have, if that is more than is usual and a cap has room for them."""


@dataclass(eq=False)
class Admission:
    """A call that may be made."""

    call: PlannedCall
    spending: Spending | None = None
    """The account that keeps `usd` for the call; without one there is no cap."""
    usd: float = 0.0
    expected_usd: float = 0.0
    """What an answer as long as usual costs."""
    longest: int | None = None
    """Tokens of the answer for which something is kept: with more of them the cap might be passed. None without one."""

    @property
    def seconds(self) -> float:
        """How long the call may still take."""
        return math.inf if self.spending is None else self.spending.seconds_left

    def release(self) -> None:
        """Give back what was kept; called once, when what was spent of it has been, or will at once be, told."""
        if self.spending is not None:
            self.spending.release(self)

    def close(self, call: ModelCalled) -> None:
        """Settle what the call came to; called once, after its event."""
        if self.spending is not None:
            self.spending.settle(self, call)


Admit = Callable[[PlannedCall], Awaitable[Admission]]
"""Asks for room for a call; raises `CapReached` if there is none."""


async def freely(call: PlannedCall) -> Admission:
    """Admit any call."""
    return Admission(call)


class Spending:
    """What one run has spent of its cap. Used on the run's event loop alone, but for `note` and `has_room`."""

    def __init__(
        self,
        brief: Brief,
        models: Mapping[Role, str],
        *,
        ready: Callable[[], Awaitable[None]] | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Begin to count now; `models` are those of the run, if it has any. `ready` is waited for before each call."""
        self.reached = asyncio.Event()
        """No room is left for research."""
        self.is_out_of_searches = False
        """There is no room for a further search: what was found is still read, then research ends."""
        self.spent_usd = 0.0
        """So far; calls under way are not in it."""
        self._brief = brief
        self._cap = math.inf if brief.max_cost_usd is None else brief.max_cost_usd
        self._seconds = math.inf if brief.max_minutes is None else brief.max_minutes * 60
        self._models = models
        self._ready = ready
        self._clock = clock
        self._began = clock()
        self._paused_at: float | None = None
        self._in_flight: set[Admission] = set()
        self._settled = asyncio.Event()
        self._adding = threading.Lock()
        self._evidence_tokens = 0
        self._longest_answers: dict[Role, int] = {}
        self._stretch = 1.0
        # Without a cap there is nothing to keep, and both sides are infinite.
        self._keeps_for_report = bool(models) and self._cap - self._report_usd >= self._cap * _FOR_RESEARCH

    def note(self, event: Event) -> None:
        """Take in what happened: a call, a quote that the report will hold, a plan that waits to be edited."""
        match event:
            case ModelCalled():
                self._add(_paid(event))
                longest = self._longest_answers.get(event.role, 0)
                self._longest_answers[event.role] = max(longest, event.output_tokens)
            case SearchReturned(cost_usd=usd) | SearchFailed(cost_usd=usd):
                self._add(usd)
            case EvidenceFound():
                self._evidence_tokens += tokens_in(event.quote) + _QUOTE_OVERHEAD
            case PlanDrafted(begins_at=begins_at) if begins_at is not None:
                self._paused_at = self._clock()
            case PlanSettled() if self._paused_at is not None:
                # Whoever edits a plan is not to lose the time of the research.
                self._began += self._clock() - self._paused_at
                self._paused_at = None

    def resume(self, earlier: Iterable[Event], seconds: float) -> None:
        """Take in what the run had spent before it broke off: `earlier` events, in so many `seconds`."""
        for event in earlier:
            self.note(event)
        self._paused_at = None
        self._began = self._clock() - seconds

    def has_room(self, usd: float) -> bool:
        """Whether a small call beside those under way may still be made; asked from any thread."""
        return self.seconds_left > 0 and self.spent_usd + usd <= self._cap

    async def admit(self, call: PlannedCall) -> Admission:
        """Wait until there is room for a call, and keep it.

        Raises:
            CapReached: there is no room, and no call under way that could leave some.
        """
        if self._ready is not None:
            await self._ready()
        if math.isinf(self._cap) and math.isinf(self._seconds):
            return Admission(call)
        while not self._has_room(call, usual := self._usual_output(call)):
            if call.is_spare or not self._in_flight or self.seconds_left <= 0:
                self._refuse(call)
                raise CapReached(f"{call.role.value}: spent {self.spent_usd:.4f}, needs {self._price(call, usual):.4f}")
            await self._settled.wait()
        output = max(usual, call.longest)
        while output > usual and not self._has_room(call, output):
            output = max(usual, output // 2)
        longest = None if math.isinf(self._cap) else output
        ticket = Admission(call, self, self._price(call, output), self._price(call, usual), longest)
        self._in_flight.add(ticket)
        return ticket

    def _refuse(self, call: PlannedCall) -> None:
        if call.is_spare:
            return
        if not call.input_tokens:
            self.is_out_of_searches = True
        elif call.role is not Role.FINAL_REPORT:
            self.reached.set()

    def settle(self, ticket: Admission, call: ModelCalled) -> None:
        """Release what was kept for a call; it stays spent if the call may be paid for and nobody said how much."""
        is_counted = call.error not in GIVEN_UP and bool(call.input_tokens)
        if is_counted:
            # Tokenisers differ: what one counted more than was expected, it will count more again.
            self._stretch = min(_MOST_STRETCH, max(self._stretch, call.input_tokens / ticket.call.input_tokens))
        elif not call.output_tokens and (not call.error or call.error in GIVEN_UP):
            self._add(max(0.0, ticket.expected_usd - _paid(call)))
        self.release(ticket)

    def release(self, ticket: Admission) -> None:
        """Release what was kept for a call, and let those go on that wait for room."""
        self._in_flight.discard(ticket)
        self._settled.set()
        self._settled = asyncio.Event()

    def _add(self, usd: float) -> None:
        with self._adding:  # Calls for embeddings are told from threads of their own.
            self.spent_usd += usd

    @property
    def seconds_left(self) -> float:
        """How long a call may still take, so that the report can be proved after it; infinite without a cap."""
        elapsed = (self._clock() if self._paused_at is None else self._paused_at) - self._began
        return self._seconds - min(_PROVING, self._seconds / 10) - elapsed

    async def watch(self) -> None:
        """Wait until the time for research is over, and end it; returns at once if it is not limited."""
        if math.isinf(self._seconds):
            return
        while (left := self._research_seconds_left) > 0:  # noqa: ASYNC110 - nothing happens when time is over
            await asyncio.sleep(min(left, _TICK))
        self.reached.set()

    @property
    def _research_seconds_left(self) -> float:
        writing = report_tokens(self._brief) / _WRITING_SPEED if self._models else _WRITING_BY_RULE
        return self.seconds_left - min(writing, self._seconds / 2)

    def _has_room(self, call: PlannedCall, output: int) -> bool:
        if self.seconds_left <= 0 or math.isinf(self._cap):
            return self.seconds_left > 0
        kept = self._report_usd if self._keeps_for_report and call.role is not Role.FINAL_REPORT else 0.0
        under_way = sum(ticket.usd for ticket in self._in_flight)
        return self.spent_usd + under_way + self._price(call, output) + kept <= self._cap

    def _usual_output(self, call: PlannedCall) -> int:
        """Return the tokens that its answer may well have."""
        usual = report_tokens(self._brief) if call.is_report else ANSWER_TOKENS[call.role]
        return max(usual, self._longest_answers.get(call.role, 0))

    def _price(self, call: PlannedCall, output: int) -> float:
        if not call.input_tokens:
            return call.fee_usd + self._reading_usd
        return _price(call.model, round(call.input_tokens * self._stretch), output) + call.fee_usd

    @property
    def _reading_usd(self) -> float:
        """What it costs to read what a search finds: one whose pages nobody can read is not worth its price."""
        model = self._models.get(Role.SUMMARIZATION)
        results = PRESETS[self._brief.preset].limits.results
        return results * _price(model, _PAGE_PROMPT, ANSWER_TOKENS[Role.SUMMARIZATION]) if model else 0.0

    @property
    def _report_usd(self) -> float:
        model = self._models.get(Role.FINAL_REPORT)
        if model is None or math.isinf(self._cap):
            return 0.0
        prompt = round((REPORT_PROMPT + self._evidence_tokens) * self._stretch)
        return _price(model, prompt, report_tokens(self._brief))


class RunAccounts(Protocol):
    """What a run keeps account of."""

    spending: Spending

    def emit(self, event: Event) -> None:
        """Report a fact."""

    def problem(self, stage: Stage, code: str, *, subject: str = "", lane: str = "", detail: str = "") -> None:
        """Report that something went wrong and the run goes on."""


class RunChannel:
    """How analysts and sources reach the books of the run that they work for."""

    def __init__(self) -> None:
        self._books: RunAccounts | None = None

    def connect(self, books: RunAccounts) -> None:
        """Lead to these books from now on; what is reported before goes nowhere."""
        self._books = books

    def emit(self, event: Event) -> None:
        """Report a fact: a model called, a folder indexed."""
        if self._books is not None:
            self._books.emit(event)

    async def admit(self, call: PlannedCall) -> Admission:
        """Ask for room for a model call under the run's cap.

        Raises:
            CapReached: there is none.
        """
        admit = freely if self._books is None else self._books.spending.admit
        return await admit(call)

    def has_room(self, usd: float) -> bool:
        """Whether the run's cap leaves so many US dollars for a small call; see `Spending.has_room`."""
        return self._books is None or self._books.spending.has_room(usd)

    def problem(self, stage: Stage, code: str, *, subject: str = "", detail: str = "") -> None:
        """Report that something went wrong and the work goes on."""
        if self._books is not None:
            self._books.problem(stage, code, subject=subject, detail=detail)
