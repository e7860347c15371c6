"""Who is here: the account of a reader, told by a proxy of the team or by Streamlit's own login.

A login is set up in the environment, or in `[auth]` of Streamlit's secrets. Without one there is one account, which has
no name and is for whoever sits at this computer.
"""

from __future__ import annotations

import hmac
import os
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from ipaddress import IPv4Network, IPv6Network, ip_address, ip_network
from secrets import token_hex

import streamlit as st
from starlette.datastructures import Headers
from starlette.types import Scope
from streamlit.auth_util import is_authlib_installed, validate_auth_credentials
from streamlit.errors import StreamlitAuthError, StreamlitMissingAuthlibError

from research.core import FORWARDED, HERE, UsageError, is_this_host
from research.language import Phrase
from research.settings import account_of

STAMP = f"x-account-{token_hex(16)}"
"""The header in which the door says who sent a request; its name is a secret of this process, as else anybody could."""
SECRET_HEADER = "X-Research-Login-Secret"  # noqa: S105 - the name of a header
OPEN = "everyone who reaches this server may see all"
_VARIABLES = ("HEADER", "PROXIES", "SECRET")
_SHORTEST_SECRET = 16
_MOST_PROXIES = 65_536
_SESSION = "account"

NO_LOGIN = Phrase(
    "Others can reach this workbench, and it has no login, so it shows nothing. Whoever runs it sets up a login "
    "(RESEARCH_LOGIN_HEADER, or [auth] in Streamlit's secrets), or says that none is wanted: RESEARCH_OPEN="
    "“everyone who reaches this server may see all”. docs/team.md says how."
)
INCOMPLETE = Phrase(
    "The login of this workbench is not set up completely, so it shows nothing. RESEARCH_LOGIN_HEADER needs "
    "RESEARCH_LOGIN_PROXIES, addresses of other computers, or RESEARCH_LOGIN_SECRET of 16 characters or more."
)
OIDC_INCOMPLETE = Phrase(
    "The login of this workbench is not set up completely, in [auth] of Streamlit's secrets (docs/team.md says how): "
    "{reason}"
)
STRANGE_WAY = Phrase(
    "You are not logged in, and this address has no login. Use the address by which your team opens the workbench."
)
NOBODY = Phrase("The login did not say who you are. Log in again.")


class Refused(UsageError):
    """Nobody is let in; `text` says why and what to do."""


@dataclass(frozen=True)
class Login:
    """How the server is told who is there."""

    header: str = ""
    """`RESEARCH_LOGIN_HEADER`: in which a proxy says who sent a request; empty if none does."""
    proxies: tuple[IPv4Network | IPv6Network, ...] = ()
    """`RESEARCH_LOGIN_PROXIES`: from where alone it is believed; empty for anywhere, given the secret."""
    secret: str = ""
    """`RESEARCH_LOGIN_SECRET`: what the proxy sends along in `SECRET_HEADER`; empty if it need not."""
    is_sound: bool = True
    """Whether the header can be believed at all."""
    is_open: bool = False
    """`RESEARCH_OPEN`: whether everyone who reaches the server may see all, without a login."""
    administrators: frozenset[str] = frozenset()
    """`RESEARCH_ADMINISTRATORS`: accounts that set up what holds for all."""

    @classmethod
    def of(cls, environment: Mapping[str, str]) -> Login:
        """Read it from environment variables."""
        header, proxies, secret = (environment.get(f"RESEARCH_LOGIN_{name}", "").strip() for name in _VARIABLES)
        networks = _networks(_listed(proxies))
        return cls(
            header,
            networks or (),
            secret,
            networks is not None and bool(networks or secret) and (not secret or len(secret) >= _SHORTEST_SECRET),
            environment.get("RESEARCH_OPEN", "").strip() == OPEN,
            frozenset(map(account_of, _listed(environment.get("RESEARCH_ADMINISTRATORS", "")))),
        )

    def judged(self, scope: Scope) -> str:
        """Return the account that a request is from; empty where the login says so later, or there is none.

        Raises:
            Refused: nobody is let in.
        """
        if not self.header:
            if has_oidc() or self.is_open or not is_reached_by_others(scope):
                return ""
            raise Refused(NO_LOGIN)
        if not self.is_sound:
            raise Refused(INCOMPLETE)
        headers = Headers(scope=scope)
        if not self._is_from_proxy(scope, headers):
            raise Refused(STRANGE_WAY)
        named = headers.getlist(self.header)
        # Of two, the reader may have sent one and the proxy the other.
        if len(named) != 1 or "," in named[0] or not named[0].strip():
            raise Refused(NOBODY)
        return account_of(named[0])

    def _is_from_proxy(self, scope: Scope, headers: Headers) -> bool:
        told = headers.getlist(SECRET_HEADER)
        if self.secret and not (len(told) == 1 and hmac.compare_digest(told[0].encode(), self.secret.encode())):
            return False
        if not self.proxies:
            return bool(self.secret)
        peer = (scope.get("client") or ("", 0))[0]
        # The server may have put in the peer's place what this header says, which anybody on this computer can send.
        if any(peer in said for said in headers.getlist("x-forwarded-for")):
            return False
        try:
            address = ip_address(peer)
        except ValueError:
            return False
        address = getattr(address, "ipv4_mapped", None) or address
        return any(address in network for network in self.proxies)


