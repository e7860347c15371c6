"""Readers, and how a report is written for each: one choice in place of four."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from research.core.vocabulary import Audience, Length, Summary, Tone


@dataclass(frozen=True)
class Persona:
    """How a report is written for a reader."""

    length: Length
    tone: Tone
    summary: Summary


PERSONAS: Mapping[Audience, Persona] = {
    Audience.FRONT_LINE: Persona(Length.SHORT, Tone.PLAIN, Summary.NONE),
    Audience.MANAGEMENT: Persona(Length.MEDIUM, Tone.NEUTRAL, Summary.FIRST),
    Audience.EXECUTIVES: Persona(Length.SHORT, Tone.FORMAL, Summary.FIRST),
}
