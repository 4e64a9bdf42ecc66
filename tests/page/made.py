"""A home as a person has it after some weeks: facts, versions, sessions, transcripts, blocks."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final

import litemem
from litemem.session import SessionGraph, SessionStore, TranscriptManager
from litemem.types import Origin

FIRST: Final = datetime(2026, 2, 2, 9, 30, tzinfo=UTC)
FACTS: Final = (
    ("preference", "Prefers green tea in the morning, coffee after lunch", 0.7, ("food",)),
    ("preference", "Likes compact dashboards with little colour", 0.8, ("ui", "product")),
    ("personal", "Has a dog called Milo, a grey schnauzer", 0.6, ("pets",)),
    ("personal", "Her sister Ana lives in Porto", 0.5, ("family",)),
    ("work", "Leads the data platform team of four engineers", 0.6, ("team",)),
    ("work", "Reviews pull requests before lunch", 0.4, ()),
    ("goal", "Wants to run a half marathon in October", 0.7, ("running",)),
    ("goal", "Is learning Portuguese, half an hour a day", 0.6, ("language",)),
    ("fact", "The staging database is restored every Monday", 0.5, ("ops",)),
    ("fact", "Invoices go to the accountant on the third of a month", 0.5, ("money",)),
    ("event", "Went to the fado evening in Alfama", 0.3, ("lisbon",)),
    ("instruction", "Answers should be short, with sources", 0.9, ("style",)),
    ("preference", "喜欢在安静的咖啡馆里写代码", 0.5, ("zh",)),
    ("personal", "تحب المشي على الشاطئ مساء", 0.4, ()),
)
WINDOW_FLAG: Final = "__ran"
HOSTILE: Final = (
    f'<img src=x onerror="window.{WINDOW_FLAG}=1"><script>window.{WINDOW_FLAG}=2</script> tulip',
    f'<svg onload=alert(1)><a xlink:href="javascript:window.{WINDOW_FLAG}=3">x</a></svg> tulip',
    f"[click](javascript:window.{WINDOW_FLAG}=4) ![x](http://evil.example/p.png) **tulip**",
    "javascript:alert(1) </textarea></script><iframe src=http://evil.example/> tulip",
    "\u202egnp.exe \u2066tulip and \u200fmore",
    "tulip {{constructor.constructor('return 1')()}} ${alert(1)} `<!--",
)


def make_home(home: Path, model: str = "hash") -> dict[str, str]:
    """Write the home, and return ids by a short name."""
    ids = dict[str, str]()
    logs = TranscriptManager(home / "transcripts")
    at = FIRST + timedelta(days=5)
    logs.append_turn("spring-trip", "user", "We should plan the trip to Porto.", at=at)
    line = logs.append_turn(
        "spring-trip",
        "user",
        "I moved last week: I live in Lisbon now, near Graça.",
        at=at + timedelta(minutes=2),
    )
    logs.append_turn(
        "spring-trip", "assistant", "Noted: Lisbon, near Graça.", at=at + timedelta(minutes=3)
    )
    with litemem.open(home, model=model) as memory:
        for number, (category, content, importance, tags) in enumerate(FACTS):
            done = memory.remember(
                content,
                category=category,
                importance=importance,
                tags=tags,
                created_at=FIRST + timedelta(days=number // 3, minutes=17 * number),
            )
            ids.setdefault(category, done.id)
        old = memory.remember("Lives in Berlin", category="personal", created_at=FIRST)
        ids["old"] = old.id
        ids["lives"] = memory.remember(
            "Lives in Lisbon, near Graça",
            category="personal",
            importance=0.8,
            tags=("home",),
            created_at=at + timedelta(minutes=2),
            replaces=old.id,
            source=Origin(session="spring-trip", line=line, at=at + timedelta(minutes=2)),
        ).id
        ids["porto"] = memory.remember("Visits Porto every spring", category="event").id
    _blocks(home)
    _session(home)
    with litemem.open(home, model=model) as memory:
        memory.sync()
    return ids


def add_hostile(home: Path, model: str = "hash") -> list[str]:
    """Write facts, a session and a transcript that would like to run in the page."""
    logs, store = TranscriptManager(home / "transcripts"), SessionStore(home / "sessions")
    graph = SessionGraph("hostile")
    for text in HOSTILE:
        logs.append_turn("hostile", "user", text)
        store.append_turn(graph, _said("user", text))
    store.rename("hostile", HOSTILE[1])
    with litemem.open(home, model=model) as memory:
        made = [
            memory.remember(text, category="<b onclick=alert(1)>x</b>", tags=["<i>t</i>"]).id
            for text in HOSTILE
        ]
        made.append(memory.remember("tulip, newer <script>1</script>", replaces=made[0]).id)
        memory.sync()
    return made


def _blocks(home: Path) -> None:
    folder = home / "memory"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "persona.md").write_text(
        "# Persona\n\nA calm assistant.\nShort answers, with sources.\n\nNever guesses dates.\n"
    )
    (folder / "user.md").write_text("# User\n\n- Lives in Lisbon\n- Leads the data platform team\n")


def _said(role: str, text: str) -> dict[str, object]:
    return {"role": role, "blocks": [{"kind": "text", "text": text}]}


def _session(home: Path) -> None:
    store, graph = SessionStore(home / "sessions"), SessionGraph("porto")
    first = store.append_turn(graph, _said("user", "Plan three days in Porto for two people."))
    store.append_turn(graph, _said("assistant", "Day one: Ribeira and the old town, by foot."))
    fork = store.append_turn(graph, _said("user", "What about the coast?"))
    store.append_turn(graph, _said("assistant", "Take the tram to Foz do Douro at noon."))
    graph.branch_from(fork.id)
    store.append_turn(graph, _said("assistant", "Matosinhos has the better beach."), fork=True)
    store.append_turn(graph, _said("user", "And dinner there?"))
    graph.branch_from(first.id)
    store.append_turn(graph, _said("assistant", "Start with Vila Nova de Gaia instead."), fork=True)
    store.append_turn(graph, _said("user", "Good. Which cellar is open on Monday?"))
    store.append_turn(graph, _said("assistant", "Two of them; book the one at ten."))
    store.append_turn(graph, _said("user", "Booked. Now the trains, please."))
    store.compact(graph, _said("user", "Summary: Gaia first, cellar at ten."), at=3)
    store.append_turn(graph, _said("assistant", "The 9:30 from Oriente, two seats."))
    store.label("porto", first.id, "start")
    store.rename("porto", "Spring trip to Porto")
