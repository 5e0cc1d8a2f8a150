"""What may be called: send a message, look at tasks, cancel, follow. A message is a run; nothing is kept beside it."""

from __future__ import annotations

from collections.abc import AsyncIterator

from starlette.concurrency import run_in_threadpool

from pluto_duck_backend.agent.exchanges import Exchange, exchange_of, first_runs
from pluto_duck_backend.agent.progress import progress
from pluto_duck_backend.agent.runs import RunManager
from pluto_duck_backend.app.api.a2a import envelope, tasks
from pluto_duck_backend.app.api.a2a.envelope import RpcError
from pluto_duck_backend.app.api.a2a.tasks import Json
from pluto_duck_backend.app.core.errors import NotFound, did_you_mean
from pluto_duck_backend.app.core.principal import Principal

_LATEST = 1000
_PAGE, _LARGEST_PAGE = 50, 100


class Methods:
    """The methods for one caller, at the address of one agent or (empty) of the server."""

    def __init__(self, runs: RunManager, who: Principal, agent: str = "") -> None:
        self._runs = runs
        self._who = who
        self._agent = agent

    def send(self, params: Json) -> Exchange:
        """Begin a task, or go on with one that asked back. Raises RpcError, and what starting a run raises."""
        said = _object(params, "message")
        text, task_id, context = _text_of(said), _text(said, "taskId"), _text(said, "contextId")
        if task_id:
            context = self._awaiting(task_id, context).conversation_id
        begun = self._runs.start(text, conversation_id=context or None, agent=self._agent or None, who=self._who)
        return exchange_of(self._runs, begun.run_id, self._who)

    def _awaiting(self, task_id: str, context: str) -> Exchange:
        """The task, where it waits for a message."""
        exchange = self.task(task_id)
        if context and context != exchange.conversation_id:
            raise RpcError(envelope.PARAMS, f"The task {task_id!r} belongs to another context than {context!r}.")
        if exchange.status == "needs_input":
            return exchange
        state = exchange.status.replace("_", " ")
        raise RpcError(
            envelope.UNSUPPORTED,
            f"The task {task_id!r} takes no message: it is {state}. Begin another in the context "
            f"{exchange.conversation_id!r}, without a taskId.",
        )

    def named(self, params: Json) -> Exchange:
        """The task that a method is about."""
        task_id = _text(params, "id")
        if not task_id:
            raise RpcError(envelope.PARAMS, "There is no id: it names the task.")
        return self.task(task_id)

    def task(self, task_id: str) -> Exchange:
        """Raises RpcError for one that is not there, is another's, or another agent's."""
        try:
            exchange = exchange_of(self._runs, task_id, self._who)
        except NotFound as error:
            raise _no_task(task_id) from error
        if exchange.task_id != task_id or (self._agent and exchange.last["agent"] != self._agent):
            raise _no_task(task_id)
        return exchange

    def until_open(self, exchange: Exchange) -> Exchange:
        """The task when nothing of it runs any more."""
        for _ in self._runs.log(exchange.last["run_id"], self._who).follow(0):
            continue
        return self.task(exchange.task_id)

    def get(self, params: Json) -> Json:
        return tasks.task_of(self.named(params), _history(params))

    def cancel(self, params: Json) -> Json:
        """The task when its run has ended."""
        exchange = self.named(params)
        if exchange.status != "running":
            raise RpcError(envelope.NOT_CANCELABLE, f"Nothing runs: the task is {exchange.status.replace('_', ' ')}.")
        self._runs.cancel(exchange.last["run_id"], who=self._who)
        return tasks.task_of(self.until_open(exchange))

    def listed(self, params: Json) -> Json:
        """A page of the tasks of the caller's latest 1,000 runs, newest first."""
        size = _whole(params, "pageSize", _PAGE, _LARGEST_PAGE) or _PAGE
        _check_state(_text(params, "status"))
        found = [each for each in self._every() if _fits(each, params)]
        ids = [each.task_id for each in found]
        token = _text(params, "pageToken")
        if token and token not in ids:
            raise RpcError(envelope.PARAMS, f"There is no page {token!r}.")
        begin = ids.index(token) if token else 0
        has_artifacts = _flag(params, "includeArtifacts")
        page = [
            tasks.task_of(each, _history(params), has_artifacts=has_artifacts) for each in found[begin : begin + size]
        ]
        following = ids[begin + size] if begin + size < len(ids) else ""
        return {"tasks": page, "nextPageToken": following, "pageSize": size, "totalSize": len(found)}

    def _every(self) -> list[Exchange]:
        ids = first_runs(self._runs.list(_LATEST, who=self._who))
        every = [exchange_of(self._runs, each, self._who) for each in ids]
        return [each for each in every if not self._agent or each.last["agent"] == self._agent]

    async def follow(self, exchange: Exchange, history: int | None = None) -> AsyncIterator[Json]:
        """The task as it stands, then what happens until it ends or asks back."""
        yield {"task": tasks.task_of(exchange, history)}
        if exchange.status != "running":
            return
        named = {"taskId": exchange.task_id, "contextId": exchange.conversation_id}
        log, seen = self._runs.log(exchange.last["run_id"], self._who), 0
        async for _ in log.afollow():
            events = log.events(seen)
            seen += len(events)
            for event in events:
                text = progress(event)
                if text:
                    numbered = {"run": event["run_id"], "seq": event["seq"]}
                    yield {
                        "statusUpdate": {**named, "status": tasks.working(exchange, event, text), "metadata": numbered}
                    }
        ended = await run_in_threadpool(self.task, exchange.task_id)
        for artifact in tasks.artifacts_of(ended):
            yield {"artifactUpdate": {**named, "artifact": artifact, "lastChunk": True}}
        yield {"statusUpdate": {**named, "status": tasks.status_of(ended)}}


