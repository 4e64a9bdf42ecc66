"""The client against a real HTTP server that answers well, slowly, wrongly and not at all."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import time
from typing import Any

import pytest

from litemem.errors import Closed, InvalidValue, RunFailed
from litemem.llm.client import LLMClient
from litemem.llm.openai import OpenAIClient
from tests.llm.server import Answer, Endpoint, said, sent

pytestmark = pytest.mark.allow_hosts(["127.0.0.1"])

KEY = "sk-secret-4711"
HTML = Answer(body=b"<html><h1>It works!</h1></html>", headers={"content-type": "text/html"})


def client_of(
    endpoint: Endpoint,
    *,
    api_key: str | None = None,
    timeout_s: float = 10,
    temperature: float | None = None,
) -> OpenAIClient:
    return OpenAIClient(
        "tiny",
        base_url=endpoint.url,
        api_key=api_key,
        timeout_s=timeout_s,
        temperature=temperature,
    )


async def trouble(client: LLMClient, *, json: bool = False) -> str:
    """Return what a failing call says; it always names the model and its URL, never the key."""
    with pytest.raises(RunFailed) as failed:
        await client.complete("hi", json=json)
    message = str(failed.value)

    assert "'tiny' at http://127.0.0.1:" in message
    assert "\n" not in message
    assert KEY not in message
    return message


async def test_a_model_is_asked_once_with_system_prompt_and_limits(endpoint: Endpoint) -> None:
    client = client_of(endpoint, temperature=0)
    answer = await client.complete("hi", system="be kind", max_tokens=9, json=True)

    assert answer == "hello"
    (request,) = endpoint.asked
    assert request.path == "/v1/chat/completions"
    assert request.body == {
        "model": "tiny",
        "messages": [
            {"role": "system", "content": "be kind"},
            {"role": "user", "content": "hi"},
        ],
        "max_tokens": 9,
        "temperature": 0,
        "response_format": {"type": "json_object"},
    }


async def test_only_the_prompt_is_sent_where_nothing_else_was_said(endpoint: Endpoint) -> None:
    await client_of(endpoint).complete("hi \ud800")

    assert endpoint.bodies() == [
        {"model": "tiny", "messages": [{"role": "user", "content": "hi ?"}]}
    ]


async def test_nothing_is_contacted_before_a_question(endpoint: Endpoint) -> None:
    repr(client_of(endpoint))
    await asyncio.sleep(0.05)

    assert endpoint.asked == []


async def test_the_key_is_in_the_authorization_header_alone(
    endpoint: Endpoint, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_ORG_ID", "org-1")
    monkeypatch.setenv("OPENAI_CUSTOM_HEADERS", "X-Private: 1")
    client = client_of(endpoint, api_key=f" {KEY}\n")
    await client.complete("hi")
    (request,) = endpoint.asked

    assert request.headers["authorization"] == f"Bearer {KEY}"
    assert KEY not in str(request.body) + request.path + repr(client)
    assert sorted(request.headers) == [
        "accept",
        "accept-encoding",
        "authorization",
        "connection",
        "content-length",
        "content-type",
        "host",
        "user-agent",
        "x-stainless-raw-response",
    ]


async def test_without_a_key_none_of_the_environment_is_sent(
    endpoint: Endpoint, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    monkeypatch.setenv("OPENAI_CUSTOM_HEADERS", f"Authorization: Bearer {KEY}")
    await client_of(endpoint).complete("hi")

    assert "authorization" not in endpoint.asked[0].headers
    assert KEY not in str(endpoint.asked)


async def test_a_proxy_of_the_environment_isn_t_asked_for_this_machine(
    endpoint: Endpoint, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:1")

    assert await client_of(endpoint).complete("hi") == "hello"


async def test_an_endpoint_without_json_mode_is_asked_again_without_it(endpoint: Endpoint) -> None:
    endpoint.answers = [sent({"error": "'response_format.type' must be 'text'"}, 400), said("{}")]
    client = client_of(endpoint)

    assert await client.complete("hi", json=True) == "{}"
    assert await client.complete("hi", json=True) == "{}"
    assert ["response_format" in body for body in endpoint.bodies()] == [True, False, False]


async def test_a_refusal_without_json_mode_isn_t_asked_again(endpoint: Endpoint) -> None:
    endpoint.answers = [sent({"error": {"message": "too many tokens"}}, 400)]
    message = await trouble(client_of(endpoint))

    assert "HTTP 400: too many tokens" in message
    assert len(endpoint.asked) == 1


async def test_a_refused_json_mode_is_the_one_retry(endpoint: Endpoint) -> None:
    endpoint.answers = [sent({}, 400), sent({}, 500), said("too late")]
    client = client_of(endpoint)
    message = await trouble(client, json=True)
    await client.complete("hi", json=True)

    assert "HTTP 500" in message
    assert ["response_format" in body for body in endpoint.bodies()] == [True, False, True]


@pytest.mark.parametrize("status", [408, 409, 429, 500, 502, 503, 504])
async def test_a_passing_trouble_is_asked_again_once(endpoint: Endpoint, status: int) -> None:
    again = sent({"error": {"message": "busy"}}, status, retry_after="0.01")
    endpoint.answers = [again, said("ok")]
    assert await client_of(endpoint).complete("hi") == "ok"

    endpoint.answers = [again]
    assert f"HTTP {status}: busy" in await trouble(client_of(endpoint))
    assert len(endpoint.asked) == 4


async def test_a_retry_without_a_named_wait_comes_soon(endpoint: Endpoint) -> None:
    endpoint.answers = [sent({}, 500), said("ok")]
    start = time.monotonic()

    assert await client_of(endpoint).complete("hi") == "ok"
    assert 0.4 < time.monotonic() - start < 8


@pytest.mark.parametrize("wait", ["3600", "Mon, 30 Nov 2026 12:00:00 GMT"])
async def test_a_long_wait_is_left_to_the_caller(endpoint: Endpoint, wait: str) -> None:
    endpoint.answers = [sent({"error": "quota"}, 429, retry_after=wait)]

    assert "too many requests (HTTP 429: quota); wait" in await trouble(client_of(endpoint))
    assert len(endpoint.asked) == 1


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        (sent({"error": {"message": f"Incorrect API key {KEY}"}}, 401), "valid API key"),
        (sent({"error": {"message": "no"}}, 403), "may use this model"),
        (sent({"error": {"message": "model 'tiny' not found"}}, 404), "ollama pull"),
        (Answer(status=404, body=b"404 page\n not found"), "404 page not found"),
        (sent({}, 301, location="http://127.0.0.1:1/"), "address it moved to"),
        (sent({"error": {"code": 7}}, 418), '{"code": 7}'),
        (HTML, "answered no JSON: <html><h1>It works!</h1></html>; is the base URL right?"),
        (Answer(body=b""), "answered no JSON: nothing"),
        (Answer(body=b'{"choices": [{"mess'), 'answered no JSON: {"choices"'),
        (Answer(body=b"\xff\xfe{"), "answered no JSON"),
        (Answer(body=b"[" * 100_000), "answered no JSON"),
        (sent(["no"]), "no chat completion (list)"),
        (sent({"models": [], "object": 1}), "no chat completion (models, object)"),
        (sent({"choices": {}}), "no chat completion (choices)"),
        (sent({"choices": []}), "answered no choice"),
        (sent({"choices": [None]}), "answered an empty text"),
        (sent({"error": {"message": "upstream is down"}}), "with an error: upstream is down"),
        (said(None), "answered an empty text"),
        (said(" \n"), "answered an empty text"),
        (said(7), "answered an empty text"),
        (said("", finish_reason="length"), "used all its tokens"),
        (said("<think>so it is"), "answered an empty text"),
        (said(None, message={"content": None, "refusal": "I won't"}), "refused to answer: I won't"),
    ],
)
async def test_a_useless_answer_is_an_error_at_once(
    endpoint: Endpoint, answer: Answer, told: str
) -> None:
    endpoint.answers = [answer]

    assert told in await trouble(client_of(endpoint, api_key=KEY))
    assert len(endpoint.asked) == 1


async def test_a_long_error_is_shortened(endpoint: Endpoint) -> None:
    endpoint.answers = [Answer(status=418, body=b"x" * 10_000)]

    assert len(await trouble(client_of(endpoint))) < 500


async def test_an_answer_that_is_cut_off_is_asked_for_once_more(endpoint: Endpoint) -> None:
    cut = Answer(body=b'{"choices":', cut=50)
    endpoint.answers = [cut, said("whole")]
    assert await client_of(endpoint).complete("hi") == "whole"

    endpoint.answers = [cut]
    assert "broke the connection off" in await trouble(client_of(endpoint))
    assert len(endpoint.asked) == 4


async def test_a_slow_model_ends_at_the_time_limit_and_isn_t_asked_again(
    endpoint: Endpoint,
) -> None:
    endpoint.answers = [Answer(waits=True)]
    start = time.monotonic()
    message = await trouble(client_of(endpoint, timeout_s=0.5))

    assert "didn't answer within 0.5 s" in message
    assert time.monotonic() - start < 5
    assert len(endpoint.asked) <= 1


async def test_the_time_limit_holds_for_the_retry_too(endpoint: Endpoint) -> None:
    endpoint.answers = [sent({}, 503, retry_after="9")]
    start = time.monotonic()

    assert "didn't answer within 1 s" in await trouble(client_of(endpoint, timeout_s=1))
    assert time.monotonic() - start < 5


async def test_a_closed_port_is_unreachable_at_once(endpoint: Endpoint) -> None:
    client = client_of(endpoint)
    endpoint.close()

    assert "can't be reached (All connection attempts failed); is the server" in await trouble(
        client
    )


async def test_a_cancelled_question_ends_at_once(endpoint: Endpoint) -> None:
    endpoint.answers = [Answer(waits=True)]
    asking = asyncio.create_task(client_of(endpoint).complete("hi"))
    await asyncio.to_thread(endpoint.arrived.wait, 10)
    asking.cancel()

    with pytest.raises(asyncio.CancelledError):
        await asking
    assert len(endpoint.asked) == 1


def test_one_client_serves_several_loops_and_tasks(endpoint: Endpoint) -> None:
    client = client_of(endpoint)

    async def several() -> list[str]:
        return await asyncio.gather(*(client.complete("hi") for _ in range(4)))

    assert [asyncio.run(several()) for _ in range(2)] == [["hello"] * 4] * 2


async def test_a_closed_client_asks_nothing(endpoint: Endpoint) -> None:
    client = client_of(endpoint)
    await client.aclose()
    await client.aclose()

    with pytest.raises(Closed, match="make a new client"):
        await client.complete("hi")
    assert endpoint.asked == []


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"model": " "}, "empty"),
        ({"base_url": "localhost:11434"}, "base URL"),
        ({"base_url": "ftp://x/v1"}, "base URL"),
        ({"base_url": "http:///v1"}, "base URL"),
        ({"base_url": "http://x:99999/v1"}, "base URL"),
        ({"base_url": "http://[::1/v1"}, "base URL"),
        ({"api_key": "sk-ä"}, "character that no key has"),
        ({"api_key": "sk a"}, "character that no key has"),
        ({"api_key": "sk\na"}, "character that no key has"),
        ({"timeout_s": 0}, "timeout_s"),
        ({"timeout_s": float("nan")}, "timeout_s"),
        ({"timeout_s": float("inf")}, "timeout_s"),
    ],
)
def test_an_endpoint_that_can_t_be_is_refused_when_made(options: dict[str, Any], told: str) -> None:
    with pytest.raises(InvalidValue, match=told) as refused:
        OpenAIClient(**({"model": "tiny"} | options))
    assert "sk" not in str(refused.value)


def test_passwords_of_a_url_are_shown_nowhere() -> None:
    client = OpenAIClient("m", base_url="https://me:pw@example.org/v1/?token=t", api_key=KEY)

    assert repr(client) == "OpenAIClient('m', base_url='https://example.org/v1')"


def test_a_missing_package_says_how_to_install_it() -> None:
    code = (
        "import sys; sys.modules['openai'] = None\n"
        "from litemem.llm.openai import OpenAIClient\n"
        "try: OpenAIClient('m')\n"
        "except RuntimeError as error: print(error)"
    )
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, text=True)

    assert "pip install 'litemem[llm]'" in found.stdout


def test_a_client_loads_the_package_only_when_it_is_asked() -> None:
    code = (
        "import sys; from litemem.llm.names import resolve_llm; resolve_llm('ollama/m');"
        "print('openai' in sys.modules)"
    )
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, text=True)

    assert found.stdout == "False\n"
