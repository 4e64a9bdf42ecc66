"""An endpoint on this machine that answers as it is told to, and keeps what it was asked."""

from __future__ import annotations

import json
import threading
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """One HTTP response."""

    status: int = 200
    body: bytes = b""
    headers: dict[str, str] = field(default_factory=dict)
    cut: int = 0  # bytes that are announced and never sent
    waits: bool = False  # until the test is over


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """One HTTP request."""

    path: str
    headers: dict[str, str]  # names in lower case
    body: dict[str, Any]


def said(text: object, **choice: object) -> Answer:
    """Answer as a model does."""
    message = {"role": "assistant", "content": text}
    return sent({"choices": [{"index": 0, "message": message, "finish_reason": "stop", **choice}]})


def sent(body: object, status: int = 200, **headers: str) -> Answer:
    """Answer with JSON."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return Answer(status=status, body=json.dumps(body).encode(), headers=named)


class Endpoint:
    """A real HTTP server; its answers are taken in order, the last one again and again."""

    def __init__(self) -> None:
        self.answers: list[Answer] = [said("hello")]
        self.asked: list[Asked] = []
        self.arrived = threading.Event()
        self.over = threading.Event()
        self.server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self.server.daemon_threads = False
        self.thread = threading.Thread(target=self.server.serve_forever, args=(0.01,))
        self.thread.start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server.server_port}/v1"

    def bodies(self) -> list[dict[str, Any]]:
        return [request.body for request in self.asked]

    def close(self) -> None:
        self.over.set()
        self.server.shutdown()
        self.server.server_close()
        self.thread.join()

    def next_answer(self) -> Answer:
        return self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        endpoint = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["content-length"])))
                named = {name.lower(): value for name, value in self.headers.items()}
                endpoint.asked.append(Asked(path=self.path, headers=named, body=body))
                endpoint.arrived.set()
                answer = endpoint.next_answer()
                if answer.waits:
                    endpoint.over.wait(20)
                    return
                self.send_response(answer.status)
                for name, value in ({"content-type": "application/json"} | answer.headers).items():
                    self.send_header(name, value)
                self.send_header("content-length", str(len(answer.body) + answer.cut))
                self.end_headers()
                self.wfile.write(answer.body)

            def log_message(self, *_: object) -> None:
                pass

        return Handler
