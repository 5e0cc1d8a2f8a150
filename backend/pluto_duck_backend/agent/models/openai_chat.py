"""ChatOpenAI, and what servers beside OpenAI add to its protocol: the thinking in `reasoning_content`.

vLLM, llama.cpp, LM Studio, DeepSeek and OpenRouter stream thinking in a field that langchain_openai leaves out.
"""

from __future__ import annotations

from typing import Any

from langchain_core.outputs import ChatGenerationChunk
from langchain_openai import ChatOpenAI

_FIELDS = ("reasoning_content", "reasoning")


class OpenAIChat(ChatOpenAI):
    """ChatOpenAI whose chunks carry thinking in `additional_kwargs["reasoning_content"]`, as ChatOllama's do."""

    def _convert_chunk_to_generation_chunk(
        self, chunk: dict[str, Any], default_chunk_class: type, base_generation_info: dict[str, Any] | None
    ) -> ChatGenerationChunk | None:
        made = super()._convert_chunk_to_generation_chunk(chunk, default_chunk_class, base_generation_info)
        thought = _thought(chunk)
        if made is not None and thought:
            made.message.additional_kwargs["reasoning_content"] = thought
        return made


def _thought(chunk: dict[str, Any]) -> str:
    choices = chunk.get("choices") or [{}]
    delta = choices[0].get("delta") or {}
    return next((delta[name] for name in _FIELDS if isinstance(delta.get(name), str)), "")
