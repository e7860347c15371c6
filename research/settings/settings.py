"""What is set: keys, addresses, models, where data is kept. The environment goes before what was entered and kept."""

from __future__ import annotations

import hmac
import logging
import os
import re
import sys
from collections.abc import Container, Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import datetime
from enum import StrEnum
from hashlib import sha256
from ipaddress import IPv4Network, IPv6Network, ip_network
from pathlib import Path
from typing import Annotated, Any, Self

from platformdirs import user_data_path
from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    NonNegativeFloat,
    SecretStr,
    TypeAdapter,
    ValidationError,
    field_validator,
    model_validator,
)

from research import core
from research.language import Bilingual, Phrase
from research.settings.files import KeptSecret, UserFile

_log = logging.getLogger(__name__)

MODEL_VARIABLES: Mapping[core.Role, str] = {role: f"{role.value.upper()}_MODEL" for role in core.Role}
"""The environment variable that sets the model of each role."""
PROVIDER_VARIABLE = "MODEL_PROVIDER"
_ANTHROPIC = "provider_anthropic"
CREDIT_VARIABLE = "TAVILY_USD_PER_CREDIT"
CAP_VARIABLE = "RESEARCH_MAX_COST_USD"
_VARIABLES = (
    *("RESEARCH_DATABASE", "RESEARCH_WORKERS", "RESEARCH_TRACING", CREDIT_VARIABLE, CAP_VARIABLE),
    *("RESEARCH_SMTP", "RESEARCH_MAIL_FROM"),
    *("WEB_SEARCH", "WEB_SEARCH_MODEL", "EMBEDDING_MODEL", PROVIDER_VARIABLE),
    *MODEL_VARIABLES.values(),
)
_TRACED = "langsmith"
_YES = ("1", "true", "yes", "on")
FASTEMBED = "fastembed:"
"""What the name of an embedding model begins with that is downloaded once and then runs on this computer."""
_OPENAI_ADDRESS = re.compile(r"https://(?:[a-z]+\.)?api\.openai\.com(?::443)?(?:/|$)", re.IGNORECASE)
"""OpenAI's own, that of a region included."""

_LONGEST_KEY = 4_000
"""Characters; some servers of one's own take whole tokens as keys."""
_LONGEST_ADDRESS = 500
_LONGEST_MODEL = 200

_INVISIBLE = re.compile(r"[\s\u00ad\u200b-\u200f\u2028-\u202f\u2060\ufeff]+")
_ASSIGNMENT = re.compile(r"^(?:export)?[A-Z][A-Z0-9_]*_KEY=|^(?:Authorization:)?Bearer(?=\S)|^Authorization:")
OPENAI_ADDRESS, TAVILY_ADDRESS = "https://api.openai.com/v1", "https://api.tavily.com"
TAVILY_USD = 0.008
"""US dollars for a credit of Tavily, paid as one goes; a basic search is one, an advanced one two."""
_ENDPOINT = re.compile(r"/(?:chat/completions|v1/messages|models|search)/?$")

_KEY_LETTERS = Phrase("The key holds characters that no key has. Copy it again from the provider's page.")
_KEY_TOO_LONG = Phrase("This is too long for a key. Copy only the key from the provider's page.")
_NO_URL = Phrase(
    "This is no address of a server. It begins with http:// or https://, as in https://api.example.com/v1."
)
_SECRET_INSIDE = Phrase("An address holds no user name or password. Enter the key in its own field.")
_NO_SERVICE = Phrase(
    "No service is asked at this address: it is one at which networks and clouds speak to their own machines."
)
_VALUE_UNUSABLE = Phrase("This cannot be used: it is too long, or holds signs that cannot be seen.")
_KEY_STAYS = Phrase(
    "The kept key was entered for another address and is sent nowhere else. Enter the key for this address, or remove "
    "the kept one first."
)


class WebSearch(StrEnum):
    """Who searches the web, as the environment variable `WEB_SEARCH` and the kept settings name it."""

    TAVILY = "tavily"
    OPENAI = "openai"
    """A model of OpenAI, with OpenAI's own web search."""
    ANTHROPIC = "anthropic"
    """A model of Anthropic, with Anthropic's own web search."""
    DDGS = "ddgs"
    """Public search engines, without a key."""
    SEARXNG = "searxng"
    """A server of SearXNG, of which the address is set (`SEARXNG_BASE_URL`)."""
    WIKIPEDIA = "wikipedia"
    """Wikipedia alone, without a key."""
    NONE = "none"
    """Nobody: the web is switched off."""


