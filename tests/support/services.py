"""Services that are set up for a test."""

from __future__ import annotations

from research.settings import KeptService


def access(
    address: str | None = None, key: str | None = None, *, to: str = "provider_openai"
) -> dict[str, KeptService]:
    """Return for `Settings.services` who is asked, where and with which key."""
    return {to: KeptService.of(address=address or "", key=key or "")}
