"""How it stands with each source: which can be searched now, what the others need, and what a run searches."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pages.parts.engine import engine, own_documents
from pages.parts.ui import Ui
from research import collections, mcp_servers
from research.errors import UsageError
from research.settings import Settings
from research.vocabulary import SourceName
from research.web_search import WebSearch

_OWN = (SourceName.LIBRARY, SourceName.WEB, SourceName.MCP)
"""Sources of the user's own; the samples are searched where none of these can be."""


@dataclass(frozen=True)
class Lack:
    """What a source needs before it can be searched."""

    remark: str
    """In a word or two, for the list of sources."""
    remedy: str
    """What to do, in a sentence."""
    is_setting: bool = True
    """Whether it is done on the page of settings."""


def lacking(reader: Ui) -> Mapping[SourceName, Lack]:
    """Return the sources that cannot be searched now, and what each of them needs."""
    settings = engine().settings
    found = {
        SourceName.WEB: _web(settings, reader),
        SourceName.LIBRARY: _documents(reader),
        SourceName.MCP: _servers(settings, reader),
        **{name: _sample(name, reader) for name in SourceName if name not in _OWN},
    }
    return {name: lack for name, lack in found.items() if lack is not None}


def offered(chosen: Sequence[str], lacks: Mapping[SourceName, Lack]) -> list[SourceName]:
    """Return the sources to choose from: servers that nobody connected only while they are still chosen."""
    return [name for name in SourceName if name is not SourceName.MCP or name not in lacks or name.value in chosen]


def searched(chosen: Sequence[SourceName], lacks: Mapping[SourceName, Lack]) -> tuple[SourceName, ...]:
    """Return what a run searches: the sources chosen, else the user's own, else the samples."""
    if chosen:
        return tuple(chosen)
    own = tuple(name for name in _OWN if name not in lacks)
    return own or tuple(name for name in SourceName if name not in lacks)


def is_sample(name: SourceName) -> bool:
    """Whether a source came with the program, to try it on."""
    return name not in _OWN


def _web(settings: Settings, reader: Ui) -> Lack | None:
    if settings.has_web:
        return None
    if settings.web_search is WebSearch.NONE:
        return Lack(reader._("switched off"), reader._("The web is switched off. Choose in Settings who searches it."))
    return Lack(reader._("needs a key"), reader._("The web needs a key. Enter one in Settings."))


def _documents(reader: Ui) -> Lack | None:
    if any(not document.problem for document in own_documents()):
        return None
    remedy = reader._("There are no documents yet. Add them under “My documents”.")
    return Lack(reader._("none added"), remedy, is_setting=False)


def _servers(settings: Settings, reader: Ui) -> Lack | None:
    try:
        servers = mcp_servers.load(settings.home, reader.language)
    except UsageError as error:
        return Lack(reader._("cannot be read"), str(error), is_setting=False)
    if not servers:
        return Lack(reader._("none connected"), reader._("No server is connected. Settings say how."))
    if not settings.has_models and not any(server.search for server in servers):
        return Lack(reader._("needs chat models"), reader._("Only chat models can use these servers. Set up a key."))
    return None


def _sample(name: SourceName, reader: Ui) -> Lack | None:
    if collections.is_available(name):
        return None
    return Lack(reader._("not installed"), reader._("This sample is not installed. Settings say how."))
