"""A small world on loopback with real latencies: a competent model, a web of pages, both over the wire.

Latencies are drawn once for each call from what it asks, so that every run of a brief meets the same ones, and so that
the critical path can be computed from the calls alone.
"""

from __future__ import annotations

import json
import re
import zlib
from dataclasses import dataclass, field
from typing import Any, Self

from tests.openai_server import Answer, Body, Calls, Json, OpenAIServer, Reply, Text
from tests.tavily_server import Asked, Results, TavilyServer, web_page

TOPICS = tuple(f"Aspect {number} of the pump market, in full: size, growth, players and risks." for number in range(6))
PAGES_A_QUERY = 4


@dataclass(frozen=True)
class Latencies:
    """Seconds that each kind of call takes; a range is drawn from, evenly."""

    decision: float = 0.30
    search: tuple[float, float] = (0.2, 0.8)
    summary: tuple[float, float] = (0.3, 1.2)
    compression: float = 0.5
    repair: float = 0.8
    report_pieces: int = 60
    report_piece: float = 0.02

    def of_search(self, query: str) -> float:
        """Seconds that a search for `query` takes."""
        return _drawn(query, *self.search)

    def of_summary(self, url: str) -> float:
        """Seconds that a summary of the page at `url` takes."""
        return _drawn(url, *self.summary)

    @property
    def report(self) -> float:
        """Seconds that the writing takes."""
        return self.report_pieces * self.report_piece


def _drawn(text: str, least: float, most: float) -> float:
    return least + (most - least) * (zlib.crc32(text.encode()) % 1_000) / 1_000


@dataclass
class Loopback:
    """The two servers; a context manager."""

    latencies: Latencies = field(default_factory=Latencies)
    openai: OpenAIServer = field(default_factory=OpenAIServer)
    tavily: TavilyServer = field(default_factory=TavilyServer)

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
        # Neighbouring queries share a page, as real ones do.
        first = zlib.crc32(query.encode()) % 40
        pages = [_page(first + offset) for offset in range(PAGES_A_QUERY)]
        return Results(*pages, seconds=self.latencies.of_search(query))

    def _answer(self, body: Body) -> Reply:
        if body.get("tools"):
            return self._decide(body)
        text = _text(body)
        if body.get("stream"):
            return self._report(text)
        if "key_excerpts" in json.dumps(body.get("response_format") or {}):
            return self._summary(text)
        if "repairs" in json.dumps(body.get("response_format") or {}):
            return Json({"repairs": []}, seconds=self.latencies.repair)
        ids = re.findall(r"\[(E\d+)\]", text)
        return Json({"keep": ids, "notes": "Size and growth are covered."}, seconds=self.latencies.compression)

    def _decide(self, body: Body) -> Answer:
        seconds = self.latencies.decision
        made = [message for message in body["messages"] if message["role"] == "assistant"]
        names = {tool["function"]["name"] for tool in body["tools"]}
        done = [call["function"]["name"] for message in made for call in message.get("tool_calls") or []]
        if "ConductResearch" in names and "ConductResearch" not in done:
            if not made:
                return Calls(("think_tool", {"reflection": "Six aspects, independent."}), seconds=seconds)
            return Calls(*(("ConductResearch", {"research_topic": topic}) for topic in TOPICS), seconds=seconds)
        rounds = done.count("search")
        if "search" in names and rounds < 2:
            if rounds and done[-1] == "search":
                return Calls(("think_tool", {"reflection": "Two gaps are left."}), seconds=seconds)
            topic = re.search(r"Aspect \d", _text(body))
            subject = topic.group() if topic else "pumps"
            queries = [f"{subject} {word}" for word in (("size", "growth", "players"), ("risks", "outlook"))[rounds]]
            return Calls(("search", {"queries": queries}), seconds=seconds)
        return Calls(("ResearchComplete", {}), seconds=seconds)

    def _summary(self, text: str) -> Answer:
        number = re.search(r"Report (\d+) on pumps", text)
        page = _page(int(number.group(1)) if number else 0)
        excerpts = [sentence + "." for sentence in page["raw_content"].split(". ")[1:4]]
        answer = {"summary": "It gives size and growth.", "key_excerpts": excerpts}
        return Json(answer, seconds=self.latencies.of_summary(page["url"]), tokens=(1_800, 220))

    def _report(self, text: str) -> Answer:
        ids = list(dict.fromkeys(re.findall(r"\[(E\d+)\]", text)))[:40]
        report = "# Pump market\n\n" + " ".join(f"The market is described in detail here [{name}]." for name in ids)
        return Text(
            report,
            pieces=len(report) // self.latencies.report_pieces + 1,
            piece_seconds=self.latencies.report_piece,
            tokens=(6_000, 1_500),
        )


def _page(number: int) -> dict[str, Any]:
    sentences = [
        f"Report {number} on pumps",
        f"The market for pumps of class {number} was worth {number + 3}.4 billion dollars in 2025",
        f"It grew {number / 10 + 1:.1f}% over the year before",
        f"Plant {number} makes {number + 2},500 units a year",
        *(f"Remark {line} on class {number} adds detail that nobody asked for" for line in range(40)),
    ]
    return web_page(f"https://site{number % 17}.example/report/{number}", ". ".join(sentences) + ".")


def _text(body: Body) -> str:
    return "\n".join(str(message.get("content") or "") for message in body["messages"])