class KeptService(BaseModel):
    """What was entered for a service, by its fields.

    It belongs together: a key is never sent to an address that it was not entered for.
    """

    model_config = ConfigDict(frozen=True, hide_input_in_errors=True)

    values: dict[str, KeptSecret] = {}
    key_set_at: datetime | None = None

    @classmethod
    def of(cls, **values: str) -> Self:
        """Return what holds these values; what is empty is left out."""
        return cls(values={name: SecretStr(value) for name, value in values.items() if value})

    def value(self, name: str) -> str:
        """Return what was entered for a field; an empty text if nothing was."""
        value = self.values.get(name)
        return value.get_secret_value() if value is not None else ""

    def entered(self, fields: Sequence[core.SourceField], values: Mapping[str, str], now: datetime) -> Self:
        """Return what is kept after `values` were entered; where no key was, the kept one stays.

        Raises:
            UsageError: a value cannot be used, or the service would be asked elsewhere with a key entered before.
        """
        new = {field.name: _clean_value(field, values.get(field.name, "")) for field in fields}
        moved = any(field.is_place and new[field.name] != self.value(field.name) for field in fields)
        secrets = [field.name for field in fields if field.is_secret]
        if moved and any(self.value(name) and not new[name] for name in secrets):
            raise core.UsageError(_KEY_STAYS)
        is_new = any(new[name] not in ("", self.value(name)) for name in secrets)
        new |= {name: new[name] or self.value(name) for name in secrets}
        return self.of(**new).model_copy(update={"key_set_at": now if is_new else self.key_set_at})

    def without(self, names: Container[str]) -> Self:
        """Return what is left when these fields are cleared."""
        return type(self)(values={name: value for name, value in self.values.items() if name not in names})

    def under(self, offer: core.Offer, given: Mapping[str, str]) -> Self:
        """Return the values that are used: what the environment gives goes first.

        Neither its keys nor kept ones go to a place that the other side set: whoever may enter an address must not be
        sent the key of someone else. So keys and places are no fields to be merged one by one.
        """
        named = {one.name: given[variable] for one in offer.fields if (variable := offer.variable(one)) in given}
        bound = {one.name for one in offer.fields if one.is_secret or one.is_place}
        is_theirs = any(name in bound and value != self.value(name) for name, value in named.items())
        used = self.without(bound) if is_theirs else self
        return used.model_copy(update={"values": used.values | self.of(**named).values})


_KEY = Phrase("Key for {service}")
_ADDRESS = Phrase("Address for {service}")
_KEPT_HERE = Phrase("It is kept on this computer for you alone, and never shown again.")
_LEFT_EMPTY = Phrase("Left empty, it is {address}.")


def key_and_address(begin: str, label: Bilingual, usual: str) -> tuple[core.SourceField, core.SourceField]:
    """Return the fields of a service whose variables begin alike, and that is usually asked at the address `usual`."""
    return (
        core.SourceField(
            "key", _KEY.filled(service=label), is_secret=True, hint=_KEPT_HERE, variable=f"{begin}_API_KEY"
        ),
        core.SourceField(
            "address", _ADDRESS.filled(service=label), is_place=True, hint=_LEFT_EMPTY.filled(address=usual),
            variable=f"{begin}_BASE_URL", usual=usual,
        ),
    )  # fmt: skip


def _with_key(name: str, label: Bilingual, usual: str) -> core.Offer:
    return core.Offer(name=name, label=label, fields=key_and_address(name.upper(), label, usual))


TAVILY = _with_key("tavily", Phrase("Tavily"), TAVILY_ADDRESS)
EMBEDDINGS = _with_key("embedding", Phrase("embeddings"), OPENAI_ADDRESS)


def offers() -> Iterator[core.Offer]:
    """Return all for which something can be entered."""
    yield from (TAVILY, EMBEDDINGS)
    yield from core.MODEL_SERVERS.values()
    yield from core.origins().values()


class AgreedTool(core.Frozen):
    """A tool of a connected server to which the user said yes, though it may change something there."""

    server: str
    tool: str
    url: str = ""
    """The server's address when the user agreed: another server under the same name was not meant. Empty for any."""


