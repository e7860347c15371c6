"""How the servers answered when they were last checked: remembered as long as the program runs, for all sessions."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime

import streamlit as st
from pydantic import SecretStr

from research.checks import Check

Access = tuple[str, str | None, SecretStr | None]
"""What was checked, its address and its key: what a later answer must have in common with it."""


@dataclass(frozen=True)
class Checked:
    """A check, and when it was made."""

    check: Check
    at: datetime


@st.cache_resource(show_spinner=False)
def _memory() -> dict[Access, Checked]:
    return {}


def remember(access: Access, check: Check) -> None:
    """Remember what came of checking a server."""
    _memory()[access] = Checked(check, datetime.now(UTC))


def last(access: Access, subject: str = "") -> Checked | None:
    """Return what came of the last check with this address and this key.

    Args:
        access: what was checked.
        subject: the model that a check would ask now: what another one answered says nothing any more. Without it, any.
    """
    found = _memory().get(access)
    if found is None or (subject and found.check.subject not in {"", subject}):
        return None
    return found


def failed(access: Access, subject: str = "") -> bool:
    """Whether the last check with this address and this key found that it does not work; see `last`."""
    found = last(access, subject)
    return found is not None and not found.check.works
