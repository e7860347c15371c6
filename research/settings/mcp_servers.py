"""Servers of tools (MCP) that the user set up in `mcp.json` in the home folder.

    [
      {
        "name": "crm",
        "url": "https://crm.example.com/mcp",
        "headers": {"Authorization": "Bearer ${CRM_TOKEN}"},
        "tools": ["find_customer", "list_orders"],
        "instructions": "Our customers and their orders. Names are in Japanese.",
        "search": "search_notes"
      }
    ]

Only `name` and `url` are needed. A program on this computer has a `command` with `args` and `environment` instead of a
`url`: it is started for each question, and answers on its standard output. A tool that may change something (it does
not say of itself that it only reads) is used only after a yes: in the workbench's Settings, or by
`--allow-tool crm/list_orders`. Secrets are named, as `${CRM_TOKEN}`, and stand in the environment.
"""

from __future__ import annotations

import codecs
import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Self

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError, field_validator, model_validator

from research.core import SourceError, SourceKind, StoreError, UsageError
from research.language import Phrase
from research.settings.files import read_bytes
from research.settings.settings import is_address

_VARIABLE = re.compile(r"\$\{(\w+)\}")
_LARGEST = 1_000_000
"""Bytes of the file, which people write by hand."""
_UNREADABLE = Phrase("{path} cannot be read: {reason}")


class McpServer(BaseModel):
    """A server of tools."""

    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True)

    name: str = Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9_-]{0,29}$")
    """What it is called in prompts, on the screen and in addresses."""
    url: str = ""
    """Where it answers (streamable HTTP)."""
    headers: dict[str, str] = {}
    """Sent with every request; `${NAME}` stands for an environment variable."""
    command: str = ""
    """A program that is started for each question and answers on its standard output."""
    args: tuple[str, ...] = ()
    environment: dict[str, str] = {}
    """Variables that the program is given beside the usual ones; `${NAME}` stands for one of ours."""
    kind: SourceKind = SourceKind.OTHER
    """What the records are that it finds: a fact-strict report rests on official statistics, papers and the like."""
    tools: tuple[str, ...] = ()
    """Those that may be used; if empty, all that say of themselves that they change nothing.

    One that does not say so is used only if the user agreed to it (`Settings.agreed_tools`), listed here or not.
    """
    instructions: str = Field(default="", max_length=4_000)
    """What the researcher is told about the server, in the user's own words."""
    search: str = ""
    """A tool that takes one text and searches: every query goes to it as well.

    Naming it here is to agree to it, unless it says of itself that it changes something.
    """

    @field_validator("url")
    @classmethod
    def _is_address(cls, value: str) -> str:
        if value and not is_address(value):
            raise ValueError("not an address: it begins with http:// or https://")
        return value

    @model_validator(mode="after")
    def _has_one_way(self) -> Self:
        if bool(self.url) is bool(self.command):
            raise ValueError("it has either a url or a command")
        return self

    @property
    def place(self) -> str:
        """What is asked, as it is agreed to: another server or program under the same name was not meant."""
        return self.url or " ".join((self.command, *self.args))

    def allows(self, tool: str) -> bool:
        """Whether a tool may be offered to whoever decides; that which searches is used without being chosen."""
        return tool != self.search and (not self.tools or tool in self.tools)

    def filled(self, environment: Mapping[str, str] = os.environ) -> dict[str, str]:
        """Return the headers, or the variables of the program, with the values of ours.

        Raises:
            SourceError: `mcp_no_variable`, one is not set.
        """
        given = self.headers | self.environment
        named = {name for value in given.values() for name in _VARIABLE.findall(value)}
        missing = sorted(name for name in named if not environment.get(name, "").strip())
        if missing:
            raise SourceError("mcp_no_variable", ", ".join(missing))
        return {
            header: _VARIABLE.sub(lambda match: environment[match[1]].strip(), value) for header, value in given.items()
        }


_SERVERS = TypeAdapter(tuple[McpServer, ...])


def path(home: Path) -> Path:
    """Return where the servers of `home` are set up, whether or not there are any."""
    return home / "mcp.json"


def load(home: Path) -> tuple[McpServer, ...]:
    """Return the servers that are set up in `home`.

    Raises:
        UsageError: the file cannot be used; says where and why.
    """
    file = path(home)
    try:
        data = read_bytes(file, _LARGEST)
        servers = _SERVERS.validate_json(data.removeprefix(codecs.BOM_UTF8)) if data is not None else ()
    except (ValidationError, StoreError) as error:
        if isinstance(error, ValidationError):
            reason = "; ".join(_reason(entry["loc"], entry["msg"]) for entry in error.errors()[:3])
        else:
            reason = str(error).removeprefix(f"{file}: ")
        raise UsageError(_UNREADABLE.filled(path=file, reason=reason)) from error
    names = [server.name.lower() for server in servers]
    twice = next((server.name for server in servers if names.count(server.name.lower()) > 1), None)
    if twice is not None:
        raise UsageError(Phrase("{path}: two servers are named {name}.").filled(path=file, name=twice))
    return servers


def _reason(location: tuple[int | str, ...], said: str) -> str:
    """Return what is wrong, behind its place in the file as people count: `server 1, url: …`."""
    place = ", ".join(f"server {part + 1}" if isinstance(part, int) else part for part in location)
    return f"{place}: {said}" if place else said