_Usd = Annotated[NonNegativeFloat, Field(allow_inf_nan=False)]
_USD: TypeAdapter[float] = TypeAdapter(_Usd)


class _Choices(BaseModel):
    """What is entered in the workbench and holds as it was entered."""

    model_config = ConfigDict(frozen=True, hide_input_in_errors=True)

    services: dict[str, KeptService] = {}
    """What is set for sources of pages, servers of models and other services, by `Offer.key`."""
    search_models: dict[WebSearch, str] = {}
    """The model that searches, by the provider that offers it; none for the usual one."""
    models: dict[core.Role, str] = {}
    """Models that are set for a role; they go before those of the preset."""
    model_provider: str = ""
    """`MODEL_PROVIDER`, or what was chosen in the workbench: who answers in roles for which no model is set.

    A name of `MODEL_SERVERS`; an empty one leaves it to the first that is set up.
    """
    agreed_tools: tuple[AgreedTool, ...] = ()
    """Tools of connected servers that may be used though they may change something."""
    shares_own_words: bool = False
    """Whether queries to the web and to connected servers may hold words of own documents."""
    embeds_own_documents: bool = False
    """Whether passages of own documents may be sent to a server of embeddings that is not on this computer."""
    is_traced: bool = False
    """`RESEARCH_TRACING`, or what was chosen in the workbench: everything that happens in a run goes to LangSmith.

    LangSmith's own variables say where to; they alone send nothing.
    """
    web_search: WebSearch | None = None
    """`WEB_SEARCH`, or what was chosen in the workbench: who is to search the web; None leaves it to what is set up."""


_SERVICES_BEFORE = {"openai": "provider", "anthropic": "provider", "tavily": "service", "embedding": "service"}


class KeptSettings(_Choices):
    """All that is kept."""

    embedding_model: str = ""
    tavily_usd_per_credit: _Usd | None = None
    """What Tavily charges for a credit; None for its list price."""
    max_cost_usd: Annotated[_Usd, Field(gt=0)] | None = None
    """What no run of anybody may cost more than, in US dollars; None for no such cap."""

    @model_validator(mode="before")
    @classmethod
    def _one_table(cls, kept: Any) -> Any:
        """Read files of versions before, which kept sources, servers of models and four services apart."""
        if not isinstance(kept, dict) or "services" in kept:
            return kept
        found: dict[str, Any] = {}
        for name, kind in _SERVICES_BEFORE.items():
            if isinstance(held := kept.get(name), dict):
                values = {field: held[field] for field in ("key", "address") if held.get(field)}
                held = {"values": values, "key_set_at": held.get("key_set_at")}
            found |= {f"{kind}_{name}": held} if name in kept else {}
        for kind in ("source", "provider"):
            if isinstance(table := kept.get(f"{kind}s"), dict):
                found |= {f"{kind}_{name}": held for name, held in table.items()}
        return kept | {"services": found}

    def of(self, offer: core.Offer) -> KeptService:
        """Return what was entered for a service."""
        return self.services.get(offer.key, KeptService())

    def with_service(self, offer: core.Offer, held: KeptService) -> Self:
        """Return these settings with what is entered for a service."""
        return self.model_copy(update={"services": self.services | {offer.key: held}})

    def with_own(self, own: KeptSettings) -> Self:
        """Return these settings, which hold for all, with what an account has entered for itself in their place.

        Which tools may change something, what is traced and what a run may cost is said for all, and so is what its
        searches are counted at, but where the account pays for them; what may happen to its own documents, each account
        says for itself.
        """
        usual = KeptSettings()
        said: dict[str, Any] = {name: value for name, value in own if value != getattr(usual, name)}
        said |= {name: getattr(self, name) | getattr(own, name) for name in ("models", "search_models")}
        # An address alone is left of a key that was removed.
        entered = {name: one for name, one in own.services.items() if {*one.values} - {"address"}}
        said["services"] = self.services | entered
        said |= {name: getattr(self, name) for name in ("agreed_tools", "is_traced", "max_cost_usd")}
        if TAVILY.key not in entered:
            said["tavily_usd_per_credit"] = self.tavily_usd_per_credit
        said |= {name: getattr(own, name) for name in ("shares_own_words", "embeds_own_documents")}
        return self.model_copy(update=said)


