"""Timeline, one memory, sessions, the map, health and settings."""

from __future__ import annotations

import re
import time
from pathlib import Path

import pytest
from playwright.sync_api import Page, Route, expect

from litemem.session import SessionGraph, SessionStore
from tests.page.conftest import OpenPage
from tests.page.site import Site, Watched

pytestmark = pytest.mark.allow_hosts(["127.0.0.1"])


COLORS_DRAWN = """least => {
  const at = document.querySelector("canvas");
  const data = at.getContext("2d").getImageData(0, 0, at.width, at.height).data;
  const seen = new Set();
  for (let i = 0; i < data.length; i += 4) {
    if (data[i + 3] > 200) seen.add(data.slice(i, i + 3).join());
  }
  return seen.size >= least;
}"""


def section(page: Page, title: str) -> str:
    return page.locator("section").filter(has=page.get_by_role("heading", name=title)).inner_text()


def test_days_come_newest_first_and_open_into_their_memories(open_page: OpenPage) -> None:
    page = open_page("timeline?day=2026-02-07").page
    days = page.locator("button.day")

    assert days.nth(0).inner_text().startswith("Saturday, 7 February 2026")
    expect(page.locator("#day-2026-02-07")).to_contain_text("Lives in Lisbon")
    last = page.get_by_role("button", name="Monday, 2 February 2026")
    expect(last).to_have_attribute("aria-expanded", "false")
    last.click()
    expect(page.locator("#day-2026-02-02 .row")).to_have_count(3)
    last.click()
    expect(page.locator("#day-2026-02-02")).to_be_hidden()
    page.get_by_label("Go to a day").fill("2026-02-04")
    page.get_by_role("button", name="Go", exact=True).click()
    expect(page.locator("button.day").first).to_contain_text("Wednesday, 4 February 2026")


def test_a_memory_shows_its_history_its_turn_and_what_is_near(
    open_page: OpenPage, site: Site
) -> None:
    page = open_page(f"memory/{site.ids['old']}").page

    expect(page.locator(".notice")).to_contain_text("this is the newest")
    expect(page.locator("p.big")).to_have_text("Lives in Lisbon, near Graça")
    versions = page.locator(".version")
    assert [one.split("\n")[-1] for one in versions.all_inner_texts()] == [
        "Lives in Lisbon, near Graça",
        "Lives in Berlin",
    ]
    assert versions.locator("time").all_inner_texts() == ["7 Feb 2026, 09:32", "2 Feb 2026, 09:30"]
    assert "I live in Lisbon now" in section(page, "Where it was said")
    near = page.locator("section").filter(has_text="Similar memories").locator("a.row-link")
    assert near.count() > 0
    page.get_by_role("link", name="Open the conversation").click()
    expect(page.locator(".turn.marked")).to_contain_text("I live in Lisbon now")
    page.go_back()
    near.first.click()
    expect(page.locator("p.big")).not_to_have_text("Lives in Lisbon, near Graça")


def test_a_memory_that_is_gone_says_so(open_page: OpenPage) -> None:
    one = open_page("memory/m000000000")
    expect(one.page.get_by_role("alert")).to_contain_text("There is no such memory.")
    one.go("memory/..")

    expect(one.page.get_by_role("alert")).to_contain_text("There is no such thing.")
    one.expected = "404"


def test_a_session_is_a_tree_with_branches_and_compactions(open_page: OpenPage) -> None:
    page = open_page("sessions").page
    page.get_by_role("link", name="Spring trip to Porto").click()
    expect(page.locator("h1")).to_have_text("Session Spring trip to Porto")
    expect(page.locator(".node")).to_have_count(11)

    expect(page.locator("main")).to_contain_text("11 turns, 3 branches, 1 compaction.")
    expect(page.locator(".node.head")).to_contain_text("The 9:30 from Oriente")
    expect(page.locator(".node").first).to_contain_text("label start")
    assert page.locator(".tree .chip", has_text="branch").count() == 2
    rows = page.locator(".tree > li").all_inner_texts()
    (cut,) = (at for at, text in enumerate(rows) if "compaction" in text)
    assert "Two of them; book the one at ten." in rows[cut + 1]
    page.get_by_text("What was condensed").click()
    expect(page.locator("details.card")).to_contain_text("Summary: Gaia first, cellar at ten.")


def test_a_long_deep_session_comes_in_pages(open_page: OpenPage, site: Site) -> None:
    store, graph = SessionStore(site.home / "sessions"), SessionGraph("deep")
    turn = {"role": "user", "blocks": [{"kind": "text", "text": "again"}]}
    nodes = [graph.append(turn) for _ in range(420)]
    store.append_nodes("deep", nodes)
    page = open_page("session/deep").page
    expect(page.locator(".node")).to_have_count(400)
    page.get_by_role("button", name="Show more turns").click()

    expect(page.locator(".node")).to_have_count(420)
    expect(page.locator(".node.head")).to_have_count(1)


def test_archived_sessions_are_shown_on_demand(open_page: OpenPage, site: Site) -> None:
    store, graph = SessionStore(site.home / "sessions"), SessionGraph("old-one")
    store.append_turn(graph, {"role": "user", "blocks": [{"kind": "text", "text": "put away"}]})
    store.archive("old-one")
    page = open_page("sessions").page
    expect(page.get_by_role("link", name="put away")).to_have_count(0)
    page.get_by_label("Show archived ones too").check()

    expect(page.get_by_role("link", name="put away")).to_be_visible()
    expect(page.get_by_label("Show archived ones too")).to_be_checked()


