"""A model server on loopback that speaks four real protocols and breaks them on demand.

`/v1/chat/completions` as OpenAI does (plain and streamed), `/v1/messages` as Anthropic, `/api/chat` as Ollama,
`/v1beta/models/NAME:generateContent` as Gemini. A test
says what comes back: `server.says(...)` takes replies, one a request, the last for all further ones; or a function of
the request. A reply is a text, a `Says`, or a `Breaks`.
"""

import json
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Literal

PIECE = 7
#   characters a streamed piece has: never on the border of a word or of a token of JSON


@dataclass(frozen=True)
class Says:
    """A reply that is whole: text, thinking, tool calls, what it used."""

    text: str = ""
    thought: str = ""
    calls: tuple[tuple[str, Any], ...] = ()
    finish: str = ""
    refusal: str = ""
    tokens: tuple[int, int] | None = (11, 7)
    pause_s: float = 0.0


@dataclass(frozen=True)
class Breaks:
    """A reply that goes wrong."""

    how: Literal["status", "stall", "cut", "end", "garbage", "flood", "error_in_stream"]
    status: int = 500
    headers: dict[str, str] = field(default_factory=dict)
    body: dict[str, Any] = field(default_factory=dict)
    text: str = "SELECT count(*) AS n FROM "


Reply = str | Says | Breaks


def sql(statement, **more):
    """A call of the tool that answers."""
    return Says(calls=(("answer_with_sql", {"sql": statement, **more}),))


class ModelServer:
    """Serves on a free port of loopback until closed; `requests` holds every body it was sent."""

    def __init__(self):
        self.models = ["the-only-model"]
        self.requests: list[dict[str, Any]] = []
        self.hung_up = threading.Event()
        self.silent = threading.Event()
        self.streams = True
        self._replies: list[Reply] | Callable[[dict[str, Any]], Reply] = ["SELECT 1"]
        self._asked = 0
        self._lock = threading.Lock()
        self._http = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self._http.daemon_threads = True
        self._http.handle_error = lambda *about: None  # clients that hang up are part of the tests
        threading.Thread(target=self._http.serve_forever, args=(0.02,), daemon=True).start()

    @property
    def url(self):
        return f"http://127.0.0.1:{self._http.server_port}"

    def says(self, *replies):
        self._replies = replies[0] if callable(replies[0]) else list(replies)
        self._asked = 0

    def next(self, request):
        with self._lock:
            self.requests.append(request)
            self._asked += 1
            turn = self._asked
        if callable(self._replies):
            return self._replies(request)
        return self._replies[min(turn, len(self._replies)) - 1]

    def close(self):
        self._http.shutdown()
        self._http.server_close()

    def _handler(server):
        class Handler(_Handler):
            owner = server

        return Handler


class _Handler(BaseHTTPRequestHandler):
    owner: ModelServer
    protocol_version = "HTTP/1.1"

    def log_message(self, *arguments):
        """Silent."""

    def do_GET(self):
        models = self.owner.models
        self._whole({"data": [{"id": each} for each in models], "models": [{"model": each} for each in models]})

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        request = {**json.loads(body), "_path": self.path, "_headers": {k.lower(): v for k, v in self.headers.items()}}
        reply = self.owner.next(request)
        reply = Says(reply) if isinstance(reply, str) else reply
        try:
            self._answer(request, reply)
        except (BrokenPipeError, ConnectionResetError):
            self.owner.hung_up.set()
            self.close_connection = True

    def _answer(self, request, reply):
        protocol = next(each for path, each in _PROTOCOLS.items() if self.path.partition("?")[0].endswith(path))
        if isinstance(reply, Breaks):
            self._break(protocol, reply)
        elif self.owner.streams and request.get("stream", protocol is _Ollama or ":stream" in self.path):
            self._begin(protocol)
            for piece in protocol.pieces(request, reply):
                self._send(piece)
                time.sleep(reply.pause_s)
            self._send(b"")
        else:
            self._whole(protocol.whole(request, reply))

    def _break(self, protocol, broken):
        if broken.how == "status":
            body = broken.body or {"error": {"message": "as the test wants"}}
            self._whole(protocol.fault(body), broken.status, broken.headers)
            return
        self._begin(protocol)
        request = {"model": "fake"}
        if broken.how == "garbage":
            self._send(protocol.garbage)
            self._send(b"")
        elif broken.how == "error_in_stream":
            self._send(protocol.error)
            self._send(b"")
        elif broken.how == "flood":
            for _ in range(50):
                self._send(protocol.text(request, "lorem ipsum dolor sit amet " * 150))
        else:
            self._send(protocol.text(request, broken.text))
            self._leave(broken.how)

    def _leave(self, how):
        """Stall until the client hangs up; end too early; or cut the connection."""
        if how == "end":
            self._send(b"")
        elif how == "cut":
            self.close_connection = True
            self.connection.close()
        else:
            self.owner.silent.set()
            self.connection.settimeout(30)
            if self.connection.recv(1) == b"":
                self.owner.hung_up.set()
            self.close_connection = True

    def _begin(self, protocol):
        self.send_response(200)
        self.send_header("Content-Type", protocol.content_type)
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()

    def _send(self, data):
        self.wfile.write(f"{len(data):x}\r\n".encode() + data + b"\r\n")
        self.wfile.flush()

    def _whole(self, body, status=200, headers=()):
        data = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        for name, value in dict(headers).items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(data)


