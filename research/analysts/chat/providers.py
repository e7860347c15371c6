"""Who serves chat models: how each is set up, and how its models are made; ours and those of other packages alike.

A package offers one by an entry point of the group `research.models` that leads to a `ChatProvider`;
`docs/own_model.md` shows it. All are asked over connections that bound what an answer may hold, and none needs the key
of another. Clients of models take seconds to load: they are imported where a model is made.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import urlsplit

from research.core import MODEL_SERVERS, ModelServer, SourceField, UsageError
from research.language import Bilingual, Language, Phrase
from research.settings import OPENAI_ADDRESS, azure_login, key_and_address

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel
    from langchain_core.outputs import ChatResult
    from langchain_openai import ChatOpenAI

OPENAI, ANTHROPIC = "openai", "anthropic"
_NO_KEY = "no-key"
"""Servers of one's own often need no key, but the client insists on one."""
_LACKING = Phrase(
    "{label} is not set up, which is to serve the model {model}: do so in the workbench's Settings, or set {variables}."
)
_NOT_INSTALLED = Phrase("Models of {label} need more packages: pip install 'research-workbench[{extra}]'")


@dataclass(frozen=True)
class ModelRequest:
    """What a model is made of."""

    provider: str
    """Who serves it."""
    name: str
    """As its server calls it."""
    values: Mapping[str, str]
    """What is set for the fields of its server; empty texts where nothing is."""
    seconds: float
    """How long a call may take."""
    retries: int
    """How often the client may ask again where the server is busy."""
    pool: Callable[[], Any]
    """Returns the asynchronous connections that all models of a run share, bounded, of the kind that `openai` uses."""


@dataclass(frozen=True, kw_only=True)
class ChatProvider(ModelServer):
    """A server of chat models as it is offered."""

    make: Callable[[ModelRequest], BaseChatModel]
    """Makes a model; nothing is asked yet."""
    module: str = "langchain_openai"
    """That must be installed."""
    extra: str = "openai"
    """Of this package, which brings the module."""
    hint: Bilingual | None = None
    """Whose it is and what is to be known before it is set up, in a sentence."""
    limit: str = ""
    """The parameter that says how long an answer may become; without it, nobody is told."""
    takes_schema: bool = False
    """A request may hold `response_format`, as at OpenAI; answers are held to functions otherwise."""
    logs_in: bool = False
    """Without a key, who runs the program is logged in."""
    lists: str = ""
    """How it tells which models it has: `openai`, `anthropic`, `gemini`, `ollama`, `lmstudio`, `llamacpp`."""
    is_local: bool = False
    """It usually runs on this computer, is looked for there, and costs nothing."""

    @property
    def is_installed(self) -> bool:
        """Whether what it needs is there."""
        return find_spec(self.module) is not None

    @property
    def usual_address(self) -> str:
        """Where it is asked where no address is set."""
        return next((one.usual for one in self.fields if one.name == "address"), "")

    def address(self, values: Mapping[str, str]) -> str:
        """Return where it is asked, of what has an address; servers of one's own may be named without `/v1`."""
        named = (values.get("address") or self.usual_address).rstrip("/")
        return f"{named}/v1" if self.is_local and named and not urlsplit(named).path else named

    def require(self, model: str, values: Mapping[str, str], language: Language = Language.EN) -> None:
        """Check that it can be asked.

        Raises:
            UsageError: it is not set up, or what it needs is not installed; the message says what to do.
        """
        if not self.is_installed:
            raise UsageError(_NOT_INSTALLED.filled(label=self.label, extra=self.extra), language)
        if missing := self.lacking(values):
            variables = ", ".join(missing)
            raise UsageError(_LACKING.filled(label=self.label, model=model, variables=variables), language)
        if self.logs_in and not values["key"] and not azure_login.is_there():
            variable = next(self.variable(one) for one in self.fields if one.name == "key")
            raise UsageError(azure_login.NO_KEY.filled(label=self.label, variable=variable), language)


def chat_providers() -> list[ChatProvider]:
    """Return all who serve chat models, ours first."""
    return [one for one in MODEL_SERVERS.values() if isinstance(one, ChatProvider)]


class ModelName(NamedTuple):
    """A model and who serves it."""

    provider: str
    name: str

    @classmethod
    def parse(cls, text: str) -> ModelName:
        """Read `gpt-5.4`, `openai:gpt-5.4` or `anthropic:claude-…`; the colon of `qwen2.5:0.5b` is part of the name."""
        provider, colon, name = text.partition(":")
        if colon and name and provider in MODEL_SERVERS:
            return cls(provider, name)
        return cls(OPENAI, text)

    @property
    def served_by(self) -> ChatProvider:
        """Who serves it."""
        found = MODEL_SERVERS[self.provider]
        assert isinstance(found, ChatProvider)
        return found


