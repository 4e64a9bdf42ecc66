"""`python -m tests.benchmarks COMMAND`."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib import import_module
from subprocess import CalledProcessError

from litemem.errors import LitememError

COMMANDS = {
    "compaction": "what the offline summariser keeps, how right tokens are counted (--data DIR)",
    "extraction": "what the rules find in conversations, and how much is right (--data DIR)",
    "mcp": "how soon an MCP client is answered by a server it starts",
    "peers": "the same work on LanceDB, chroma, memsearch, mem0, sqlite-utils and LangGraph",
    "plots": "how latency and cost grow, drawn as SVG beside the code",
    "retrieval": "how well the questions of real conversations find their answers (--data DIR)",
    "server": "many clients at one server while the command line writes to the same home",
    "sessions": "loading, appending and resuming session logs; many writers at once",
    "speed": "searches at 1,000 to 100,000 rows or more, beside bare apsw + vec0 + FTS5",
    "start": "whole commands from a cold start, beside `python -c 'import click'`",
    "write": "facts added, changed and forgotten; imports, rebuilds and opens; memory",
}


def main(arguments: Sequence[str]) -> int:
    """Run one command; its module parses the other arguments."""
    if not arguments or arguments[0] not in COMMANDS:
        print("usage: python -m tests.benchmarks COMMAND [options]\n")
        print("\n".join(f"  {name:10} {what}" for name, what in COMMANDS.items()))
        return 2
    try:
        import_module(f"tests.benchmarks.{arguments[0]}").main(arguments[1:])
    except ImportError as error:
        extras = "pip install -e '.[dev,bench,server,mcp]' has all that benchmarks need"
        print(f"error: {error}; {extras}", file=sys.stderr)
        return 1
    except CalledProcessError as error:  # it has said why
        print(f"error: a process that was started ended with {error.returncode}", file=sys.stderr)
        return 1
    except (OSError, LitememError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
