"""Chat models without a server: the fake at the model's seam, as `options.class` names them."""

import random

from langchain_core.language_models.chat_models import BaseChatModel
from langchain_core.messages import AIMessage, AIMessageChunk
from langchain_core.outputs import ChatGeneration, ChatGenerationChunk, ChatResult
from pydantic import PrivateAttr


class Always(BaseChatModel):
    """Gives the same reply to everything, at once."""

    reply: str

    @property
    def _llm_type(self):
        return "always"

    def _generate(self, messages, stop=None, run_manager=None, **kwargs):
        said = AIMessage(self.reply, response_metadata={"finish_reason": "stop"})
        return ChatResult(generations=[ChatGeneration(message=said)])


class Knowing(BaseChatModel):
    """Knows the SQL of every question, and gives that of another one in a share of its calls.

    Which calls are wrong is drawn from the question and how often it was asked, so a run can be repeated.
    """

    known: dict[str, str]
    right: float = 0.85
    calls: int = 0
    _asked: dict = PrivateAttr(default_factory=dict)

    @property
    def _llm_type(self):
        return "knowing"

    def _generate(self, messages, stop=None, run_manager=None, **kwargs):
        asked = next(str(each.content) for each in messages if "# The question" in str(each.content))
        question = asked.rpartition("\n\n")[2].strip()
        self.calls += 1
        self._asked[question] = self._asked.get(question, 0) + 1
        chance = random.Random(f"{question} {self._asked[question]}")
        others = [sql for sql in self.known.values() if sql != self.known[question]]
        sql = self.known[question] if chance.random() < self.right or not others else chance.choice(others)
        said = AIMessage(f"```sql\n{sql}\n```", response_metadata={"finish_reason": "stop"})
        return ChatResult(generations=[ChatGeneration(message=said)])


class Instant(BaseChatModel):
    """Streams one reply to everything, without a wait."""

    reply: str

    @property
    def _llm_type(self):
        return "instant"

    def _generate(self, messages, stop=None, run_manager=None, **kwargs):
        said = AIMessage(self.reply, response_metadata={"finish_reason": "stop"})
        return ChatResult(generations=[ChatGeneration(message=said)])

    async def _astream(self, messages, stop=None, run_manager=None, **kwargs):
        said = AIMessageChunk(self.reply, response_metadata={"finish_reason": "stop"})
        yield ChatGenerationChunk(message=said)
