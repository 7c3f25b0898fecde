"""Commands that show what became of code: remarks, why-not, measure, serve."""

from __future__ import annotations

from isel.cli.grammar.flags import (
    Built,
    add_short_search,
    add_valued,
    natural,
    new_parser,
    switch,
    target_flags,
)


def remarks_parser() -> Built:
    """Return the parser of ``isel remarks`` and what runs it."""
    from isel.cli.remarks.command import run

    parser = new_parser(
        "isel remarks",
        "Merge what a build with ISEL_REMARKS=DIR left: one SARIF log, and a page; the hottest "
        "windows come first.",
    )
    parser.add_argument(
        "folder", metavar="DIR", help="the folder that ISEL_REMARKS named in the build"
    )
    parser.add_argument(
        "-o",
        dest="outputs",
        metavar="OUT",
        nargs="+",
        required=True,
        help="files to write, by suffix: .sarif (SARIF 2.1.0, at most 5,000 results), .html",
    )
    add_valued(
        parser,
        "root",
        "name files from this folder, as the top of a checkout (default: the current one)",
        metavar="FOLDER",
    )
    return parser, run


def why_not_parser() -> Built:
    """Return the parser of ``isel why-not`` and what runs it."""
    from isel.cli.why.command import run

    parser = new_parser(
        "isel why-not",
        "For each window of a module, what stops an instruction: a missing feature, a "
        "counterexample and the range of inputs that would do, the cost, or a limit.",
    )
    parser.add_argument(
        "names",
        metavar="[NAME] FILE[:LINE]",
        nargs="+",
        help="an instruction, a mnemonic or an LLVM intrinsic (without one: what became of the "
        "window); a module, and a line of it or of its source",
    )
    target_flags(parser)
    group = parser.add_argument_group("search")
    add_short_search(group, "worker processes")
    return parser, run


def measure_parser() -> Built:
    """Return the parser of ``isel measure`` and what runs it."""
    from isel.cli.measure import run

    parser = new_parser(
        "isel measure",
        "Run functions that a rewrite changed against their originals, on made inputs, in turns.",
    )
    parser.add_argument("first", metavar="A", help="a module")
    parser.add_argument("second", metavar="B", nargs="?", help="A rewritten (default: by isel opt)")
    target_flags(parser)
    add_short_search(parser.add_argument_group("search"), "worker processes")
    switch(parser, "json", "print an object a function")
    return parser, run


def serve_parser() -> Built:
    """Return the parser of ``isel serve`` and what runs it."""
    from isel.cli.limits import SERVE_PORT
    from isel.cli.serve.command import run

    parser = new_parser(
        "isel serve",
        "A page on this machine only: C or LLVM IR in; windows, lanes, assembly, proofs and the "
        "ladder of effort out.",
    )
    add_valued(
        parser,
        "port",
        f"where to listen on 127.0.0.1 (default {SERVE_PORT}; 0 takes any)",
        metavar="N",
        kind=natural,
    )
    parser.set_defaults(port=SERVE_PORT)
    return parser, run
