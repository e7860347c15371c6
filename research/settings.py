"""What the environment says: keys, addresses, models, and where data is kept."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Self

from platformdirs import user_data_path
from pydantic import BaseModel, ConfigDict, SecretStr, field_validator

from research.presets import Role


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
    """Models that the environment sets for a role; they go before those of the preset.

    A model set for research plans as well, unless another is set for planning.
    """

    @field_validator("models")
    @classmethod
    def _planning_follows_research(cls, value: dict[Role, str]) -> dict[Role, str]:
        return {Role.PLANNING: value[Role.RESEARCH], **value} if Role.RESEARCH in value else value

    @classmethod
    def from_environment(cls, environment: Mapping[str, str] = os.environ) -> Self:
        """Read settings from environment variables; an empty variable counts as not set."""

        def value(name: str) -> str | None:
            return environment.get(name, "").strip() or None

        def secret(name: str) -> SecretStr | None:
            text = value(name)
            return SecretStr(text) if text else None

        home = value("RESEARCH_HOME")
        return cls(
            home=Path(home).expanduser() if home else user_data_path("research-workbench", appauthor=False),
            openai_api_key=secret("OPENAI_API_KEY"),
            openai_base_url=value("OPENAI_BASE_URL"),
            tavily_api_key=secret("TAVILY_API_KEY"),
            tavily_base_url=value("TAVILY_BASE_URL"),
            models={role: model for role in Role if (model := value(f"{role.value.upper()}_MODEL"))},
        )

    @property
    def has_models(self) -> bool:
        """Whether a chat model can be called: a key, or the address of a server that may need none."""
        return self.openai_api_key is not None or self.openai_base_url is not None

    @property
    def has_web(self) -> bool:
        """Whether the web can be searched: a key, or the address of a server that may need none."""
        return self.tavily_api_key is not None or self.tavily_base_url is not None