kept_settings = UserFile("kept.json", KeptSettings)
"""What was entered in the workbench."""


def _with_planning(models: dict[core.Role, str]) -> dict[core.Role, str]:
    return {core.Role.PLANNING: models[core.Role.RESEARCH], **models} if core.Role.RESEARCH in models else models


class Settings(_Choices):
    """Settings of a process. Keys are never printed, stored or logged. A model set for research plans as well."""

    home: Path
    """`RESEARCH_HOME`: the folder of all data that the product keeps; of an account, that of its own data."""
    common_home: Path | None = None
    """`RESEARCH_HOME`, where these are the settings of an account."""
    database: SecretStr | None = None
    """`RESEARCH_DATABASE`: the address of a PostgreSQL database that keeps the runs of a team; None for the home."""
    uses_workers: bool = False
    """`RESEARCH_WORKERS`: whether runs wait for a worker instead of being carried out by the process that asks."""
    max_cost_usd: float | None = None
    """`RESEARCH_MAX_COST_USD`, or what was entered in the workbench: no run of anybody costs more; None for no cap."""
    webhook_hosts: frozenset[str] = frozenset()
    """`RESEARCH_WEBHOOK_HOSTS`: names of hosts inside, at any of whose ports accounts may have others told of runs."""
    webhook_networks: tuple[IPv4Network | IPv6Network, ...] = ()
    """The networks and addresses in the same variable, wherever a name leads into them."""
    mail_server: SecretStr | None = None
    """`RESEARCH_SMTP`: who sends e-mail about scheduled runs, as in `smtp://user:password@host:587` or `smtps://host`."""
    mail_from: str = ""
    """`RESEARCH_MAIL_FROM`: the address that such e-mail comes from."""
    tavily_usd_per_credit: float = TAVILY_USD
    """`TAVILY_USD_PER_CREDIT`, or what was entered in the workbench: what Tavily charges for a credit."""
    anthropic_is_meant: bool = False
    """Whether Anthropic's access was entered in the workbench.

    A key in the environment may be there for other programs: it searches if `web_search` says so.
    """
    embedding_model: str | None = None
    """`EMBEDDING_MODEL`: the model that compares texts by meaning instead of the built-in one.

    One of the server that key and address are for, or `fastembed:` and the name of one that runs on this computer; or
    one of another package (`docs/own_embedder.md`).
    """
    web_search_model: str | None = None
    """`WEB_SEARCH_MODEL`: the model that searches, whoever is to search; see `search_model`."""
    run_models: dict[core.Role, str] = {}
    """Models that were chosen for one run and are in `models` already; a worker that carries it out is told of them."""

    @field_validator("models")
    @classmethod
    def _planning_follows_research(cls, value: dict[core.Role, str]) -> dict[core.Role, str]:
        return _with_planning(value)

    @classmethod
    def from_environment(cls, environment: Mapping[str, str] = os.environ, *, account: str = "") -> Self:
        """Read settings from environment variables, and what they leave open from what is kept in the home folder.

        An empty variable counts as not set. Kept settings that cannot be read are left out, with a warning in the log.
        Those of an `account` are what is kept in the home folder for all, with what it has entered for itself.
        """
        given = _given(environment)
        common = home_of(environment)
        home, kept = home_of_account(common, account), _kept_in(common)
        if account:
            kept = kept.with_own(_kept_in(home))
        values: dict[str, Any] = {name: getattr(kept, name) for name in _Choices.model_fields}
        services = {offer.key: kept.of(offer).under(offer, given) for offer in offers() if offer.fields}
        values["services"] = services
        values["webhook_hosts"], values["webhook_networks"] = _inside(given.get("RESEARCH_WEBHOOK_HOSTS", ""))
        used, entered = (held.get(_ANTHROPIC, KeptService()) for held in (services, kept.services))
        values["models"] = kept.models | {role: given[name] for role, name in MODEL_VARIABLES.items() if name in given}
        if "RESEARCH_TRACING" in given:
            values["is_traced"] = given["RESEARCH_TRACING"].lower() == _TRACED
        if PROVIDER_VARIABLE in given:
            values["model_provider"] = _model_provider(given[PROVIDER_VARIABLE])
        if "WEB_SEARCH" in given:
            values["web_search"] = _web_search(given["WEB_SEARCH"])
        return cls(
            **values,
            home=home,
            common_home=common if account else None,
            database=SecretStr(given["RESEARCH_DATABASE"]) if "RESEARCH_DATABASE" in given else None,
            uses_workers=given.get("RESEARCH_WORKERS", "").lower() in _YES,
            max_cost_usd=_most(given.get(CAP_VARIABLE)) or kept.max_cost_usd,
            mail_server=SecretStr(given["RESEARCH_SMTP"]) if "RESEARCH_SMTP" in given else None,
            mail_from=given.get("RESEARCH_MAIL_FROM", ""),
            anthropic_is_meant=all(used.value(name) == entered.value(name) for name in ("key", "address")),
            tavily_usd_per_credit=_dollars(given.get(CREDIT_VARIABLE), kept.tavily_usd_per_credit),
            embedding_model=given.get("EMBEDDING_MODEL") or kept.embedding_model or None,
            web_search_model=given.get("WEB_SEARCH_MODEL"),
        )

    def values_of(self, offer: core.Offer) -> dict[str, str]:
        """Return what is used for each field of a service; its default, or an empty text, where nothing is set."""
        held = self.services.get(offer.key, KeptService())
        return {field.name: held.value(field.name) or field.default for field in offer.fields}

    def capped(self, brief: core.Brief) -> core.Brief:
        """Return the brief, under which no run may cost more than any may."""
        if (most := self.max_cost_usd) is None:
            return brief
        return brief.model_copy(update={"max_cost_usd": min(most, brief.max_cost_usd or most)})

    def with_models(self, chosen: Mapping[core.Role, str]) -> Self:
        """Return settings under which these roles have these models, whatever else is set."""
        models = _with_planning(dict(chosen))
        return self.model_copy(update={"models": self.models | models, "run_models": models})

    @property
    def model_server(self) -> core.ModelServer | None:
        """Who answers in roles for which no model is set: whom `model_provider` names, else the first set up.

        Where nobody is, it is who serves the model that is set for research, or else for another role.
        """
        servers = core.MODEL_SERVERS
        if self.model_provider in servers:
            return servers[self.model_provider]
        serving = (servers[name.partition(":")[0]] for name in self._named if name.partition(":")[0] in servers)
        set_up = (server for server in servers.values() if server.answers(self.values_of(server)))
        return next(set_up, None) or next((one for one in serving if not one.lacking(self.values_of(one))), None)

    @property
    def _named(self) -> Iterator[str]:
        """The models that are set for roles, that of research first."""
        return (self.models[role] for role in (core.Role.RESEARCH, *core.Role) if role in self.models)

    def models_by(self, preset: Mapping[core.Role, str]) -> dict[core.Role, str]:
        """Return the model of each role, as `provider:model` where not at OpenAI's protocol; empty if there is nobody.

        Args:
            preset: The models of a preset, which hold where none is set and OpenAI's protocol is spoken.
        """
        server = self.model_server
        if server is None or not self.has_models:
            return {}
        values = self.values_of(server)
        large = values.get("model") or next(self._named, "")
        usual = {True: large, False: values.get("small") or large}
        found = {}
        for role, model in preset.items():
            name = self.models.get(role) or (model if server.has_presets else usual[model == core.LARGE_MODEL])
            is_bare = name.partition(":")[0] not in core.MODEL_SERVERS
            found[role] = f"{server.name}:{name}" if is_bare and not server.has_presets else name
        return found

    @property
    def servers_home(self) -> Path:
        """The folder in which servers of tools are set up, by whoever keeps this computer: for all accounts."""
        return self.common_home or self.home

    def has_agreed(self, server: str, url: str, tool: str) -> bool:
        """Whether the user agreed to the use of a tool that may change something."""
        return any((one.server, one.tool) == (server, tool) and one.url in ("", url) for one in self.agreed_tools)

    @property
    def secrets(self) -> tuple[str, ...]:
        """The keys themselves, for whoever sees to it that none is told."""
        keys = [key.get_secret_value() for key in (self.database, self.mail_server) if key is not None]
        for offer in offers():
            values = self.values_of(offer)
            keys += [values[one.name] for one in offer.fields if one.is_secret and values[one.name]]
        return tuple(dict.fromkeys(keys))

    def access(self, who: WebSearch) -> tuple[str, str]:
        """Return the address and the key with which `who` is called; without both, it cannot be called."""
        if who is WebSearch.SEARXNG:
            return self.values_of(core.origins()[core.SourceName.WEB])["searxng"], ""
        by = {WebSearch.TAVILY: TAVILY, **core.MODEL_SERVERS}.get(who)
        return self._access(by) if by is not None else ("", "")

    def _access(self, offer: core.Offer) -> tuple[str, str]:
        values = self.values_of(offer)
        return values["address"], values["key"]

    def has(self, who: WebSearch) -> bool:
        """Whether `who` can be called: it needs nothing, or a key is set, or the address of a server."""
        return who in (WebSearch.DDGS, WebSearch.WIKIPEDIA) or any(self.access(who))

    @property
    def has_models(self) -> bool:
        """Whether a chat model can be called: there is somebody who answers where no model is set."""
        server = self.model_server
        if server is None or server.lacking(values := self.values_of(server)):
            return False
        return server.answers(values) or any(self._named)

    @property
    def embedding_access(self) -> tuple[str, str]:
        """The address and the key with which embeddings are asked for."""
        return self._access(EMBEDDINGS)

    @property
    def has_embeddings(self) -> bool:
        """Whether another model than the built-in one is to compare texts by meaning."""
        return self.own_embedder is not None or any(self.embedding_access)

    @property
    def own_embedder(self) -> core.EmbedderOffer | None:
        """Who is registered under the name that the embedding model begins with; None for a model of a server."""
        name, mark, _ = (self.embedding_model or "").partition(":")
        return core.EMBEDDERS.get(name) if mark else None

    @property
    def has_web(self) -> bool:
        """Whether the web can be searched: by `searcher`, if that can be called."""
        return self.has(self.searcher)

    @property
    def searcher(self) -> WebSearch:
        """Who is to search the web: whom `web_search` names, else the first that is set up.

        That is Tavily, then Anthropic if it was set up for the search alone, then OpenAI where its own key is set. A
        server of one's own that speaks like OpenAI's is not asked unless it is named: it seldom searches the web.
        """
        if self.web_search is not None:
            return self.web_search
        if self.has(WebSearch.TAVILY):
            return WebSearch.TAVILY
        if self.anthropic_is_meant and self.has(WebSearch.ANTHROPIC):
            return WebSearch.ANTHROPIC
        has_key = self.access(WebSearch.OPENAI)[1] and self.is_at_openai
        return WebSearch.OPENAI if has_key else WebSearch.NONE

    def search_model(self, who: WebSearch) -> str | None:
        """Return the model with which `who` searches; None for the one that is usual.

        What the environment names is meant for whoever is to search, and for no other provider.
        """
        named = self.web_search_model if who is self.searcher else None
        return named or self.search_models.get(who)

    @property
    def is_at_openai(self) -> bool:
        """Whether chat models are asked at OpenAI's own address."""
        address = self.access(WebSearch.OPENAI)[0]
        return not address or _OPENAI_ADDRESS.match(address) is not None


