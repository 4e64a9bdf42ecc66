"""Search as you type, and why each hit came."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Route, expect

from tests.page.site import Site, Watched

pytestmark = pytest.mark.allow_hosts(["127.0.0.1"])


def test_typing_finds_and_says_how_many(shown: Watched) -> None:
    shown.page.get_by_role("searchbox").press_sequentially("green tea", delay=10)

    best = shown.page.locator(".rows .row").first
    expect(best).to_contain_text("Prefers green tea in the morning")
    expect(shown.page.locator("#live")).to_have_text(re.compile(r"\d+ results?\."))
    assert best.locator("mark").all_inner_texts() == ["green", "tea"]
    assert "q=green+tea" in shown.page.url


def test_a_hit_shows_the_parts_that_add_up_to_its_score(shown: Watched) -> None:
    page = shown.go("search?q=green+tea")
    best = page.locator(".rows .row").first
    best.locator("summary").click()

    total = float(re.search(r"[\d.]+", best.locator("summary").inner_text())[0])  # type: ignore[index]
    numbers = [float(text) for text in best.locator("td.number").all_inner_texts()]
    assert sum(numbers) == pytest.approx(total, abs=0.02)
    assert "Words" in best.locator("th").all_inner_texts()
    expect(best.locator("summary")).to_contain_text("by words")


def test_the_answer_to_an_older_question_is_never_shown(shown: Watched) -> None:
    held: list[Route] = []
    shown.page.route("**/memory/search?query=milo*", lambda route: held.append(route))  # noqa: PLW0108  # Playwright marks it
    box = shown.page.get_by_role("searchbox")
    with shown.page.expect_request("**/memory/search?query=milo*") as asked:
        box.fill("milo")
    with shown.page.expect_event("requestfailed", lambda one: one == asked.value):
        box.fill("marathon")

    expect(shown.page.locator(".rows .row").first).to_contain_text("half marathon")
    assert asked.value.failure == "net::ERR_ABORTED"
    assert len(held) == 1


def test_a_burst_of_keys_is_one_question(shown: Watched) -> None:
    before = len(shown.requests)
    shown.page.get_by_role("searchbox").evaluate(
        """box => { for (const letter of "marathon") {
          box.value += letter;
          box.dispatchEvent(new Event("input"));
        } }"""
    )
    expect(shown.page.locator(".rows .row").first).to_contain_text("marathon")

    asked = [url for url in shown.requests[before:] if "/memory/search" in url]
    assert len(asked) == 1


def test_kinds_lead_to_their_own_views(shown: Watched) -> None:
    page = shown.go("search?q=Porto&mode=keyword&kinds=turn,node,fact")
    links = page.locator("a.row-link")
    hrefs = [str(links.nth(n).get_attribute("href")) for n in range(links.count())]

    kinds = {href.split("/")[1] for href in hrefs}
    assert kinds == {"memory", "transcript", "session"}
    page.get_by_label("Facts").uncheck()
    expect(page.locator('a.row-link[href^="#/memory/"]')).to_have_count(0)
    page.get_by_label("Transcripts").uncheck()
    page.get_by_label("Sessions").uncheck()
    expect(page.locator(".empty-title")).to_have_text("Nothing to search in")
    page.get_by_label("Blocks").check()
    page.get_by_role("searchbox").fill("calm assistant")
    page.locator("a.row-link").first.click()
    expect(page.get_by_role("heading", level=2)).to_have_text("Persona")


def test_more_results_follow_when_asked_for(shown: Watched, site: Site) -> None:
    for number in range(25):
        site.remember(f"Planted zinnia number {number} in the garden")
    page = shown.go("search?q=zinnia&mode=keyword")
    expect(page.locator(".row")).to_have_count(20)
    page.get_by_role("button", name="Show more").click()

    expect(page.locator(".row")).to_have_count(25)
    expect(page.locator(".row").nth(20).locator("a.row-link")).to_be_focused()
    expect(page.get_by_role("button", name="Show more")).to_have_count(0)


def test_nothing_found_says_so(shown: Watched) -> None:
    page = shown.go("search?q=qqqqzzzz&mode=keyword")

    expect(page.locator(".empty-title")).to_have_text("Nothing found")
    assert shown.heard() == "Nothing found."


def test_without_a_question_the_newest_are_listed(shown: Watched) -> None:
    newest = shown.site.remember("The very newest memory of all")
    shown.page.reload()
    shown.settle()

    first = shown.page.locator("a.row-link").first
    expect(first).to_have_attribute("href", f"#/memory/{newest}")


def test_a_failing_search_can_be_tried_again(shown: Watched) -> None:
    told = '{"error": {"code": "busy", "message": "another process is writing"}}'
    shown.page.route(
        "**/memory/search*",
        lambda route: route.fulfill(status=503, body=told, content_type="application/json"),
    )
    shown.page.get_by_role("searchbox").fill("dog")
    expect(shown.page.get_by_role("alert")).to_contain_text("Another process is writing.")
    shown.page.unroute("**/memory/search*")
    shown.page.get_by_role("button", name="Try again").click()

    expect(shown.page.locator(".row").first).to_contain_text("Milo")
    shown.expected = "503"
