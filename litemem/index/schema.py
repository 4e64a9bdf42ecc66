"""The tables of the index, and the fingerprint that says what they were made with."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from typing import Final

SCHEMA_VERSION: Final = 1
TOKENIZER: Final = "porter unicode61 remove_diacritics 2"
CHUNK_WORDS: Final = 120  # and 20 shared words: measured against whole turns and 400-token chunks
CHUNK_OVERLAP: Final = 20
VECTORS_PER_CHUNK: Final = 256

FACT, BLOCK, TURN, NODE = 0, 1, 2, 3
KIND_CODES: Final = {"fact": FACT, "block": BLOCK, "turn": TURN, "node": NODE}

CURRENT, SUPERSEDED, DUPLICATE = 0, 1, 2
"""What `doc.state` says; only current rows stand in `words` and `vec`."""

PENDING, STORED, UNEMBEDDABLE = 0, 1, 2
"""What `doc.vector` says; a text without any token can't be embedded."""

TABLES: Final = """
create table meta(key text primary key, value) without rowid;

-- One row a source file. `path` is below the home folder, with `/`. `digests` holds the sha256 of
-- each 64 KiB, so that an append extends it without reading the whole file. `problems` is JSON.
create table source(
    id integer primary key,
    path text not null unique,
    user text not null,
    size integer not null,
    mtime_ns integer not null,
    ctime_ns integer not null,
    inode integer not null,
    read_ns integer not null,
    lines integer not null,
    digests blob not null,
    problems text not null default '[]'
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

create table thread(id integer primary key, name text not null unique);

-- `at` is microseconds since 1970 UTC, null where a row has no time. `extra` is JSON of what search
-- doesn't filter by: tags, speaker, metadata, origin, seen. `head` is embedded before `text`.
create table doc(
    rowid integer primary key,
    source integer not null,
    line integer not null,
    kind integer not null,
    scope integer not null,
    thread integer not null,
    state integer not null,
    vector integer not null default 0,
    text_key integer not null,
    at integer,
    importance real not null,
    id text not null,
    category text not null,
    replaces text,
    head text not null,
    text text not null,
    extra text not null
);
create index doc_source on doc(source, line);
create index doc_id on doc(id);
create index doc_replaces on doc(replaces) where replaces is not null;
create index doc_thread on doc(thread, at, line) where state = 0;
create index doc_pending on doc(at) where state = 0 and vector = 0;
create index doc_text_key on doc(text_key);

-- Without content of its own: `text` is doc.text and tags with CJK runs cut into bigrams, `scope`
-- the filter tokens of litemem.index.words (weight 0). Deletes need the exact old values.
create virtual table words using fts5(
    scope, text, content='', tokenize='porter unicode61 remove_diacritics 2'
);
create virtual table words_vocabulary using fts5vocab('words', 'row');

-- Per (owner, kind) partition: how many vectors, and their sum as little-endian int64 of
-- round(2^20 x), so that the mean doesn't depend on the order of additions and removals.
create table centre(part integer primary key, n integer not null, total blob not null);
"""

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


def part_of(owner: int, kind: int) -> int:
    """Return the partition of one user's rows of one kind."""
    return owner * 4 + kind
