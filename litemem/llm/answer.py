"""The text of a chat completion, or what is wrong with it."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any, Final

from litemem.errors import RunFailed

_SHOWN_CHARS: Final = 300  # of what an endpoint says about its trouble
_SPACE: Final = re.compile(r"[\x00-\x20\x7f-\xa0\u2028\u2029]+")
_THOUGHT: Final = re.compile(r"\s*<(think|thinking)>.*?(?:</\1>|\Z)", re.DOTALL)
# Some chat templates open the thought in the prompt, so that only its end is in the answer. A tag
# that an answer quotes isn't alone on its line, and can't be in JSON.
_THOUGHT_END: Final = re.compile(r"^[ \t]*</think(?:ing)?>[ \t]*$", re.MULTILINE)


def answer_text(body: bytes) -> str:
    """
    Return the answer of a chat completion, without the reasoning that may stand before it.

    Args:
        body: the response of `/chat/completions`.

    Raises:
        RunFailed: there is no answer in it; the message says what is there instead.
    """
    try:
        found = json.loads(body)
    except (ValueError, RecursionError) as error:
        msg = f"answered no JSON: {one_line(body[:1000].decode(errors='replace')) or 'nothing'}"
        raise RunFailed(f"{msg}; is the base URL right? Most end in /v1") from error
    if trouble := error_text(found):
        raise RunFailed(f"answered with an error: {trouble}")
    choice = _first_choice(found)
    message = _mapping(choice.get("message"))
    if refusal := message.get("refusal"):
        raise RunFailed(f"refused to answer: {one_line(str(refusal))}")
    text = without_thought(_content(message.get("content")))
    if not text.strip():
        raise RunFailed(_why_empty(choice))
    return text


def without_thought(text: str) -> str:
    """Take out the reasoning before an answer: `<think>...</think>`, or what one tag is left of."""
    if thought := _THOUGHT.match(text):
        return text[thought.end() :].lstrip()
    if text.lstrip().startswith(("{", "[")):
        return text
    end = _THOUGHT_END.search(text)
    return text if end is None else text[end.end() :].lstrip()


def error_text(body: object) -> str:
    """Return the message of an error body, in one short line; '' where there is none."""
    error = _mapping(body).get("error")
    if not error:
        return ""
    message = error.get("message") if isinstance(error, Mapping) else error
    return one_line(message if isinstance(message, str) else json.dumps(error))


def one_line(text: str) -> str:
    """Return a text as one line of at most 300 characters."""
    line = _SPACE.sub(" ", text).strip()
    return line if len(line) <= _SHOWN_CHARS else f"{line[: _SHOWN_CHARS - 1]}…"


def _first_choice(found: object) -> Mapping[str, Any]:
    choices = _mapping(found).get("choices")
    if not isinstance(choices, list):
        keys = ", ".join(map(str, _mapping(found))) or type(found).__name__
        raise RunFailed(
            f"answered JSON that is no chat completion ({one_line(keys)}); is the base URL right?"
        )
    if not choices:
        raise RunFailed("answered no choice; ask again, or ask another model")
    return _mapping(choices[0])


def _content(content: object) -> str:
    """Return a message's text: a string, or the text parts of a list."""
    if isinstance(content, list):
        texts = (_mapping(part).get("text") for part in content)
        return "".join(text for text in texts if isinstance(text, str))
    return content if isinstance(content, str) else ""


def _why_empty(choice: Mapping[str, Any]) -> str:
    if choice.get("finish_reason") == "length":
        return "used all its tokens before it answered; allow more, or ask a model that thinks less"
    return "answered an empty text; ask again, or ask another model"


def _mapping(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}
