"""One server for all, one browser for each module; every page is watched to the end of its test."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, sync_playwright

from tests.page.made import add_hostile, make_home
from tests.page.site import Site, Watched, entered, serving, watched

FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]

OpenPage = Callable[..., Watched]


def chromium() -> str:
    """Return where Chromium is; a test without it proves nothing, so it fails."""
    names = ("chromium", "chromium-browser", "google-chrome")
    found = next((path for name in names if (path := shutil.which(name))), None)
    if found is None:
        pytest.fail(f"none of {', '.join(names)} is installed: apt-get install chromium")
    return found


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """Serve a home with facts, sessions, and texts that would like to run."""
    home: Path = tmp_path_factory.mktemp("page") / "home"
    with pytest.MonkeyPatch.context() as environ:
        environ.setenv("TZ", "UTC")
        ids = make_home(home)
        add_hostile(home)
    with serving(home, ids) as made:
        yield made


# Not for the session: Playwright's event loop would run on below other modules' async tests.
@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        made = playwright.chromium.launch(executable_path=chromium(), args=FLAGS)
        yield made
        made.close()


@pytest.fixture
def open_page(site: Site, browser: Browser) -> Iterator[OpenPage]:
    """Open pages with a session; all of them must have behaved at the end."""
    made: list[Watched] = []

    def open_one(
        view: str | None = "search", token: str | None = None, **options: object
    ) -> Watched:
        one = watched(site, entered(site, browser, token, options))
        made.append(one)
        if view is not None:
            one.go(view)
        return one

    yield open_one
    for one in made:
        one.page.context.close()
    for one in made:
        one.check()


@pytest.fixture
def shown(open_page: OpenPage) -> Watched:
    """Return one page, at the search."""
    return open_page()
