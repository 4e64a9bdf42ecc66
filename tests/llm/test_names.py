"""Where the language model of a name is."""

from __future__ import annotations

from urllib.parse import urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from litemem.errors import InvalidValue
from litemem.llm.names import resolve_llm
from litemem.llm.openai import OpenAIClient

HOSTED = "https://api.openai.com/v1"


def found(name: str, environ: dict[str, str] | None = None, **given: str) -> tuple[str, str, str]:
    """Return model, base URL and key."""
    client = resolve_llm(name, environ=environ or {}, **given)  # type: ignore[arg-type]
    assert isinstance(client, OpenAIClient)
    at = client._at
    return at.model, at.base_url, at.api_key or ""


@pytest.mark.parametrize(
    ("name", "model", "url"),
    [
        ("ollama/llama3.2", "llama3.2", "http://localhost:11434/v1"),
        ("Ollama/llama3.2:1b", "llama3.2:1b", "http://localhost:11434/v1"),
        ("lmstudio/qwen/qwen3-4b", "qwen/qwen3-4b", "http://localhost:1234/v1"),
        ("llamacpp/any", "any", "http://localhost:8080/v1"),
        ("vllm/meta-llama/Llama-3", "meta-llama/Llama-3", "http://localhost:8000/v1"),
    ],
)
def test_a_prefix_says_where_a_model_is(name: str, model: str, url: str) -> None:
    environ = {"OPENAI_API_KEY": "sk", "OPENAI_BASE_URL": "http://elsewhere/v1"}

    assert found(name, environ) == (model, url, "")


def test_the_hosted_service_takes_its_own_variables() -> None:
    own = {"OPENAI_API_KEY": "sk"}

    assert found("openai/gpt-5", own) == ("gpt-5", HOSTED, "sk")
    assert found("openai/gpt-5", api_key="arg") == ("gpt-5", HOSTED, "arg")
    assert found("openai/gpt-5", own | {"OPENAI_BASE_URL": "http://gate/v1"}) == (
        "gpt-5",
        "http://gate/v1",
        "sk",
    )


def test_its_key_goes_to_no_other_url() -> None:
    own = {"OPENAI_API_KEY": "sk"}

    assert found("openai/gpt-5", own, base_url="http://x/v1") == ("gpt-5", "http://x/v1", "")
    assert found("m", own, base_url="http://x/v1")[2] == ""


def test_a_hosted_model_without_a_key_is_an_error_before_anything_is_asked() -> None:
    with pytest.raises(InvalidValue, match="OPENAI_API_KEY"):
        resolve_llm("openai/gpt-5", environ={})


def test_argument_beats_environment_beats_default() -> None:
    environ = {"LITEMEM_LLM_BASE_URL": "http://env/v1", "LITEMEM_LLM_API_KEY": "env"}

    assert found("ollama/m", environ) == ("m", "http://env/v1", "env")
    assert found("ollama/m", environ | {"OLLAMA_HOST": "h"})[1] == "http://env/v1"
    assert found("m", environ, base_url="http://arg/v1", api_key="arg") == (
        "m",
        "http://arg/v1",
        "arg",
    )


def test_with_a_url_any_other_name_is_the_model_as_a_whole() -> None:
    assert found("meta-llama/llama-3", base_url="http://x/v1")[0] == "meta-llama/llama-3"
    assert found(" llama3 ", base_url="http://x/v1")[0] == "llama3"


@pytest.mark.parametrize("name", ["llama3", "mystery/m", "/m", "", "ollama"])
def test_a_name_from_nowhere_lists_the_prefixes(name: str) -> None:
    with pytest.raises(InvalidValue, match="ollama/, lmstudio/, llamacpp/, vllm/, openai/"):
        resolve_llm(name, environ={})


@pytest.mark.parametrize("name", ["ollama/", "ollama/ "])
def test_a_prefix_without_a_model_is_an_error(name: str) -> None:
    with pytest.raises(InvalidValue, match="empty"):
        resolve_llm(name, environ={})


def test_the_process_s_environment_is_read_when_none_is_given(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name in ("LITEMEM_LLM_BASE_URL", "LITEMEM_LLM_API_KEY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("OLLAMA_HOST", "box")

    assert repr(resolve_llm("ollama/m")) == "OpenAIClient('m', base_url='http://box:11434/v1')"


@pytest.mark.parametrize(
    ("host", "url"),
    [
        ("box", "http://box:11434/v1"),
        ("box:9", "http://box:9/v1"),
        (":9", "http://localhost:9/v1"),
        ("0.0.0.0", "http://127.0.0.1:11434/v1"),
        ("[::]:9", "http://[::1]:9/v1"),
        ("[fd00::2]", "http://[fd00::2]:11434/v1"),
        ("http://box", "http://box:80/v1"),
        ("https://box/ollama/", "https://box:443/ollama/v1"),
        ("http://box:9/v1", "http://box:9/v1"),
        (" ", "http://localhost:11434/v1"),
    ],
)
def test_ollama_s_host_is_read_as_ollama_does(host: str, url: str) -> None:
    assert found("ollama/m", {"OLLAMA_HOST": host})[1] == url


@pytest.mark.parametrize("host", ["box:port", "box:99999", "gopher://box"])
def test_a_host_that_is_none_is_an_error(host: str) -> None:
    with pytest.raises(InvalidValue):
        resolve_llm("ollama/m", environ={"OLLAMA_HOST": host})


@given(st.text() | st.text("ab.:/[]@0123456789", max_size=20))
def test_any_host_gives_a_url_or_one_clear_error(host: str) -> None:
    try:
        url = found("ollama/m", {"OLLAMA_HOST": host})[1]
    except InvalidValue:
        return

    assert urlsplit(url).hostname
    assert url.endswith("/v1")


@given(st.text(), st.dictionaries(st.sampled_from(["OLLAMA_HOST", "OPENAI_API_KEY"]), st.text()))
def test_any_name_gives_a_client_or_one_clear_error(name: str, environ: dict[str, str]) -> None:
    try:
        client = resolve_llm(name, environ=environ)
    except InvalidValue:
        return

    assert isinstance(client, OpenAIClient)
