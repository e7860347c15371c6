"""Where pages come from: sources by name, and what a run has to know of each, whoever offers it.

The brief, events and pages hold names. A name says something only where it is registered: by the package
`research.sources` for our own, by an entry point of the group `research.sources` for those of others, and by
`research.run(…, sources=[…])` for an object. A run that names a source which is not installed here can still be read;
it cannot be started.
"""

from __future__ import annotations

import logging
import re
import threading
from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from functools import cache
from importlib import import_module
from importlib.metadata import entry_points
from typing import TYPE_CHECKING, Any, ClassVar

from research.language import Bilingual

if TYPE_CHECKING:
    from pydantic import GetCoreSchemaHandler
    from pydantic_core import CoreSchema

GROUP = "research.sources"
"""The group of entry points for sources, and the package that registers our own."""
_NAME = re.compile(r"[a-z][a-z0-9-]{0,39}")
_log = logging.getLogger(__name__)


class Reach(Enum):
    """Whose the pages of a source are, and whether asking it sends words out of this computer."""

    OPEN = "open"
    """Pages that anybody may read, asked of the network: queries leave, and hold no word of own documents."""
    CONNECTED = "connected"
    """What a server tells that the user connected: queries leave, and what it told goes to no other place."""
    OWN = "own"
    """Documents of the user's own; nothing leaves."""
    SHIPPED = "shipped"
    """Pages that anybody may read and that are here already; nothing leaves."""


class SourceName(str):
    """The name of a source; of one name there is one object, so that `is` compares names."""

    WEB: ClassVar[SourceName]
    LIBRARY: ClassVar[SourceName]
    FACTBOOK: ClassVar[SourceName]
    HOUSE: ClassVar[SourceName]
    MCP: ClassVar[SourceName]

    __slots__ = ()

    def __new__(cls, name: str) -> SourceName:
        """Return the name `name`; raises `ValueError` for what is none: small letters, digits and hyphens."""
        return _names.get(name) or _names.setdefault(name, super().__new__(cls, _checked(name)))

    @property
    def origin(self) -> Origin:
        """What is registered under it; of what is not, the least is believed: that it is private."""
        return origins().get(self) or Origin(name=self, label=Bilingual(self, self))

    @property
    def label(self) -> Bilingual:
        """Its name for a person."""
        return self.origin.label

    @property
    def words(self) -> Bilingual:
        """What it is called within a brief."""
        return self.origin.words or self.label

    @property
    def reach(self) -> Reach:
        """Whose its pages are."""
        return self.origin.reach

    @property
    def is_own(self) -> bool:
        """Whether it holds documents of the user's own."""
        return self.reach is Reach.OWN

    @property
    def is_private(self) -> bool:
        """Whether what it holds is for nobody else: own documents, and what connected servers answer."""
        return self.reach in (Reach.OWN, Reach.CONNECTED)

    @property
    def is_open(self) -> bool:
        """Whether its pages are of the open web."""
        return self.reach is Reach.OPEN

    @property
    def leaves(self) -> bool:
        """Whether a query to it leaves this computer."""
        return self.reach in (Reach.OPEN, Reach.CONNECTED)

    @classmethod
    def __get_pydantic_core_schema__(cls, source: type[Any], handler: GetCoreSchemaHandler) -> CoreSchema:
        from pydantic_core import core_schema

        return core_schema.no_info_after_validator_function(cls, core_schema.str_schema(pattern=f"^{_NAME.pattern}$"))


_names: dict[str, SourceName] = {}


def _checked(name: str) -> str:
    if not _NAME.fullmatch(name):
        raise ValueError(f"{name!r} is no name of a source: small letters, digits and hyphens")
    return name


SourceName.WEB, SourceName.LIBRARY, SourceName.MCP = map(SourceName, ("web", "library", "mcp"))
SourceName.FACTBOOK, SourceName.HOUSE = map(SourceName, ("factbook", "house"))


@dataclass(frozen=True)
class SourceField:
    """Something that a source has to be told before it can be asked, by the environment or in Settings."""

    name: str
    label: Bilingual
    default: str = ""
    is_secret: bool = False
    """It is a key: never shown, logged or stored but in the settings."""
    is_place: bool = False
    """It says what is asked: a key goes to no other place than it was entered for, and of several accounts only an
    administrator enters it."""
    is_needed: bool = False
    """Without it, the source cannot be asked."""
    hint: Bilingual | None = None
    variable: str = ""
    """The environment variable that goes before what is entered; see `Origin.variable`."""


@dataclass(frozen=True, kw_only=True)
class Origin:
    """What a run knows of where pages come from."""

    name: str
    label: Bilingual
    words: Bilingual | None = None
    """What it is called within a brief; its label if that will do."""
    reach: Reach = Reach.CONNECTED
    fields: tuple[SourceField, ...] = ()

    def variable(self, field: SourceField) -> str:
        """Return the environment variable for a field: the one that it names, else as in `EDGAR_CONTACT`."""
        return field.variable or f"{self.name}_{field.name}".replace("-", "_").upper()


_registered: dict[SourceName, Origin] = {}
_lock = threading.RLock()


def register(*new: Origin) -> None:
    """Make sources known under their names; one of the same name is replaced."""
    with _lock:
        _registered.update({SourceName(origin.name): origin for origin in new})


def origins() -> Mapping[SourceName, Origin]:
    """Return every source that is known, ours first."""
    _load()
    return _registered


@cache
def _load() -> None:
    """Have our own sources registered, and those of other packages; one that cannot be loaded costs only itself."""
    import_module(GROUP)
    for entry in entry_points(group=GROUP):
        try:
            offered = entry.load()
            if not isinstance(offered, Origin) or SourceName(offered.name) in _registered:
                raise TypeError("it offers no source, or one whose name is taken")  # noqa: TRY301
            register(offered)
        except Exception as error:  # noqa: BLE001 - other people's code may fail in any way
            _log.warning("The source %s of %s cannot be used: %r", entry.name, entry.value, error)
