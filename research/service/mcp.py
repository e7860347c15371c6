"""Research for chat tools and editors, by the Model Context Protocol: over stdin and stdout, or over HTTP."""

from __future__ import annotations

import asyncio
import base64
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any, Literal
from urllib.parse import quote

from mcp.server.fastmcp import Context, FastMCP
from mcp.server.fastmcp.exceptions import ToolError
from mcp.server.transport_security import TransportSecuritySettings
from mcp.types import BlobResourceContents, EmbeddedResource, ToolAnnotations
from pydantic import AnyUrl, Field

from research.core import AnyEvent, Brief, StoreError, UsageError, explain
from research.export import FORMATS
from research.export.document import Paper
from research.language import Language
from research.service.desks import (
    Desk,
    Desks,
    Door,
    Passage,
    Refused,
    SentenceVerdict,
    check_reach,
    exported,
    listen,
    search_folder,
    verdicts,
)

Line = Callable[[AnyEvent, Language], str | None]
"""Says what to show of an event, if anything."""
_Context = Context[Any, Any, Any]
_ABOUT = (
    "Deep research whose every claim can be checked. `run_research` takes a minute to an hour and returns a report "
    "with numbered sources; its progress is told meanwhile. `get_report` returns one again, `export` as a file."
)
_READS = ToolAnnotations(readOnlyHint=True, openWorldHint=False)
_RESEARCHES = ToolAnnotations(readOnlyHint=False, destructiveHint=False, openWorldHint=True)
_RunId = Annotated[str, Field(description="The id of a run, as `run_research` names it.")]
_FORMATS = ", ".join(FORMATS)


def make_server(desks: Desks, language: Language, line_of: Line) -> FastMCP:
    """Return the server; errors and progress are told in `language`."""
    server = FastMCP(
        "research-workbench",
        _ABOUT,
        log_level="WARNING",
        stateless_http=True,
        transport_security=TransportSecuritySettings(enable_dns_rebinding_protection=False),  # The door sees to it.
    )

    @server.tool(annotations=_RESEARCHES)
    async def run_research(
        brief: Annotated[Brief, Field(description="What to research; only `question` is required.")],
        context: _Context,
        library: Annotated[str | None, Field(description="A folder of documents to search as well, by name.")] = None,
        analyst: Literal["auto", "chat", "extractive"] = "auto",
    ) -> str:
        """Research a question and return the report in Markdown, with its sources. Breaking it off stops the run."""
        desk = _desk(desks, context)
        with _told(language):
            run_id = await asyncio.to_thread(desks.start, desk, brief, library=library, analyst=analyst)
            try:
                async for events in desk.runner.looks(run_id):
                    for event in events:
                        if line := line_of(event, language):
                            await context.report_progress(event.seq, message=line)
            except asyncio.CancelledError:
                desk.runner.stop(run_id)
                raise
            return await asyncio.to_thread(_report, desk, run_id)

    @server.tool(annotations=_READS)
    async def get_report(run_id: _RunId, context: _Context) -> str:
        """Return the report of a run that has ended, in Markdown."""
        with _told(language):
            return await asyncio.to_thread(_report, _desk(desks, context), run_id)

    @server.tool(annotations=_READS)
    async def search_library(
        query: Annotated[str, Field(min_length=1, max_length=1_000)],
        context: _Context,
        library: Annotated[str, Field(description="The name of a folder of documents.")] = "documents",
        limit: Annotated[int, Field(ge=1, le=100)] = 10,
    ) -> list[Passage]:
        """Search a folder of documents; an unknown name is answered with those that there are."""
        desk = _desk(desks, context)
        with _told(language):
            return await asyncio.to_thread(search_folder, desks, desk, library, query, limit)

    @server.tool(annotations=_READS)
    async def verify_claims(
        text: Annotated[str, Field(min_length=1, max_length=100_000, description="Sentences that claim something.")],
        pages: Annotated[list[str], Field(min_length=1, max_length=100, description="Texts that should bear it out.")],
    ) -> list[SentenceVerdict]:
        """Hold each sentence of a text against pages, by rules: figures, periods, names, negations, words."""
        return await asyncio.to_thread(verdicts, text, pages, language)

    @server.tool(annotations=_READS)
    async def export(
        run_id: _RunId,
        context: _Context,
        format: Annotated[str, Field(description=f"One of {_FORMATS}.")] = "pdf",
        paper: Paper = Paper.A4,
    ) -> EmbeddedResource:
        """Return the report of a run that has ended as a file."""
        desk = _desk(desks, context)
        if format not in FORMATS:
            raise ToolError(f"{format}: {_FORMATS}")
        with _told(language):
            data, name = await asyncio.to_thread(exported, desk, run_id, format, paper)
        address, blob = AnyUrl(f"research://runs/{run_id}/{quote(name)}"), base64.b64encode(data).decode()
        kept = BlobResourceContents(uri=address, mimeType=FORMATS[format].mime, blob=blob)
        return EmbeddedResource(type="resource", resource=kept)

    return server


def _desk(desks: Desks, context: _Context) -> Desk:
    """Return the desk of whoever asks: over HTTP the door has said who that is."""
    request = context.request_context.request
    return desks.of("" if request is None else request.state.account)


def _report(desk: Desk, run_id: str) -> str:
    report = desk.report(run_id)
    return f"{report.markdown}\n\nrun: {run_id}, status: {report.status.value}\n"


@contextmanager
def _told(language: Language) -> Iterator[None]:
    """Tell what goes wrong in words for whoever asked."""
    try:
        yield
    except Refused as refused:
        raise ToolError(refused.text.in_(language).format(**refused.parts)) from refused
    except StoreError as error:
        raise ToolError(explain(error.code, language)) from error
    except UsageError as error:
        raise ToolError(error.text.in_(language)) from error


def speak(environment: Mapping[str, str], language: Language, libraries: Sequence[Path], line_of: Line) -> None:
    """Answer one program over stdin and stdout until it leaves.

    Raises:
        StoreError: the store cannot be read.
    """
    desks = Desks(environment, libraries)
    try:
        make_server(desks, language, line_of).run()
    finally:
        desks.close()


def serve(
    environment: Mapping[str, str],
    language: Language,
    line_of: Line,
    *,
    host: str,
    port: int,
    allowed: Sequence[str],
    libraries: Sequence[Path],
    on_ready: Callable[[], object],
) -> None:
    """Answer over HTTP at `/mcp`; the rest is as for `research.service.api.serve`."""
    desks = Desks(environment, libraries)
    try:
        check_reach(desks.settings, host)
        app = make_server(desks, language, line_of).streamable_http_app()
        on_ready()
        listen(Door(app, home=desks.settings.home, host=host, allowed=allowed), host, port)
    finally:
        desks.close()
