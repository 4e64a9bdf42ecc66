"""Input items of the OpenAI Agents SDK as turns of a session, and back without a loss."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from copy import deepcopy
from typing import Any, Final, NamedTuple, TypeAlias

from litemem.errors import InvalidValue
from litemem.integrations.nearest import data_url, nearest_items
from litemem.session.nodes import Turn
from litemem.text import jsjson

Item: TypeAlias = dict[str, Any]  # Any: JSON of one of some forty types
Block: TypeAlias = dict[str, Any]  # Any: JSON
Path: TypeAlias = tuple[str | int, ...]

_FIELDS: Final = {"text": "text", "thinking": "text", "tool_call": "input", "tool_result": "output"}
_INPUTS: Final = ("arguments", "input", "action", "actions", "operation", "code")
_DATA_URL: Final = re.compile(r"data:([\w.+-]+/[\w.+-]+);base64,", re.ASCII)


class _Taken(NamedTuple):
    """A block, and where in its item its text stood."""

    block: Block
    at: Path | None  # None: nothing was moved into the block


def turns_of(items: Iterable[Mapping[str, Any]]) -> list[Turn]:  # Any: as in Item
    """
    Make turns of items: one each, but what a model gives after its reasoning stays one turn.

    A provider refuses a call without the reasoning that came before it, so that no condensation
    may part them. Blocks hold the texts, as in every session; `items` holds the rest, and `moved`
    says how many texts are in blocks. `items_of` is the inverse.

    Raises InvalidValue for what isn't JSON.
    """
    return [_turn(group) for group in _groups(items)]


def items_of(turn: Turn) -> list[Item]:
    """Return the items of a turn; of one that another program wrote, the nearest ones."""
    skeletons = turn.get("items")
    if isinstance(skeletons, list) and skeletons:
        try:
            return _restored(turn, skeletons)
        except (KeyError, IndexError, TypeError, ValueError):
            pass  # redacted, erased or edited; the blocks still say something
    return list(nearest_items(turn))


def _groups(items: Iterable[Mapping[str, Any]]) -> Iterator[list[Mapping[str, Any]]]:
    group: list[Mapping[str, Any]] = []
    for item in items:
        if group and not (group[0].get("type") == "reasoning" and _role(item) == "assistant"):
            yield group
            group = []
        group.append(item)
    if group:
        yield group


def _turn(group: list[Mapping[str, Any]]) -> Turn:
    blocks: list[Block] = []
    skeletons: list[Item | str] = []
    moved = 0
    for place, item in enumerate(group):
        skeleton = _json(item)
        for block, at in _taken(skeleton) if isinstance(skeleton, dict) else ():
            blocks.append(block)
            if at is not None:
                block["at"] = [place, *at]
                _put(skeleton, at, None)
                moved += 1
        skeletons.append(skeleton)
    return {"role": _role(group[-1]), "blocks": blocks, "items": skeletons, "moved": moved}


def _json(item: Mapping[str, Any]) -> Item | str:
    """Return an item as plain JSON; as JSON text where a log's numbers or depth don't hold it."""
    try:
        text = json.dumps(item)
        plain: Item = json.loads(text)
    except (TypeError, ValueError, RecursionError) as error:
        raise InvalidValue(f"an item of a session must be JSON: {error}") from error
    try:
        survives = jsjson.loads(jsjson.dumps(plain)) == plain
    except InvalidValue:
        survives = False
    return plain if survives else text


def _role(item: Mapping[str, Any]) -> str:
    role, kind = item.get("role"), item.get("type")
    if isinstance(role, str) and role:
        return role
    is_result = isinstance(kind, str) and kind.endswith(("_output", "_response"))
    return "tool" if is_result else "assistant"


def _taken(item: Item) -> list[_Taken]:
    kind = item.get("type")
    if kind == "reasoning":
        return [*_parts(item, "summary", "thinking"), *_parts(item, "content", "thinking")]
    if kind in (None, "message"):
        content = item.get("content")
        if isinstance(content, str):
            return [_Taken({"kind": "text", "text": content}, ("content",))]
        return list(_parts(item, "content", "text"))
    call = item.get("call_id", item.get("id"))
    if isinstance(kind, str) and isinstance(call, str):
        if kind.endswith("_output"):
            return [_moved({"kind": "tool_result", "callId": call}, item, ("output", "result"))]
        if "call_id" in item:
            name = item.get("name", kind.removesuffix("_call"))
            return [_moved({"kind": "tool_call", "id": call, "name": str(name)}, item, _INPUTS)]
    return []


def _moved(block: Block, item: Item, keys: Iterable[str]) -> _Taken:
    field = _FIELDS[block["kind"]]
    key = next((key for key in keys if item.get(key) is not None), None)
    if key is None:
        return _Taken({**block, field: ""}, None)
    return _Taken({**block, field: item[key]}, (key,))


def _parts(item: Item, key: str, kind: str) -> Iterator[_Taken]:
    parts = item.get(key)
    for place, part in enumerate(parts if isinstance(parts, list) else ()):
        for field in ("text", "refusal") if isinstance(part, dict) else ():
            if isinstance(part.get(field), str):
                yield _Taken({"kind": kind, "text": part[field]}, (key, place, field))
        url = part.get("image_url") if isinstance(part, dict) else None
        found = _DATA_URL.match(url) if isinstance(url, str) else None
        if found is not None and isinstance(url, str):
            block = {"kind": "image", "mediaType": found[1], "dataBase64": url[found.end() :]}
            yield _Taken(block, (key, place, "image_url"))


def _restored(turn: Turn, skeletons: list[Any]) -> list[Item]:  # Any: JSON
    items = [json.loads(one) if isinstance(one, str) else deepcopy(one) for one in skeletons]
    blocks = [block for block in turn["blocks"] if block.get("at")]
    if len(blocks) != turn.get("moved"):
        raise ValueError("blocks are missing")
    for block in blocks:
        _put(items, tuple(block["at"]), _text_of(block))
    return items


def _text_of(block: Block) -> Any:  # noqa: ANN401  # Any: JSON
    return data_url(block) if block["kind"] == "image" else block[_FIELDS[block["kind"]]]


def _put(whole: Any, path: Path, value: object) -> None:  # noqa: ANN401  # Any: JSON
    *way, last = path
    for step in way:
        whole = whole[step]
    whole[last] = value