def _cut_up(text):
    return [text[at : at + PIECE] for at in range(0, len(text), PIECE)]


def _sse(value, event=""):
    return (f"event: {event}\n" if event else "").encode() + f"data: {json.dumps(value)}\n\n".encode()


def _arguments(arguments):
    return arguments if isinstance(arguments, str) else json.dumps(arguments)


class _Plain:
    """What most protocols have in common."""

    @staticmethod
    def fault(body):
        return body


class _OpenAI(_Plain):
    content_type = "text/event-stream"
    garbage = b"data: {this is no JSON\n\n"
    error = b'data: {"error": {"message": "overloaded", "type": "server_error"}}\n\n'

    @classmethod
    def pieces(cls, request, reply):
        for each in _cut_up(reply.thought):
            yield cls._chunk(request, {"reasoning_content": each})
        for each in _cut_up(reply.text):
            yield cls.text(request, each)
        if reply.refusal:
            yield cls._chunk(request, {"refusal": reply.refusal})
        for n, (name, arguments) in enumerate(reply.calls):
            head = {"index": n, "id": f"call_{n}", "type": "function", "function": {"name": name, "arguments": ""}}
            yield cls._chunk(request, {"tool_calls": [head]})
            for each in _cut_up(_arguments(arguments)):
                yield cls._chunk(request, {"tool_calls": [{"index": n, "function": {"arguments": each}}]})
        yield cls._chunk(request, {}, reply.finish or ("tool_calls" if reply.calls else "stop"))
        if reply.tokens and request.get("stream_options", {}).get("include_usage"):
            yield _sse({**cls._head(request), "choices": [], "usage": cls._usage(reply)})
        yield b"data: [DONE]\n\n"

    @classmethod
    def text(cls, request, text):
        return cls._chunk(request, {"role": "assistant", "content": text})

    @classmethod
    def _chunk(cls, request, delta, finish=None):
        return _sse({**cls._head(request), "choices": [{"index": 0, "delta": delta, "finish_reason": finish}]})

    @staticmethod
    def _head(request):
        return {"id": "c1", "object": "chat.completion.chunk", "created": 1, "model": request.get("model", "fake")}

    @staticmethod
    def _usage(reply):
        given, made = reply.tokens
        return {"prompt_tokens": given, "completion_tokens": made, "total_tokens": given + made}

    @classmethod
    def whole(cls, request, reply):
        calls = [
            {"id": f"call_{n}", "type": "function", "function": {"name": name, "arguments": _arguments(arguments)}}
            for n, (name, arguments) in enumerate(reply.calls)
        ]
        message = {"role": "assistant", "content": reply.text or None} | ({"tool_calls": calls} if calls else {})
        choice = {"index": 0, "message": message, "finish_reason": reply.finish or ("tool_calls" if calls else "stop")}
        usage = {"usage": cls._usage(reply)} if reply.tokens else {}
        return {**cls._head(request), "object": "chat.completion", "choices": [choice], **usage}


