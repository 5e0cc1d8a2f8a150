"""The chat models that are known by name: whose protocol they speak, where they listen, where their key is found.

A preset is one line here. Any other server is `[providers.NAME]` with `kind` one of these and a `base_url`; any other
chat model of langchain is `kind = "langchain"` with its class in `options.class`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Family = Literal["openai", "azure", "anthropic", "ollama", "google", "langchain"]


@dataclass(frozen=True)
class Preset:
    """What is known of a provider before anything is configured."""

    family: Family
    title: str
    base_url: str = ""
    key_variable: str = ""
    url_variable: str = ""
    needs_key: bool = True


PRESETS: dict[str, Preset] = {
    "openai": Preset("openai", "OpenAI", "https://api.openai.com/v1", "OPENAI_API_KEY", "OPENAI_BASE_URL"),
    "anthropic": Preset(
        "anthropic", "Anthropic", "https://api.anthropic.com", "ANTHROPIC_API_KEY", "ANTHROPIC_BASE_URL"
    ),
    "google": Preset("google", "Google Gemini", "https://generativelanguage.googleapis.com", "GOOGLE_API_KEY"),
    "azure": Preset("azure", "Azure OpenAI", "", "AZURE_OPENAI_API_KEY", "AZURE_OPENAI_ENDPOINT"),
    "openrouter": Preset("openai", "OpenRouter", "https://openrouter.ai/api/v1", "OPENROUTER_API_KEY"),
    "ollama": Preset("ollama", "Ollama", "http://127.0.0.1:11434", "", "OLLAMA_HOST", needs_key=False),
    "vllm": Preset("openai", "vLLM", "http://127.0.0.1:8000/v1", "VLLM_API_KEY", needs_key=False),
    "lmstudio": Preset("openai", "LM Studio", "http://127.0.0.1:1234/v1", needs_key=False),
    "llamacpp": Preset("openai", "llama.cpp", "http://127.0.0.1:8080/v1", "LLAMA_API_KEY", needs_key=False),
    "langchain": Preset("langchain", "any chat model of langchain", needs_key=False),
}

LISTED: frozenset[Family] = frozenset({"openai", "ollama"})
#   whose servers tell which models they have, so that one in the house may be named without any

LIBRARIES: dict[Family, tuple[str, str]] = {
    "openai": ("langchain_openai", "openai"),
    "azure": ("langchain_openai", "openai"),
    "anthropic": ("langchain_anthropic", "anthropic"),
    "ollama": ("langchain_ollama", "ollama"),
    "google": ("langchain_google_genai", "google"),
    "langchain": ("langchain_core", ""),
}
#   the module a family needs, and the extra of pluto-duck that brings it
