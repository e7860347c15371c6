"""A small world on loopback with real latencies: a competent model, a web of pages, both over the wire.

Latencies are drawn once for each call from what it asks, so that every run of a brief meets the same ones, and so that
the critical path can be computed from the calls alone.
"""

from __future__ import annotations

import json
import re
import zlib
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Self

from research.core import tokens_in
from tests.support.openai_server import Answer, Body, Calls, Json, OpenAIServer, Reply, Text
from tests.support.tavily_server import Asked, Results, TavilyServer, web_page

SUBJECTS = {
    "size": "The market for pumps was worth {n}.4 billion dollars in 2025, measured by sales of {m},500 units",
    "growth": "Demand for pumps grew {n}.1% over the year before, and exports rose {m}%",
    "players": "Case {n}: the leading players, for example maker {m}, hold a share of {n}{m}% of the market",
    "technology": "A pump is a machine that moves liquids; the technology of line {n} reaches an efficiency of {m}5%",
    "prices": "The price of a pump of class {n} was {m},200 dollars, and customers expect it to stay there",
    "risks": "Projects such as plant {n} run a risk: {m} suppliers of equipment left the market in 2025",
    "regulation": "Standard {n} on pumps, which is known as the efficiency rule, applies to {m}0% of all systems",
    "outlook": "Forecasts for pumps see sales of {n}{m} billion dollars in 2030, as plans for new plants expect",
}
"""What pages are about, with a sentence that says it."""
EVERY_TOPIC = tuple(f"The pump market: its {subject}, in full, with figures and sources." for subject in SUBJECTS)
TOPICS = EVERY_TOPIC[:6]
ROUNDS = (("figures", "makers", "regions"), ("history", "forecast"))
"""What a researcher adds to its subject in the queries of each round."""
DEPTH = {"queries_per_section": 2, "iterations": 2}
PAGES = 48
PAGES_A_QUERY = 4


