"""Exports: nothing is lost, and nothing in a session can be more than text."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st

from litemem.session import SessionGraph, SessionNode, SessionStore, hash_node
from litemem.session.export import as_html, as_json, as_markdown, export_session
from litemem.session.pieces import pieces_of
from tests.session.test_browse import blocks, graphs, json_values
from tests.session.turns import turn

CLEAN = {"script", "iframe", "object", "embed", "form", "link", "base", "svg"}


class Page(HTMLParser):
    """What a browser would make of a page: tags, attributes, text."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []
        self.text = ""
        self.open: list[str] = []
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += attrs
        if tag not in ("meta", "img"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data


def html_of(graph: SessionGraph) -> str:
    return "".join(as_html(graph))


def one_turn(value: Mapping[str, object]) -> SessionGraph:
    node = SessionNode(id=hash_node(None, value, 1), parent=None, turn=value, created_at=1)
    return SessionGraph.hydrate("s", [node], node.id)


@pytest.fixture
def branched(store: SessionStore, graph: SessionGraph) -> SessionGraph:
    """Make session "s" with two branches, a label, a name and a condensation."""
    first, second, third = graph.all()
    graph.branch_from(first.id)
    store.append_turn(graph, turn("side"), fork=True)
    graph.branch_from(second.id)
    store.append_turn(graph, turn("other"), fork=True)
    store.move_head("s", third.id)
    store.label("s", second.id, "here")
    store.rename("s", "My <session> *x*")
    summary = {"role": "user", "blocks": [{"kind": "text", "text": "the gist"}]}
    store.compact(store.load_session("s"), summary, at=1)
    return store.load_session("s")


def test_markdown_has_the_path_first_and_then_each_branch(branched: SessionGraph) -> None:
    text = "".join(as_markdown(branched))

    headings = [line for line in text.split("\n") if line.startswith("# ")]
    assert headings == [
        r"# My \<session\> \*x\*",
        "# Branch of 1 turn: side",
        "# Branch of 1 turn: other",
    ]
    assert text.index("\na\n") < text.index("> the gist") < text.index("\nb\n")
    assert text.index("\nc\n") < text.index("\nside\n") < text.index("\nother\n")
    assert r"\[here\]" in text
    assert "· head" in text


def test_a_page_shows_branches_labels_and_cuts(branched: SessionGraph) -> None:
    page = Page(html_of(branched))

    assert page.open == []
    assert "My <session> *x*" in page.text
    assert "Branch of 1 turn: side" in page.text
    assert "[here]" in page.text
    assert "the gist" in page.text
    assert "leaves this turn" in page.text
    ids = {value for name, value in page.attributes if name == "id"}
    assert {value[1:] for name, value in page.attributes if name == "href" and value} <= ids
    assert ids == {node.id for node in branched.all()}


def test_a_second_root_is_told_apart(graph: SessionGraph) -> None:
    other = turn("other root")
    nodes = [*graph.all(), SessionNode(id="f" * 32, parent=None, turn=other, created_at=9)]
    two = SessionGraph.hydrate("s", nodes, graph.leaf)

    assert "# Another beginning" in "".join(as_markdown(two))
    assert "<h1>Another beginning</h1>" in html_of(two)


def test_json_has_every_node_as_it_is_stored(branched: SessionGraph) -> None:
    value = json.loads("".join(as_json(branched)))

    assert [node["id"] for node in value["nodes"]] == [node.id for node in branched.all()]
    assert value["nodes"][0]["turn"] == branched.all()[0].turn
    assert value["name"] == branched.marks.name
    assert list(value["labels"].values()) == ["here"]
    assert value["compactions"][0]["summary"]["blocks"][0]["text"] == "the gist"
    assert value["leaf"] == branched.leaf


def test_an_empty_session_is_exported_too() -> None:
    empty = SessionGraph("s")

    assert json.loads("".join(export_session(empty, "json")))["nodes"] == []
    assert "".join(export_session(empty, "md")) == "# s\n\n"
    assert Page("".join(export_session(empty, "html"))).open == []


def test_pictures_are_shown_and_other_images_are_named() -> None:
    def image(media: str, data: str) -> str:
        block = {"kind": "image", "mediaType": media, "dataBase64": data}
        return html_of(one_turn({"role": "user", "blocks": [block]}))

    assert 'src="data:image/png;base64,AA=="' in image("image/png", "AA==")
    assert "<img" not in image("image/svg+xml", "AA==")
    assert "<img" not in image("image/png", '"><script>')
    assert "<img" not in image("image/png\n", "AA==")


def test_a_fence_is_longer_than_what_it_holds() -> None:
    block = {"kind": "tool_result", "callId": "x", "output": "```\ncode\n`````", "isError": True}
    graph = one_turn({"role": "tool", "blocks": [block]})

    assert "**failed**\n\n``````\n```\ncode\n`````\n``````" in "".join(as_markdown(graph))


def test_every_kind_of_block_has_its_place_in_markdown() -> None:
    shown = [
        {"kind": "thinking", "text": "a\nb"},
        {"kind": "image", "mediaType": "image/png"},
        {"kind": "command", "command": "clear"},
        {"kind": "tool_call", "name": "read", "input": {"p": 1}},
        {"kind": "new"},
        {"kind": "tool_result", "output": "x"},
    ]
    text = "".join(as_markdown(one_turn({"role": "assistant", "blocks": shown})))

    assert "> a\n> b" in text
    assert "*image image/png*" in text
    assert "**clear**" in text
    assert '**read**\n\n```\n{"p":1}\n```' in text
    assert "**result**\n\n```\nx\n```" in text


def test_a_time_beyond_the_calendar_is_left_out() -> None:
    node = SessionNode(id="a", parent=None, turn=turn("x"), created_at=1e300)

    assert "## user · head <!--" in "".join(as_markdown(SessionGraph.hydrate("s", [node], "a")))


@given(graphs())
def test_every_node_of_any_tree_is_in_every_export(graph: SessionGraph) -> None:
    page = Page(html_of(graph))

    ids = sorted(node.id for node in graph.all())
    assert page.open == []
    assert sorted(value or "" for name, value in page.attributes if name == "id") == ids
    markdown = "".join(as_markdown(graph))
    assert sorted(re.findall("<!-- ([0-9A-Za-z]*) -->", markdown)) == ids
    assert sorted(n["id"] for n in json.loads("".join(as_json(graph)))["nodes"]) == ids


hostile = st.text() | st.sampled_from(
    [
        "<script>alert(1)</script>",
        "</p>",
        '" onload="x',
        "&lt;",
        "--><b>",
        "</style>",
        "\x1b[2J\x00",
    ]
)


@given(st.lists(hostile, min_size=1, max_size=4), st.text(), st.sampled_from(["text", "thinking"]))
def test_any_text_is_text_on_a_page(texts: list[str], role: str, kind: str) -> None:
    value = {"role": role, "blocks": [{"kind": kind, "text": text} for text in texts]}
    html = html_of(one_turn(value))
    page = Page(html)

    assert page.open == []
    assert not CLEAN & set(page.tags)
    assert not [name for name, _ in page.attributes if name.startswith("on")]
    for text in texts:
        visible = re.sub("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]", "\ufffd", text)
        assert visible in page.text


@given(st.lists(blocks, max_size=4) | json_values, json_values)
def test_any_turn_can_be_exported(value: object, role: object) -> None:
    graph = one_turn({"role": role, "blocks": value})

    page = Page(html_of(graph))

    assert page.open == []
    assert not CLEAN & set(page.tags)
    assert "".join(as_markdown(graph)).encode()
    count = len(pieces_of({"role": role, "blocks": value}))
    assert len(json.loads("".join(as_json(graph)))["nodes"]) == 1
    assert count >= 0


def test_half_characters_can_be_written() -> None:
    graph = one_turn({"role": "user", "blocks": [{"kind": "text", "text": "a\ud800b"}]})

    for name in ("md", "html", "json"):
        assert "".join(export_session(graph, name)).encode()
