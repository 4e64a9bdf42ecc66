"""A client for every endpoint that speaks OpenAI's chat completions."""

from __future__ import annotations

import asyncio
import importlib.util
from typing import TYPE_CHECKING, Any, Final

from litemem.errors import Closed, InvalidValue, RunFailed
from litemem.llm.answer import answer_text
from litemem.llm.endpoint import OPENAI_URL, Endpoint
from litemem.llm.trouble import connection_trouble, failed, is_unreachable, status_trouble

if TYPE_CHECKING:
    import openai

_RETRIED: Final = frozenset({408, 409, 429, 500, 502, 503, 504})
_REFUSED: Final = frozenset({400, 422})  # an unknown or unsupported parameter
_WAIT_S: Final = 0.5
_LONGEST_WAIT_S: Final = 10.0
_DAY_S: Final = 86_400
_SENT: Final = frozenset(
    {
        "accept",
        "accept-encoding",
        "authorization",
        "connection",
        "content-length",
        "content-type",
        "host",
        "user-agent",
        "x-stainless-raw-response",  # the package looks for it when the answer is there
    }
)
"""The headers that an endpoint gets. The package would tell it the machine, the Python version and
what else the environment's OPENAI_ variables hold."""


class OpenAIClient:
    """
    An `LLMClient` for Ollama, llama.cpp, LM Studio, vLLM, OpenAI and their like.

    Nothing is contacted before `complete`, and no connection is kept after it, so one client
    serves any number of tasks, threads and event loops. The environment isn't read, but for
    proxies and certificates, and for an endpoint on this machine not even these.
    """

    def __init__(
        self,
        model: str,
        *,
        base_url: str | None = None,
        api_key: str | None = None,
        timeout_s: float = 60,
        temperature: float | None = None,
    ) -> None:
        """
        Set where to ask.

        Args:
            model: the name that the endpoint knows.
            base_url: mostly ends in `/v1`; None is OpenAI's own.
            api_key: sent as a bearer token to the base URL alone; None for servers without keys.
            timeout_s: for a whole answer, a retry included.
            temperature: None leaves it to the endpoint.

        Raises:
            InvalidValue: a model, URL, key or time limit that can't be one.
            RunFailed: the `openai` package is missing.
        """
        if not 0 < timeout_s <= _DAY_S:
            raise InvalidValue(f"timeout_s is {timeout_s}; give seconds, above 0 and at most a day")
        key = (api_key or "").strip() or None
        self._at = Endpoint(model=model, base_url=base_url or OPENAI_URL, api_key=key)
        self._timeout_s, self._temperature = timeout_s, temperature
        self._json_refused = False
        self._closed = False
        if importlib.util.find_spec("openai") is None:
            raise RunFailed("language models need the openai package: pip install 'litemem[llm]'")

    def __repr__(self) -> str:
        return f"OpenAIClient({self._at.model!r}, base_url={self._at.shown_url!r})"

    async def complete(
        self,
        prompt: str,
        *,
        system: str | None = None,
        max_tokens: int | None = None,
        json: bool = False,
    ) -> str:
        """
        Return the model's answer, without the reasoning before it.

        At most one retry: after a broken connection, a status that says "try again", or a refusal
        of the JSON mode, which is then left out.

        Args:
            prompt: what the user says.
            system: instructions before it.
            max_tokens: of the answer, at most.
            json: ask for a JSON object, where the endpoint can.

        Raises:
            RunFailed: there is no answer; names the model, the URL, the trouble and the way out.
            Closed: the client was closed.
        """
        if self._closed:
            raise Closed(f"{self!r} is closed; make a new client")
        asked = self._asked(prompt, system, max_tokens, json=json and not self._json_refused)
        try:
            async with asyncio.timeout(self._timeout_s):
                body = await self._ask(asked)
        except TimeoutError:
            told = f"didn't answer within {self._timeout_s:g} s; give it longer (timeout_s) or less"
            raise failed(self._at, told) from None
        try:
            return answer_text(body)
        except RunFailed as error:
            raise failed(self._at, str(error)) from error.__cause__

    async def aclose(self) -> None:
        """Refuse what is asked from now on; what is being answered ends as it would have."""
        self._closed = True

    async def _ask(self, asked: dict[str, Any]) -> bytes:  # Any: JSON
        # The import takes half a second and certificates 40 ms: too long for an event loop.
        sdk = await asyncio.to_thread(_connected, self._at)
        async with sdk:
            return await self._ask_twice(sdk, asked)

    async def _ask_twice(self, sdk: openai.AsyncOpenAI, asked: dict[str, Any]) -> bytes:
        import openai

        is_json = "response_format" in asked
        key = f"Bearer {self._at.api_key}" if self._at.api_key else openai.Omit()
        sent = {"Authorization": key}  # said here, it beats the environment's OPENAI_CUSTOM_HEADERS
        for is_last in (False, True):
            try:
                response = await sdk.chat.completions.with_raw_response.create(
                    **asked, extra_headers=sent
                )
            except openai.APIStatusError as error:
                if is_last or not await self._mended(error, asked):
                    # its text may hold the key that the endpoint was given, so it isn't shown
                    raise failed(self._at, status_trouble(error)) from None
            except openai.APIConnectionError as error:
                if is_last or is_unreachable(error):
                    raise failed(self._at, connection_trouble(error)) from error
            else:
                # spares the next calls their first request
                self._json_refused |= is_json and "response_format" not in asked
                body: bytes = response.content
                return body
        raise AssertionError  # pragma: no cover  # the second turn returns or raises

    async def _mended(self, error: openai.APIStatusError, asked: dict[str, Any]) -> bool:
        """Whether asking again may help; waits, or takes the JSON mode out, where it may."""
        if error.status_code in _REFUSED and "response_format" in asked:
            del asked["response_format"]
            return True
        wait_s = _wait_s(error.response.headers.get("retry-after"))
        if error.status_code not in _RETRIED or wait_s > _LONGEST_WAIT_S:
            return False
        await asyncio.sleep(wait_s)
        return True

    def _asked(
        self, prompt: str, system: str | None, max_tokens: int | None, *, json: bool
    ) -> dict[str, Any]:
        messages = [{"role": "user", "content": _sendable(prompt)}]
        if system:
            messages.insert(0, {"role": "system", "content": _sendable(system)})
        asked: dict[str, Any] = {"model": self._at.model, "messages": messages}
        if max_tokens is not None:
            # OpenAI's reasoning models refuse the old name, others don't know the new one
            asked["max_completion_tokens" if self._at.is_openai else "max_tokens"] = max_tokens
        if self._temperature is not None:
            asked["temperature"] = self._temperature
        if json:
            asked["response_format"] = {"type": "json_object"}
        return asked


