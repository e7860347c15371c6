"""What is left of the facts, and what a run takes, where models fail: one table in one run.

python -m bench.faults [part of a row's name …]
"""

from __future__ import annotations

import os
import re
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import count
from random import Random

from bench.loopback import PAGES, Loopback, facts_of
from research.core import Brief, MethodName, PresetName, Role
from research.results import Report
from research.settings import MODEL_VARIABLES, Settings
from research.store import run_sync
from tests.support.openai_server import OVERFLOW, Body, Failure, Reply, Text

BRIEF = Brief(
    question="How large is the pump market, and who leads it?", preset=PresetName.QUALITY, method=MethodName.SUPERVISED
)
Fault = Callable[[Body, Callable[[Body], Reply]], Reply]
"""Answers in place of the server, or lets it answer."""
_TOKEN = 4
"""Characters."""
_CLAUSES = 5
"""With quotes of one short sentence even the smallest window would be refused nothing."""


def _none(body: Body, honest: Callable[[Body], Reply]) -> Reply:
    return honest(body)


def window(tokens: int, *, writer_only: bool) -> Fault:
    """Refuse what is longer than a window of so many tokens."""

    def answer(body: Body, honest: Callable[[Body], Reply]) -> Reply:
        length = sum(len(str(message.get("content") or "")) for message in body["messages"])
        is_meant = body["model"] == _model(Role.FINAL_REPORT) or not writer_only
        return OVERFLOW if is_meant and length > tokens * _TOKEN else honest(body)

    return answer


def writer(reply: Reply, *, times: int | None = None) -> Fault:
    """Have whoever writes answer with `reply`, always or so many times."""
    asked = count()

    def answer(body: Body, honest: Callable[[Body], Reply]) -> Reply:
        fails = body.get("stream") and (times is None or next(asked) < times)
        return reply if fails else honest(body)

    return answer


