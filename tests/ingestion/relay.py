"""A relay on loopback between a client and a server, which can fall silent or break in the middle of an answer."""

import contextlib
import socket
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal


@dataclass
class Relay:
    """Hands on what the client says; of the server's answers only `room` bytes, then it is `silent` or `cut`."""

    port: int
    then: Literal["silent", "cut"]
    room: float = float("inf")
    is_full: threading.Event = field(default_factory=threading.Event)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def hand_on(self, source: socket.socket, sink: socket.socket, *, is_answer: bool) -> None:
        with contextlib.suppress(OSError):
            while data := source.recv(65536):
                if is_answer and not self._fits(len(data)):
                    if self.then == "silent":
                        continue
                    break
                sink.sendall(data)
        for end in (source, sink):
            with contextlib.suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)

    def _fits(self, size: int) -> bool:
        with self._lock:
            self.room -= size
            if self.room < 0:
                self.is_full.set()
            return self.room >= 0


@contextlib.contextmanager
def relay(server_port: int, then: Literal["silent", "cut"]) -> Iterator[Relay]:
    """A relay before the server at `server_port`, listening at `.port`."""
    listening = socket.create_server(("127.0.0.1", 0))
    made = Relay(listening.getsockname()[1], then)
    ends: list[socket.socket] = [listening]

    def accept() -> None:
        with contextlib.suppress(OSError):
            while True:
                client, _ = listening.accept()
                server = socket.create_connection(("127.0.0.1", server_port))
                ends.extend((client, server))
                for source, sink, is_answer in ((client, server, False), (server, client, True)):
                    threading.Thread(
                        target=made.hand_on, args=(source, sink), kwargs={"is_answer": is_answer}, daemon=True
                    ).start()

    threading.Thread(target=accept, daemon=True).start()
    try:
        yield made
    finally:
        for end in ends:
            with contextlib.suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
            end.close()
