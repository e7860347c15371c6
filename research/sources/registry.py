"""The one registry of sources: how each is offered, set up, made and searched; ours and those of other packages alike.

A package offers a source by an entry point of the group `research.sources` that leads to a `Provider`;
`docs/own_source.md` shows one in twenty lines. What a run knows of it stands in `research.core.origins`.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path
from types import NoneType

from research.core import Brief, Origin, Reach, RunChannel, SourceKind, SourceName, UsageError, origins, register
from research.language import COMMA, Bilingual, Language, Phrase
from research.meaning import Meaning
from research.settings import Settings
from research.sources.protocol import Source, Toolbox

_UNKNOWN = Phrase("There is no source {name}; there are: {names}.")
_TAKEN = Phrase("A source that is handed over cannot be called {name}: there is one of that name.")
NO_PACKAGE = Phrase("{label} needs more packages: pip install 'research-workbench[{extra}]'")
NOT_SET_UP = Phrase("not set up")
_NOT_SET = Phrase("{label} is not set up: do so in the workbench's Settings, or set {variables}.")


@dataclass(frozen=True)
class Lack:
    """What a source needs before it can be searched."""

    remark: Bilingual
    """In a word or two, for the list of sources."""
    remedy: Bilingual
    """What to do, in a sentence or two."""


@dataclass(frozen=True)
class Making:
    """What there is to make a source of: everything of one run that sources may touch."""

    brief: Brief
    settings: Settings
    channel: RunChannel = field(default_factory=RunChannel)
    meaning: Meaning | None = None
    folder: Path | None = None
    """The folder of the user's documents, if there is one with anything in it."""
    uses_models: bool = False
    """Whether there is somebody who can decide to use tools."""

    def values(self, provider: Origin) -> Mapping[str, str]:
        """Return what is set for the fields of a source, defaults filled in; empty texts where nothing is."""
        return self.settings.values_of(provider)


@dataclass(frozen=True)
class ChosenSources:
    """Where a run searches, and what else its researchers may ask."""

    searched: Sequence[Source]
    toolbox: Toolbox | None = None

    @property
    def are_private(self) -> bool:
        """Whether documents of the user's own may be read, or answers of connected servers."""
        return self.toolbox is not None or any(SourceName(source.name).is_private for source in self.searched)


@dataclass(frozen=True, kw_only=True)
class Provider(Origin):
    """A source as it is offered."""

    make: Callable[[Making], Source | ChosenSources]
    """Makes it for one run; it may raise a `UsageError` that says what is missing."""
    kind: SourceKind | None = None
    """What its pages are; None lets their addresses tell."""
    hint: Bilingual | None = None
    """What it holds and what asking it costs, in a sentence."""
    module: str = ""
    """That must be installed."""
    extra: str = ""
    """Of this package, which brings the module."""
    by_default: Callable[[Making], bool] = lambda making: False
    """Whether it is searched, if it lacks nothing, by a brief that leaves its sources open."""
    is_sample: bool = False
    """Whether it is there to try the program on; searched by default where there is nothing else."""
    sample: str = "Japan"
    """The query of a check."""
    lack: Callable[[Making], Lack | None] = lambda making: None
    """Says what is missing beside the module and the fields."""

    def lacks(self, making: Making) -> Lack | None:
        """Return what is needed before it can be searched; None if it can.

        Raises:
            UsageError: a file that says how it is set up cannot be used.
        """
        if self.module and find_spec(self.module) is None:
            return Lack(Phrase("not installed"), NO_PACKAGE.filled(label=self.label, extra=self.extra))
        values = making.values(self)
        missing = [one for one in self.fields if one.is_needed and not values[one.name]]
        if missing:
            return Lack(NOT_SET_UP, _NOT_SET.filled(label=self.label, variables=_listed(map(self.variable, missing))))
        return self.lack(making)

    def made(self, making: Making) -> ChosenSources:
        """Return it, made for a run.

        Raises:
            UsageError: it lacks something; says what to do, in the brief's language.
        """
        if (lack := self.lacks(making)) is not None:
            raise UsageError(lack.remedy, making.brief.language)
        made = self.make(making)
        return made if isinstance(made, ChosenSources) else ChosenSources([made])


def _listed(names: Iterable[str]) -> Bilingual:
    told = list(names)
    return Bilingual(COMMA.en.join(told), COMMA.ja.join(told))


def providers() -> Iterator[Provider]:
    """Yield every source that can be chosen, ours first."""
    return (origin for origin in origins().values() if isinstance(origin, Provider))


def provider(name: str, language: Language = Language.EN) -> Provider:
    """Return the source of that name.

    Raises:
        UsageError: there is none; names those that there are.
    """
    found = next((one for one in providers() if one.name == name), None)
    if found is None:
        raise UsageError(_UNKNOWN.filled(name=name, names=_listed(one.name for one in providers())), language)
    return found


def by_default(making: Making, lacking: Container[str] | None = None) -> tuple[SourceName, ...]:
    """Return what a brief searches that leaves its sources open: what is set up, private pages first; else samples.

    Services whose pages are of a kind that the brief prefers are asked as well.
    `lacking` are the names of those that cannot be searched, where that has been found out already.
    """
    kinds = making.brief.preferred_kinds
    wanted = [
        one
        for one in providers()
        if one.is_sample or one.by_default(making) or (one.reach is Reach.OPEN and one.kind in kinds)
    ]
    there = [one for one in wanted if (one.lacks(making) is None if lacking is None else one.name not in lacking)]
    own = sorted((one for one in there if not one.is_sample), key=lambda one: one.reach is Reach.OPEN)
    return tuple(SourceName(one.name) for one in own or there)


@dataclass(frozen=True, kw_only=True)
class _Given(Provider):
    """A source that a caller of this process made."""


def names_of(given: Iterable[str | Source], language: Language = Language.EN) -> tuple[SourceName, ...]:
    """Return the names of sources that a caller hands over: an object becomes known to this process by its own.

    It may say more of itself than its name: `label` (`Bilingual`) and `reach`. What says nothing counts as private.

    Raises:
        UsageError: there is no source of a name, or the name of an object is none or is taken.
    """
    return tuple(SourceName(provider(one, language).name) if isinstance(one, str) else _entered(one, language)
                 for one in given)  # fmt: skip


def _entered(source: Source, language: Language) -> SourceName:
    try:
        name = SourceName(source.name)
    except ValueError as error:
        raise UsageError(str(error)) from error
    if not isinstance(origins().get(name), _Given | NoneType):
        raise UsageError(_TAKEN.filled(name=name), language)
    label = getattr(source, "label", Bilingual(name, name))
    register(_Given(name=name, label=label, reach=getattr(source, "reach", Reach.CONNECTED), make=lambda _: source))
    return name
