"""The ways in which one question can be researched: every combination of methods and presets."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from typing import Self, TypeVar

from pydantic import BaseModel, ConfigDict

from research.brief import Brief
from research.errors import UsageError
from research.language import Bilingual, Language
from research.methods.names import MethodName
from research.presets import PRESETS, PresetName

E = TypeVar("E", bound=StrEnum)

_SPACE = Bilingual(" · ", "・")


class Variant(BaseModel):
    """One way to research a question."""

    model_config = ConfigDict(frozen=True)

    preset: PresetName
    method: MethodName

    @classmethod
    def of(cls, brief: Brief) -> Self:
        """Return the way that a brief asks for."""
        return cls(preset=brief.preset, method=brief.method or PRESETS[brief.preset].method)

    def applied_to(self, brief: Brief) -> Brief:
        """Return the brief, to be researched in this way."""
        return brief.model_copy(update=self.model_dump())

    def label(self, language: Language) -> str:
        """Return its name for a person."""
        words = (PRESETS[self.preset].label, self.method.label)
        return _SPACE.in_(language).join(word.in_(language) for word in words)


def variants(brief: Brief, methods: Sequence[str] = (), presets: Sequence[str] = ()) -> tuple[Variant, ...]:
    """Return every combination of the methods and presets named; what is not given is the brief's.

    Raises:
        UsageError: a name does not exist, or fewer than two ways remain.
    """
    named = [_named(PresetName, name, brief.language) for name in presets] or [brief.preset]
    ways = []
    for preset in named:
        own = brief.method or PRESETS[preset].method
        chosen = [_named(MethodName, name, brief.language) for name in methods] or [own]
        ways += [Variant(preset=preset, method=method) for method in chosen]
    found = tuple(dict.fromkeys(ways))
    if len(found) < 2:
        raise UsageError(_TOO_FEW.in_(brief.language))
    return found


def _named(names: type[E], name: str, language: Language) -> E:
    try:
        return names(name)
    except ValueError:
        known = ", ".join(one.value for one in names)
        raise UsageError(_UNKNOWN.in_(language).format(name=name, known=known)) from None


_UNKNOWN = Bilingual("There is no “{name}”; there are: {known}.", "「{name}」はありません。選べるもの：{known}")
_TOO_FEW = Bilingual(
    "A comparison needs two or more different methods or presets.",
    "比較するには、調査方法かプリセットを2つ以上選んでください。",
)
