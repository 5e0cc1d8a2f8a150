"""One peer in a process of its own, with a model in it that answers at once; run by the Python that has the peers.

`python -P _peers_child.py PEER FILE QUESTION SQL EXPECTED` tells a line of JSON when the peer is ready: its version, or
why it can't be measured. Then for each line read, a number of rounds: the milliseconds that each took, and how many
calls of the model one round makes. A round asks the question and fails unless EXPECTED is in what comes back.

The model takes no time itself: what a provider's class does to describe tools and to read a reply is left out for all.
A peer whose prompt shows no table is asked twice over: with a model that knows the SQL and queries at once, the least
that an answer takes, and with one that makes all the calls that the prompt asks for.
"""

from __future__ import annotations

import asyncio
import json
import os
import re
import socket
import sys
import time
from collections.abc import AsyncGenerator, Callable
from importlib.metadata import version
from pathlib import Path
from typing import Any, NamedTuple, TextIO

Turns = list[tuple[str, dict[str, Any]]]
#   the tools that the model calls, in order, with their arguments; then it answers with what the last of them told


class Peer(NamedTuple):
    """What asks a question and returns all that comes back, and its model, which counts its calls."""

    ask: Callable[[], str]
    model: Any


def vanna(file: Path, question: str, sql: str) -> Peer:
    """Its agent with the tool that runs SQL; the model queries at once, though no prompt showed it a table."""
    return _vanna(file, question, [("run_sql", {"sql": sql})])


def vanna_whole(file: Path, question: str, sql: str) -> Peer:
    """Its agent with the tools of its first steps; the model does as its prompt asks, and draws the chart."""
    saved = {"question": question, "tool_name": "run_sql", "args": {"sql": sql}}
    search, save = ("search_saved_correct_tool_uses", {"question": question}), ("save_question_tool_args", saved)
    return _vanna(file, question, [search, ("run_sql", {"sql": sql}), ("visualize_data", {"title": question}), save])


def _vanna(file: Path, question: str, turns: Turns) -> Peer:
    from vanna import Agent, ToolRegistry
    from vanna.core.user import RequestContext
    from vanna.integrations.duckdb import DuckDBRunner
    from vanna.integrations.local.agent_memory import DemoAgentMemory
    from vanna.tools import RunSqlTool, VisualizeDataTool
    from vanna.tools.agent_memory import SaveQuestionToolArgsTool, SearchSavedCorrectToolUsesTool

    model, tools, runner = _vanna_model(turns), ToolRegistry(), asyncio.Runner()
    tools.register_local_tool(RunSqlTool(DuckDBRunner(str(file), read_only=True)), [])
    for each in (VisualizeDataTool, SearchSavedCorrectToolUsesTool, SaveQuestionToolArgsTool) if turns[1:] else ():
        tools.register_local_tool(each(), [])
    agent = Agent(model, tools, _vanna_users(), DemoAgentMemory())

    async def asked() -> str:
        told = [each async for each in agent.send_message(RequestContext(), question)]
        return "\n".join(each.simple_component.text for each in told if each.simple_component)

    return Peer(lambda: runner.run(asked()), model)


def _vanna_model(turns: Turns) -> Any:
    """At its `LlmService`; a chart is drawn of the file that the query's tool told of."""
    from vanna.core.llm import LlmRequest, LlmResponse, LlmService, LlmStreamChunk
    from vanna.core.tool import ToolCall

    class Instant(LlmService):
        calls = 0

        async def stream_request(self, request: LlmRequest) -> AsyncGenerator[LlmStreamChunk, None]:
            self.calls += 1
            told = [each.content for each in request.messages if each.role == "tool"]
            if len(told) == len(turns):
                yield LlmStreamChunk(content=told[-1], finish_reason="stop")
                return
            name, args = turns[len(told)]
            if name == "visualize_data":
                args = {**args, "filename": re.findall(r"query_results_\w+\.csv", told[-1])[0]}
            call = ToolCall(id=f"call-{len(told)}", name=name, arguments=args)
            yield LlmStreamChunk(tool_calls=[call], finish_reason="tool_calls")

        async def send_request(self, request: LlmRequest) -> LlmResponse:
            raise NotImplementedError("it streams by itself")

        async def validate_tools(self, tools: list[Any]) -> list[str]:
            return []

    return Instant()


def _vanna_users() -> Any:
    from vanna.core.user import RequestContext, User, UserResolver

    class One(UserResolver):
        async def resolve_user(self, request_context: RequestContext) -> User:
            return User(id="one", group_memberships=["user"])

    return One()


def langchain(file: Path, question: str, sql: str) -> Peer:
    """`create_sql_agent`; the model queries at once, though no prompt showed it a table."""
    return _sql_agent(file, question, [("sql_db_query", {"query": sql})], sql)


def langchain_whole(file: Path, question: str, sql: str) -> Peer:
    """`create_sql_agent`; the model does as its prompt asks: looks at tables and a schema, checks, queries."""
    looks: Turns = [("sql_db_list_tables", {}), ("sql_db_schema", {"table_names": "retail_orders"})]
    queries: Turns = [(name, {"query": sql}) for name in ("sql_db_query_checker", "sql_db_query")]
    return _sql_agent(file, question, [*looks, *queries], sql)


