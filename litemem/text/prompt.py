"""Memories and blocks as text for a prompt, so that none can pose as something else."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from itertools import accumulate

DEFAULT_BLOCKS: Mapping[str, str] = {
    "persona": "You are a helpful assistant with a long-term memory.",
    "user": "Nothing is known about the user yet.",
    "facts": "No facts have been collected yet.",
    "context": "There is no current context.",
}
"""What a prompt says where a block is unset; never stored."""

MAX_CHARS = 16_000  # about 4,000 tokens, an eighth of a small model's window

MAX_BLOCK_CHARS = 8_000  # of each core block

_OPEN, _CLOSE = "<memories>\n", "</memories>"
_NEWLINE = re.compile("\r\n|[\r\x0b\x0c\x1c-\x1e\x85\u2028\u2029]")
_BREAK = re.compile(r"\s*\n\s*")
# Control, bidirectional and invisible characters; zero-width joiners stay, scripts need them.
_HIDDEN = re.compile(
    "[\x00-\x08\x0e-\x1f\x7f-\x9f\xad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f"
    "\ufeff\ufff9-\ufffb\U000e0000-\U000e0fff]"
)
_SURROGATE = re.compile("[\ud800-\udfff]")
_MARKUP = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;"})
_CUT_ENTITY = re.compile(r"&[a-z]*\Z")


def prompt_block(lines: Sequence[str], *, max_chars: int = MAX_CHARS) -> str:
    """
    Give memories between `<memories>` and `</memories>`, one line each, each behind `- `.

    Markup is escaped, a line break becomes ` / `, control, bidirectional and invisible characters
    go: no text can close the block, begin a line or hide in one.

    Args:
        lines: one text for each memory, best first.
        max_chars: the most that the block may have. Memories that don't fit are left out and
            counted; the first one is cut instead.

    Returns:
        '' when there is nothing to say, or no room to say it.
    """
    room = max_chars - len(_OPEN + _CLOSE + _left_out(len(lines)))
    kept: list[str] = []
    for line in lines:
        shown = f"- {_one_line(line[:max_chars])}\n"
        if len(shown) > room and not kept:
            shown = _cut(shown, room)
        if 0 < len(shown) <= room:
            kept.append(shown)
            room -= len(shown)
    if not kept:
        return ""
    missing = len(lines) - len(kept)
    return "".join([_OPEN, *kept, _left_out(missing) if missing else "", _CLOSE])


def core_block(
    blocks: Mapping[str, str], workspace: str, *, max_block_chars: int = MAX_BLOCK_CHARS
) -> str:
    """
    Give the core blocks as one delimited text for a system prompt, line breaks kept.

    Args:
        blocks: label -> text, in the order to show; for '' DEFAULT_BLOCKS speaks.
        workspace: where the memory's files are, for an agent that may read them.
        max_block_chars: of each block; see `marked_block`.
    """
    parts = ["<core_memory>"]
    for label, text in blocks.items():
        unset = DEFAULT_BLOCKS.get(label, "Empty.")
        shown = (marked_block(label, one, max_chars=max_block_chars) for one in (text, unset))
        parts.append(next(filter(None, shown), ""))
    parts.append(f"<memory_workspace>{_one_line(workspace)}</memory_workspace>")
    return "\n".join([*parts, "</core_memory>"])


def transcript_block(text: str) -> str:
    """
    Give a transcript between `<transcript>` and `</transcript>`, line breaks kept.

    Markup is escaped; control, bidirectional and invisible characters go: no text can close it.
    """
    return f"<transcript>\n{_escaped(text).strip()}\n</transcript>"


def marked_block(tag: str, text: str, *, max_chars: int) -> str:
    """
    Give a text between `<tag>` and `</tag>`, line breaks kept, so that it can't close the block.

    Args:
        tag: a word of ours, e.g. `user`.
        text: from anywhere; markup is escaped, control, bidirectional and invisible characters go.
        max_chars: the most that the block may have. What doesn't fit is cut from the text's end,
            and a note says how many characters that are.

    Returns:
        '' when there is nothing to say, or no room to say it.
    """
    # What surely has no room isn't looked at, only counted.
    head = text[: 2 * max_chars]
    plain, beyond = _plain(head).strip(), len(text) - len(head)
    note = f"\n({len(plain) + beyond} more characters left out)"
    room = max_chars - len(f"<{tag}>\n\n</{tag}>")
    costs = accumulate(len(_MARKUP.get(ord(one), one)) for one in plain[: max(0, room)])
    within = list(costs)
    if beyond or len(within) < len(plain) or (within and within[-1] > room):
        kept = plain[: bisect_right(within, room - len(note))]
        note = f"\n({len(plain) - len(kept) + beyond} more characters left out)"
    else:
        kept, note = plain, ""
    return f"<{tag}>\n{kept.translate(_MARKUP)}{note}\n</{tag}>" if kept else ""


def _left_out(count: int) -> str:
    return f"({count} more left out)\n"


def _one_line(text: str) -> str:
    return _BREAK.sub(" / ", _escaped(text).strip()).replace("\t", " ")


def _escaped(text: str) -> str:
    return _plain(text).translate(_MARKUP)


def _plain(text: str) -> str:
    return _SURROGATE.sub("\ufffd", _HIDDEN.sub("", _NEWLINE.sub("\n", text)))


def _cut(line: str, room: int) -> str:
    """Shorten a line, with `…` at its end, or to '' where too little would be left."""
    return _CUT_ENTITY.sub("", line[: room - 2]) + "…\n" if room >= 20 else ""
