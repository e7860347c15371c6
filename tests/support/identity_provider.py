"""A real provider of identities (OpenID Connect) on loopback: it knows some people, and lets in whom a test says."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Mapping
from contextlib import suppress
from typing import Self

import httpx

from tests.support.serving import _free_port

_START_SECONDS = 60.0


class IdentityProvider:
    """The provider as a process; a context manager."""

    def __init__(self, people: Mapping[str, Mapping[str, object]]) -> None:
        """Let it know people by its own name for each, with what else it says of them."""
        self._port = _free_port()
        self.address = f"http://127.0.0.1:{self._port}"
        known = (json.dumps({"sub": name, **claims}) for name, claims in people.items())
        self._people = [part for one in known for part in ("--user-claims", one)]

    def __enter__(self) -> Self:
        command = [sys.executable, "-m", "oidc_provider_mock", "--port", str(self._port), "--require-registration=true"]
        self._process = subprocess.Popen([*command, *self._people], stderr=subprocess.DEVNULL)
        until = time.monotonic() + _START_SECONDS
        while time.monotonic() < until and self._process.poll() is None:
            with suppress(httpx.TransportError):
                httpx.get(self.address)
                return self
            time.sleep(0.1)
        self.__exit__()
        raise RuntimeError("The provider did not start.")

    def __exit__(self, *_: object) -> None:
        self._process.kill()
        self._process.wait()

    def registered(self, app: str) -> dict[str, str]:
        """Let a workbench at an address ask, and return what it needs for that."""
        asked = {"redirect_uris": [_back(app)]}
        made = httpx.post(f"{self.address}/oauth2/clients", json=asked).raise_for_status().json()
        return {name: made[name] for name in ("client_id", "client_secret")} | {
            "server_metadata_url": _about(self.address)
        }


def auth_section(app: str, **named: str) -> str:
    """Return Streamlit's secrets for a workbench at an address; at the provider nobody answers, unless it is named.

    What is named as empty is left out.
    """
    said = {
        "redirect_uri": _back(app),
        "cookie_secret": "a secret of one server",
        "client_id": "x",
        "client_secret": "x",
        "server_metadata_url": _about("http://127.0.0.1:9"),
    }
    return "\n".join(["[auth]", *(f"{name} = {json.dumps(value)}" for name, value in (said | named).items() if value)])


def _back(app: str) -> str:
    return f"{app}/oauth2callback"


def _about(provider: str) -> str:
    return f"{provider}/.well-known/openid-configuration"
