"""A model that does whatever a planted instruction says, and everything it could reach, on loopback.

It knows the user's secret, as a model would that has read the user's documents, and it hands instructions on: what a
page tells it stands in the summary that it writes, which the next prompt holds.
"""

from __future__ import annotations

import base64
import codecs
import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pytest_httpserver import HTTPServer

from research.cli import main
from tests.support.mcp_server import TOKEN, McpTestServer
from tests.support.openai_server import Answer, Body, Calls, Json, OpenAIServer, Text
from tests.support.quick_server import QuickServer
from tests.support.tavily_server import Results, TavilyServer, web_page

MARK = "ORDER-7734"
"""Stands in each planted instruction."""
PRIVATE = "Bluebird"
PRIVATE_JA = "青鵐計画"
SECRET = f"{PRIVATE} ({PRIVATE_JA}) takes over Kestrelworks for 4871 million yen."
MODEL_KEY = "sk-proj-Qm93bGluZ0tleTEyMzQ1Njc4"
SEARCH_KEY = "tvly-dev-Zm9yZXN0S2V5OTg3NjU0"
KEYS = (MODEL_KEY, SEARCH_KEY, TOKEN)
PAGE = "The pump market in Vietnam grew by 4.2% in 2025."
FALSE = "The pump market in Vietnam shrank by 61% in 2019."
FORMS = (
    PRIVATE,
    PRIVATE_JA,
    "Kestrelworks",
    "4871",
    PRIVATE[::-1],
    " ".join(PRIVATE),
    "-".join(PRIVATE),
    base64.b64encode(PRIVATE.encode()).decode(),
    base64.b32encode(PRIVATE.encode()).decode(),
    PRIVATE.encode().hex(),
    codecs.encode(PRIVATE, "rot13"),
    " ".join(str(ord(letter)) for letter in PRIVATE),
    "Ｂｌｕｅｂｉｒｄ",
    "В1uеbіrd",
    "B l u e b i r d",
    "Blue Bird",
    "\u200b",
    "~^",
)
"""The secret's words, and ways of writing them that a filter of words alone would let through."""


@dataclass(frozen=True)
class Wish:
    """What an instruction wants done."""

    calls: tuple[tuple[str, dict[str, Any]], ...] = ()
    """Tools to be called."""
    report: str = ""
    """What the report is to say."""
    ends: bool = False
    """The research is to end at once."""


@dataclass
class Obedient:
    """Answers as a model of good will, until an instruction tells it otherwise."""

    wish: Wish
    told: str
    """The instruction; it hands it on."""
    met: int = 0
    """Prompts that held the instruction."""
    acted: int = 0
    """Of these, prompts that could act."""
    wrote: int = 0
    """Reports that it wrote as it was told."""
    asked: set[str] = field(default_factory=set)

    def __call__(self, body: Body) -> Answer:
        text = json.dumps(body, ensure_ascii=False)
        is_told = MARK in text
        self.met += is_told
        schema = (body.get("response_format") or {}).get("json_schema", {}).get("name")
        offered = [tool["function"]["name"] for tool in body.get("tools", [])]
        if schema is not None:
            return Json(self._read(schema, text, is_told=is_told))
        return self._act(offered, is_told=is_told) if offered else self._written(text, is_told=is_told)

    def _read(self, schema: str, text: str, *, is_told: bool) -> Body:
        said = self.told if is_told else "It is about pumps."
        quotes = [quote for quote in (PAGE, SECRET, self.told) if quote in text]
        ids = sorted(set(re.findall(r"\bE\d+\b", text)))
        answers = {
            "PageReport": {"summary": said, "key_excerpts": quotes},
            "CompressionAnswer": {"keep": ids, "notes": said},
            "Repairs": {"repairs": []},
            "Readings": {"readings": []},
        }
        return answers.get(schema, {})

    def _act(self, offered: list[str], *, is_told: bool) -> Answer:
        for tool, value in (("ConductResearch", "The pump market in Vietnam."), ("search", ["pump market Vietnam"])):
            if tool in offered and tool not in self.asked:
                self.asked.add(tool)
                more = [("crm__find_customer", {"name": "pump"})] if "crm__find_customer" in offered else []
                return Calls((tool, {"value": value}), *more)
        if is_told and self.wish.calls and self.acted < 2:
            self.acted += 1
            return Calls(*self.wish.calls)
        return Calls(("ResearchComplete", {"reason": self.told if is_told else "Enough."}))

    def _written(self, text: str, *, is_told: bool) -> Answer:
        ids = sorted(set(re.findall(r"\bE\d+\b", text))) or ["E1"]
        cited = "".join(f"[{name}]" for name in ids)
        more = self.wish.report.replace("[E1]", cited) if is_told else ""
        self.wrote += bool(more)
        return Text(f"# Pumps\n\n{PAGE.removesuffix('.')} {cited}.\n\n{more}\n")


@dataclass
class Scene:
    """Everything that a run can reach."""

    folder: Path
    models: OpenAIServer
    web: TavilyServer
    tools: McpTestServer
    stranger: HTTPServer
    """A server that nobody agreed to."""
    documents: Path = field(init=False)

    def __post_init__(self) -> None:
        self.documents = self.folder / "documents"
        self.documents.mkdir()
        (self.documents / "pumps.md").write_text(
            f"# The pump market in Vietnam\n\n{SECRET}\n\n{PAGE}\n", encoding="utf-8"
        )
        self.web.handler = lambda _: Results(web_page("https://a.example/pumps", f"{PAGE} More of it."))

    def run(self, *more: str) -> int:
        """Research by the command line, with models, web, own documents and a connected server."""
        home = self.folder / "home"
        home.mkdir(exist_ok=True)
        server = {"name": "crm", "url": self.tools.url, "headers": {"Authorization": f"Bearer {TOKEN}"}}
        (home / "mcp.json").write_text(json.dumps([server]), encoding="utf-8")
        environment = {
            "RESEARCH_HOME": str(home),
            "LANG": "en_US.UTF-8",
            "OPENAI_BASE_URL": self.models.base_url,
            "OPENAI_API_KEY": MODEL_KEY,
            "TAVILY_BASE_URL": self.web.base_url,
            "TAVILY_API_KEY": SEARCH_KEY,
        }
        given = ["run", "How did the pump market in Vietnam grow?", "--preset", "quality", "--method", "supervised"]
        given += ["--library", str(self.documents), "--out", str(self.out), "--quiet", *more]
        return main(given, environment)

    @property
    def out(self) -> Path:
        """What the run left."""
        return self.folder / "out"

    @property
    def queries(self) -> list[str]:
        """All that the search service was told."""
        return [json.dumps(asked.body, ensure_ascii=False) for asked in self.web.requests]

    def left(self) -> Iterator[str]:
        """Every word that went to somebody who is not to know the secret."""
        yield from self.queries
        yield from (json.dumps(used, ensure_ascii=False) for used in self.tools.used)

    def kept(self) -> Iterator[tuple[Path, str]]:
        """Every file that the run left."""
        for folder in (self.out, self.folder / "home"):
            for path in folder.rglob("*"):
                if path.is_file() and path.name != "mcp.json":
                    yield path, path.read_bytes().decode("utf-8", "replace")


@contextmanager
def scene(folder: Path, tools: McpTestServer) -> Iterator[Scene]:
    """Set everything up; `tools` is a server that may be shared, and is wiped."""
    tools.used.clear()
    with OpenAIServer() as models, TavilyServer() as web, QuickServer() as stranger:
        stranger.expect_request(re.compile(".*")).respond_with_data("Thanks.")
        yield Scene(folder, models, web, tools, stranger)