def _connected(at: Endpoint) -> openai.AsyncOpenAI:
    """Make the package's client; it connects when it is asked."""
    import ssl

    import openai

    http = openai.DefaultAsyncHttpxClient(
        verify=ssl.create_default_context() if at.base_url.startswith("https") else False,
        trust_env=not at.is_local,  # a proxy can't reach this machine
        follow_redirects=False,  # what is sent is private: it goes where it was told to
        event_hooks={"request": [_only_what_is_needed]},
    )
    return openai.AsyncOpenAI(
        api_key=at.api_key or "none",  # else it is taken from the environment
        base_url=at.base_url,
        max_retries=0,
        timeout=None,  # its limits are for each byte; ours is for the whole answer
        http_client=http,
    )


async def _only_what_is_needed(request: Any) -> None:  # noqa: ANN401  # a type of its HTTP package
    for name in [*request.headers]:
        if name.lower() not in _SENT:
            del request.headers[name]


def _wait_s(retry_after: str | None) -> float:
    try:
        return max(0.0, float(retry_after or _WAIT_S))
    except ValueError:  # a date: whoever sends one means minutes
        return _LONGEST_WAIT_S + 1


def _sendable(text: str) -> str:
    """Return a text that UTF-8 can hold: a lone surrogate becomes `?`."""
    return text.encode(errors="replace").decode()
