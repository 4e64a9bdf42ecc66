"""Forgetting: a preview of what exactly will vanish, and a question before it does."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from litemem.session import TranscriptManager
from tests.page.conftest import OpenPage
from tests.page.site import Site, Watched

pytestmark = pytest.mark.allow_hosts(["127.0.0.1"])


def everything(site: Site) -> str:
    files = [*(site.home / "memory").glob("*.md"), *(site.home / "transcripts").glob("*.jsonl")]
    return "\n".join(file.read_text() for file in files)


def test_a_preview_shows_all_versions_and_removes_nothing(open_page: OpenPage, site: Site) -> None:
    old = site.remember("Owns a violet kayak")
    new = site.remember("Owns a violet kayak and a canoe", replaces=old)
    TranscriptManager(site.home / "transcripts").append_turn(
        "boats", "user", "Owns a violet kayak!"
    )
    page = open_page(f"memory/{new}").page
    page.get_by_role("link", name="Forget…").click()
    doomed = page.locator(".doomed")
    expect(doomed).to_have_count(2)

    assert "Owns a violet kayak" in doomed.nth(0).inner_text()
    assert "older version" in doomed.nth(0).inner_text()
    assert "memory/" in doomed.nth(1).inner_text()
    expect(page.locator("main")).to_contain_text("transcripts/boats.jsonl line 1")
    expect(page.get_by_role("heading", name="Files that keep the words")).to_be_visible()
    page.get_by_label("Blank the words in 1 line of 1 log too").check()
    expect(page.get_by_role("heading", name="Files that keep the words")).to_have_count(0)
    page.get_by_role("button", name="Forget for good…").click()
    expect(page.get_by_role("dialog")).to_contain_text("2 versions of 1 memory")
    expect(page.get_by_role("button", name="Cancel")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_role("dialog")).to_have_count(0)
    assert everything(site).count("violet kayak") == 3


def test_a_confirmed_forget_leaves_no_word(open_page: OpenPage, site: Site) -> None:
    gone = site.remember("Hides a crimson lantern")
    TranscriptManager(site.home / "transcripts").append_turn("l", "user", "Hides a crimson lantern")
    one = open_page(f"forget?ids={gone}")
    page = one.page
    page.get_by_label("Blank the words").check()
    page.get_by_role("button", name="Forget for good…").click()
    page.get_by_role("button", name="Forget", exact=True).click()

    expect(page.get_by_role("heading", name="Gone")).to_be_focused()
    assert one.heard() == "Forgotten: 1 version. The words were blanked in 1 turn."
    assert "crimson" not in everything(site)
    one.go("search?q=crimson+lantern&mode=keyword")
    expect(page.locator(".empty-title")).to_have_text("Nothing found")


def test_memories_picked_in_lists_are_forgotten_together(shown: Watched, site: Site) -> None:
    for text in ("Borrowed a teal ladder", "Borrowed a teal bucket"):
        site.remember(text)
    page = shown.go("search?q=teal&mode=keyword")
    page.get_by_label("Select: Borrowed a teal ladder").check()
    page.get_by_label("Select: Borrowed a teal bucket").check()
    tray = page.get_by_role("region", name="Selected memories")
    expect(tray).to_contain_text("2 memories selected")
    shown.go("timeline")
    expect(page.get_by_label("Select: Borrowed a teal ladder")).to_be_checked()
    tray.get_by_role("link", name="Preview forgetting").click()
    expect(page.locator(".doomed")).to_have_count(2)
    expect(tray).to_have_count(0)
    shown.go("forget")
    expect(page.locator(".doomed")).to_have_count(2)
    shown.go("search?q=teal&mode=keyword")
    tray.get_by_role("button", name="Clear").click()

    expect(tray).to_have_count(0)
    expect(page.get_by_label("Select: Borrowed a teal ladder")).not_to_be_checked()
    assert "teal ladder" in everything(site)


def test_a_forget_that_fails_says_so_and_can_be_repeated(open_page: OpenPage, site: Site) -> None:
    gone = site.remember("Wrote an amber sonnet")
    one = open_page(f"forget?ids={gone}")
    site.client.delete(f"/memory/archival/{gone}")
    one.page.get_by_role("button", name="Forget for good…").click()
    one.page.get_by_role("button", name="Forget", exact=True).click()

    told = one.page.get_by_role("dialog").get_by_role("alert")
    expect(told).to_contain_text("There is no such memory.")
    expect(one.page.get_by_role("button", name="Forget", exact=True)).to_be_enabled()
    one.expected = "404"
