"""Commands that keep house: cache, doctor."""

from __future__ import annotations

from isel.cli.grammar.flags import (
    Built,
    add_action,
    add_valued,
    natural,
    new_parser,
    one_of,
    switch,
)


def cache_parser() -> Built:
    """Return the parser of ``isel cache`` and what runs it."""
    from isel.cli.cache import run

    parser = new_parser("isel cache", "Proved results kept between runs.")
    add_action(parser, "stats", "list", "show", "check", "clear", "export", "import", "serve")
    parser.add_argument(
        "file",
        metavar="FILE|KEY",
        nargs="?",
        help="of export and import, or the key that show takes (its first digits will do)",
    )
    order = "list: by cycles saved, by uses or by key (the default)"
    one_of(parser, "sort", ("gain", "uses", "key"), order)
    add_valued(
        parser,
        "pairs",
        "export: a file with @src and @tgt for each result, proved as written",
        metavar="DIR",
    )
    switch(
        parser,
        "anew",
        "import: use nothing that cannot be proved here; what was said of prices and of the search "
        "is found out again",
    )
    add_valued(parser, "host", "serve: the address to listen at (127.0.0.1)", metavar="HOST")
    add_valued(
        parser, "port", "serve: the port (8787; 0 is any free one)", metavar="N", kind=natural
    )
    add_valued(parser, "cache", "folder or file of the cache", metavar="PATH")
    return parser, run


def doctor_parser() -> Built:
    """Return the parser of ``isel doctor`` and what runs it."""
    from isel.cli.doctor import run

    return new_parser(
        "isel doctor", "What this machine has, what is missing and what that costs."
    ), run
