"""Commands that keep house: cache, doctor."""

from __future__ import annotations

from isel.cli.grammar.flags import Parser, add_action, add_flags, new_parser


def cache_parser() -> Parser:
    """Return the parser of ``isel cache``."""
    parser = new_parser("isel cache", "Proved results kept between runs.")
    add_action(parser, "stats", "list", "show", "check", "clear", "export", "import", "serve")
    what = "of export and import, or the key that show takes (its first digits will do)"
    parser.add_argument("file", metavar="FILE|KEY", nargs="?", help=what)
    add_flags(
        parser,
        """
        --sort gain|uses|key: list: by cycles saved, by uses or by key (the default)
        --pairs DIR: export: a file with @src and @tgt for each result, proved as written
        --anew: import: use nothing that cannot be proved here; what was said of prices and of the
            search is found out again
        --host HOST: serve: the address to listen at (127.0.0.1)
        --port N natural: serve: the port (8787; 0 is any free one)
        --json: stats, list and check: print JSON
        --cache PATH: folder or file of the cache
        """,
    )
    parser.set_defaults(json=None)
    return parser


def doctor_parser() -> Parser:
    """Return the parser of ``isel doctor``."""
    what = "What this machine has, what is missing and what that costs."
    parser = new_parser("isel doctor", what)
    add_flags(parser, "--json: print JSON")
    return parser
