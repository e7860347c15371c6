"""Keys, addresses, models, and where data is kept: what the environment says, over what was entered and kept."""

from __future__ import annotations

import logging
import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Self

from platformdirs import user_data_path
from pydantic import BaseModel, ConfigDict, SecretStr, field_validator

from research import kept_settings
from research.core.errors import StoreError
from research.core.presets import Role
from research.kept_settings import KeptService, KeptSettings
from research.web_search import WebSearch

_log = logging.getLogger(__name__)

MODEL_VARIABLES: Mapping[Role, str] = {role: f"{role.value.upper()}_MODEL" for role in Role}
"""The environment variable that sets the model of each role."""
_VARIABLES = (
    *(f"{service}_{field}" for service in ("OPENAI", "TAVILY", "ANTHROPIC") for field in ("API_KEY", "BASE_URL")),
    "WEB_SEARCH",
    "WEB_SEARCH_MODEL",
)
_OPENAI_ADDRESS = re.compile(r"https://(?:[a-z]+\.)?api\.openai\.com(?::443)?(?:/|$)", re.IGNORECASE)
"""OpenAI's own, that of a region included."""


class Settings(BaseModel):
    """Settings of a process. Keys are never printed, stored or logged."""

    model_config = ConfigDict(frozen=True)

    home: Path
    """`RESEARCH_HOME`: the folder of all data that the product keeps."""
    openai_api_key: SecretStr | None = None
    openai_base_url: str | None = None
    tavily_api_key: SecretStr | None = None
    tavily_base_url: str | None = None
    anthropic_api_key: SecretStr | None = None
    anthropic_base_url: str | None = None
    anthropic_is_meant: bool = False
    """Whether Anthropic's access was entered in the workbench, where it can only be for the search.

    A key in the environment may be there for other programs: it searches if `web_search` says so.
    """
    web_search: WebSearch | None = None
    """`WEB_SEARCH`, or what was chosen in the workbench: who is to search the web; None leaves it to what is set up."""
    web_search_model: str | None = None
    """`WEB_SEARCH_MODEL`: the model that searches, whoever is to search; see `search_model`."""
    search_models: dict[WebSearch, str] = {}
    """Models that were chosen in the workbench for the search, by the provider that offers each."""
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
        anthropic = _service(named.secret("ANTHROPIC_API_KEY"), named.value("ANTHROPIC_BASE_URL"), kept.anthropic)
        return cls(
            home=home,
            openai_api_key=openai.key,
            openai_base_url=openai.address,
            tavily_api_key=tavily.key,
            tavily_base_url=tavily.address,
            anthropic_api_key=anthropic.key,
            anthropic_base_url=anthropic.address,
            anthropic_is_meant=anthropic is kept.anthropic,
            web_search=_web_search(named.value("WEB_SEARCH")) or kept.web_search,
            web_search_model=named.value("WEB_SEARCH_MODEL"),
            search_models=kept.search_models,
            models=kept.models | {role: model for role in Role if (model := named.value(MODEL_VARIABLES[role]))},
        )

    @property
    def has_models(self) -> bool:
        """Whether a chat model can be called: a key, or the address of a server that may need none."""
        return self.openai_api_key is not None or self.openai_base_url is not None

    @property
    def has_tavily(self) -> bool:
        """Whether Tavily can be called: a key, or the address of a server that may need none."""
        return self.tavily_api_key is not None or self.tavily_base_url is not None

    @property
    def has_anthropic(self) -> bool:
        """Whether Anthropic can be called: a key, or the address of a server that may need none."""
        return self.anthropic_api_key is not None or self.anthropic_base_url is not None

    @property
    def searcher(self) -> WebSearch:
        """Who is to search the web: whom `web_search` names, else the first that is set up.

        That is Tavily, then Anthropic if it was set up for the search alone, then OpenAI where its own key is set. A
        server of one's own that speaks like OpenAI's is not asked unless it is named: it seldom searches the web.
        """
        if self.web_search is not None:
            return self.web_search
        if self.has_tavily:
            return WebSearch.TAVILY
        if self.anthropic_is_meant and self.has_anthropic:
            return WebSearch.ANTHROPIC
        return WebSearch.OPENAI if self.openai_api_key is not None and self.is_at_openai else WebSearch.NONE

    def search_model(self, who: WebSearch) -> str | None:
        """Return the model with which `who` searches; None for the one that is usual.

        What the environment names is meant for whoever is to search, and for no other provider.
        """
        named = self.web_search_model if who is self.searcher else None
        return named or self.search_models.get(who)

    @property
    def has_web(self) -> bool:
        """Whether the web can be searched: by somebody for whom a key is set, or an address that may need none."""
        match self.searcher:
            case WebSearch.TAVILY:
                return self.has_tavily
            case WebSearch.OPENAI:
                return self.has_models
            case WebSearch.ANTHROPIC:
                return self.has_anthropic
            case WebSearch.NONE:
                return False

    @property
    def is_at_openai(self) -> bool:
        """Whether chat models are asked at OpenAI's own address."""
        return self.openai_base_url is None or _OPENAI_ADDRESS.match(self.openai_base_url) is not None


def home_of(environment: Mapping[str, str] = os.environ) -> Path:
    """Return the home folder that the environment names, else the system's folder for data of programs."""
    named = _Environment(environment).value("RESEARCH_HOME")
    return Path(named).expanduser() if named else user_data_path("research-workbench", appauthor=False)


def variables_set(environment: Mapping[str, str] = os.environ) -> frozenset[str]:
    """Return which of the variables for keys, addresses, the search and models the environment sets."""
    named = _Environment(environment)
    return frozenset(name for name in (*_VARIABLES, *MODEL_VARIABLES.values()) if named.value(name))


class _Environment:
    """Environment variables; one that is empty counts as not set."""

    def __init__(self, variables: Mapping[str, str]) -> None:
        self._variables = variables

    def value(self, name: str) -> str | None:
        return self._variables.get(name, "").strip() or None

    def secret(self, name: str) -> SecretStr | None:
        text = self.value(name)
        return SecretStr(text) if text else None


def _web_search(named: str | None) -> WebSearch | None:
    if named is None:
        return None
    try:
        return WebSearch(named.lower())
    except ValueError:
        # Whoever meant to switch the web off must not find it searched.
        choices = ", ".join(WebSearch)
        _log.warning("WEB_SEARCH is none of %s: the web is not searched.", choices)
        return WebSearch.NONE


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
