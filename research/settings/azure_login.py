"""Logged in at Azure instead of by a key: as who runs the program, a managed identity or a registered application.

The package `azure-identity` finds out who that is, as everywhere at Azure: variables (`AZURE_CLIENT_ID` and their
kin), the identity of the machine, `az login`. Its tokens go to the service that they are for, over an encrypted
connection or on this computer, and to nobody else.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from functools import cache
from importlib.util import find_spec
from typing import TYPE_CHECKING

from research.core import ResearchError
from research.language import Phrase
from research.settings.settings import is_unencrypted

if TYPE_CHECKING:
    from azure.identity import DefaultAzureCredential

EXTRA = "azure"
"""Of this package, which brings what logs in."""
WITHOUT_KEY = Phrase(
    "Left empty, you are logged in at Azure as who runs the workbench: by `az login`, the identity of the machine, or "
    "the variables of azure-identity."
)
NO_KEY = Phrase(
    "{label} has no key: enter one in the workbench's Settings, or set {variable}. To log in without one: "
    "pip install 'research-workbench[azure]'"
)
SEARCH, MODELS = "https://search.azure.com/.default", "https://cognitiveservices.azure.com/.default"
"""What tokens are for, as Azure names it: its search, and its models."""


class LoginFailed(ResearchError):
    """Nobody could be logged in; the message says why, without a token."""

    status_code = 401
    """How clients of models tell what this amounts to."""


def is_there() -> bool:
    """Whether the package is installed."""
    return find_spec("azure") is not None and find_spec("azure.identity") is not None


def token_for(scope: str, address: str) -> Callable[[], Awaitable[str]]:
    """Return what gives out a token for a service at `address`, kept by the package for as long as it is good.

    It raises `LoginFailed` where nobody can be logged in, or the token could be read on its way.
    """

    async def token() -> str:
        if is_unencrypted(address):
            raise LoginFailed("a login goes only to an address that begins with https://")
        return await asyncio.to_thread(_token, scope)

    return token


def _token(scope: str) -> str:
    try:
        from azure.core.exceptions import AzureError
    except ImportError as error:
        raise LoginFailed("the package azure-identity is not installed") from error
    try:
        token: str = _credential().get_token(scope).token
    except (AzureError, ValueError) as error:
        said, *_ = str(error).splitlines() or ["no login"]
        raise LoginFailed(f"azure-identity: {said}"[:200]) from error
    return token


@cache
def _credential() -> DefaultAzureCredential:
    from azure.identity import DefaultAzureCredential

    return DefaultAzureCredential()
