"""Commands that look things up: explain, semantics, classes, costs, passes, rules."""

from __future__ import annotations

from isel.cli.grammar.flags import (
    Built,
    add_action,
    add_names,
    add_output,
    add_valued,
    count,
    filter_flags,
    natural,
    new_parser,
    switch,
)


def explain_parser() -> Built:
    """Return the parser of ``isel explain`` and what runs it."""
    from isel.cli.explain import run

    parser = new_parser(
        "isel explain",
        "What is known of an instruction: semantics, emission, cost, how it was tested.",
    )
    parser.add_argument(
        "name", metavar="NAME", help="an instruction, a mnemonic or an LLVM intrinsic"
    )
    add_valued(parser, "mcpu", "price it for this CPU", metavar="CPU")
    return parser, run


def semantics_parser() -> Built:
    """Return the parser of ``isel semantics`` and what runs it."""
    from isel.cli.semantics import run

    parser = new_parser("isel semantics", "The instructions of an instruction set.")
    add_action(parser, "list", "show", "fuzz", "coverage", "import")
    parser.add_argument("isa", metavar="ISA")
    add_names(parser, "only instructions or mnemonics of these names, or like 'vpadd*'")
    filter_flags(parser)
    text = "list: only instructions of this equivalence class"
    add_valued(parser, "class", text, metavar="CLASS", dest="equiv_class")
    switch(parser, "json", "list and coverage: print JSON")
    add_valued(parser, "seed", "fuzz: the seed of the random inputs", metavar="N", kind=natural)
    add_valued(parser, "samples", "fuzz: random inputs an instruction", metavar="N", kind=count)
    add_valued(parser, "jobs", "worker processes", metavar="N", kind=count, short="-j")
    add_valued(parser, "spec", "import: the vendor's specification", metavar="FILE")
    add_output(parser, "DIR", "import: folder of the .sem files; fuzz: file of the record")
    return parser, run


def classes_parser() -> Built:
    """Return the parser of ``isel classes`` and what runs it."""
    from isel.cli.classes import run

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
    switch(parser, "json", "list: print JSON")
    switch(parser, "summary", "list: counts only")
    switch(parser, "swizzles", "list: the classes of data movement that compute instructions need")
    add_output(parser, "FOLDER", "build: where to write")
    add_valued(parser, "jobs", "build: worker processes", metavar="N", kind=count, short="-j")
    return parser, run


def costs_parser() -> Built:
    """Return the parser of ``isel costs`` and what runs it."""
    from isel.cli.costs import run

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
    add_valued(parser, "o", "measure: write the table as it was timed", metavar="FILE", dest="out")
    return parser, run


def rules_parser() -> Built:
    """Return the parser of ``isel rules`` and what runs it."""
    from isel.cli.rules import run

    parser = new_parser("isel rules", "The equalities that terms are rewritten by, each proved.")
    actions = ("list", "show", "prove", "learn", "export")
    parser.add_argument("action", metavar="ACTION", choices=actions, help=", ".join(actions))
    add_names(
        parser,
        "only rules of these names, or like 'clamp.*'; prove: also FILE.rules; learn: targets",
    )
    switch(parser, "json", "list: print JSON")
    add_output(
        parser,
        "FILE",
        "prove: write the list of proved widths; learn: the book, of several targets a folder",
    )
    add_valued(parser, "size", "learn: instructions of a term", metavar="N", kind=count)
    add_valued(parser, "steps", "learn: of CEGIS, by leaves", metavar="S", kind=natural)
    parser.add_argument(
        "--from",
        dest="modules",
        metavar="FILE.ll",
        action="append",
        default=[],
        help="learn: also what the lanes of a module are",
    )
    switch(
        parser, "instructions", "learn: also dearer terms of instructions, which code rarely has"
    )
    add_valued(parser, "mcpu", "learn: what is cheap on this CPU", metavar="CPU")
    parser.add_argument(
        "-j", dest="jobs", metavar="N", type=count, default=1, help="learn: workers"
    )
    add_valued(
        parser,
        "pairs",
        "export: a file with @src and @tgt for each rule and the widths at which it was proved",
        metavar="DIR",
    )
    return parser, run


def passes_parser() -> Built:
    """Return the parser of ``isel passes`` and what runs it."""
    from isel.cli.passes import run

    parser = new_parser(
        "isel passes", "What a run does, by name; 'isel opt --disable=NAME' does without."
    )
    return parser, run