def home_of(environment: Mapping[str, str] = os.environ) -> Path:
    """Return the home folder that the environment names, else the system's folder for data of programs."""
    named = _given(environment).get("RESEARCH_HOME")
    return Path(named).expanduser() if named else user_data_path("research-workbench", appauthor=False)


def home_of_account(common: Path, account: str) -> Path:
    """Return the folder of what an account keeps, whose name holds nothing of what somebody has typed."""
    return common / "accounts" / sha256(account.encode()).hexdigest()[:32] if account else common


_ODD = re.compile(r"[^A-Za-z0-9@._+=:/|-]|=(?=[0-9a-f]+=)")
"""Letters that are spelt by their numbers between two `=`, and a `=` that would look so."""
_SPELT = re.compile(r"=[0-9a-f]+=|=[0-9a-f]{64}$")
_LONGEST_ACCOUNT = 80


def account_of(name: str) -> str:
    """Return the account of somebody whom a login calls by a name: letters that can stand anywhere, each name another.

    Capitals play no part in a name of plain letters, as mail addresses are written both ways.
    """
    plain = name.strip()
    plain = plain.lower() if plain.isascii() else plain
    spelt = _ODD.sub(lambda found: f"={ord(found[0]):x}=", plain)
    if len(spelt) <= _LONGEST_ACCOUNT:
        return spelt
    return f"{spelt[:_LONGEST_ACCOUNT]}={hmac.digest(b'', spelt.encode(), 'sha256').hex()}"


