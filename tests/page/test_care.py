"""For everybody: axe-core finds nothing, keys suffice, and a narrow window shows it all."""

from __future__ import annotations

from typing import Literal

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from tests.page.conftest import OpenPage
from tests.page.site import Site, Watched

pytestmark = pytest.mark.allow_hosts(["127.0.0.1"])


def views(site: Site) -> list[str]:
    """Return every view, and the states of it that look otherwise."""
    lives = site.ids["lives"]
    return [
        "search",
        "search?q=where+does+she+live&kinds=fact,block,turn,node",
        "search?q=qqqqzzzz&mode=keyword",
        "timeline",
        f"memory/{lives}",
        "memory/m000000000",
        "map",
        "blocks/persona",
        "sessions",
        "session/porto",
        "transcript/spring-trip",
        "forget",
        f"forget?ids={lives}",
        "health",
        "settings",
    ]


def opened(page: Page, view: str) -> None:
    """Bring to light what a view hides at first."""
    for summary in page.locator("main summary").all():
        summary.click()
    if view == "blocks/persona":
        page.get_by_role("textbox").fill("Another\ntext")
        page.get_by_role("button", name="Review changes").click()
    if view.startswith("forget?"):
        page.get_by_role("button", name="Forget for good…").click()
    if view == "timeline":
        page.get_by_role("checkbox").first.check()


def close(page: Page, view: str) -> None:
    if view == "blocks/persona":
        page.get_by_role("button", name="Discard changes").click()
    if view.startswith("forget?"):
        page.keyboard.press("Escape")


# The policy of the page lets nobody add a script, axe neither.
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_in_any_view(
    open_page: OpenPage, site: Site, scheme: Literal["light", "dark"]
) -> None:
    one = open_page(None, color_scheme=scheme, bypass_csp=True, reduced_motion="reduce")
    axe, found = Axe(), list[str]()
    for view in views(site):
        page = one.go(view)
        opened(page, view)
        result = axe.run(page).response
        found += [
            f"{view}: {rule['id']}: {node['html'][:200]} {node['failureSummary']}"
            for rule in result["violations"]
            for node in rule["nodes"]
        ]
        close(page, view)

    assert found == []
    one.expected = "404"


def test_a_narrow_window_scrolls_in_one_direction_alone(open_page: OpenPage, site: Site) -> None:
    site.remember("w" * 300, category="x" * 90, tags=["y" * 90])
    one = open_page(None, viewport={"width": 400, "height": 800})
    for view in views(site):
        page = one.go(view)
        opened(page, view)
        wide = page.evaluate("document.documentElement.scrollWidth - innerWidth")
        assert wide <= 0, view
        cut = page.evaluate(
            """() => [...document.querySelectorAll("main a, main button, main input, nav a")]
              .filter((one) => one.checkVisibility())
              .filter((one) => one.getBoundingClientRect().right > innerWidth + 1)
              .map((one) => one.textContent)"""
        )
        assert cut == [], view
        close(page, view)
    one.expected = "404"


def test_keys_alone_search_open_and_come_back(shown: Watched) -> None:
    page = shown.go("health")
    keys = page.keyboard
    keys.press("/")
    expect(page.get_by_role("searchbox")).to_be_focused()
    keys.type("lisbon")
    expect(page.locator(".row").first).to_contain_text("Lisbon")
    keys.press("ArrowDown")
    links = page.locator("a.row-link")
    expect(links.first).to_be_focused()
    keys.press("End")
    expect(links.last).to_be_focused()
    keys.press("Home")
    keys.press("ArrowDown")
    keys.press("ArrowUp")
    expect(links.first).to_be_focused()
    keys.press("ArrowUp")
    expect(page.get_by_role("searchbox")).to_be_focused()
    keys.press("ArrowDown")
    keys.press("Enter")
    expect(page.locator("h1")).to_have_text("Memory")

    expect(page.locator("h1")).to_be_focused()
    expect(page).to_have_title("Memory · litemem")
    page.go_back()
    expect(page.get_by_role("searchbox")).to_have_value("lisbon")


def test_the_first_key_leads_past_the_navigation(open_page: OpenPage) -> None:
    page = open_page("health").page
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Skip to content")).to_be_focused()
    page.keyboard.press("Enter")

    expect(page.locator("main")).to_be_focused()
    expect(page.locator("h1")).to_have_text("Health")
    page.keyboard.press("Tab")
    expect(page.get_by_role("button", name="Check again")).to_be_focused()


def test_keys_alone_forget(open_page: OpenPage, site: Site) -> None:
    gone = site.remember("Keeps a bronze whistle")
    page = open_page(f"memory/{gone}").page
    page.get_by_role("link", name="Forget…").focus()
    page.keyboard.press("Enter")
    ask = page.get_by_role("button", name="Forget for good…")
    expect(ask).to_be_visible()
    expect(page.locator("h1")).to_be_focused()
    ask.focus()
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    expect(page.get_by_role("button", name="Forget", exact=True)).to_be_focused()
    page.keyboard.press("Enter")

    expect(page.get_by_role("heading", name="Gone")).to_be_focused()


def test_the_slash_can_be_switched_off(shown: Watched) -> None:
    page = shown.go("settings")
    page.get_by_label("leads to the search").uncheck()
    page.keyboard.press("/")

    expect(page.locator("h1")).to_have_text("Settings")


def test_the_slash_is_text_where_text_is_written(shown: Watched) -> None:
    page = shown.go("blocks/facts")
    page.get_by_role("textbox").focus()
    page.keyboard.type("a/b")

    assert "a/b" in page.get_by_role("textbox").input_value()


def test_nothing_moves_for_who_wants_no_motion(open_page: OpenPage) -> None:
    page = open_page("timeline", reduced_motion="reduce").page

    assert page.evaluate(
        """() => [...document.querySelectorAll("*")].every((one) => {
          const style = getComputedStyle(one);
          return style.transitionDuration === "0s" && style.animationName === "none";
        })"""
    )