# --- how models are made ----------------------------------------------------------------------------------------------


def _like_openai(wanted: ModelRequest) -> BaseChatModel:
    """Return a model of a server that speaks OpenAI's protocol."""
    return _tolerant()(
        api_key=wanted.values.get("key") or _NO_KEY,
        base_url=ModelName(wanted.provider, wanted.name).served_by.address(wanted.values),
        stream_usage=wanted.provider != "mistralai",
        **_common(wanted),
    )


@cache
def _tolerant() -> type[ChatOpenAI]:
    """Return LangChain's client of OpenAI's protocol, kept from throwing away answers that were paid for.

    It would do so where tool arguments are JSON but no object (encoded twice, a bare list or text). Such arguments come
    back as `{"arguments": "<the text that the model wrote>"}`.
    """
    from langchain_openai import ChatOpenAI
    from openai import BaseModel as OpenAIObject

    class TolerantChatOpenAI(ChatOpenAI):
        def _create_chat_result(
            self, response: dict[str, Any] | OpenAIObject, generation_info: dict[str, Any] | None = None
        ) -> ChatResult:
            if isinstance(response, OpenAIObject):
                for choice in getattr(response, "choices", None) or ():
                    for call in choice.message.tool_calls or ():
                        function = getattr(call, "function", None)
                        if function is not None:
                            function.arguments = _as_object(function.arguments)
            return super()._create_chat_result(response, generation_info)

    return TolerantChatOpenAI


def _as_object(arguments: str | None) -> str:
    """Return arguments that are an object or broken JSON (which LangChain sets aside) as they are, else wrapped."""
    if not arguments:
        return "{}"
    try:
        value = json.loads(arguments)
    except ValueError:
        return arguments
    return arguments if isinstance(value, dict) else json.dumps({"arguments": arguments})


def _common(wanted: ModelRequest) -> dict[str, Any]:
    return {
        "model": wanted.name,
        "timeout": wanted.seconds,
        "max_retries": wanted.retries,
        "http_async_client": wanted.pool(),
        "http_client": _unasked(),
        "stream_chunk_timeout": None,
        "use_responses_api": False,
    }


@cache
def _unasked() -> Any:
    """Return what LangChain asks over where nobody awaits the answer: never. Each of its own reads the certificates."""
    from openai import DefaultAsyncHttpxClient, DefaultHttpxClient

    from research.core.wire import certificates, for_service

    return for_service(DefaultHttpxClient(verify=certificates(DefaultAsyncHttpxClient)), LARGEST_ANSWER)


def _azure(wanted: ModelRequest) -> BaseChatModel:
    from langchain_openai import AzureChatOpenAI

    address, key = wanted.values["address"], wanted.values["key"]
    login = {} if key else {"azure_ad_async_token_provider": azure_login.token_for(azure_login.MODELS, address)}
    return AzureChatOpenAI(
        azure_endpoint=address,
        azure_deployment=wanted.name,
        api_key=key or None,
        **login,
        api_version=wanted.values["version"],
        stream_usage=True,
        **_common(wanted),
    )


def _anthropic(wanted: ModelRequest) -> BaseChatModel:
    """Return a model of Anthropic's that asks over the run's connections, for which LangChain's own class has no place.

    Its own are kept for the whole process, follow redirects, and unpack whatever comes.
    """
    from anthropic import AsyncAnthropic
    from langchain_anthropic import ChatAnthropic

    class PooledChatAnthropic(ChatAnthropic):
        @cached_property
        def _async_client(self) -> AsyncAnthropic:
            return AsyncAnthropic(**self._client_params, http_client=wanted.pool())

    where = {"base_url": address} if (address := wanted.values.get("address")) else {}
    made: Any = PooledChatAnthropic
    model: BaseChatModel = made(
        model=wanted.name,
        api_key=wanted.values.get("key") or _NO_KEY,
        timeout=wanted.seconds,
        max_retries=wanted.retries,
        **where,
    )
    return model


def _gemini(wanted: ModelRequest) -> BaseChatModel:
    """Return a model of Gemini that asks over the run's connections, for which LangChain's own class has no place."""
    from google.genai import Client
    from google.genai.types import HttpOptions
    from langchain_google_genai import ChatGoogleGenerativeAI

    key, address = wanted.values.get("key") or _NO_KEY, wanted.values.get("address") or None
    made: Any = ChatGoogleGenerativeAI
    model: BaseChatModel = made(
        model=wanted.name, api_key=key, vertexai=False, timeout=wanted.seconds, max_retries=max(1, wanted.retries)
    )
    options: Any = {"base_url": address, "api_version": "v1beta", "httpx_async_client": wanted.pool()}
    client = Client(api_key=key, vertexai=False, http_options=HttpOptions(**options))
    model.client = client  # type: ignore[attr-defined]
    return model