def test_a_search_hit_is_marked_in_its_session(open_page: OpenPage) -> None:
    page = open_page("search?q=Matosinhos&mode=keyword&kinds=node").page
    page.locator("a.row-link").first.click()

    expect(page.locator(".node.marked")).to_contain_text("Matosinhos has the better beach.")


def test_a_point_of_the_map_tells_its_memory_and_opens_it(open_page: OpenPage) -> None:
    page = open_page("map").page
    canvas = page.locator("canvas")
    expect(canvas).to_have_attribute("aria-label", re.compile(r"^Map of \d+ memories\."))
    page.wait_for_function(COLORS_DRAWN, arg=4)
    link = page.locator(".points a.row-link").first
    text = link.inner_text()
    link.focus()
    tip = page.locator(".tip")
    expect(tip).to_contain_text(text)
    style = tip.evaluate("one => [one.style.left, one.style.top]")
    canvas.scroll_into_view_if_needed()
    box = canvas.bounding_box()
    assert box is not None
    x, y = (float(one.removesuffix("px")) for one in style)
    page.mouse.move(box["x"] + x, box["y"] + y)
    expect(tip).to_be_visible()
    page.mouse.click(box["x"] + x, box["y"] + y)

    expect(page).to_have_url(re.compile(r"#/memory/"))


def test_the_map_zooms_and_filters_what_is_listed(open_page: OpenPage) -> None:
    page = open_page("map").page
    told = page.locator("h2 + p.quiet")
    all_of_them = told.inner_text()
    for _ in range(5):
        page.get_by_role("button", name="Zoom in").click()
    zoomed = told.inner_text()
    assert int(zoomed.split()[0]) < int(all_of_them.split()[0])
    page.locator("canvas").focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("-")
    page.keyboard.press("0")
    expect(told).to_have_text(all_of_them)
    page.get_by_label("goal").uncheck()
    expect(told).not_to_have_text(all_of_them)

    assert page.locator(".points .row", has_text="half marathon").count() == 0


def test_health_says_what_is_wrong_and_where(open_page: OpenPage, site: Site) -> None:
    token = site.token_of("ill")
    folder: Path = site.home / "users" / "ill" / "memory"
    folder.mkdir(parents=True)
    (folder / "2026-02-08.md").write_text("- Likes tea\n- Twice <!-- {broken} -->\n")
    (folder / "notes.txt").write_text("mine")
    site.client.post("/memory/reindex", json={}, headers={"authorization": f"Bearer {token}"})
    page = open_page("health", token).page

    expect(page.get_by_role("alert")).to_contain_text("Something needs a look.")
    expect(page.locator("table").first).to_contain_text("users/ill/memory/2026-02-08.md:2")
    expect(page.locator("#foot")).to_have_text("User ill")


def test_health_says_that_all_is_well(open_page: OpenPage, site: Site) -> None:
    for _ in range(100):  # a server that has just started makes vectors
        site.client.post("/memory/reindex", json={})
        if site.ask("GET", "/health")["well"]:
            break
        time.sleep(0.05)
    page = open_page("health").page

    expect(page.locator(".notice.good")).to_have_text("All is well.")
    expect(page.locator("dl")).to_contain_text("hash")


def test_the_theme_is_chosen_and_kept(shown: Watched) -> None:
    page = shown.go("settings")
    expect(page.locator("main")).to_contain_text("the memory of the user default.")
    back = "getComputedStyle(document.body).backgroundColor"
    light = page.evaluate(back)
    page.get_by_label("Dark").check()
    dark = page.evaluate(back)
    page.reload()
    shown.settle()

    assert light != dark
    assert page.evaluate(back) == dark
    page.get_by_label("As the system has it").check()
    assert page.evaluate(back) == light


def test_an_empty_memory_says_so(open_page: OpenPage, site: Site) -> None:
    one = open_page(None, site.token_of("empty"))
    told = {
        "search": "No memories yet",
        "timeline": "No memories yet",
        "map": "Nothing to place yet",
        "sessions": "No sessions yet",
        "forget": "Nothing is selected",
    }
    for view, title in told.items():
        expect(one.go(view).locator(".empty-title")).to_have_text(title)


def test_a_server_that_went_away_is_said_and_asked_again(open_page: OpenPage) -> None:
    one = open_page("settings")
    away = re.compile(r"/(memory|health|sessions|blocks)(/|\?|$)")
    for view in ("timeline", "map", "health", "sessions", "blocks/user"):
        one.page.route(away, lambda route: route.abort())
        page = one.go(view)
        expect(page.get_by_role("alert")).to_contain_text("The server can’t be reached.")
        page.unroute(away)
        page.get_by_role("button", name="Try again").click()

        expect(page.get_by_text("The server can’t be reached.")).to_have_count(0)
        one.settle()
    one.expected = "ERR_FAILED"


def test_a_slow_answer_shows_that_it_loads(open_page: OpenPage) -> None:
    one = open_page("settings")
    held: list[Route] = []
    one.page.route("**/memory/days", lambda route: held.append(route))  # noqa: PLW0108  # Playwright marks it
    one.page.goto(f"{one.site.url}/#/timeline")
    expect(one.page.locator(".loading")).to_be_visible()
    held[0].continue_()

    expect(one.page.locator(".loading")).to_have_count(0)
    expect(one.page.locator("button.day").first).to_be_visible()