@dataclass(frozen=True)
class Latencies:
    """Seconds that each kind of call takes; a range is drawn from, evenly."""

    decision: float = 0.30
    search: tuple[float, float] = (0.2, 0.8)
    summary: tuple[float, float] = (0.3, 1.2)
    compression: float = 0.5
    repair: float = 0.8
    frame: float = 0.8
    report_characters: int = 70
    """In each piece of a streamed text."""
    report_piece: float = 0.02

    def of_search(self, query: str) -> float:
        """Seconds that a search for `query` takes."""
        return _drawn(query, *self.search)

    def of_summary(self, url: str) -> float:
        """Seconds that a summary of the page at `url` takes."""
        return _drawn(url, *self.summary)

    def of_text(self, characters: int) -> float:
        """Seconds that the writing of so many characters takes."""
        return (characters // self.report_characters + 1) * self.report_piece


def _drawn(text: str, least: float, most: float) -> float:
    return least + (most - least) * (zlib.crc32(text.encode()) % 1_000) / 1_000


@dataclass
class Loopback:
    """The two servers; a context manager."""

    latencies: Latencies = field(default_factory=Latencies)
    remarks: int = 40
    """Sentences of a page that say nothing of what is asked; 200 make a page of 12,000 characters."""
    clauses: int = 0
    """What each fact is followed by in its sentence: with five, quotes are as long as those of real pages."""
    hangs_every: int = 0
    """One call of so many is never answered; 0 for none."""
    topics: Sequence[str] = TOPICS
    """What the supervisor hands out."""
    rounds: Sequence[Sequence[str]] = ROUNDS
    openai: OpenAIServer = field(default_factory=OpenAIServer)
    tavily: TavilyServer = field(default_factory=TavilyServer)

    def __post_init__(self) -> None:
        self._calls = 0

    def __enter__(self) -> Self:
        self.openai.handler, self.tavily.handler = self._answer, self._search
        self.openai.__enter__()
        self.tavily.__enter__()
        return self

    def __exit__(self, *_: object) -> None:
        self.tavily.__exit__(*_)
        self.openai.__exit__(*_)

    @property
    def environment(self) -> dict[str, str]:
        """Environment variables that lead the product here."""
        return {
            "OPENAI_API_KEY": "sk-loopback",
            "OPENAI_BASE_URL": self.openai.base_url,
            "TAVILY_API_KEY": "tvly-loopback",
            "TAVILY_BASE_URL": self.tavily.base_url,
        }

    def _search(self, asked: Asked) -> Results:
        query = asked.body["query"]
        # What is asked for comes first; neighbouring queries share a page, as real ones do.
        first = zlib.crc32(query.encode()) % PAGES
        around = [(first + offset) % PAGES for offset in range(PAGES)]
        subjects = subjects_in(query)
        nearest = sorted(around, key=lambda number: _subject(number) not in subjects)
        pages = [_page(number, self.remarks, self.clauses) for number in nearest[:PAGES_A_QUERY]]
        return Results(*pages, seconds=self.latencies.of_search(query))

    def _answer(self, body: Body) -> Reply:
        self._calls += 1
        answer = self._said(body)
        assert answer.tokens is not None
        hangs = self.hangs_every > 0 and self._calls % self.hangs_every == 0
        tokens = (tokens_in(json.dumps(body, ensure_ascii=False)), answer.tokens[1])
        return replace(answer, tokens=tokens, hangs=hangs)

    def _said(self, body: Body) -> Answer:
        if body.get("tools"):
            return self._decide(body)
        text = _text(body)
        if body.get("stream"):
            return self._report(text)
        asked = json.dumps(body.get("response_format") or {})
        answers = {
            "key_excerpts": self._summary,
            "insights": self._reflect,
            "queries_per_section": self._depth,
            "sections": self._plan,
            "queries": self._queries,
            "repairs": self._repair,
            "readings": self._judge,
            "opening": self._frame,
            "keep": self._compress,
        }
        return next(answer for field, answer in answers.items() if f'"{field}"' in asked)(text)

    def _repair(self, _: str) -> Answer:
        return Json({"repairs": []}, seconds=self.latencies.repair)

    def _judge(self, _: str) -> Answer:
        return Json({"readings": []}, seconds=self.latencies.repair)

    def _frame(self, text: str) -> Answer:
        told = re.findall(r"^S\d+: (.+)$", text, re.MULTILINE)
        answer = {"title": "Pump market", "opening": " ".join(told[:2]), "conclusion": "", "disagreements": [],
                  "repeated": []}  # fmt: skip
        return Json(answer, seconds=self.latencies.frame, tokens=(len(text) // 4, 150))

    def _compress(self, text: str) -> Answer:
        ids = re.findall(r"\[(E\d+)\]", text)
        return Json({"keep": ids, "notes": "Size and growth are covered."}, seconds=self.latencies.compression)

    def _depth(self, _: str) -> Answer:
        return Json({"reason": "Wide, so two and two.", **DEPTH}, seconds=self.latencies.decision)

    def _plan(self, _: str) -> Answer:
        return Json(_plan(), seconds=self.latencies.decision)

    def _queries(self, text: str) -> Answer:
        subjects = subjects_in(text.rpartition("</brief>")[2]) or ["size"]
        return Json({"queries": [f"pumps {subject}" for subject in subjects[:3]]}, seconds=self.latencies.decision)

    def _decide(self, body: Body) -> Answer:
        seconds = self.latencies.decision
        made = [message for message in body["messages"] if message["role"] == "assistant"]
        names = {tool["function"]["name"] for tool in body["tools"]}
        done = [call["function"]["name"] for message in made for call in message.get("tool_calls") or []]
        if "ConductResearch" in names and "ConductResearch" not in done:
            if not made:
                return Calls(("think_tool", {"reflection": "Six aspects, independent."}), seconds=seconds)
            return Calls(*(("ConductResearch", {"research_topic": topic}) for topic in self.topics), seconds=seconds)
        rounds = done.count("search")
        if "search" in names and rounds < len(self.rounds):
            if rounds and done[-1] == "search":
                return Calls(("think_tool", {"reflection": "Two gaps are left."}), seconds=seconds)
            topic = re.search(r"its (\w+), in full", _text(body))
            subject = topic.group(1) if topic else "size"
            queries = [f"pumps {subject} {word}" for word in self.rounds[rounds]]
            return Calls(("search", {"queries": queries}), seconds=seconds)
        return Calls(("ResearchComplete", {}), seconds=seconds)

    def _reflect(self, text: str) -> Answer:
        """Propose a query for each thing that the program counts as missing, as a competent model would."""
        told = re.findall(r"Not found yet: (.+?)\.(?:\s|$)", text)
        missing = [] if not told or told[-1] == "nothing" else told[-1].split(", ")
        ids = re.findall(r"\bE\d+\b", text)[-2:]
        answer = {
            "insights": [{"text": "Figures agree in order of magnitude.", "confidence": 7, "evidence": ids}],
            "gaps": missing,
            "doubts": [],
            "queries": [{"query": f"pumps {item}", "reason": "It is missing."} for item in missing],
            "summary": "Figures are there; what is missing is next.",
        }
        return Json(answer, seconds=self.latencies.decision, tokens=(0, 180))

    def _summary(self, text: str) -> Answer:
        """Quote the facts of a page that stand in what is shown of it."""
        found = re.search(r"Report (\d+) on pumps", text)
        number = int(found.group(1)) if found else 0
        excerpts = [fact for fact in facts_of(number, self.clauses) if fact in text]
        answer = {"summary": "It gives size and growth.", "key_excerpts": excerpts}
        return Json(answer, seconds=self.latencies.of_summary(_url(number)), tokens=(0, 220))

    def _report(self, text: str) -> Answer:
        """Say what the evidence says, in its own words, with its ids."""
        quotes = dict(re.findall(r'\[(E\d+)\] "([^"]+)"', text))
        lines = [f"{quote.rstrip('.')} [{name}]." for name, quote in quotes.items()]
        report = "# Pump market\n\n" + " ".join(lines)
        return Text(
            report,
            pieces=self.latencies.report_characters,
            piece_seconds=self.latencies.report_piece,
            tokens=(0, len(report) // 4),
        )


def subjects_in(text: str) -> list[str]:
    """Return the subjects that a text names, in its order."""
    found = {subject: text.casefold().find(subject) for subject in SUBJECTS}
    return sorted((subject for subject, place in found.items() if place >= 0), key=found.__getitem__)


def _subject(number: int) -> str:
    return list(SUBJECTS)[number % len(SUBJECTS)]


def _plan() -> dict[str, Any]:
    """Return a plan of four sections with two subjects each."""
    names = list(SUBJECTS)
    sections = [
        {
            "title": f"{one.title()} and {other}",
            "focus": f"the {one} and {other} of the pump market",
            "questions": [f"What is known of the {one} of pumps?"],
            "needs": [one, other],
        }
        for one, other in zip(names[::2], names[1::2], strict=True)
    ]
    return {
        "purpose": "The pump market as a whole.",
        "sections": sections,
        "introduction": "What a pump is.",
        "conclusion": "What follows.",
        "remark": "Four sections of two subjects.",
    }


def facts_of(number: int, clauses: int = 0) -> list[str]:
    """Return what page `number` says of what is asked."""
    more = [f", which survey {number}-{clause} of makers, dealers and buyers bears out" for clause in range(clauses)]
    facts = [
        SUBJECTS[_subject(number)].format(n=number % 9 + 1, m=number % 7 + 2) + ".",
        f"It was {number / 10 + 1:.1f}% more than the year before for pumps of class {number}.",
        f"Plant {number} makes {number + 2},500 units a year.",
    ]
    return [f"{fact.rstrip('.')}{''.join(more)}." for fact in facts]


def _url(number: int) -> str:
    return f"https://site{number % 17}.example/report/{number}"


def _page(number: int, remarks: int, clauses: int) -> dict[str, Any]:
    """Return a page on whose facts nothing leads but their words: they stand together, anywhere on it."""
    told = [f"Remark {line} on class {number} adds detail that nobody asked for." for line in range(remarks)]
    place = number * 7 % (remarks + 1) // 10 * 10
    parts = [" ".join(told[:place]), " ".join(facts_of(number, clauses)), " ".join(told[place:])]
    text = "\n\n".join([f"Report {number} on pumps and their {_subject(number)}.", *filter(None, parts)])
    return web_page(_url(number), text)


def _text(body: Body) -> str:
    return "\n".join(str(message.get("content") or "") for message in body["messages"])