LARGEST_ANSWER = 16_000_000
"""Bytes: a streamed report of thirty pages has about 5 MB."""


def _bedrock(wanted: ModelRequest) -> BaseChatModel:
    """Return a model of Bedrock: Amazon's client signs and reads, and connections of ours carry what it says."""
    from botocore.config import Config
    from langchain_aws import ChatBedrockConverse
    from langchain_aws.utils import create_aws_client
    from pydantic import SecretStr

    values = {name: value for name, value in wanted.values.items() if value}
    secrets = {name: SecretStr(values[name]) for name in ("access_key", "secret_key", "token", "key") if name in values}
    client = create_aws_client(
        service_name="bedrock-runtime",
        region_name=values.get("region"),
        credentials_profile_name=values.get("profile") if not secrets else None,
        aws_access_key_id=secrets.get("access_key"),
        aws_secret_access_key=secrets.get("secret_key"),
        aws_session_token=secrets.get("token"),
        endpoint_url=values.get("address"),
        config=Config(retries={"total_max_attempts": wanted.retries + 1, "mode": "standard"}),
        api_key=secrets.get("key"),
    )
    client.meta.events.register("before-send.bedrock-runtime", _Carrier(wanted.seconds))
    made: Any = ChatBedrockConverse
    provider = {"provider": wanted.name.split(":")[-1].split("/")[0]} if wanted.name.startswith("arn:") else {}
    model: BaseChatModel = made(model=wanted.name, client=client, bedrock_client=client, **provider)
    return model


class _Carrier:
    """Sends what botocore has signed over bounded connections, and gives it back the answer as a stream."""

    def __init__(self, seconds: float) -> None:
        import httpx

        from research.core.wire import certificates, for_service

        self._client = for_service(httpx.Client(timeout=seconds, verify=certificates()), LARGEST_ANSWER)

    def __call__(self, request: Any, **_: Any) -> Any:
        from botocore.awsrequest import AWSResponse

        headers = {
            name: value.decode() if isinstance(value, bytes) else value for name, value in request.headers.items()
        }
        asked = self._client.build_request(request.method, request.url, headers=headers, content=request.body)
        answer = self._client.send(asked, stream=True)
        return AWSResponse(request.url, answer.status_code, dict(answer.headers), _Raw(answer))


class _Raw:
    """The body of an answer as botocore reads it."""

    def __init__(self, answer: Any) -> None:
        self._answer = answer

    def stream(self, *_: Any, **__: Any) -> Any:
        try:
            yield from self._answer.iter_bytes()
        finally:
            self._answer.close()

    def close(self) -> None:
        self._answer.close()


# --- those that we offer ----------------------------------------------------------------------------------------------

_KEY, _ADDRESS = Phrase("Key", "of a service"), Phrase("Address", "of a service")
_MODEL, _SMALL = Phrase("Model that decides and writes"), Phrase("Model that reads pages")
_AS_WRITES = Phrase("Left empty, it is the one that decides and writes.")
_ON_THIS_COMPUTER = Phrase("Runs on this computer or in your network; nothing leaves, and nothing is paid.")


def _fields(
    begin: str, *, default: str = "", usual: str = "", large: str = "", small: str = ""
) -> tuple[SourceField, ...]:
    """Return the fields of a provider whose variables begin alike."""
    return (
        SourceField("key", _KEY, is_secret=True, variable=f"{begin}_API_KEY"),
        SourceField("address", _ADDRESS, default, is_place=True, variable=f"{begin}_API_BASE", usual=usual),
        *_models(begin, large, small),
    )


def _models(begin: str, large: str = "", small: str = "") -> tuple[SourceField, ...]:
    return (
        SourceField("model", _MODEL, large, variable=f"{begin}_MODEL"),
        SourceField("small", _SMALL, small, hint=None if small else _AS_WRITES, variable=f"{begin}_SMALL_MODEL"),
    )


def _local(name: str, label: str, port: int) -> ChatProvider:
    return ChatProvider(
        name=name,
        label=Bilingual(label, label),
        hint=_ON_THIS_COMPUTER,
        fields=_fields(name.upper(), default=f"http://127.0.0.1:{port}/v1"),
        make=_like_openai,
        takes_schema=True,
        lists=name,
        is_local=True,
    )


def _further(name: str, label: str, begin: str, address: str) -> ChatProvider:
    return ChatProvider(
        name=name,
        label=Bilingual(label, label),
        fields=_fields(begin, default=address),
        needs=(("key",),),
        make=_like_openai,
        lists="openai",
    )


_OPENAI, _ANTHROPIC = Bilingual("OpenAI", "OpenAI"), Bilingual("Anthropic", "Anthropic")

