"""Connections to public addresses alone: an address that strangers name must not lead into the user's own network.

What counts is the address that the connection goes to. It is looked at after the name was resolved and at every
redirect, so that neither a name that leads to a private address nor one that changes in between gets through.
"""

from __future__ import annotations

import asyncio
import ipaddress
import socket
import ssl
from collections.abc import Callable
from ipaddress import IPv4Address, IPv6Address, IPv6Network

import httpx

_MOST_TRIED = 3
"""Addresses of one name that are tried."""
_TRANSLATED = IPv6Network("64:ff9b::/96")
"""IPv6 addresses that lead to the IPv4 address in their last 32 bits."""
_IPV4_COMPATIBLE = IPv6Network("::/96")


class NotPublic(httpx.ConnectError):
    """The name leads to an address that is not on the public internet."""


class PublicOnly(httpx.AsyncBaseTransport):
    """Carries requests to public addresses, and refuses all others with `NotPublic`."""

    def __init__(self, context: ssl.SSLContext, allowed: Callable[[str], bool]) -> None:
        """`allowed` says which IP addresses may be asked: `is_public`, but for servers on loopback in tests."""
        self._allowed = allowed
        # Connections are known by address here: kept open, one would serve another name without checking its
        # certificate. The proxies of the environment are left out: behind one, nobody sees where a name leads.
        self._inner = httpx.AsyncHTTPTransport(
            verify=context, trust_env=False, limits=httpx.Limits(max_keepalive_connections=0)
        )

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """Send a request without a body.

        Raises:
            NotPublic: its address must not be asked.
            httpx.TransportError: it could not be reached.
        """
        host = request.url.raw_host.decode("ascii")
        addresses = await self._addresses(host, request.url.port or (443 if request.url.scheme == "https" else 80))
        for address in addresses[:-1]:
            try:
                return await self._inner.handle_async_request(_sent_to(address, host, request))
            except (httpx.ConnectError, httpx.ConnectTimeout):
                continue
        return await self._inner.handle_async_request(_sent_to(addresses[-1], host, request))

    async def aclose(self) -> None:
        """Close all connections."""
        await self._inner.aclose()

    async def _addresses(self, host: str, port: int) -> list[str]:
        try:
            found = await asyncio.get_running_loop().getaddrinfo(host, port, type=socket.SOCK_STREAM)
        except (OSError, UnicodeError) as error:
            raise httpx.ConnectError(f"{host} is not known") from error
        addresses = list(dict.fromkeys(str(entry[4][0]) for entry in found))
        if not addresses:
            raise httpx.ConnectError(f"{host} is not known")
        if not all(map(self._allowed, addresses)):
            raise NotPublic(f"{host} leads to an address that is not public")
        return addresses[:_MOST_TRIED]


def is_public(address: str) -> bool:
    """Whether an IP address is one of the public internet, whichever way it is written."""
    try:
        parsed = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return False
    return all(part.is_global and not part.is_multicast and not part.is_reserved for part in _meant(parsed))


def _meant(address: IPv4Address | IPv6Address) -> list[IPv4Address | IPv6Address]:
    """Return the IPv4 addresses that an IPv6 address carries, or the address itself."""
    if isinstance(address, IPv4Address):
        return [address]
    carried: list[IPv4Address | IPv6Address] = [
        inner for inner in (address.ipv4_mapped, address.sixtofour, *(address.teredo or ())) if inner is not None
    ]
    if address in _TRANSLATED or address in _IPV4_COMPATIBLE:
        carried.append(IPv4Address(int(address) & 0xFFFFFFFF))
    return carried or [address]


def _sent_to(address: str, host: str, request: httpx.Request) -> httpx.Request:
    """Return the request as it goes to `address`; name and certificate stay those of `host`."""
    return httpx.Request(
        request.method,
        request.url.copy_with(host=address),
        headers=request.headers,
        extensions={**request.extensions, "sni_hostname": host},
    )
