"""Where a language model is asked, and with which key; checked before anything is sent."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final
from urllib.parse import urlsplit

from litemem.errors import InvalidValue

OPENAI_URL: Final = "https://api.openai.com/v1"
_THIS_MACHINE: Final = frozenset({"localhost", "127.0.0.1", "::1"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Endpoint:
    """
    A model at a base URL. The key is in no message and no repr.

    Raises InvalidValue: no model, a URL that isn't http or https, or a key that no header can hold.
    """

    model: str
    base_url: str = field(default=OPENAI_URL, repr=False)  # it may hold a password
    api_key: str | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        if not self.model.strip():
            raise InvalidValue("the name of a language model is empty; name one, e.g. llama3.2")
        try:
            parts = urlsplit(self.base_url)
            usable = parts.scheme in {"http", "https"} and bool(parts.hostname)
            _ = parts.port
        except ValueError:
            usable = False
        if not usable:
            raise InvalidValue(
                f"the base URL of {self.model!r} isn't one; give e.g. http://localhost:11434/v1"
            )
        key = self.api_key
        if key is not None and not (key.isascii() and key.isprintable() and " " not in key):
            raise InvalidValue(
                f"the API key for {self.model!r} has a character that no key has; copy it again"
            )

    @property
    def shown_url(self) -> str:
        """The base URL as messages name it: without user, password and query."""
        parts = urlsplit(self.base_url)
        return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}{parts.path}".rstrip("/")

    @property
    def is_local(self) -> bool:
        """Whether the endpoint is on this machine."""
        return urlsplit(self.base_url).hostname in _THIS_MACHINE

    @property
    def is_openai(self) -> bool:
        """Whether this is OpenAI's own service."""
        return urlsplit(self.base_url).hostname == urlsplit(OPENAI_URL).hostname

    def hidden(self, text: str) -> str:
        """Return a text in which the key isn't."""
        secrets = (self.api_key, urlsplit(self.base_url).password)
        for secret in secrets:
            if secret:
                text = text.replace(secret, "[key]")
        return text