MODEL_SERVERS.register(
    ChatProvider(
        name=OPENAI,
        label=_OPENAI,
        hint=Phrase("OpenAI, or any server that speaks its protocol at another address."),
        fields=key_and_address("OPENAI", _OPENAI, OPENAI_ADDRESS),
        needs=(("key",), ("address",)),
        has_presets=True,
        make=_like_openai,
        limit="max_completion_tokens",
        takes_schema=True,
        lists="openai",
    ),
    ChatProvider(
        name="azure_openai",
        label=Bilingual("Azure OpenAI", "Azure OpenAI"),
        hint=Phrase("Models are the names of your deployments."),
        fields=(
            SourceField("key", _KEY, is_secret=True, variable="AZURE_OPENAI_API_KEY", hint=azure_login.WITHOUT_KEY),
            SourceField("address", _ADDRESS, is_place=True, variable="AZURE_OPENAI_ENDPOINT"),
            SourceField("version", Phrase("Version of the interface"), "2024-10-21", variable="OPENAI_API_VERSION"),
            *_models("AZURE_OPENAI"),
        ),
        needs=(("key", "address"), ("address",)),
        logs_in=True,
        make=_azure,
        limit="max_completion_tokens",
        takes_schema=True,
    ),
    ChatProvider(
        name=ANTHROPIC,
        label=_ANTHROPIC,
        hint=Phrase("The models of Claude. The same key may search the web."),
        fields=(
            *key_and_address("ANTHROPIC", _ANTHROPIC, "https://api.anthropic.com"),
            *_models("ANTHROPIC", "claude-sonnet-4-6", "claude-haiku-4-5"),
        ),
        needs=(("key",), ("address",)),
        make=_anthropic,
        module="langchain_anthropic",
        extra="anthropic",
        limit="max_tokens",
        lists="anthropic",
    ),
    ChatProvider(
        name="gemini",
        label=Bilingual("Gemini", "Gemini"),
        hint=Phrase("Google's models, with a key of AI Studio."),
        fields=_fields(
            "GEMINI",
            usual="https://generativelanguage.googleapis.com",
            large="gemini-3.8-flash",
            small="gemini-3.5-flash-lite",
        ),
        needs=(("key",),),
        make=_gemini,
        module="langchain_google_genai",
        extra="gemini",
        limit="max_output_tokens",
        lists="gemini",
    ),
    ChatProvider(
        name="bedrock",
        label=Bilingual("Amazon Bedrock", "Amazon Bedrock"),
        hint=Phrase("Models at Amazon's cloud, with a key of Bedrock, a pair of access keys, or a named profile."),
        fields=(
            SourceField("key", _KEY, is_secret=True, variable="AWS_BEARER_TOKEN_BEDROCK"),
            SourceField("region", Phrase("Region", "of a cloud"), is_place=True, variable="AWS_REGION"),
            SourceField("access_key", Phrase("Access key"), is_secret=True, variable="AWS_ACCESS_KEY_ID"),
            SourceField("secret_key", Phrase("Secret access key"), is_secret=True, variable="AWS_SECRET_ACCESS_KEY"),
            SourceField("token", Phrase("Session token"), is_secret=True, variable="AWS_SESSION_TOKEN"),
            SourceField("profile", Phrase("Profile"), is_place=True, variable="AWS_PROFILE"),
            SourceField("address", _ADDRESS, is_place=True, variable="AWS_ENDPOINT_URL_BEDROCK_RUNTIME"),
            *_models(
                "BEDROCK",
                "global.anthropic.claude-sonnet-4-5-20250929-v1:0",
                "global.anthropic.claude-haiku-4-5-20251001-v1:0",
            ),
        ),
        needs=(("key", "region"), ("access_key", "secret_key", "region"), ("profile", "region")),
        make=_bedrock,
        module="langchain_aws",
        extra="bedrock",
        limit="max_tokens",
    ),
    _local("ollama", "Ollama", 11434),
    _local("lmstudio", "LM Studio", 1234),
    _local("llamacpp", "llama.cpp", 8080),
    _further("cohere", "Cohere", "COHERE", "https://api.cohere.ai/compatibility/v1"),
    _further("deepseek", "DeepSeek", "DEEPSEEK", "https://api.deepseek.com/v1"),
    _further("google_genai", "Google (OpenAI)", "GOOGLE", "https://generativelanguage.googleapis.com/v1beta/openai"),
    _further("groq", "Groq", "GROQ", "https://api.groq.com/openai/v1"),
    _further("mistralai", "Mistral", "MISTRAL", "https://api.mistral.ai/v1"),
    _further("xai", "xAI", "XAI", "https://api.x.ai/v1"),
)