def _sql_agent(file: Path, question: str, turns: Turns, sql: str) -> Peer:
    from langchain_community.agent_toolkits import create_sql_agent

    model = _chat_model(turns, sql)
    agent = create_sql_agent(model, db=_langchain_database(file), agent_type="tool-calling")
    return Peer(lambda: str(agent.invoke({"input": question})["output"]), model)


def langchain_graph(file: Path, question: str, sql: str) -> Peer:
    """`create_agent`, which is LangGraph's loop, with the tools for SQL; the model queries at once."""
    from langchain.agents import create_agent
    from langchain_community.agent_toolkits import SQLDatabaseToolkit

    model = _chat_model([("sql_db_query", {"query": sql})], sql)
    agent = create_agent(model, SQLDatabaseToolkit(db=_langchain_database(file), llm=model).get_tools())
    asked = {"messages": [{"role": "user", "content": question}]}
    return Peer(lambda: str(agent.invoke(asked)["messages"][-1].content), model)


def _langchain_database(file: Path) -> Any:
    from langchain_community.utilities import SQLDatabase

    return SQLDatabase.from_uri(f"duckdb:///{file}", {"connect_args": {"read_only": True}}, schema="sales")


def databao(file: Path, question: str, sql: str) -> Peer:
    """A new thread of its agent for each question; the model at `LLMConfig.new_chat_model`."""
    from databao.agent import LLMConfig, agent, domain
    from databao.agent.databases import DuckDBConnectionConfig

    submit = {"query_id": "2-0", "result_description": "By region.", "visualization_prompt": ""}
    #   the first query of the third message, after the system's and the user's
    model = _chat_model([("run_sql_query", {"sql": sql}), ("submit_result", submit)], sql)

    class Instant(LLMConfig):
        def new_chat_model(self) -> Any:
            return model

    data = domain()
    data.add_db(DuckDBConnectionConfig(database_path=str(file)), name=file.stem)
    analyst = agent(data, llm_config=Instant(name="instant"), writer=sys.stderr)

    def asked() -> str:
        thread = analyst.thread().ask(question)
        return f"{thread.text()}\n{thread.df()}"

    return Peer(asked, model)


def _chat_model(turns: Turns, sql: str) -> Any:
    """A chat model of LangChain; asked outside of a conversation with tools to check SQL, it gives it back."""
    from langchain_core.language_models.chat_models import BaseChatModel
    from langchain_core.messages import AIMessage, ToolMessage
    from langchain_core.outputs import ChatGeneration, ChatResult

    class Instant(BaseChatModel):
        calls: int = 0

        @property
        def _llm_type(self) -> str:
            return "instant"

        def bind_tools(self, tools: Any, **options: Any) -> Any:
            return self

        def _generate(self, messages: list, stop: Any = None, run_manager: Any = None, **options: Any) -> ChatResult:
            self.calls += 1
            done = sum(isinstance(each, ToolMessage) for each in messages)
            if "double check" in str(messages[-1].content):
                said = AIMessage(sql)
            elif done < len(turns):
                name, args = turns[done]
                said = AIMessage("", tool_calls=[{"name": name, "args": args, "id": f"call-{done}"}])
            else:
                said = AIMessage(messages[-1].content)
            return ChatResult(generations=[ChatGeneration(message=said)])

    return Instant()


PEERS: dict[str, tuple[str, Callable[[Path, str, str], Peer]]] = {
    "vanna": ("vanna", vanna),
    "vanna-whole": ("vanna", vanna_whole),
    "langchain": ("langchain-community", langchain),
    "langchain-whole": ("langchain-community", langchain_whole),
    "langchain-graph": ("langchain", langchain_graph),
    "databao": ("databao-agent", databao),
}
#   each with the package whose version is told


def main(name: str, file: str, question: str, sql: str, expected: str) -> None:
    told = _only_here()
    socket.socket.connect = _refused  # type: ignore[method-assign, assignment]
    package, make = PEERS[name]
    try:
        peer = make(Path(file), question, sql)
        _tell(told, version=version(package))
        for line in sys.stdin:
            began = peer.model.calls
            took = [_round(peer, expected) for _ in range(int(line))]
            _tell(told, ms=took, calls=(peer.model.calls - began) / len(took))
    except Exception as error:
        _tell(told, fault=" ".join(f"{type(error).__name__}: {error}".split())[:300])


def _only_here() -> TextIO:
    """What JSON goes to; what the peer prints goes to standard error."""
    told = os.fdopen(os.dup(sys.stdout.fileno()), "w")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    return told


def _refused(self: socket.socket, address: object) -> None:
    raise ConnectionRefusedError(f"nothing is reached from here, {address} neither")


def _tell(told: TextIO, **content: object) -> None:
    print(json.dumps(content), file=told, flush=True)


def _round(peer: Peer, expected: str) -> float:
    """Milliseconds from the question to all of the answer."""
    began = time.perf_counter()
    answer = peer.ask()
    took = 1000 * (time.perf_counter() - began)
    if expected not in answer:
        raise ValueError(f"{expected!r} is not in the answer: {answer}")
    return took


if __name__ == "__main__":
    main(*sys.argv[1:])
