"""Commands that show what became of code: remarks, why-not, measure, serve."""

from __future__ import annotations

from isel.cli.grammar.flags import (
    Parser,
    add_flags,
    add_short_search,
    new_parser,
    target_flags,
)


def remarks_parser() -> Parser:
    """Return the parser of ``isel remarks``."""
    parser = new_parser(
        "isel remarks",
        "Merge what a build with ISEL_REMARKS=DIR left: one SARIF log, and a page; the hottest "
        "windows come first.",
    )
    what = "the folder that ISEL_REMARKS named in the build"
    parser.add_argument("folder", metavar="DIR", help=what)
    what = "files to write, by suffix: .sarif (SARIF 2.1.0, at most 5,000 results), .html"
    parser.add_argument("-o", dest="outputs", metavar="OUT", nargs="+", required=True, help=what)
    add_flags(
        parser,
        """
        --root FOLDER: name files from this folder, as the top of a checkout (default: the current
            one)
        """,
    )
    return parser


def why_not_parser() -> Parser:
    """Return the parser of ``isel why-not``."""
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
    add_short_search(parser.add_argument_group("search"), "worker processes")
    add_flags(parser, "--json: print an object a window")
    return parser


def measure_parser() -> Parser:
    """Return the parser of ``isel measure``."""
    parser = new_parser(
        "isel measure",
        "Run functions that a rewrite changed against their originals, on made inputs, in turns.",
    )
    parser.add_argument("first", metavar="A", help="a module")
    parser.add_argument("second", metavar="B", nargs="?", help="A rewritten (default: by isel opt)")
    target_flags(parser)
    add_short_search(parser.add_argument_group("search"), "worker processes")
    add_flags(parser, "--json: print an object a function")
    return parser


def serve_parser() -> Parser:
    """Return the parser of ``isel serve``."""
    from isel.cli.limits import SERVE_PORT

    parser = new_parser(
        "isel serve",
        "A page on this machine only: C or LLVM IR in; windows, lanes, assembly, proofs and the "
        "ladder of effort out.",
    )
    where = f"--port N natural: where to listen on 127.0.0.1 (default {SERVE_PORT}; 0 takes any)"
    add_flags(parser, where)
    parser.set_defaults(port=SERVE_PORT)
    return parser