def account_named(text: str) -> str:
    """Return the account that whoever keeps the server names: as its login does, or as it is spelt here."""
    return text if _SPELT.search(text) else account_of(text)


def prepared_home(environment: Mapping[str, str] = os.environ) -> Path:
    """Return the folder of what is made once for all homes: the one that is named, else one beside the installation."""
    named = _given(environment).get("RESEARCH_PREPARED")
    return Path(named).expanduser() if named else Path(sys.prefix) / "share" / "research-workbench"


def _kept_in(home: Path) -> KeptSettings:
    try:
        return kept_settings.load(home)
    except core.StoreError as error:
        _log.warning("Kept settings are left out: %s", error)
        return KeptSettings()


def secrets_of_all(environment: Mapping[str, str] = os.environ) -> tuple[str, ...]:
    """Return the keys of whoever keeps the server and of all its accounts, for whoever sees to it that none is told.

    Nothing is logged or raised here: it is asked for in the middle of writing a log.
    """
    given, common = _given(environment), home_of(environment)
    fields = [(offer, one) for offer in offers() for one in offer.fields if one.is_secret]
    named = (*(offer.variable(one) for offer, one in fields), "RESEARCH_DATABASE", "RESEARCH_SMTP")
    found = [given[variable] for variable in named if variable in given]
    for home in (common, *(common / "accounts").glob("*")):
        with suppress(core.StoreError):
            kept = kept_settings.load(home)
            found += [kept.of(offer).value(one.name) for offer, one in fields]
    return tuple(dict.fromkeys(filter(None, found)))