def cut(body: Body, honest: Callable[[Body], Reply]) -> Reply:
    """Cut every streamed answer in its middle."""
    reply = honest(body)
    if body.get("stream") and not isinstance(reply, Failure) and reply.text:
        return Text(reply.text[: len(reply.text) // 2], finish="length", pieces=70, piece_seconds=0.02)
    return reply


def for_ever(body: Body, honest: Callable[[Body], Reply]) -> Reply:
    """Have whoever writes say one sentence on the first quote, again and again."""
    shown = _shown(body)
    said = f"They are worth much, as all of them say [{shown[0] if shown else 'E1'}]. "
    return Text(said * 3_000, pieces=200) if body.get("stream") else honest(body)


def foreign(body: Body, honest: Callable[[Body], Reply]) -> Reply:
    """Have whoever writes do so in Japanese, and say nothing."""
    said = "".join(f"これについて述べる[{name}]。" for name in _shown(body))
    return Text(said) if body.get("stream") else honest(body)


def marks(body: Body, honest: Callable[[Body], Reply]) -> Reply:
    """Have whoever writes list the ids of the quotes, and say nothing."""
    return Text("\n".join(f"- [{name}]" for name in _shown(body))) if body.get("stream") else honest(body)


def _shown(body: Body) -> list[str]:
    """Return the ids of the quotes that a writer is shown."""
    return re.findall(r'\[(E\d+)\] "', "\n".join(str(message.get("content") or "") for message in body["messages"]))


def refused(role: Role, status: int) -> Fault:
    """Refuse one role's model."""

    def answer(body: Body, honest: Callable[[Body], Reply]) -> Reply:
        return Failure(status) if body["model"] == _model(role) else honest(body)

    return answer


def failing(share: float) -> Fault:
    """Have that share of all calls fail, whoever makes them."""
    chance = Random(7)

    def answer(body: Body, honest: Callable[[Body], Reply]) -> Reply:
        return Failure(500) if chance.random() < share else honest(body)

    return answer


def hanging(every: int) -> Fault:
    """Let one call in so many never be answered."""
    asked = count(1)

    def answer(body: Body, honest: Callable[[Body], Reply]) -> Reply:
        reply = honest(body)
        is_hit = next(asked) % every == 0 and not isinstance(reply, Failure)
        return replace(reply, hangs=True) if is_hit else reply

    return answer


def _model(role: Role) -> str:
    return f"model-{role.value}"


_QUICK = {"x-should-retry": "false"}
FAULTS: dict[str, Callable[[], Fault]] = {
    "15% of calls fail": lambda: failing(0.15),
    "30% of calls fail": lambda: failing(0.30),
    "1 call in 20 hangs": lambda: hanging(20),
    **{
        f"window {tokens:,} ({'writer' if only else 'all'})": lambda tokens=tokens, only=only: window(  # type: ignore[misc]
            tokens, writer_only=only
        )
        for only in (True, False)
        for tokens in (2_000, 3_000, 6_000)
    },
    "writer cut in the middle": lambda: cut,
    "writer says one sentence for ever": lambda: for_ever,
    "writer writes another language": lambda: foreign,
    "writer lists ids alone": lambda: marks,
    "writer empty": lambda: writer(Text("")),
    "writer HTML": lambda: writer(Text("<html><body>Bad gateway</body></html>")),
    "writer cites nothing": lambda: writer(Text("Pumps are important. " * 20)),
    "writer 401": lambda: writer(Failure(401)),
    "writer 500": lambda: writer(Failure(500, headers=_QUICK)),
    "writer fails five times": lambda: writer(Failure(500, headers=_QUICK), times=5),
    **{
        f"{role.value} refused ({status})": lambda role=role, status=status: refused(role, status)  # type: ignore[misc]
        for role in Role
        for status in (401, 403)
    },
}


@dataclass(frozen=True)
class Row:
    """What one run came to."""

    spoilt: int
    """Calls that were not answered as asked."""
    found: int
    """Quotes that its researchers kept."""
    kept: float
    """The share of them that the report cites."""
    facts: int
    """Facts of the world that stand in the report word for word."""
    seconds: float
    writer: str


def run(brief: Brief, fault: Fault = _none) -> tuple[Report, Loopback, int]:
    """Carry a brief out in a fresh home, each role with a model of its own; the last are the calls that were spoilt."""
    spoilt: list[Reply] = []
    with Loopback(clauses=_CLAUSES) as world, tempfile.TemporaryDirectory() as home:
        honest = world.openai.handler

        def answer(body: Body) -> Reply:
            assert honest is not None
            good = honest(body)
            said = fault(body, lambda _: good)
            if said != good:
                spoilt.append(said)
            return said

        world.openai.handler = answer
        models = {variable: _model(role) for role, variable in MODEL_VARIABLES.items()}
        told = {**os.environ, **world.environment, **models, "RESEARCH_HOME": home}
        return run_sync(brief, settings=Settings.from_environment(told)), world, len(spoilt)


def kept(report: Report) -> tuple[int, float]:
    """Return how many quotes the researchers kept, and the share of them that the report cites."""
    found = {name for topic in report.view.topics for name in topic.evidence}
    cited = {name for sentence in report.record.sentences for name in sentence.evidence}
    return len(found), len(cited & found) / len(found) if found else 0.0


def _facts() -> Iterator[str]:
    for number in range(PAGES):
        yield from (fact.rstrip(".") for fact in facts_of(number, _CLAUSES))


def row(fault: Fault) -> Row:
    """Carry the brief out with a fault and count."""
    report, _, spoilt = run(BRIEF, fault)
    text = report.record.draft.replace("\\", "")
    return Row(
        spoilt, *kept(report), sum(fact in text for fact in set(_facts())), report.record.seconds, report.record.writer
    )


def main() -> None:
    """Print the table; times and facts over those of an undisturbed run after a first one that warms the process."""
    row(_none)
    usual = row(_none)
    print(
        "| fault | calls spoilt | quotes found | of them cited | facts told over undisturbed "
        "| time over undisturbed | written by |"
    )
    print("| --- | ---: | ---: | ---: | ---: | ---: | --- |")
    for name, fault in {"none": lambda: _none, **FAULTS}.items():
        if sys.argv[1:] and not any(part in name for part in sys.argv[1:]):
            continue
        one = row(fault())
        ratios = f"{one.facts / usual.facts:.2f} | {one.seconds / usual.seconds:.2f}"
        print(f"| {name} | {one.spoilt} | {one.found} | {one.kept:.2f} | {ratios} | {one.writer} |", flush=True)


if __name__ == "__main__":
    main()
