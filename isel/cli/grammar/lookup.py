"""Commands that look things up: explain, semantics, classes, costs, passes, rules."""

from __future__ import annotations

from isel.cli.grammar.flags import (
    Parser,
    add_action,
    add_flags,
    add_names,
    add_output,
    count,
    filter_flags,
    new_parser,
)


def explain_parser() -> Parser:
    """Return the parser of ``isel explain``."""
    parser = new_parser(
        "isel explain",
        "What is known of an instruction: semantics, emission, cost, how it was tested.",
    )
    what = "an instruction, a mnemonic or an LLVM intrinsic"
    parser.add_argument("name", metavar="NAME", help=what)
    add_flags(parser, "--mcpu CPU: price it for this CPU")
    add_flags(parser, "--json: print an object a form")
    return parser


def semantics_parser() -> Parser:
    """Return the parser of ``isel semantics``."""
    parser = new_parser("isel semantics", "The instructions of an instruction set.")
    add_action(parser, "list", "show", "fuzz", "coverage", "import")
    parser.add_argument("isa", metavar="ISA")
    add_names(parser, "only instructions or mnemonics of these names, or like 'vpadd*'")
    filter_flags(parser)
    text = "--class CLASS: list: only instructions of this equivalence class"
    add_flags(parser, text, dest="equiv_class")
    add_flags(
        parser,
        """
        --json: list and coverage: print JSON
        --seed N natural: fuzz: the seed of the random inputs
        --samples N count: fuzz: random inputs an instruction
        -j --jobs N count: worker processes
        --spec FILE: import: the vendor's specification
        """,
    )
    add_output(parser, "DIR", "import: folder of the .sem files; fuzz: file of the record")
    return parser


def classes_parser() -> Parser:
    """Return the parser of ``isel classes``."""
    parser = new_parser(
        "isel classes",
        "Equivalence classes: one formula with parameters for the instructions of all instruction "
        "sets that compute it.",
    )
    add_action(parser, "build", "list", "show")
    add_names(
        parser,
        "show: classes or instructions; list: like 'vpavg*', by the name of the class, a member "
        "or its mnemonic",
    )
    filter_flags(parser)
    add_flags(
        parser,
        """
        --json: list: print JSON
        --summary: list: counts only
        --swizzles: list: the classes of data movement that compute instructions need
        """,
    )
    add_output(parser, "FOLDER", "build: where to write")
    add_flags(parser, "-j --jobs N count: build: worker processes")
    return parser


def costs_parser() -> Parser:
    """Return the parser of ``isel costs``."""
    parser = new_parser(
        "isel costs",
        "What instructions cost in the models of CPUs, in cycles of reciprocal throughput, and "
        "their latencies.",
    )
    add_action(parser, "show", "compare", "measure")
    add_names(
        parser,
        "a CPU (compare: two; measure: none is this one's), then instructions, mnemonics or "
        "patterns like 'vpadd*'",
    )
    what = "measure: write the table as it was timed"
    parser.add_argument("-o", "--o", dest="out", metavar="FILE", help=what)
    add_flags(parser, "--json: show and compare: print JSON")
    return parser


def rules_parser() -> Parser:
    """Return the parser of ``isel rules``."""
    parser = new_parser("isel rules", "The equalities that terms are rewritten by, each proved.")
    actions = ("list", "show", "prove", "learn", "export")
    parser.add_argument("action", metavar="ACTION", choices=actions, help=", ".join(actions))
    what = "only rules of these names, or like 'clamp.*'; prove: also FILE.rules; learn: targets"
    add_names(parser, what)
    add_flags(parser, "--json: list: print JSON")
    what = "prove: write the list of proved widths; learn: the book, of several targets a folder"
    add_output(parser, "FILE", what)
    add_flags(
        parser,
        """
        --size N count: learn: instructions of a term
        --steps S natural: learn: of CEGIS, by leaves
        """,
    )
    parser.add_argument(
        "--from",
        dest="modules",
        metavar="FILE.ll",
        action="append",
        default=[],
        help="learn: also what the lanes of a module are",
    )
    add_flags(
        parser,
        """
        --instructions: learn: also dearer terms of instructions, which code rarely has
        --mcpu CPU: learn: what is cheap on this CPU
        """,
    )
    what = "learn: workers"
    parser.add_argument("-j", dest="jobs", metavar="N", type=count, default=1, help=what)
    add_flags(
        parser,
        """
        --pairs DIR: export: a file with @src and @tgt for each rule and the widths at which it was
            proved
        """,
    )
    return parser


def passes_parser() -> Parser:
    """Return the parser of ``isel passes``."""
    what = "What a run does, by name; 'isel opt --disable=NAME' does without."
    parser = new_parser("isel passes", what)
    add_flags(parser, "--json: print JSON")
    return parser
