"""What people type or paste as a key, an address or the name of a model, made usable or refused in words."""

from __future__ import annotations

import re
from urllib.parse import SplitResult, urlsplit

from research.core.errors import UsageError
from research.language import Bilingual, Language

LONGEST_KEY = 4_000
"""Characters; some servers of one's own take whole tokens as keys."""
LONGEST_ADDRESS = 500
LONGEST_MODEL = 200

_INVISIBLE = re.compile(r"[\s\u00ad\u200b-\u200f\u2028-\u202f\u2060\ufeff]+")
_ASSIGNMENT = re.compile(r"^(?:export)?[A-Z][A-Z0-9_]*_KEY=|^(?:Authorization:)?Bearer(?=\S)|^Authorization:")
_PRINTABLE = re.compile(r"[\x21-\x7e]+")
_ENDPOINT = re.compile(r"/(?:chat/completions|v1/messages|models|search)/?$")

_KEY_LETTERS = Bilingual(
    "The key holds characters that no key has. Copy it again from the provider's page.",
    "キーに使えない文字が含まれています。提供元のページからもう一度コピーしてください。",
)
_KEY_TOO_LONG = Bilingual(
    "This is too long for a key. Copy only the key from the provider's page.",
    "キーとしては長すぎます。提供元のページからキーだけをコピーしてください。",
)
_NO_URL = Bilingual(
    "This is no address of a server. It begins with http:// or https://, as in https://api.example.com/v1.",
    "サーバーのアドレスではありません。https://api.example.com/v1 のように http:// または https:// で始まります。",
)
_SECRET_INSIDE = Bilingual(
    "An address holds no user name or password. Enter the key in its own field.",
    "アドレスにユーザー名やパスワードは入れられません。キーは専用の欄に入力してください。",
)
_ADDRESS_TOO_LONG = Bilingual("This is too long for the address of a server.", "サーバーのアドレスとしては長すぎます。")
_MODEL_UNUSABLE = Bilingual(
    "This is no name of a model. Names are one short line, such as gpt-5.4.",
    "モデル名として使えません。gpt-5.4 のような1行の短い名前を入力してください。",
)


def clean_key(text: str, language: Language) -> str:
    """Return the key in `text`, without what came along when it was copied: line breaks, quotes, `NAME=`, `Bearer`.

    Raises:
        UsageError: it cannot be a key; the message does not repeat it.
    """
    key = _ASSIGNMENT.sub("", _INVISIBLE.sub("", text)).strip("\"'`;,")
    if len(key) > LONGEST_KEY:
        raise UsageError(_KEY_TOO_LONG.in_(language))
    if key and not _PRINTABLE.fullmatch(key):
        raise UsageError(_KEY_LETTERS.in_(language))
    return key


def clean_address(text: str, language: Language) -> str:
    """Return the address in `text`, without a slash or the name of an endpoint at its end.

    Raises:
        UsageError: it is no address, or it holds a password.
    """
    address = _INVISIBLE.sub("", text)
    if not address:
        return ""
    if len(address) > LONGEST_ADDRESS:
        raise UsageError(_ADDRESS_TOO_LONG.in_(language))
    parts = _split(address)
    if parts is None or parts.query or parts.fragment:
        raise UsageError(_NO_URL.in_(language))
    if parts.username is not None or parts.password is not None:
        raise UsageError(_SECRET_INSIDE.in_(language))
    return _ENDPOINT.sub("", address).rstrip("/")


def clean_model(text: str, language: Language) -> str:
    """Return the name of a model in `text`.

    Raises:
        UsageError: it cannot be one.
    """
    name = text.strip()
    if len(name) > LONGEST_MODEL or not all(letter.isprintable() for letter in name):
        raise UsageError(_MODEL_UNUSABLE.in_(language))
    return name


def shown_address(address: str) -> str:
    """Return an address as it can be shown: without the user name and password that an environment may put into it."""
    parts = _split(address)
    if parts is None or "@" not in parts.netloc:
        return address
    return parts._replace(netloc=parts.netloc.rpartition("@")[2]).geturl()


def is_address(text: str) -> bool:
    """Whether `text` is the address of a server of the web."""
    return _split(text) is not None


def is_open(address: str) -> bool:
    """Whether what is sent to `address` can be read on its way: no encryption, and not to this computer."""
    parts = _split(address)
    if parts is None or parts.scheme != "http":
        return False
    host = parts.hostname or ""
    return host not in {"localhost", "::1"} and not host.startswith("127.")


def _split(address: str) -> SplitResult | None:
    """Return the parts of the address of a web server, or None if it is none."""
    try:
        parts = urlsplit(address)
        usable = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        return None
    return parts if usable and _PRINTABLE.fullmatch(address) else None
