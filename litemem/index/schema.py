"""The tables of the index, and the fingerprint that says what they were made with."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from typing import Final

SCHEMA_VERSION: Final = 2
TOKENIZER: Final = "porter unicode61 remove_diacritics 2"
CHUNK_WORDS: Final = 120  # and 20 shared words: measured against whole turns and 400-token chunks
CHUNK_OVERLAP: Final = 20

# A user with one row costs one chunk a partition: 98 KB at 384 dimensions, where 1,024 rows a
# chunk cost 1.6 MB. Scanning 10,000 rows takes 5.7 ms with 32 or 64, 5.4 with 256, 4.6 with 1,024;
# with 32, pages stay emptier and the whole file is 3 % larger.
VECTORS_PER_CHUNK: Final = 64

FACT, BLOCK, TURN, NODE = 0, 1, 2, 3
KIND_CODES: Final = {"fact": FACT, "block": BLOCK, "turn": TURN, "node": NODE}

NOBODY: Final = ""
"""The user whose rows are the global blocks, which everybody may read."""

CURRENT, SUPERSEDED, DUPLICATE = 0, 1, 2
"""What `doc.state` says; only current rows stand in `words` and `vec`."""

PENDING, STORED, UNEMBEDDABLE = 0, 1, 2
"""What `doc.vector` says; a text without any token can't be embedded."""

NO_TIME: Final = -(2**63)
"""`vec.at` of a row without a time: vec0 takes no null."""

OWN_VECTOR: Final = 0
"""`doc.text_key` of a row whose vector a caller gave: no other row may copy it."""

TABLES: Final = """
create table meta(key text primary key, value) without rowid;

-- One row a source file. `path` is below the home folder, with `/`; a blob where it isn't UTF-8.
-- `digests` holds the sha256 of each 64 KiB, so that an append extends it without reading the
-- whole file. `inode` is text, because it can need more than 63 bits. `problems` is JSON.
create table source(
    id integer primary key,
    path not null unique,
    user text not null,
    size integer not null,
    mtime_ns integer not null,
    ctime_ns integer not null,
    inode text not null,
    read_ns integer not null,
    lines integer not null,
    digests blob not null,
    problems text not null
);
create index source_user on source(user);

-- One row a (user, chat); chat '' is "no chat". `owner` is the id of the user's own row (chat '').
create table scope(
    id integer primary key,
    user text not null,
    chat text not null,
    owner integer not null,
    unique(user, chat)
);
create index scope_owner on scope(owner);

create table thread(id integer primary key, name text not null unique);

-- A row's head and text never change, and rowids aren't used again: what a reader keeps of a
-- rowid stays true. `at` is microseconds since 1970 UTC, null where a row has no time. `extra` is
-- JSON of what search doesn't filter by: tags, speaker, metadata, origin, seen, derived id.
-- `merges` is JSON of the ids that a fact replaces besides, null where there are none.
-- `head` is embedded before `text`. `text_key` hashes both; `same_key` hashes a fact's normalised
-- text and speaker (null for other kinds). Both have 32 bits: what they find is compared in full.
create table doc(
    rowid integer primary key autoincrement,
    source integer not null,
    line integer not null,
    kind integer not null,
    scope integer not null,
    thread integer not null,
    state integer not null,
    vector integer not null,
    text_key integer not null,
    same_key integer,
    at integer,
    importance real not null,
    id text not null,
    category text not null,
    replaces text,
    merges text,
    head text not null,
    text text not null,
    extra text not null
);
create index doc_source on doc(source);
create index doc_id on doc(id);
create index doc_replaces on doc(replaces) where replaces is not null;
create index doc_scope on doc(scope, kind, at) where state = 0;
create index doc_thread on doc(thread, at, line) where state = 0;
create index doc_pending on doc(at) where state = 0 and vector = 0;
create index doc_text_key on doc(text_key);
create index doc_same_key on doc(same_key) where same_key is not null;

-- The same ids, so that who merged a fact is found.
create table merged(id text not null, row integer not null, primary key(id, row)) without rowid;
create index merged_row on merged(row);

-- Without content of its own: `text` is doc.text and tags with CJK runs cut into bigrams. Deletes
-- need the exact old values. Tokens of user, kind and chat in here were no faster a filter than the
-- index doc_scope (a chat and all of no chat, of 100,000 rows: 11 ms against 1.6).
create virtual table words using fts5(
    text, content='', tokenize='porter unicode61 remove_diacritics 2'
);
insert into words(words, rank) values('secure-delete', 1);
create virtual table words_vocabulary using fts5vocab('words', 'row');

-- Per (owner, kind) partition: how many vectors, and their sum as little-endian int64 of
-- round(2^20 x), so that the mean doesn't depend on the order of additions and removals.
create table centre(part integer primary key, n integer not null, total blob not null);

-- The last 16,384 rows or more whose vectors came, left or moved, in order, so that a process that
-- keeps vectors in memory (litemem.index.scanner) can follow. `meta.made` tells one file from
-- another. No triggers: they make SQLite copy each page that a statement changes (20 us a row).
create table vector_change(seq integer primary key autoincrement, row integer not null);
insert into meta values('made', hex(randomblob(16)));

-- How often a fact was recalled: the one thing that may be lost.
create table usage(
    user text not null,
    id text not null,
    n integer not null,
    last integer not null,
    primary key(user, id)
) without rowid;
"""

TABLE_NAMES: Final = (
    *("meta", "source", "scope", "thread", "doc", "merged"),
    *("words", "words_vocabulary", "vec", "centre", "vector_change", "usage"),
)

VECTOR_TABLE: Final = """
create virtual table vec using vec0(
    part integer partition key,
    embedding float[{dimension}] distance_metric=l2,
    scope integer,
    at integer,
    chunk_size={chunk}
)
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Fingerprint:
    """What an index was made with; another one means: rebuild."""

    model: str
    dimension: int
    model_sha256: str
    schema: int = SCHEMA_VERSION
    tokenizer: str = TOKENIZER
    chunk_words: int = CHUNK_WORDS
    chunk_overlap: int = CHUNK_OVERLAP

    def as_text(self) -> str:
        """Return the text that the index file carries."""
        return json.dumps(asdict(self), sort_keys=True)

    @staticmethod
    def from_text(text: str) -> Fingerprint:
        """Return what `as_text` wrote. Raises ValueError or TypeError for anything else."""
        return Fingerprint(**json.loads(text))

    def unlike(self, other: Fingerprint) -> str:
        """Return what differs, as `model fast, now me5-small-q4`; "" for nothing."""
        theirs, ours = asdict(self), asdict(other)
        differing = [name for name in theirs if theirs[name] != ours[name]]
        return ", ".join(f"{one} {theirs[one]}, now {ours[one]}" for one in differing)

    def same_model(self, other: Fingerprint) -> bool:
        """Say whether vectors made under both can stand in one index."""
        ours = (self.model, self.dimension, self.model_sha256)
        return ours == (other.model, other.dimension, other.model_sha256)


def part_of(owner: int, kind: int) -> int:
    """Return the partition of one user's rows of one kind."""
    return owner * 4 + kind


def owner_and_kind(part: int) -> tuple[int, int]:
    """Return whose rows of which kind a partition holds; the inverse of `part_of`."""
    return divmod(part, 4)
