"""The place in a template that is filled in each time."""

from __future__ import annotations

SUBJECT = "{subject}"
"""Stands in the text of a template for what is typed."""


def fill(text: str, subject: str) -> str:
    """Return a template's text with what was typed, on one line, whatever signs it holds."""
    return text.replace(SUBJECT, " ".join(subject.split()))
