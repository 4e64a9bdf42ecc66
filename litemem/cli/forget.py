"""`litemem forget`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from litemem.cli.given import confirm
from litemem.cli.options import json_option, on_memory
from litemem.cli.output import counted, print_json, say, show

if TYPE_CHECKING:
    from litemem.memory.memory import Memory

_NAMED = 20  # facts


@click.command("forget")
@click.argument("ids", nargs=-1, metavar="ID...")
@click.option("--all-of-user", is_flag=True, help="Everything of the user: files and rows.")
@click.option("--only", is_flag=True, help="This one version, not its whole chain.")
@click.option("--transcripts", is_flag=True, help="Blank the same words in transcripts too.")
@click.option("--yes", is_flag=True, help="Don't ask.")
@json_option
@on_memory
def forget_command(
    memory: Memory,
    ids: tuple[str, ...],
    *,
    all_of_user: bool,
    only: bool,
    transcripts: bool,
    yes: bool,
    as_json: bool,
) -> None:
    """Remove facts for good, each with all versions of it, from the files and the index."""
    if bool(ids) == all_of_user:
        raise click.UsageError("give ids, or --all-of-user")
    if all_of_user:
        _forget_user(memory, yes=yes, as_json=as_json)
        return
    versions = ((id_, fact) for id_ in ids for fact in memory.get(id_).history)
    doomed = {fact.id: fact for id_, fact in versions if not only or fact.id == id_}
    for fact in [*doomed.values()][:_NAMED]:
        say(f"forgets {fact.id}: {fact.content}")
    if len(doomed) > _NAMED:
        say(f"... and {len(doomed) - _NAMED} more")
    confirm(f"Forget {counted(len(doomed), 'fact')} for good?", yes=yes)
    gone = memory.forget(*ids, only=only, transcripts=transcripts)
    for path in gone.still_in:
        say(f"litemem: the same words still stand in {path}")
    if as_json:
        still = list(gone.still_in)
        print_json(
            {"forgotten": list(gone.ids), "erased_turns": gone.erased_turns, "still_in": still}
        )
    else:
        show(counted(len(gone.ids), "fact") + " forgotten")


def _forget_user(memory: Memory, *, yes: bool, as_json: bool) -> None:
    stats = memory.stats()
    say(
        f"forgets all of user {memory.user_id!r}: {counted(stats.total_memories, 'fact')}, "
        "blocks, logs, sessions"
    )
    confirm("Forget this user for good?", yes=yes)
    facts = memory.forget_user()
    if as_json:
        print_json({"user_id": memory.user_id, "facts": facts})
    else:
        show(f"user {memory.user_id!r} forgotten: {counted(facts, 'fact')}")
