"""Blocks in an editor, and what a save would change."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.page.conftest import OpenPage
from tests.page.site import Site, Watched

pytestmark = pytest.mark.allow_hosts(["127.0.0.1"])


def put(site: Site, label: str, content: str) -> None:
    site.ask("PUT", "/memory/core", {"label": label, "content": content})


def lines(page: Page, kind: str) -> list[str]:
    return [one.split("\n")[-1] for one in page.locator(f".diff li.{kind}").all_inner_texts()]


def test_a_save_shows_first_what_will_change(open_page: OpenPage, site: Site) -> None:
    put(site, "persona", "# Persona\n\nCalm.\nShort answers.\n")
    page = open_page("blocks/persona").page
    text = page.get_by_role("textbox")
    expect(page.get_by_role("button", name="Review changes")).to_be_disabled()
    text.fill("# Persona\n\nCalm and kind.\nShort answers.\nLikes tea.\n")
    page.get_by_role("button", name="Review changes").click()

    expect(page.get_by_role("heading", name="What will change")).to_be_focused()
    assert (lines(page, "less"), lines(page, "more")) == (
        ["Calm."],
        ["Calm and kind.", "Likes tea."],
    )
    file = site.home / "memory" / "persona.md"
    assert "kind" not in file.read_text()
    page.get_by_role("button", name="Save").click()
    expect(page.locator(".notice.good")).to_have_text("Saved.")
    assert file.read_text() == "# Persona\n\nCalm and kind.\nShort answers.\nLikes tea.\n"
    expect(page.get_by_role("button", name="Review changes")).to_be_disabled()


def test_a_block_that_changed_meanwhile_is_not_overwritten(open_page: OpenPage, site: Site) -> None:
    put(site, "context", "One.\nTwo.")
    one = open_page("blocks/context")
    page = one.page
    page.get_by_role("textbox").fill("One.\nTwo, mine.")
    page.get_by_role("button", name="Review changes").click()
    put(site, "context", "One, theirs.\nTwo.")
    page.get_by_role("button", name="Save").click()

    expect(page.get_by_role("heading", name="It changed meanwhile")).to_be_focused()
    assert (lines(page, "less"), lines(page, "more")) == (["One."], ["One, theirs."])
    assert site.ask("GET", "/blocks/context")["content"] == "One, theirs.\nTwo."
    page.get_by_role("button", name="Compare mine with theirs").click()
    assert lines(page, "less") == ["One, theirs.", "Two."]
    page.get_by_role("button", name="Save").click()
    expect(page.locator(".notice.good")).to_have_text("Saved.")
    assert site.ask("GET", "/blocks/context")["content"] == "One.\nTwo, mine."
    one.expected = "409"


def test_theirs_can_be_taken_instead(open_page: OpenPage, site: Site) -> None:
    put(site, "context", "Old.")
    one = open_page("blocks/context")
    one.page.get_by_role("textbox").fill("Mine.")
    one.page.get_by_role("button", name="Review changes").click()
    put(site, "context", "Theirs.")
    one.page.get_by_role("button", name="Save").click()
    one.page.get_by_role("button", name="Take theirs, drop mine").click()

    expect(one.page.get_by_role("textbox")).to_have_value("Theirs.")
    assert site.ask("GET", "/blocks/context")["content"] == "Theirs."
    one.expected = "409"


def test_a_draft_outlives_a_look_at_another_view(shown: Watched) -> None:
    page = shown.go("blocks/user")
    before = page.get_by_role("textbox").input_value()
    page.get_by_role("textbox").fill("A draft")
    shown.go("health")
    shown.go("blocks/user")

    expect(page.get_by_role("textbox")).to_have_value("A draft")
    expect(page.locator(".notice")).to_contain_text("aren’t saved")
    page.get_by_role("button", name="Discard changes").click()
    expect(page.get_by_role("textbox")).to_have_value(before)


def test_a_file_with_other_line_ends_keeps_them(open_page: OpenPage, site: Site) -> None:
    file = site.home / "users" / "crlf" / "memory" / "user.md"
    token = site.token_of("crlf")
    file.parent.mkdir(parents=True)
    file.write_bytes(b"One.\r\nTwo.\r\n")
    page = open_page("blocks/user", token).page
    page.get_by_role("textbox").fill("One.\nTwo.\nThree.\n")
    page.get_by_role("button", name="Review changes").click()
    assert (lines(page, "less"), lines(page, "more")) == ([], ["Three."])
    page.get_by_role("button", name="Save").click()
    expect(page.locator(".notice.good")).to_be_visible()

    assert file.read_bytes() == b"One.\r\nTwo.\r\nThree.\r\n"
