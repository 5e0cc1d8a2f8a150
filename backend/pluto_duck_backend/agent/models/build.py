"""Makes langchain's chat model for an endpoint. The only place that names their classes; each loads when first used.

Retries are ours (retrying.py), so the libraries' own are off. `base_url` is always given, so that no variable of the
environment turns a call elsewhere, and no redirect is followed: a server in the house would send what it may see, and
the key of a hosted one, to whom nobody has configured.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any

from langchain_core.language_models.chat_models import BaseChatModel

from pluto_duck_backend.agent.models.endpoints import Endpoint
from pluto_duck_backend.agent.models.presets import Family
from pluto_duck_backend.app.core.errors import InvalidInput

_AZURE_VERSION = "2024-10-21"
_CHARS_PER_TOKEN = 3
#   of a prompt, the tools beside it counted in
_STAYING_OLLAMA = {"client_kwargs": {"follow_redirects": False}}
_STAYING_GOOGLE = {"client_args": {"follow_redirects": False}}


def build(endpoint: Endpoint) -> BaseChatModel:
    """The chat model, made but not called. Raises InvalidInput for options its class does not take."""
    try:
        return _MAKERS[endpoint.family](endpoint)
    except (TypeError, ValueError, ImportError, AttributeError) as error:
        raise InvalidInput(
            f"providers.{endpoint.name} cannot be used: {_first_line(error)}",
            code="bad_provider",
            hint="Compare providers.*.options with its langchain class.",
        ) from error


def _openai(endpoint: Endpoint) -> BaseChatModel:
    from pluto_duck_backend.agent.models.openai_chat import OpenAIChat

    official = endpoint.base_url.startswith("https://api.openai.com")
    chat = OpenAIChat(
        model=endpoint.model or "default",
        base_url=endpoint.base_url,
        api_key=endpoint.key or "none",
        max_retries=0,
        timeout=endpoint.limits.timeout_s,
        max_completion_tokens=endpoint.limits.max_output_tokens if official else None,
        **({} if official else {"extra_body": {"max_tokens": endpoint.limits.max_output_tokens}}),
        **{"use_responses_api": False, "stream_chunk_timeout": None, **endpoint.options},
    )
    return _staying(chat, chat.root_async_client)


def _azure(endpoint: Endpoint) -> BaseChatModel:
    from langchain_openai import AzureChatOpenAI

    options = {"api_version": _AZURE_VERSION, "azure_deployment": endpoint.model, **endpoint.options}
    chat = AzureChatOpenAI(
        azure_endpoint=endpoint.base_url,
        api_key=endpoint.key,
        max_retries=0,
        timeout=endpoint.limits.timeout_s,
        max_completion_tokens=endpoint.limits.max_output_tokens,
        **options,
    )
    return _staying(chat, chat.root_async_client)


def _anthropic(endpoint: Endpoint) -> BaseChatModel:
    from langchain_anthropic import ChatAnthropic

    chat = ChatAnthropic(
        model_name=endpoint.model,
        base_url=endpoint.base_url,
        api_key=endpoint.key or "none",
        max_retries=0,
        timeout=endpoint.limits.timeout_s,
        max_tokens_to_sample=endpoint.limits.max_output_tokens,
        stop=None,
        **endpoint.options,
    )
    return _staying(chat, chat._async_client)


def _staying(chat: BaseChatModel, client: Any) -> BaseChatModel:
    """The chat model whose client, of OpenAI's or Anthropic's library, goes nowhere else."""
    client._client.follow_redirects = False
    return chat


def _ollama(endpoint: Endpoint) -> BaseChatModel:
    from langchain_ollama import ChatOllama

    written = endpoint.limits.max_output_tokens
    options = {"num_ctx": _context(endpoint), "num_predict": written, **_STAYING_OLLAMA, **endpoint.options}
    return ChatOllama(model=endpoint.model, base_url=endpoint.base_url, **options)


def _context(endpoint: Endpoint) -> int:
    """Tokens that a prompt and its reply have room in: Ollama cuts off silently what is longer than its own default."""
    tokens = endpoint.limits.prompt_chars // _CHARS_PER_TOKEN + endpoint.limits.max_output_tokens
    return -(-tokens // 1024) * 1024


def _google(endpoint: Endpoint) -> BaseChatModel:
    from langchain_google_genai import ChatGoogleGenerativeAI

    return ChatGoogleGenerativeAI(
        model=endpoint.model,
        base_url=endpoint.base_url,
        google_api_key=endpoint.key,
        vertexai=False,
        max_retries=0,
        timeout=endpoint.limits.timeout_s,
        max_output_tokens=endpoint.limits.max_output_tokens,
        **{**_STAYING_GOOGLE, **endpoint.options},
    )


def _langchain(endpoint: Endpoint) -> BaseChatModel:
    """Any other chat model: `options.class` is `package.module:Class`, the rest of the options are its own."""
    options = dict(endpoint.options)
    module, _, name = str(options.pop("class", "")).partition(":")
    made = getattr(import_module(module), name)(**options)
    if not isinstance(made, BaseChatModel):
        raise TypeError(f"{module}:{name} is no chat model of langchain")
    return made


_MAKERS: dict[Family, Callable[[Endpoint], Any]] = {
    "openai": _openai,
    "azure": _azure,
    "anthropic": _anthropic,
    "ollama": _ollama,
    "google": _google,
    "langchain": _langchain,
}


def _first_line(error: Exception) -> str:
    return f"{type(error).__name__}: {error}".splitlines()[0][:200]
