"""One fact as one list item of a daily log, and back."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from litemem.errors import InvalidFact
from litemem.text.comment import (
    END,
    START,
    clean,
    fields_of,
    is_dirty,
    read_comment,
    write_comment,
)
from litemem.text.fields import fact_fields, unknown_fields
from litemem.types import DEFAULT_CATEGORY, Fact

BULLET = re.compile(r" {0,3}[-*+](?:[ \t]+|(?=[\r\n]|\Z))")

_CONTROL = r"\x00-\x1f\x7f-\x9f"
# A word or two. `[x]` is a done to-do; `[-]`, `[/]` and the like are other people's to-do states.
_WORD = rf"[^\s!-,.:-@\[-^`{{-~{_CONTROL}]"
_BRACKET = re.compile(rf"(?!\[[xX]\])\[([^\W_](?:(?:{_WORD}| ){{0,38}}{_WORD})?)\][ \t]+(?=\S)")
# As Obsidian has them: no blank, no punctuation but `_-/.+:`, and not a number alone (`#12`).
_LETTER = rf"[^\s!-*,;-@\[-^`{{-~{_CONTROL}]"
_TAG = re.compile(rf"#(?=\S*[^\s\d_/.+:-])(?:{_LETTER})*(?![.:])(?:{_LETTER})")
_FENCE_LINE = re.compile(r"[ \t]*(?:```|~~~)")
_HIDDEN = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """What a list item says, and where its parts stand in the raw text."""

    content: str
    visible: str  # the text as shown; differs from content where the comment carries `text`
    category: str
    tags: tuple[str, ...]
    fields: dict[str, Any]  # keyword arguments of Fact, from the comment, of the right types
    comment: dict[str, Any] | None  # as it stands there
    problems: tuple[str, ...]
    bullet_end: int
    body_start: int  # behind the category's bracket
    body_end: int  # before tags and comment
    comment_start: int  # both at the end of the text where there is no comment
    comment_end: int


def format_fact(fact: Fact, *, heading_chat: str | None) -> str:
    """
    Write a fact as a list item, without a final line feed; `read_item` gives it back.

    Args:
        fact: any text, tags and numbers.
        heading_chat: the chat that the heading above names.

    Raises:
        InvalidFact: no text, importance outside 0..1, a date without zone, metadata that isn't
            JSON, a lone surrogate.
    """
    fields = fields_of(fact, heading_chat=heading_chat)
    visible = _shown(fact.content)
    if visible != fact.content:
        fields["text"] = fact.content
    if is_dirty(visible):
        raise InvalidFact(f"the text of {fact.id} has a lone surrogate; replace it by U+FFFD")
    first, *rest = visible.split("\n")
    body = "\n".join([first, *(line and "  " + line for line in rest)])
    return _compose("- ", body, fact, fields)


def rewrite(raw: str, fact: Fact, *, heading_chat: str | None) -> str:
    """
    Write a fact's comment, category and tags anew into its list item; the text stays as it is.

    Args:
        raw: the item's lines as they stand in the file.
        fact: its content is not looked at.
        heading_chat: the chat that the heading above names.

    Raises:
        InvalidFact: as `format_fact`.
    """
    reading = read_item(clean(raw))
    fields = fields_of(fact, heading_chat=heading_chat)
    if reading.content != reading.visible:
        fields["text"] = reading.content
    fields |= unknown_fields(reading.comment or {})
    body = raw[reading.body_start : reading.body_end]
    end = len(raw.rstrip()) if reading.comment is None else reading.comment_end
    return _compose(raw[: reading.bullet_end], body, fact, fields) + raw[end:]


def read_item(raw: str) -> Reading:
    """
    Read a list item; any text is one.

    Args:
        raw: its lines joined by LF, from the bullet on; a CR before an LF is no part of the text.
    """
    bullet = BULLET.match(raw)
    bullet_end = body_start = bullet.end() if bullet else 0
    comment, start, end, problems = _find_comment(raw)
    fields, wrong = fact_fields(comment) if comment else ({}, [])
    body_end = len(raw[:start].rstrip())
    category, tags = fields.pop("category", None), fields.pop("tags", None)
    if category is None:
        bracket = _BRACKET.match(raw, bullet_end, body_end)
        category = bracket[1] if bracket else DEFAULT_CATEGORY
        body_start = bracket.end() if bracket else bullet_end
    if tags is None:
        body_end, tags = _trailing_tags(raw, body_start, body_end)
    visible = _dedented(raw[body_start:body_end] + raw[end:])
    content = fields.pop("text", None)
    if content is None or _shown(content) != visible:
        content = visible
    return Reading(
        content=content,
        visible=visible,
        category=category,
        tags=tags,
        fields=fields,
        comment=comment,
        problems=(*problems, *wrong),
        bullet_end=bullet_end,
        body_start=body_start,
        body_end=body_end,
        comment_start=start,
        comment_end=end,
    )


def has_comment(raw: str) -> bool:
    """Say whether a list item has a comment of ours, readable or not."""
    start = raw.rfind(START)
    return start >= 0 and raw.find(END, start) >= 0


def _find_comment(raw: str) -> tuple[dict[str, Any] | None, int, int, tuple[str, ...]]:
    start = raw.rfind(START)
    found = read_comment(raw, start) if start >= 0 else None
    if found:
        return found[0], start, found[1], ()
    broken = start >= 0 and raw.find(END, start) >= 0
    problems = ("the comment isn't a JSON object; it was read as text",) if broken else ()
    return None, len(raw), len(raw), problems


def _trailing_tags(raw: str, start: int, end: int) -> tuple[int, tuple[str, ...]]:
    """Find the tags that end a text's last line; a text of nothing but tags has none."""
    if "#" not in raw[start:end]:
        return end, ()
    tags: list[str] = []
    line_start = max(start, raw.rfind("\n", start, end) + 1)
    at = end
    while at > line_start:
        token = max(raw.rfind(" ", line_start, at) + 1, line_start)
        if not _TAG.fullmatch(raw, token, at):
            break
        tags.append(raw[token + 1 : at])
        at = token
        while at > line_start and raw[at - 1] == " ":
            at -= 1
    body_end = start + len(raw[start:at].rstrip())
    if body_end == start:
        return end, ()
    return body_end, tuple(reversed(tags))


