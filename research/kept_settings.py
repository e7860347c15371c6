"""Settings that were entered in the workbench, kept in the home folder for its owner's eyes alone."""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Any, Self

from pydantic import BaseModel, ConfigDict, SecretStr, ValidationError

from research import private_file
from research.core.errors import StoreError, UsageError
from research.core.presets import Role
from research.language import Bilingual, Language
from research.web_search import WebSearch

_lock = threading.Lock()
_OTHERS = 0o077
_KEY_STAYS = Bilingual(
    "The kept key was entered for another address and is sent nowhere else. Enter the key for this address, or remove "
    "the kept one first.",
    "保存済みのキーは別のアドレス用のため、このアドレスには送信しません。このアドレスのキーを入力するか、先に保存済みの"
    "キーを削除してください。",
)


class KeptService(BaseModel):
    """A server and the key for it. They belong together: a key is never sent to an address it was not entered for."""

    model_config = ConfigDict(frozen=True, hide_input_in_errors=True)

    address: str | None = None
    key: SecretStr | None = None
    key_set_at: datetime | None = None

    def entered(self, address: str, key: str, now: datetime, language: Language) -> Self:
        """Return the service with what was entered; where no key was, the kept one stays.

        Raises:
            UsageError: the address is another one than that of the kept key.
        """
        if key:
            return type(self)(address=address or None, key=SecretStr(key), key_set_at=now)
        if self.key is not None and (address or None) != self.address:
            raise UsageError(_KEY_STAYS.in_(language))
        return self.model_copy(update={"address": address or None})

    def without_key(self) -> Self:
        """Return the service without its key."""
        return self.model_copy(update={"key": None, "key_set_at": None})


class KeptSettings(BaseModel):
    """All that is kept."""

    model_config = ConfigDict(frozen=True, hide_input_in_errors=True)

    openai: KeptService = KeptService()
    tavily: KeptService = KeptService()
    anthropic: KeptService = KeptService()
    web_search: WebSearch | None = None
    """Who is to search the web; None leaves it to what is set up."""
    search_models: dict[WebSearch, str] = {}
    """The model that searches, by the provider that offers it; none for the usual one."""
    models: dict[Role, str] = {}


def place(home: Path) -> Path:
    """Return where the settings of `home` are kept, whether or not there are any."""
    return home / "settings" / "kept.json"


def stamp(home: Path) -> tuple[int, ...]:
    """Return what tells whether the kept settings of `home` are still those that were read last."""
    try:
        status = place(home).stat()
    except OSError:
        return ()
    return status.st_ino, status.st_size, status.st_mtime_ns


def load(home: Path) -> KeptSettings:
    """Return what is kept in `home`; if other users of the computer could read the file, they no longer can.

    Raises:
        StoreError: the file cannot be read, or is damaged.
    """
    path = place(home)
    try:
        _close_to_others(path)
        return KeptSettings.model_validate_json(path.read_bytes())
    except (FileNotFoundError, NotADirectoryError):
        return KeptSettings()
    except OSError as error:
        raise StoreError(f"{path}: {error.strerror}") from error
    except ValidationError as error:
        raise StoreError(f"{path} is damaged.") from error


def change(home: Path, changed: Callable[[KeptSettings], KeptSettings]) -> KeptSettings:
    """Replace what is kept in `home` by what `changed` makes of it, and return that; damaged settings start anew.

    Raises:
        StoreError: it cannot be written; then everything is as before.
    """
    with _lock:
        try:
            before = load(home)
        except StoreError:
            before = KeptSettings()
        kept = changed(before)
        private_file.write(place(home), json.dumps(_revealed(kept), ensure_ascii=False, indent=2) + "\n")
        return kept


def _revealed(kept: KeptSettings) -> dict[str, Any]:
    """Return the settings as the file holds them, keys included; anywhere else they are masked."""
    data = kept.model_dump(mode="json", exclude_none=True)
    for name, service in (("openai", kept.openai), ("tavily", kept.tavily), ("anthropic", kept.anthropic)):
        if service.key is not None:
            data[name]["key"] = service.key.get_secret_value()
    return data


def _close_to_others(path: Path) -> None:
    if os.name == "posix" and path.stat().st_mode & _OTHERS:
        path.chmod(0o600)
