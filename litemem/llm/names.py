"""Names such as `ollama/llama3.2` as clients; here alone the environment is read for them."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final
from urllib.parse import urlsplit

from litemem.errors import InvalidValue
from litemem.llm.client import LLMClient
from litemem.llm.endpoint import OPENAI_URL
from litemem.llm.openai import OpenAIClient

BASE_URL: Final = "LITEMEM_LLM_BASE_URL"
API_KEY: Final = "LITEMEM_LLM_API_KEY"
_ASKED_AT: Final = {"": "localhost", "0.0.0.0": "127.0.0.1", "::": "::1"}  # noqa: S104


@dataclass(frozen=True, slots=True, kw_only=True)
class Provider:
    """Where the models of a prefix are, unless told otherwise."""

    url: str
    url_variable: str | None = None
    key_variable: str | None = None  # its key goes to this provider alone, and must be there


PROVIDERS: Final[Mapping[str, Provider]] = {
    "ollama": Provider(url="http://localhost:11434/v1", url_variable="OLLAMA_HOST"),
    "lmstudio": Provider(url="http://localhost:1234/v1"),
    "llamacpp": Provider(url="http://localhost:8080/v1"),
    "vllm": Provider(url="http://localhost:8000/v1"),
    "openai": Provider(
        url=OPENAI_URL, url_variable="OPENAI_BASE_URL", key_variable="OPENAI_API_KEY"
    ),
}


def resolve_llm(
    name: str,
    *,
    base_url: str | None = None,
    api_key: str | None = None,
    environ: Mapping[str, str] | None = None,
    timeout_s: float = 60,
) -> LLMClient:
    """
    Return the client that a name stands for; nothing is contacted.

    A known prefix (`ollama/`, `lmstudio/`, `llamacpp/`, `vllm/`, `openai/`) says where the model
    is, and is taken off. Any other name needs a base URL and is the model's name as a whole.

    Args:
        name: e.g. `ollama/llama3.2`, or with a base URL `llama3.2` or `meta-llama/llama-3-8b`.
        base_url: else $LITEMEM_LLM_BASE_URL, else the provider's own variable ($OLLAMA_HOST,
            $OPENAI_BASE_URL), else where the provider's server listens.
        api_key: else $LITEMEM_LLM_API_KEY, else for OpenAI's own service $OPENAI_API_KEY.
        environ: the process's environment when absent.
        timeout_s: for a whole answer.

    Raises:
        InvalidValue: no model, an unknown prefix without a base URL, or a key is missing.
        RunFailed: the `openai` package is missing.
    """
    given = os.environ if environ is None else environ
    prefix, slash, rest = name.strip().partition("/")
    provider = PROVIDERS.get(prefix.lower()) if slash else None
    url = base_url or given.get(BASE_URL)
    key = api_key or given.get(API_KEY)
    if provider is None:
        if not url:
            raise InvalidValue(_unknown(name))
        return OpenAIClient(name.strip(), base_url=url, api_key=key, timeout_s=timeout_s)
    if not url:
        url = _url_of(provider, given)
        if provider.key_variable:
            key = key or given.get(provider.key_variable)
            if not key:
                raise InvalidValue(f"{name!r} needs an API key: give one, or set OPENAI_API_KEY")
    return OpenAIClient(rest, base_url=url, api_key=key, timeout_s=timeout_s)


def _unknown(name: str) -> str:
    known = ", ".join(f"{prefix}/" for prefix in PROVIDERS)
    return (
        f"where is the language model {name!r}? Begin its name with one of {known} "
        f"or give a base URL ({BASE_URL})"
    )


def _url_of(provider: Provider, environ: Mapping[str, str]) -> str:
    told = environ.get(provider.url_variable or "", "").strip()
    if not told:
        return provider.url
    return _ollama_url(told) if provider.url_variable == "OLLAMA_HOST" else told


def _ollama_url(host: str) -> str:
    """
    Read OLLAMA_HOST as Ollama does: scheme, host and port may each be missing.

    It may be the address that a server listens at, 0.0.0.0: clients then ask at this machine.
    """
    scheme, mark, rest = host.rpartition("://")
    try:
        parts = urlsplit(f"//{rest}")
        port = parts.port or {"http": 80, "https": 443}.get(scheme if mark else "", 11434)
    except ValueError as error:
        raise InvalidValue(f"OLLAMA_HOST ({host!r}) is no host; e.g. localhost:11434") from error
    name = _ASKED_AT.get(parts.hostname or "", parts.hostname)
    shown = f"[{name}]" if ":" in str(name) else name
    return f"{scheme or 'http'}://{shown}:{port}{parts.path.rstrip('/').removesuffix('/v1')}/v1"