def wanted(params: Json) -> tuple[int | None, bool]:
    """How many messages the answer to a message shall have, and whether it is given at once."""
    given = params.get("configuration")
    if not isinstance(given, dict | None):
        raise RpcError(envelope.PARAMS, f"configuration={given!r} is no object.")
    return _history(given or {}), _flag(given or {}, "returnImmediately")


def _history(params: Json) -> int | None:
    return _whole(params, "historyLength", None, 2**31)


def _whole(params: Json, name: str, default: int | None, most: int) -> int | None:
    value = params.get(name)
    if value is None:
        return default
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= most:
        raise RpcError(envelope.PARAMS, f"{name}={value!r} is no number from 0 to {most}.")
    return value


def _text(params: Json, name: str) -> str:
    value = params.get(name)
    if not isinstance(value, str | None):
        raise RpcError(envelope.PARAMS, f"{name}={value!r} is no text.")
    return value or ""


def _flag(params: Json, name: str) -> bool:
    value = params.get(name)
    if not isinstance(value, bool | None):
        raise RpcError(envelope.PARAMS, f"{name}={value!r} is neither true nor false.")
    return bool(value)


def _object(params: Json, name: str) -> Json:
    value = params.get(name)
    if not isinstance(value, dict):
        raise RpcError(envelope.PARAMS, f"There is no {name}.")
    return value


def _text_of(said: Json) -> str:
    """What a message says; text alone is understood."""
    parts = said.get("parts")
    if not isinstance(parts, list) or not parts or not all(isinstance(each, dict) for each in parts):
        raise RpcError(envelope.PARAMS, "A message has parts, each an object.")
    texts = [each.get("text") for each in parts]
    if not all(isinstance(each, str) for each in texts):
        raise RpcError(envelope.CONTENT_TYPE, "A question is text: parts with data, files or addresses are not read.")
    return "\n".join(map(str, texts))


def _check_state(state: str) -> None:
    known = [*tasks.STATES.values()]
    if state not in ("", *known, *tasks.NEVER):
        near = did_you_mean(state, known) or f"There are: {', '.join(known)}."
        raise RpcError(envelope.PARAMS, f"There is no status {state!r}. {near}")


def _fits(exchange: Exchange, params: Json) -> bool:
    context, state = _text(params, "contextId"), _text(params, "status")
    return context in ("", exchange.conversation_id) and state in ("", tasks.NEVER[0], tasks.STATES[exchange.status])


def _no_task(task_id: str) -> RpcError:
    return RpcError(envelope.TASK_NOT_FOUND, f"There is no task {task_id!r}.")
