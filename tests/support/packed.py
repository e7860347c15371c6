"""Bodies of answers that stand for far more than they weigh, and what a process does that asks for each of them."""

from __future__ import annotations

import asyncio
import gzip
import io
import resource
import struct
import zipfile
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

UNPACKED = 400 * 2**20
"""Bytes that a bomb unpacks to."""
SMALL = "small"
"""The name of a body that is nothing but useless."""
_MEGABYTE = bytes(2**20)


@dataclass(frozen=True)
class Body:
    """A body, and how its server says that it is packed."""

    encoding: str
    data: bytes


def bodies() -> dict[str, Body]:
    """Return every body by a name that can stand in an address."""
    bomb = _packed(zlib.MAX_WBITS | 16)
    bare = _packed(zlib.MAX_WBITS)
    twice = gzip.compress(bomb)
    small = gzip.compress(b"{}")
    return {
        SMALL: Body("", b"{}"),
        "bomb": Body("gzip", bomb),
        "loud-bomb": Body("GZIP", bomb),
        "old-bomb": Body("x-gzip", bomb),
        "bomb-and-nothing": Body("gzip, identity", bomb),
        "nothing-and-bomb": Body("identity,gzip", bomb),
        "twice": Body("gzip, gzip", twice),
        "thrice": Body("gzip, gzip, gzip", gzip.compress(twice)),
        "two-kinds": Body("deflate, gzip", gzip.compress(bare)),
        "deflate": Body("deflate", bare),
        "deflate-without-head": Body("deflate", _packed(-zlib.MAX_WBITS)),
        "brotli": Body("br", b"\x8b\x03\x80" + bytes(2_000)),
        "zstd": Body("zstd", b"\x28\xb5\x2f\xfd" + bytes(2_000)),
        "unheard-of": Body("xz", bytes(2_000)),
        "many-words": Body(", ".join(["gzip"] * 400), bomb),
        "damaged": Body("gzip", b"\x1f\x8b\x08" + b"\xff" * 2_000),
        "no-gzip-at-all": Body("gzip", b"<html>" * 200),
        "broken-off": Body("gzip", bomb[: len(bomb) // 400]),
        "bomb-behind-the-end": Body("gzip", small[:-8] + bomb),
        "endless": Body("", bytes(60 * 2**20)),
        "lists-in-lists": Body("gzip", gzip.compress(b"[" * 400_000)),
        "objects-in-objects": Body("gzip", gzip.compress(b'{"a":' * 200_000)),
    }


def archives() -> dict[str, bytes]:
    """Return files that pretend to be exported runs."""
    huge = _zip({"manifest.json": 1, "events.jsonl": 640})
    return {
        SMALL: _zip({}),
        "one-part": huge,
        "many-parts": _zip({f"pages/{number:064x}.txt": 80 for number in range(8)}),
        "first-part": _zip({"manifest.json": 640}),
        "in-itself": _zip({"manifest.json": 1}, more=huge),
        "tail": b"PK\x05\x06" + huge,
    }


def _packed(window: int) -> bytes:
    """Return a bomb, raw or as gzip or zlib frame it: a block that leans on none before it stands there many times."""
    deflate = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS)
    block = deflate.compress(_MEGABYTE) + deflate.flush(zlib.Z_FULL_FLUSH)
    count = UNPACKED // len(_MEGABYTE)
    bare = block * count + deflate.flush()
    if window < 0:
        return bare
    check, summed = (zlib.crc32, 0) if window > zlib.MAX_WBITS else (zlib.adler32, 1)
    for _ in range(count):
        summed = check(_MEGABYTE, summed)
    if window > zlib.MAX_WBITS:
        return b"\x1f\x8b\x08\0\0\0\0\0\0\xff" + bare + struct.pack("<II", summed, UNPACKED)
    return b"\x78\xda" + bare + struct.pack(">I", summed)


def _zip(megabytes: dict[str, int], more: bytes = b"") -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        for name, count in megabytes.items():
            with archive.open(name, "w") as part:
                for _ in range(count):
                    part.write(_MEGABYTE)
        if more:
            archive.writestr("run.run.zip", more)
    return packed.getvalue()


# --- asking ----------------------------------------------------------------------------------------------------------


def came_of(channel: str, address: str, folder: Path) -> str:
    """Ask for one body over a channel and return what came of it."""
    return asyncio.run(_came_of(channel, address, folder))


async def _came_of(channel: str, address: str, folder: Path) -> str:
    from research.core import ResearchError

    try:
        return f"taken: {await _CHANNELS[channel](address, folder)!r}"[:200]
    except ResearchError as error:
        return f"refused: {error}"[:200]


async def _page(address: str, folder: Path) -> Any:
    from research.sources.fetching import Fetcher

    async with Fetcher(allowed=lambda _: True).opened() as fetch:
        return await fetch(address)


async def _tavily(address: str, folder: Path) -> Any:
    from research.settings import Settings
    from research.sources import SearchRequest
    from research.sources.web import TavilySource
    from tests.support.services import access

    settings = Settings(home=folder, services=access(address, "tvly-key", to="service_tavily"))
    return await TavilySource(settings).search(SearchRequest(query="tea", limit=5))


async def _mcp(address: str, folder: Path) -> Any:
    from research.settings import McpServer
    from research.sources.mcp import Connection

    return await Connection(McpServer(name="crm", url=address)).tools()


async def _model(address: str, folder: Path) -> Any:
    return await _asked(folder, "small", OPENAI_BASE_URL=address)


async def _anthropic(address: str, folder: Path) -> Any:
    return await _asked(folder, "anthropic:large", ANTHROPIC_BASE_URL=address, ANTHROPIC_API_KEY="key")


async def _azure(address: str, folder: Path) -> Any:
    return await _asked(folder, "azure_openai:small", AZURE_OPENAI_ENDPOINT=address, AZURE_OPENAI_API_KEY="key")


async def _gemini(address: str, folder: Path) -> Any:
    return await _asked(folder, "gemini:small", GEMINI_API_BASE=address, GEMINI_API_KEY="key")


async def _bedrock(address: str, folder: Path) -> Any:
    keys = {"AWS_ACCESS_KEY_ID": "AKIAEXAMPLE", "AWS_SECRET_ACCESS_KEY": "key", "AWS_REGION": "eu-west-1"}
    return await _asked(folder, "bedrock:small", AWS_ENDPOINT_URL_BEDROCK_RUNTIME=address, **keys)


async def _ollama(address: str, folder: Path) -> Any:
    return await _asked(folder, "ollama:small", OLLAMA_API_BASE=address)


async def _asked(folder: Path, model: str, **given: str) -> Any:
    from langchain_core.messages import HumanMessage

    from research.analysts.chat.models import build_role_models
    from research.core import PRESETS, PresetName, Role
    from research.settings import Settings

    set_up = Settings.from_environment(
        {"RESEARCH_HOME": str(folder), "RESEARCH_MODEL": model, "OPENAI_API_KEY": "key"} | given
    )
    # The client asks again after a pause, more than once; nobody waits for that here.
    async with build_role_models(set_up, PRESETS[PresetName.SPEED], lambda _: None, call_seconds=1.0) as models:
        return await models.call(Role.RESEARCH, [HumanMessage("Hello")])


async def _search(address: str, folder: Path) -> Any:
    from research.sources.model_search import service_at

    return await service_at(address, {"x-api-key": "key"}, "key", 5.0).post("/v1/messages", {})


async def _papers(address: str, folder: Path) -> Any:
    return await _found(folder, "openalex", base_url=address)


async def _feeds(address: str, folder: Path) -> Any:
    return await _found(folder, "rss", feeds=address)


async def _azure_search(address: str, folder: Path) -> Any:
    return await _found(folder, "azure-search", endpoint=address, index="house", key="key")


async def _found(folder: Path, name: str, **values: str) -> Any:
    from research.core import Brief
    from research.settings import KeptService, Settings
    from research.sources import Making, SearchRequest, provider

    set_up = Settings(home=folder, services={f"source_{name}": KeptService.of(**values)})
    (source,) = provider(name).made(Making(Brief(question="tea"), set_up)).searched
    return await source.search(SearchRequest(query="tea", limit=5))


async def _embedder(address: str, folder: Path) -> Any:
    from research.meaning.embedder import ServerEmbedder

    embedder = ServerEmbedder(address, "small", "key", 5.0)
    return await asyncio.to_thread(embedder.embed, ["tea"], is_query=True, told=lambda _: None)


async def _archive(address: str, folder: Path) -> Any:
    from research.store import RunStore, import_run

    store = RunStore(folder)
    try:
        return import_run(store, folder / address.rpartition("/")[2])
    finally:
        store.close()


_CHANNELS: dict[str, Callable[[str, Path], Any]] = {
    "page": _page,
    "tavily": _tavily,
    "mcp": _mcp,
    "model": _model,
    "anthropic": _anthropic,
    "azure": _azure,
    "gemini": _gemini,
    "bedrock": _bedrock,
    "ollama": _ollama,
    "search": _search,
    "papers": _papers,
    "feeds": _feeds,
    "azure-search": _azure_search,
    "embedder": _embedder,
    "archive": _archive,
}


def _highest() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def report(connection: Connection, channels: list[str], server: str, folder: Path, names: list[str]) -> None:
    """Ask for each body over each channel, and say what came of them by channel and body.

    Beside it: how many bytes more this process took at its highest for all of them.
    """

    async def one(channel: str, name: str, room: asyncio.Semaphore) -> str:
        async with room:
            return await _came_of(channel, f"{server}/{name}", folder)

    async def every(channel: str) -> dict[str, str]:
        room = asyncio.Semaphore(4)
        return dict(zip(names, await asyncio.gather(*(one(channel, name, room) for name in names)), strict=True))

    for channel in channels:
        came_of(channel, f"{server}/{SMALL}", folder)  # What is loaded by and by is not to be counted.
    before = _highest()
    connection.send(({channel: asyncio.run(every(channel)) for channel in channels}, _highest() - before))
