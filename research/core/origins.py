"""What is offered under a name, by us or by other packages: sources, chat models, embedders, formats of export.

Each kind has a registry: our own are registered by one module, those of others by entry points of its group, and both
are the same to whoever chooses one. The brief, events and pages hold names of sources; a name says something only where
it is registered. A run that names a source which is not installed here can still be read; it cannot be started.
"""

from __future__ import annotations

import logging
import re
import threading
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from importlib import import_module
from importlib.metadata import entry_points
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar, cast

from research.language import Bilingual

if TYPE_CHECKING:
    from pydantic import GetCoreSchemaHandler
    from pydantic_core import CoreSchema

_NAME = re.compile(r"[a-z][a-z0-9-]{0,39}")
"""Names of what is offered: they stand in addresses, on the command line and in names of variables."""
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
    ADDRESSES: ClassVar[SourceName]

    __slots__ = ()

    def __new__(cls, name: str) -> SourceName:
        """Return the name `name`; raises `ValueError` for what is none: small letters, digits and hyphens."""
        return _names.get(name) or _names.setdefault(name, super().__new__(cls, checked_name(name)))

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


def checked_name(name: str) -> str:
    """Return the name of something that is offered; raises `ValueError` for what is none."""
    if not _NAME.fullmatch(name):
        raise ValueError(f"{name!r} is no name of a source: small letters, digits and hyphens")
    return name


SourceName.WEB, SourceName.LIBRARY, SourceName.MCP = map(SourceName, ("web", "library", "mcp"))
SourceName.FACTBOOK, SourceName.HOUSE, SourceName.ADDRESSES = map(SourceName, ("factbook", "house", "addresses"))


@dataclass(frozen=True)
class SourceField:
    """Something that has to be told before a service can be asked: by the environment or in Settings."""

    name: str
    label: Bilingual
    default: str = ""
    is_secret: bool = False
    """It is a key: never shown, logged or stored but in the settings."""
    is_place: bool = False
    """It says what is asked: a key goes to no other place than it was entered for, and of several accounts only an
    administrator enters it."""
    is_needed: bool = False
    """Without it, nothing can be asked."""
    hint: Bilingual | None = None
    variable: str = ""
    """The environment variable that goes before what is entered; see `Offer.variable`."""
    usual: str = ""
    """What the service does without, shown where nothing is entered; unlike a default, it sets nothing up."""


@dataclass(frozen=True, kw_only=True)
class Offer:
    """What can be chosen by its name."""

    group: ClassVar[str] = "service"
    name: str
    label: Bilingual
    fields: tuple[SourceField, ...] = ()

    @property
    def key(self) -> str:
        """The name under which settings keep what is entered for it; names are taken within a group alone."""
        return f"{self.group}_{self.name}"

    def variable(self, field: SourceField) -> str:
        """Return the environment variable for a field: the one that it names, else as in `EDGAR_CONTACT`."""
        return field.variable or f"{self.name}_{field.name}".replace("-", "_").upper()


@dataclass(frozen=True, kw_only=True)
class Origin(Offer):
    """What a run knows of where pages come from."""

    group = "source"
    words: Bilingual | None = None
    """What it is called within a brief; its label if that will do."""
    reach: Reach = Reach.CONNECTED


@dataclass(frozen=True, kw_only=True)
class ModelServer(Offer):
    """Who serves chat models, as settings know them.

    Two fields have a meaning for all: `model` is the model that decides and writes, `small` the one that reads pages.
    """

    group = "provider"
    needs: tuple[tuple[str, ...], ...] = ((),)
    """Fields without which it cannot be asked; any one of the groups will do."""
    has_presets: bool = False
    """Its models are those that the presets name."""

    def lacking(self, values: Mapping[str, str]) -> tuple[str, ...]:
        """Return the variables of what is missing before a model of it can be asked."""
        if any(all(values[name] for name in group) for group in self.needs):
            return ()
        return tuple(self.variable(one) for one in self.fields if one.name in self.needs[0] and not values[one.name])

    def answers(self, values: Mapping[str, str]) -> bool:
        """Whether it can be asked without a model being named."""
        return not self.lacking(values) and (self.has_presets or bool(values["model"]))


@dataclass(frozen=True, kw_only=True)
class EmbedderOffer(Offer):
    """Who turns texts into vectors; a model of theirs is called `name:model`."""

    stays_here: bool = False
    """Whether the texts stay on this computer, so that own documents may be among them."""


Offered = TypeVar("Offered", bound=Offer)


class Registry(Mapping[str, Offered]):
    """What there is of one kind, by name; ours first, and what other packages offer once one is first asked for."""

    def __init__(self, group: str, home: str, kind: type[Offered], named: Callable[[str], str] = str) -> None:
        """Entry points of `group` lead to a `kind`; the module `home` registers ours; `named` refuses unusable ones."""
        self._group, self._home, self._kind, self._named = group, home, kind, named
        self._entries: dict[str, Offered] = {}
        self._is_loaded = False
        self._lock = threading.RLock()

    def register(self, *new: Offered) -> None:
        """Make these known under their names; one of the same name is replaced."""
        with self._lock:
            self._entries.update({self._named(one.name): one for one in new})

    def __getitem__(self, name: str) -> Offered:
        return self._all()[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._all())

    def __len__(self) -> int:
        return len(self._all())

    def _all(self) -> Mapping[str, Offered]:
        if not self._is_loaded:
            with self._lock:
                if not self._is_loaded:
                    import_module(self._home)
                    self.load()
                    self._is_loaded = True
        return self._entries

    def load(self) -> None:
        """Have what other packages offer registered; one that cannot be loaded costs only itself."""
        for entry in entry_points(group=self._group):
            try:
                offered = entry.load()
                if not isinstance(offered, self._kind) or self._named(offered.name) in self._entries:
                    raise TypeError("it offers nothing of this kind, or its name is taken")  # noqa: TRY301
                self.register(offered)
            except Exception as error:  # noqa: BLE001 - other people's code may fail in any way
                _log.warning("%s: %s of %s cannot be used: %r", self._group, entry.name, entry.value, error)


_sources = Registry("research.sources", "research.sources", Origin, SourceName)
MODEL_SERVERS = Registry("research.models", "research.analysts.chat.providers", ModelServer)
"""Who serves chat models; `research/analysts/chat/providers.py` has ours."""
EMBEDDERS = Registry("research.embedders", "research.meaning.embedder", EmbedderOffer, checked_name)
"""Who compares texts beside the built-in model and servers that speak as OpenAI's does."""


def register(*new: Origin) -> None:
    """Make sources known under their names; one of the same name is replaced."""
    _sources.register(*new)


def origins() -> Mapping[SourceName, Origin]:
    """Return every source that is known, ours first."""
    return cast("Mapping[SourceName, Origin]", _sources)