def _listed(text: str) -> list[str]:
    return [part.strip() for part in text.split(",") if part.strip()]


def _networks(named: list[str]) -> tuple[IPv4Network | IPv6Network, ...] | None:
    """Return the networks of proxies; None if one is none, or has addresses that not only proxies have.

    From this computer's own address any program on it can speak: there, a secret tells the proxy.
    """
    here = [ip_address(one) for one in HERE[1:]]
    try:
        networks = tuple(map(ip_network, named))
    except ValueError:
        return None
    is_wide = any(one.num_addresses > _MOST_PROXIES for one in networks)
    is_here = any(one.is_loopback or any(own in one for own in here) for one in networks)
    return None if is_wide or is_here else networks


@cache
def login() -> Login:
    """Return how this process is told who is there."""
    return Login.of(os.environ)


@cache
def has_oidc() -> bool:
    """Whether Streamlit's own login is set up, by OpenID Connect."""
    return st.secrets.load_if_toml_exists() and "auth" in st.secrets


def check_start() -> None:
    """Let no server start that others can reach, without a login or a word that none is wanted.

    Raises:
        Refused: it must not start.
    """
    if login().header:
        if not login().is_sound:
            raise Refused(INCOMPLETE)
    elif has_oidc():
        _check_oidc()
    elif is_for_others() and not login().is_open:
        raise Refused(NO_LOGIN)


def _check_oidc() -> None:
    """Say at the start what Streamlit would say, to nobody in particular, only when somebody logs in."""
    try:
        if not is_authlib_installed():
            raise StreamlitMissingAuthlibError
        validate_auth_credentials("default")
    except StreamlitAuthError as error:
        raise Refused(OIDC_INCOMPLETE.filled(reason=" ".join(str(error).split()))) from error


def is_reached_by_others(scope: Scope) -> bool:
    """Whether the server can be reached from other computers, or a request has come through something that can."""
    headers = Headers(scope=scope)
    return is_for_others() or any(name in headers for name in FORWARDED)


def is_for_others() -> bool:
    """Whether the server listens to other computers, or answers to other names than this computer's."""
    address = str(st.get_option("server.address") or "")
    is_here = is_this_host(address)
    hosts = [entry.strip().lower().rstrip(".") for entry in st.get_option("server.allowedHosts")]
    return not is_here or not set(hosts) <= set(HERE)


def account_of_claims(claims: Mapping[str, object]) -> str:
    """Return the account of somebody who has logged in by OpenID Connect.

    An address of mail tells who somebody is only if the provider has verified it; else its own name for them does.
    """
    if claims.get("email") and claims.get("email_verified") in (True, "true"):
        return account_of(str(claims["email"]))
    subject = hmac.digest(b"", f"{claims.get('iss')}\0{claims['sub']}".encode(), "sha256").hex()
    return f"oidc:{subject[:32]}"


def account() -> str:
    """Return the account of the reader for whom a page is drawn.

    What a session holds of one reader is never shown to another who goes on with it.

    Raises:
        Refused: nobody has logged in.
    """
    if login().header:
        who = st.context.headers.get(STAMP, "")
    elif has_oidc():
        claims = st.user.to_dict()
        who = account_of_claims(claims) if claims.get("is_logged_in") else ""
    else:
        return ""
    if not who:
        raise Refused(NOBODY)
    if st.session_state.get(_SESSION, who) != who:
        st.session_state.clear()
    st.session_state[_SESSION] = who
    return who


def is_administrator() -> bool:
    """Whether the reader may set up what holds for all; without a login, whoever is here may."""
    who = account()
    return not who or who in login().administrators