class _Anthropic(_Plain):
    content_type = "text/event-stream"
    garbage = b"event: message_start\ndata: {this is no JSON\n\n"
    error = _sse({"type": "error", "error": {"type": "overloaded_error", "message": "overloaded"}}, "error")

    @classmethod
    def pieces(cls, request, reply):
        given, made = reply.tokens or (0, 0)
        message = {
            "id": "m1",
            "type": "message",
            "role": "assistant",
            "model": request["model"],
            "content": [],
            "stop_reason": None,
            "stop_sequence": None,
            "usage": {"input_tokens": given, "output_tokens": 1},
        }
        yield _sse({"type": "message_start", "message": message}, "message_start")
        n = 0
        for kind, field_, text in (("thinking", "thinking", reply.thought), ("text", "text", reply.text)):
            if text:
                yield from cls._block(n, {"type": kind, field_: ""}, f"{kind}_delta", field_, text)
                n += 1
        for name, arguments in reply.calls:
            head = {"type": "tool_use", "id": f"t{n}", "name": name, "input": {}}
            yield from cls._block(n, head, "input_json_delta", "partial_json", _arguments(arguments))
            n += 1
        ended = {"stop_reason": cls._why(reply), "stop_sequence": None}
        end = {"type": "message_delta", "delta": ended, "usage": {"input_tokens": given, "output_tokens": made}}
        yield _sse(end, "message_delta")
        yield _sse({"type": "message_stop"}, "message_stop")

    @classmethod
    def text(cls, request, text):
        return b"".join(
            [
                *list(cls.pieces({"model": "fake"}, Says(tokens=(1, 1))))[:1],
                *list(cls._block(0, {"type": "text", "text": ""}, "text_delta", "text", text))[:-1],
            ]
        )

    @staticmethod
    def _why(reply):
        if reply.finish:
            return {"length": "max_tokens"}.get(reply.finish, reply.finish)
        return "tool_use" if reply.calls else "end_turn"

    @staticmethod
    def _block(n, head, kind, field_, text):
        yield _sse({"type": "content_block_start", "index": n, "content_block": head}, "content_block_start")
        for each in _cut_up(text):
            delta = {"type": kind, field_: each}
            yield _sse({"type": "content_block_delta", "index": n, "delta": delta}, "content_block_delta")
        yield _sse({"type": "content_block_stop", "index": n}, "content_block_stop")

    @classmethod
    def whole(cls, request, reply):
        blocks = [{"type": "text", "text": reply.text}] if reply.text else []
        blocks += [
            {"type": "tool_use", "id": f"t{n}", "name": name, "input": arguments}
            for n, (name, arguments) in enumerate(reply.calls)
        ]
        given, made = reply.tokens or (0, 0)
        return {
            "id": "m1",
            "type": "message",
            "role": "assistant",
            "model": request["model"],
            "content": blocks,
            "stop_reason": cls._why(reply),
            "stop_sequence": None,
            "usage": {"input_tokens": given, "output_tokens": made},
        }


class _Ollama:
    content_type = "application/x-ndjson"
    garbage = b"{this is no JSON\n"
    error = b'{"error": "overloaded"}\n'

    @staticmethod
    def fault(body):
        """Of its errors Ollama tells the words alone."""
        return {"error": body["error"]["message"]}

    @classmethod
    def pieces(cls, request, reply):
        for each in _cut_up(reply.thought):
            yield cls._line(request, {"content": "", "thinking": each})
        for each in _cut_up(reply.text):
            yield cls.text(request, each)
        for name, arguments in reply.calls:
            yield cls._line(
                request, {"content": "", "tool_calls": [{"function": {"name": name, "arguments": arguments}}]}
            )
        given, made = reply.tokens or (0, 0)
        ended = {"done": True, "done_reason": reply.finish or "stop", "prompt_eval_count": given, "eval_count": made}
        yield cls._line(request, {"content": ""}, **ended)

    @classmethod
    def text(cls, request, text):
        return cls._line(request, {"content": text})

    @staticmethod
    def _line(request, message, **more):
        head = {"model": request.get("model", "fake"), "created_at": "2026-01-01T00:00:00Z", "done": False}
        return json.dumps({**head, "message": {"role": "assistant", **message}, **more}).encode() + b"\n"

    @classmethod
    def whole(cls, request, reply):
        return json.loads(list(cls.pieces(request, reply))[-1])


class _Gemini(_Plain):
    content_type = "text/event-stream"
    garbage = b"data: {this is no JSON\r\n\r\n"
    error = b'data: {"error": {"code": 503, "message": "overloaded", "status": "UNAVAILABLE"}}\r\n\r\n'

    @classmethod
    def pieces(cls, request, reply):
        for each in _cut_up(reply.thought):
            yield cls._chunk([{"text": each, "thought": True}])
        for each in _cut_up(reply.text):
            yield cls.text(request, each)
        yield _sse(cls.whole(request, Says(calls=reply.calls, finish=reply.finish, tokens=reply.tokens)))

    @classmethod
    def text(cls, request, text):
        return cls._chunk([{"text": text}])

    @staticmethod
    def _chunk(parts):
        return _sse(
            {"candidates": [{"content": {"role": "model", "parts": parts}, "index": 0}], "modelVersion": "fake"}
        )

    @staticmethod
    def whole(request, reply):
        parts = [{"text": reply.text}] if reply.text else []
        parts += [{"functionCall": {"name": name, "args": arguments}} for name, arguments in reply.calls]
        ended = {"length": "MAX_TOKENS"}.get(reply.finish, reply.finish.upper() or "STOP")
        given, made = reply.tokens or (0, 0)
        used = {"promptTokenCount": given, "candidatesTokenCount": made, "totalTokenCount": given + made}
        candidate = {"content": {"role": "model", "parts": parts}, "finishReason": ended, "index": 0}
        return {"candidates": [candidate], "modelVersion": "fake"} | ({"usageMetadata": used} if reply.tokens else {})


_PROTOCOLS = {
    "/chat/completions": _OpenAI,
    "/messages": _Anthropic,
    "/api/chat": _Ollama,
    "enerateContent": _Gemini,
}
