"""Chat models without a server: the fake at the model's seam, as `options.class` names them."""

from langchain_core.language_models.chat_models import BaseChatModel
from langchain_core.messages import AIMessage
from langchain_core.outputs import ChatGeneration, ChatResult


class Always(BaseChatModel):
    """Gives the same reply to everything, at once."""

    reply: str

    @property
    def _llm_type(self):
        return "always"

    def _generate(self, messages, stop=None, run_manager=None, **kwargs):
        said = AIMessage(self.reply, response_metadata={"finish_reason": "stop"})
        return ChatResult(generations=[ChatGeneration(message=said)])
