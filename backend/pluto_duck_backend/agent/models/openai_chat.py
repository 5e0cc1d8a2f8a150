"""ChatOpenAI, and what it leaves out of a stream: refusals, and the thinking in `reasoning_content`.

vLLM, llama.cpp, LM Studio, DeepSeek and OpenRouter stream thinking in a field that langchain_openai leaves out.
"""

from __future__ import annotations

from typing import Any

from langchain_core.outputs import ChatGenerationChunk
from langchain_openai import ChatOpenAI

_FIELDS = ("reasoning_content", "reasoning")


class OpenAIChat(ChatOpenAI):
    """ChatOpenAI whose chunks carry both in `additional_kwargs`, the thinking under the name that ChatOllama uses."""

    def _convert_chunk_to_generation_chunk(
        self, chunk: dict[str, Any], default_chunk_class: type, base_generation_info: dict[str, Any] | None
    ) -> ChatGenerationChunk | None:
        made = super()._convert_chunk_to_generation_chunk(chunk, default_chunk_class, base_generation_info)
        if made is not None:
            made.message.additional_kwargs.update(_left_out(chunk))
        return made


def _left_out(chunk: dict[str, Any]) -> dict[str, str]:
    choices = chunk.get("choices") or [{}]
    delta = choices[0].get("delta") or {}
    thought = next((delta[name] for name in _FIELDS if isinstance(delta.get(name), str)), "")
    found = {"reasoning_content": thought, "refusal": delta.get("refusal")}
    return {name: text for name, text in found.items() if isinstance(text, str) and text}