class CurrentSettings:
    """The settings of an account as they are now: read anew when those that are kept have changed."""

    def __init__(self, account: str = "", environment: Mapping[str, str] = os.environ) -> None:
        self._account, self._environment = account, environment
        common = home_of(environment)
        self._homes = (common, home_of_account(common, account)) if account else (common,)
        self._held = self._read()

    def __call__(self) -> Settings:
        """Return the settings."""
        stamp, settings = self._held
        if stamp != self._stamp():
            self._held = stamp, settings = self._read()
        return settings

    def _stamp(self) -> list[tuple[int, ...]]:
        return list(map(kept_settings.stamp, self._homes))

    def _read(self) -> tuple[list[tuple[int, ...]], Settings]:
        stamp = self._stamp()  # Taken first: what changes meanwhile is seen the next time.
        return stamp, Settings.from_environment(self._environment, account=self._account)


def variables_set(environment: Mapping[str, str] = os.environ) -> frozenset[str]:
    """Return which of the variables for keys, addresses, the search, models and sources the environment sets."""
    fields = (offer.variable(field) for offer in offers() for field in offer.fields)
    return frozenset(_given(environment)).intersection((*_VARIABLES, *fields))


def _given(environment: Mapping[str, str]) -> dict[str, str]:
    """Return the variables that are set; one that is empty is not."""
    return {name: value.strip() for name, value in environment.items() if value.strip()}


_NO_CAP = Phrase("RESEARCH_MAX_COST_USD is {value}, which is no sum of US dollars above 0.")


def _most(named: str | None) -> float | None:
    """Return the cap that the environment names; one that cannot be understood lets nothing begin."""
    try:
        most = None if named is None else _USD.validate_python(named)
    except ValidationError:
        most = 0.0
    if most == 0:
        raise core.UsageError(_NO_CAP.filled(value=named))
    return most


_NO_HOST = Phrase("RESEARCH_WEBHOOK_HOSTS names {value}, which is neither a host nor a network like 10.1.0.0/16.")
_HOST = re.compile(r"(?!-)[a-z0-9_-]{1,63}(\.(?!-)[a-z0-9_-]{1,63})*", re.ASCII)


def _inside(named: str) -> tuple[frozenset[str], tuple[IPv4Network | IPv6Network, ...]]:
    """Return the hosts and networks that the environment names; what is neither lets nothing begin."""
    hosts, networks = set[str](), list[IPv4Network | IPv6Network]()
    for one in filter(None, (part.strip().lower().rstrip(".") for part in named.split(","))):
        try:
            networks.append(ip_network(one))
        except ValueError:
            if not _HOST.fullmatch(one) or one.rpartition(".")[2].isdigit():
                raise core.UsageError(_NO_HOST.filled(value=one)) from None
            hosts.add(one)
    return frozenset(hosts), tuple(networks)


