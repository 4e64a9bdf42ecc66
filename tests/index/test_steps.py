from __future__ import annotations

from dataclasses import replace

from litemem.index.steps import keyed
from litemem.index.store import Index
from tests.index.made import fact, facts, source


def test_facts_that_replace_others_are_found_by_a_key_of_their_metadata(index: Index) -> None:
    index.put_source(source("a.md"), facts("m1", "m2"))
    step = {"step": "s1"}
    made = [
        replace(fact("m3", minute=2, replaces="m1"), metadata=step),
        replace(fact("m4", minute=1, replaces="m2"), metadata=step),
        replace(fact("m5", minute=3), metadata=step),
        replace(fact("m6", minute=4, replaces="m5"), metadata={"x": '"step":'}),
        replace(fact("m3", minute=5, replaces="m1"), metadata=step),
    ]
    index.put_source(source("b.md"), made)
    index.put_source(source("c.md", "ann"), [replace(made[0], id="m7")])

    with index.reading(vectors=False) as db:
        assert [row.doc.id for row in keyed(db, "default", "step")] == ["m4", "m3"]
        assert [row.doc.id for row in keyed(db, "ann", "step")] == ["m7"]
        assert keyed(db, "nobody", "step") == []
