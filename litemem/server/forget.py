"""Forget, and what that would remove: /memory/forget."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Final

from litemem.aio.shapes import fact_row
from litemem.files.names import check_name
from litemem.memory.preview import Preview, preview
from litemem.server.endpoint import Call, Endpoint, Json
from litemem.server.params import BOOLEAN, NAME, in_body
from litemem.server.schema import many
from litemem.server.shapes import FACT, NUMBER, TEXT, TRUTH, made, rows

_IDS: Final = many(NAME, 200, 1)


def _checked(ids: list[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(check_name(id_, "fact's id") for id_ in ids))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Preview:
    ids: Annotated[tuple[str, ...], in_body(_IDS, "Any ids of the chains.", _checked)]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Forget:
    ids: Annotated[tuple[str, ...], in_body(_IDS, "Any ids of the chains.", _checked)]
    transcripts: Annotated[bool, in_body(BOOLEAN, "In conversations too.")] = False


async def preview_forget(call: Call, asked: _Preview) -> Json:
    """Say what would vanish."""
    found: Preview = await call.read(lambda memory, _: preview(memory.space, call.user, asked.ids))
    return {
        "facts": [
            {
                "memory": fact_row(one.fact),
                "path": one.path,
                "line": one.line,
                "current": one.current,
            }
            for one in found.facts
        ],
        "count": len(found.facts),
        "logs": [{"path": one.path, "lines": [*one.lines]} for one in found.logs],
        "left": [*found.left],
    }


async def forget_memories(call: Call, asked: _Forget) -> Json:
    """Forget facts with their chains."""
    gone = await call.write(
        lambda memory, _: memory.forget(*asked.ids, transcripts=asked.transcripts)
    )
    return {
        "success": True,
        "forgotten": [*gone.ids],
        "count": len(gone.ids),
        "erased_turns": gone.erased_turns,
        "still_in": [*gone.still_in],
    }


ENDPOINTS: Final = (
    Endpoint(
        method="POST",
        path="/memory/forget/preview",
        does=preview_forget,
        asked=_Preview,
        answers=made(
            facts=rows(made(memory=FACT, path=TEXT, line=NUMBER, current=TRUTH)),
            count=NUMBER,
            logs=rows(made(path=TEXT, lines=rows(NUMBER))),
            left=rows(TEXT),
        ),
        says=(
            "What a forget would remove, and nothing is: `facts` from their files, all versions; "
            "with `transcripts` also the words in these lines of `logs`. The words stay in `left`."
        ),
        tag="forget",
        fails=(404,),
    ),
    Endpoint(
        method="POST",
        path="/memory/forget",
        does=forget_memories,
        asked=_Forget,
        answers=made(
            success={"const": True},
            forgotten=rows(TEXT),
            count=NUMBER,
            erased_turns=NUMBER,
            still_in=rows(TEXT),
        ),
        says="Forget facts for good, each with all its versions; none where an id is unknown.",
        tag="forget",
        fails=(404,),
    ),
)