def _dollars(named: str | None, kept: float | None) -> float:
    """Return the price that the environment names, else the kept one, else the list price."""
    usual = TAVILY_USD if kept is None else kept
    try:
        return usual if named is None else _USD.validate_python(named)
    except ValidationError:
        _log.warning("%s is no price: searches are counted at %s dollars a credit.", CREDIT_VARIABLE, usual)
        return usual


def _model_provider(named: str) -> str:
    known = core.MODEL_SERVERS
    if named.lower() not in known:
        _log.warning("%s is none of %s: the first that is set up answers.", PROVIDER_VARIABLE, ", ".join(known))
        return ""
    return named.lower()


def _web_search(named: str) -> WebSearch:
    try:
        return WebSearch(named.lower())
    except ValueError:
        # Whoever meant to switch the web off must not find it searched.
        _log.warning("WEB_SEARCH is none of %s: the web is not searched.", ", ".join(WebSearch))
        return WebSearch.NONE


def clean_key(text: str) -> str:
    """Return the key in `text`, without what came along when it was copied: line breaks, quotes, `NAME=`, `Bearer`.

    Raises:
        UsageError: it cannot be a key; the message does not repeat it.
    """
    key = _ASSIGNMENT.sub("", _INVISIBLE.sub("", text)).strip("\"'`;,")
    if len(key) > _LONGEST_KEY:
        raise core.UsageError(_KEY_TOO_LONG)
    if key and not core.is_printable(key):
        raise core.UsageError(_KEY_LETTERS)
    return key


def clean_address(text: str) -> str:
    """Return the address in `text`, without a slash or the name of an endpoint at its end.

    Raises:
        UsageError: it is no address, or it holds a password.
    """
    address = _INVISIBLE.sub("", text)
    if not address:
        return ""
    if len(address) > _LONGEST_ADDRESS:
        raise core.UsageError(Phrase("This is too long for the address of a server."))
    parts = core.server_parts(address)
    if parts is None or parts.query or parts.fragment:
        raise core.UsageError(_NO_URL)
    if parts.username is not None or parts.password is not None:
        raise core.UsageError(_SECRET_INSIDE)
    if not core.leads_to_askable(parts.hostname or "", asks_names=False):
        raise core.UsageError(_NO_SERVICE)
    return _ENDPOINT.sub("", address).rstrip("/")


def _clean_value(field: core.SourceField, text: str) -> str:
    """Return what was entered for a field of a service, cleaned as keys and addresses of the web are.

    Raises:
        UsageError: it cannot be used.
    """
    value = text.strip()
    if field.is_place and any(text.startswith(("http://", "https://")) for text in (value, field.default, field.usual)):
        return clean_address(value)
    if field.is_secret and not field.is_place:
        return clean_key(value)
    if len(value) > _LONGEST_KEY or not all(letter.isprintable() for letter in value):
        raise core.UsageError(_VALUE_UNUSABLE)
    return value


def clean_model(text: str) -> str:
    """Return the name of a model in `text`.

    Raises:
        UsageError: it cannot be one.
    """
    name = text.strip()
    if len(name) > _LONGEST_MODEL or not all(letter.isprintable() for letter in name):
        raise core.UsageError(Phrase("This is no name of a model. Names are one short line, such as gpt-5.4."))
    return name


def shown_address(address: str) -> str:
    """Return an address as it can be shown: without the user name and password that an environment may put into it."""
    parts = core.server_parts(address)
    if parts is None or "@" not in parts.netloc:
        return address
    return parts._replace(netloc=parts.netloc.rpartition("@")[2]).geturl()


def is_unencrypted(address: str) -> bool:
    """Whether what is sent to `address` can be read on its way: no encryption, and not to this computer."""
    parts = core.server_parts(address)
    return parts is not None and parts.scheme == "http" and not is_this_computer(address)


def is_this_computer(address: str) -> bool:
    """Whether a server is asked at this computer's own address, so that nothing leaves it on the way there."""
    parts = core.server_parts(address)
    return parts is not None and core.is_this_host(parts.hostname or "")
