"""What a tool answered, as a page: text of strangers, kept and quoted like any other."""

from __future__ import annotations

import json
from collections.abc import Iterator
from hashlib import sha256
from typing import Any
from urllib.parse import urlencode

from mcp.types import CallToolResult, EmbeddedResource, TextContent, TextResourceContents

from research.errors import SourceError
from research.sources.cleaning import clean_text, clean_title
from research.sources.protocol import FoundPage
from research.vocabulary import SourceKind, SourceName

_LONGEST_QUERY = 1_000
"""Characters of the arguments that an address holds; longer ones are known by their hash."""


def page_of(server: str, tool: str, arguments: dict[str, Any], result: CallToolResult) -> FoundPage | None:
    """Return the answer of a tool as a page, or None if there is no text in it.

    Raises:
        SourceError: `mcp_failed`, the tool says that it failed.
    """
    text = clean_text("\n\n".join(_texts(result)))
    if result.isError:
        raise SourceError("mcp_failed", f"{server}/{tool}: {' '.join(text.split())[:200]}")
    if not text.strip():
        return None
    told = ", ".join(_written(value) for _, value in sorted(arguments.items()))
    return FoundPage(
        url=_address(server, tool, arguments),
        title=clean_title(f"{server}/{tool}: {told}" if told else f"{server}/{tool}"),
        site=server,
        origin=SourceName.MCP,
        kind=SourceKind.OTHER,
        text=text,
        score=1.0,
    )


def _texts(result: CallToolResult) -> Iterator[str]:
    """Return the texts of an answer; what it links to is not fetched, and pictures are left out."""
    found = False
    for part in result.content:
        if isinstance(part, TextContent):
            found = True
            yield part.text
        elif isinstance(part, EmbeddedResource) and isinstance(part.resource, TextResourceContents):
            found = True
            yield part.resource.text
    if not found and result.structuredContent:
        yield json.dumps(result.structuredContent, ensure_ascii=False, indent=2)


def _address(server: str, tool: str, arguments: dict[str, Any]) -> str:
    query = urlencode([(name, _written(value)) for name, value in sorted(arguments.items())])
    if len(query) > _LONGEST_QUERY:
        query = f"sha256={sha256(query.encode()).hexdigest()}"
    return f"mcp://{server}/{tool}" + (f"?{query}" if query else "")


def _written(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, sort_keys=True)