def _compose(bullet: str, body: str, fact: Fact, fields: dict[str, Any]) -> str:
    last_line = body[body.rfind("\n") + 1 :]
    tags = "".join(f"#{tag} " for tag in fact.tags)
    ends_in_tag = _is_tag(last_line[last_line.rfind(" ") + 1 :])
    if ends_in_tag or (tags and not (body and all(_is_tag("#" + tag) for tag in fact.tags))):
        fields = {**fields, "tags": list(fact.tags)}
        tags = ""
    shown = f"{body} {tags}".rstrip()
    bracket = f"[{fact.category}] "
    if fact.category == DEFAULT_CATEGORY and not _BRACKET.match(shown):
        bracket = ""
    elif not ((found := _BRACKET.match(bracket + shown)) and found[1] == fact.category):
        fields = {**fields, "category": fact.category}
        bracket = ""
    # Behind a code fence on its line the comment would be shown, and the fence stay open.
    gap = "\n  " if _FENCE_LINE.match(last_line) else " " if body else ""
    if is_dirty(bracket + tags):
        raise InvalidFact(f"the category or a tag of {fact.id} has a lone surrogate")
    return f"{bullet}{bracket}{body}{gap}{tags}{write_comment(fields)}"


def _is_tag(token: str) -> bool:
    return _TAG.fullmatch(token) is not None


def _shown(content: str) -> str:
    """Give a text as a list item shows it: no blanks at line ends, no control characters."""
    return _HIDDEN.sub("\ufffd", _tidy(content))


def _tidy(text: str) -> str:
    return "\n".join([line.rstrip() for line in text.split("\n")]).strip()


def _dedented(text: str) -> str:
    if "\n" not in text:
        return text.strip()
    first, *rest = text.split("\n")
    return _tidy("\n".join([first, *(_dedented_line(line) for line in rest)]))


def _dedented_line(line: str) -> str:
    if line.startswith("\t"):
        return line[1:]
    return line[2:] if line.startswith(("  ", " \t")) else line.lstrip()
