"""Texts that would like to run, and where the page's session ends."""

from __future__ import annotations

import httpx
import pytest
from playwright.sync_api import expect

from tests.page.conftest import OpenPage
from tests.page.made import HOSTILE, WINDOW_FLAG
from tests.page.site import Site, Watched

pytestmark = pytest.mark.allow_hosts(["127.0.0.1"])

ADDRESSES = (
    "#/memory/%2e%2e%2fetc",
    "#/memory/<img src=x onerror=alert(1)>",
    "#/javascript:alert(1)",
    "#/session/..",
    "#/transcript/%00",
    "#/forget?ids=<script>alert(1)</script>",
    "#/search?q=<img src=x onerror=alert(1)>&mode=<b>&kinds=<i>",
    "#/constructor",
    "#/%",
)
VIEWS = (
    "search?q=tulip&kinds=fact,block,turn,node",
    "timeline",
    "map",
    "sessions",
    "session/hostile",
    "transcript/hostile",
    "health",
    "blocks/context",
)


def test_hostile_texts_run_nothing_anywhere(shown: Watched, site: Site) -> None:
    site.ask("PUT", "/memory/core", {"label": "context", "content": "\n".join(HOSTILE)})
    facts = site.ask("GET", "/memory/archival?query=tulip")["memories"]
    ids = [one["id"] for one in facts if "tulip" in one["content"]]
    assert len(ids) >= len(HOSTILE)
    views = (*VIEWS, *(f"memory/{id_}" for id_ in ids), f"forget?ids={','.join(ids)}")
    for view in views:
        page = shown.go(view)
        for summary in page.locator("summary").all():
            summary.click()
        assert page.evaluate(f"window.{WINDOW_FLAG}") is None, view
        made = "main img, main iframe, main script, main svg[onload], main b, main i, [onerror]"
        assert page.locator(made).count() == 0, view
        for href in page.locator("a").evaluate_all("all => all.map(one => one.href)"):
            assert href.startswith(site.url), href


def test_hostile_texts_are_shown_to_the_letter(shown: Watched) -> None:
    shown.go("transcript/hostile")

    assert shown.page.locator(".turn p.said").evaluate_all(
        "all => all.map(one => one.textContent)"
    ) == [*HOSTILE]


def test_a_text_cannot_turn_what_stands_beside_it(shown: Watched) -> None:
    page = shown.go("search?q=tulip+more&mode=keyword")
    row = page.locator(".row", has_text="gnp.exe")

    styles = row.locator(".said").evaluate("one => [one.dir, getComputedStyle(one).unicodeBidi]")
    assert styles == ["auto", "isolate"]


def test_a_hostile_address_runs_nothing(shown: Watched) -> None:
    for address in ADDRESSES:
        shown.page.evaluate("hash => { location.hash = hash }", address)
        shown.page.wait_for_timeout(50)
        shown.settle()

        assert shown.page.locator("h1").count() == 1, address
        assert shown.page.locator("main img").count() == 0, address
        assert shown.page.evaluate(f"window.{WINDOW_FLAG}") is None, address
    shown.expected = "status of 40[04]"


def test_the_browser_refuses_inline_code_and_text_as_html(shown: Watched) -> None:
    done = shown.page.evaluate(
        """() => {
          const tried = (act) => { try { act(); return "done"; } catch (e) { return e.name; } };
          const script = document.createElement("script");
          return [
            tried(() => { document.body.innerHTML = "<b>x</b>"; }),
            tried(() => { script.setAttribute("src", "/page/app.js"); }),
            tried(() => { script.textContent = "window.__ran = 1"; }),
          ];
        }"""
    )

    assert done == ["TypeError", "TypeError", "TypeError"]
    shown.trouble.clear()  # the browser tells each refusal


def test_a_link_works_once(open_page: OpenPage, site: Site) -> None:
    one = open_page(None)
    one.page.context.clear_cookies()
    link = site.entry()
    one.page.goto(link)
    one.settle()
    assert one.page.url.startswith(f"{site.url}/#/search")
    one.page.context.clear_cookies()
    one.page.goto(link)

    expect(one.page.locator("body")).to_contain_text("This link was used, or is too old.")
    one.expected = "401"


def test_an_ended_session_says_how_to_go_on(shown: Watched) -> None:
    shown.page.context.clear_cookies()
    shown.page.get_by_role("link", name="Timeline").click()

    expect(shown.page.get_by_role("alert")).to_contain_text("Run “litemem ui”")
    shown.expected = "401"


def test_every_file_is_served_as_what_it_is_to_a_session_alone(shown: Watched, site: Site) -> None:
    kinds = {"js": "text/javascript", "css": "text/css", "svg": "image/svg+xml"}
    asked = {url for url in shown.requests if "/page/" in url}
    assert len(asked) > 20
    for url in asked:
        answer = site.client.get(url)
        assert answer.headers["content-type"].startswith(kinds[url.rpartition(".")[2]])
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["cache-control"] == "no-store"
    assert httpx.get(f"{site.url}/page/app.js").status_code == 401
    policy = site.client.get("/").headers["content-security-policy"]
    assert "script-src 'self';" in policy
    assert "unsafe" not in policy
    assert "default-src 'none'" in policy
