"""What went wrong at an endpoint, in one sentence for a person."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Final

from litemem.errors import RunFailed
from litemem.llm.answer import error_text, one_line
from litemem.llm.endpoint import Endpoint

if TYPE_CHECKING:
    import openai

_SAID: Final = {
    401: "refuses the key",
    403: "refuses the key",
    404: "doesn't know this model or address",
    413: "finds the request too long",
    429: "has too many requests",
}
_WAY_OUT: Final = {
    400: "look at what it says",
    401: "give a valid API key",
    403: "give a key that may use this model",
    404: "is the model there (ollama: `ollama pull`), and the base URL complete (most end in /v1)?",
    413: "give it less text, or a model with a larger context",
    429: "wait, then try again",
}


def status_trouble(error: openai.APIStatusError) -> str:
    """Say what a 3xx, 4xx or 5xx response means, and the way out."""
    status = error.status_code
    said = f"{_SAID.get(status, 'answered an error')} (HTTP {status}"
    text = _body_text(error)
    redirected = 300 <= status < 400
    default = "give the address it moved to" if redirected else "look at the server's log"
    return f"{said}{f': {text}' if text else ''}); {_WAY_OUT.get(status, default)}"


def connection_trouble(error: openai.APIConnectionError) -> str:
    """Say why no response came."""
    if is_unreachable(error):
        return f"can't be reached ({one_line(str(error.__cause__))}); is the server running there?"
    return "broke the connection off; look at the server's log"


def is_unreachable(error: openai.APIConnectionError) -> bool:
    """Whether there is nothing at the address, so that asking again is no use."""
    return type(error.__cause__).__name__ == "ConnectError"


def failed(endpoint: Endpoint, trouble: str) -> RunFailed:
    """Make the error that names the model, its URL, the trouble and the way out."""
    told = endpoint.hidden(trouble)
    return RunFailed(f"the model {endpoint.model!r} at {endpoint.shown_url} {told}")


def _body_text(error: openai.APIStatusError) -> str:
    text = error.response.text
    try:
        return error_text(json.loads(text)) or one_line(text)
    except (ValueError, RecursionError):
        return one_line(text)
