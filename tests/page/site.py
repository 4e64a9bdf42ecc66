"""A served home, and pages of a real browser that tell all they did."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import httpx
from playwright.sync_api import Browser, BrowserContext, Dialog, Page, Request

from litemem.server.tokens import add_user
from litemem.settings import Home

COMMAND: Final = (sys.executable, "-c", "from litemem.cli import run; run()")


@dataclass(frozen=True, slots=True, kw_only=True)
class Site:
    """A server of a home, and the default user's client."""

    url: str
    home: Path
    client: httpx.Client
    ids: dict[str, str]

    def ask(self, method: str, path: str, body: object = None) -> Any:  # noqa: ANN401  # Any: JSON
        """Return the JSON of a request that must succeed."""
        answer = self.client.request(method, path, json=body)
        assert answer.status_code == 200, answer.text
        return answer.json()

    def remember(self, content: str, **more: object) -> str:
        return str(self.ask("POST", "/memory/archival", {"content": content, **more})["id"])

    def token_of(self, user: str) -> str:
        """Return a new token of another user."""
        return add_user(Home(self.home), user)

    def entry(self, token: str | None = None) -> str:
        """Return the address that opens the page once."""
        headers = {} if token is None else {"authorization": f"Bearer {token}"}
        return self.url + str(self.client.post("/login", headers=headers).json()["path"])


@contextmanager
def serving(home: Path, ids: dict[str, str]) -> Iterator[Site]:
    """Serve a home in a process of its own, on a free port."""
    with subprocess.Popen(
        [*COMMAND, "--home", str(home), "serve", "--port", "0"],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        env=os.environ | {"LITEMEM_MODEL": "hash", "TZ": "UTC"},
    ) as child:
        assert child.stderr is not None
        line = child.stderr.readline()
        found = re.search(r"http://127\.0\.0\.1:\d+", line)
        assert found, line + child.stderr.read()
        token = (home / "server-token").read_text().strip()
        headers = {"authorization": f"Bearer {token}"}
        with httpx.Client(base_url=found[0], headers=headers, timeout=20) as client:
            yield Site(url=found[0], home=home, client=client, ids=ids)
        child.terminate()


@dataclass(slots=True, kw_only=True)
class Watched:
    """A page, and what it did that nobody wants."""

    page: Page
    site: Site
    requests: list[str] = field(default_factory=list)
    trouble: list[str] = field(default_factory=list)  # console errors, exceptions, dialogs
    expected: str | None = None  # a pattern: what a console error of this test says, when it comes

    def go(self, view: str) -> Page:
        """Show a view, such as `map`, and wait until it's there."""
        self.page.goto(f"{self.site.url}/#/{view}")
        route = "hash => document.getElementById('main').dataset.route === hash"
        self.page.wait_for_function(route, arg=f"#/{view}")
        return self.settle()

    def settle(self) -> Page:
        """Wait until nothing loads any more."""
        self.page.wait_for_function(
            "() => document.getElementById('main').dataset.route !== undefined"
            " && !document.querySelector('[aria-busy]')"
        )
        return self.page

    def heard(self) -> str:
        """Return what the live region says."""
        return self.page.locator("#live").inner_text()

    def check(self) -> None:
        """Nothing was asked elsewhere, and nothing went wrong."""
        own = (self.site.url, "data:")
        assert [url for url in self.requests if not url.startswith(own)] == []
        told = (one for one in self.trouble if not re.search(self.expected or "^$", one))
        assert [*told] == []


def watched(site: Site, context: BrowserContext) -> Watched:
    """Open a page of a context, whose session is there."""
    made = Watched(page=context.new_page(), site=site)

    def on_request(request: Request) -> None:
        made.requests.append(request.url)

    context.on("request", on_request)
    made.page.on("pageerror", lambda error: made.trouble.append(f"exception: {error}"))
    made.page.on(
        "console",
        lambda said: (
            made.trouble.append(f"{said.type}: {said.text}")
            if said.type in ("error", "warning")
            else None
        ),
    )

    def on_dialog(dialog: Dialog) -> None:
        made.trouble.append(f"dialog: {dialog.message}")
        dialog.dismiss()

    made.page.on("dialog", on_dialog)
    return made


def entered(
    site: Site, browser: Browser, token: str | None, options: Mapping[str, Any]
) -> BrowserContext:
    """Return a context that holds a session; options are Playwright's."""
    context = browser.new_context(**{"timezone_id": "UTC", "locale": "en-GB", **options})
    answer = httpx.get(site.entry(token))
    ((name, value),) = answer.cookies.items()
    context.add_cookies([{"name": name, "value": value, "url": site.url}])
    context.set_default_timeout(8_000)
    return context
