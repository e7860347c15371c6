"""Keys, addresses, models, and where data is kept: what the environment says, over what was entered and kept."""

from __future__ import annotations

import logging
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Self

from platformdirs import user_data_path
from pydantic import BaseModel, ConfigDict, SecretStr, field_validator

from research import kept_settings
from research.errors import StoreError
from research.kept_settings import KeptService, KeptSettings
from research.presets import Role

_log = logging.getLogger(__name__)

MODEL_VARIABLES: Mapping[Role, str] = {role: f"{role.value.upper()}_MODEL" for role in Role}
"""The environment variable that sets the model of each role."""


class Settings(BaseModel):
    """Settings of a process. Keys are never printed, stored or logged."""

    model_config = ConfigDict(frozen=True)

    home: Path
    """`RESEARCH_HOME`: the folder of all data that the product keeps."""
    openai_api_key: SecretStr | None = None
    openai_base_url: str | None = None
    tavily_api_key: SecretStr | None = None
    tavily_base_url: str | None = None
    models: dict[Role, str] = {}
    """Models that are set for a role; they go before those of the preset.

    A model set for research plans as well, unless another is set for planning.
    """

    @field_validator("models")
    @classmethod
    def _planning_follows_research(cls, value: dict[Role, str]) -> dict[Role, str]:
        return {Role.PLANNING: value[Role.RESEARCH], **value} if Role.RESEARCH in value else value

    @classmethod
    def from_environment(cls, environment: Mapping[str, str] = os.environ) -> Self:
        """Read settings from environment variables, and what they leave open from what is kept in the home folder.

        An empty variable counts as not set. Kept settings that cannot be read are left out, with a warning in the log.
        """
        named = _Environment(environment)
        home = home_of(environment)
        kept = _kept(home)
        openai = _service(named.secret("OPENAI_API_KEY"), named.value("OPENAI_BASE_URL"), kept.openai)
        tavily = _service(named.secret("TAVILY_API_KEY"), named.value("TAVILY_BASE_URL"), kept.tavily)
        return cls(
            home=home,
            openai_api_key=openai.key,
            openai_base_url=openai.address,
            tavily_api_key=tavily.key,
            tavily_base_url=tavily.address,
            models=kept.models | {role: model for role in Role if (model := named.value(MODEL_VARIABLES[role]))},
        )

    @property
    def has_models(self) -> bool:
        """Whether a chat model can be called: a key, or the address of a server that may need none."""
        return self.openai_api_key is not None or self.openai_base_url is not None

    @property
    def has_web(self) -> bool:
        """Whether the web can be searched: a key, or the address of a server that may need none."""
        return self.tavily_api_key is not None or self.tavily_base_url is not None


def home_of(environment: Mapping[str, str] = os.environ) -> Path:
    """Return the home folder that the environment names, else the system's folder for data of programs."""
    named = _Environment(environment).value("RESEARCH_HOME")
    return Path(named).expanduser() if named else user_data_path("research-workbench", appauthor=False)


def variables_set(environment: Mapping[str, str] = os.environ) -> frozenset[str]:
    """Return which of the variables for keys, addresses and models the environment sets."""
    named = _Environment(environment)
    names = ("OPENAI_API_KEY", "OPENAI_BASE_URL", "TAVILY_API_KEY", "TAVILY_BASE_URL", *MODEL_VARIABLES.values())
    return frozenset(name for name in names if named.value(name))


class _Environment:
    """Environment variables; one that is empty counts as not set."""

    def __init__(self, variables: Mapping[str, str]) -> None:
        self._variables = variables

    def value(self, name: str) -> str | None:
        return self._variables.get(name, "").strip() or None

    def secret(self, name: str) -> SecretStr | None:
        text = self.value(name)
        return SecretStr(text) if text else None


def _kept(home: Path) -> KeptSettings:
    try:
        return kept_settings.load(home)
    except StoreError as error:
        _log.warning("Kept settings are left out: %s", error)
        return KeptSettings()


def _service(key: SecretStr | None, address: str | None, kept: KeptService) -> KeptService:
    """Return the server that is used, and its key.

    What the environment names goes first, and neither its key nor a kept one goes to an address that the other side
    set: whoever may enter an address must not be sent the key of someone else.
    """
    if key is not None or (address is not None and address != kept.address):
        return KeptService(address=address, key=key)
    return kept
