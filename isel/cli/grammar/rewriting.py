"""Commands that rewrite, search and compare: opt, batch, halide, verify, select."""

from __future__ import annotations

from isel.cli.grammar.flags import (
    Parser,
    add_flags,
    add_input,
    add_output,
    add_search_flags,
    add_short_search,
    new_parser,
    parameter,
    target_flags,
)
from isel.cli.passes import STAGES, gather


def opt_parser() -> Parser:
    """Return the parser of ``isel opt``."""
    parser = new_parser(
        "isel opt",
        "Rewrite a module: every window that a proved and cheaper program exists for is replaced.",
    )
    add_input(parser)
    group = parser.add_argument_group("output")
    what = "write text (the default for *.ll and for terminals), not bitcode"
    group.add_argument("-S", dest="text", action="store_true", help=what)
    add_output(group, default="-")
    add_flags(
        group,
        """
        --filetype llvm|obj|asm: LLVM IR, an object or assembly (default: by the suffix of OUT: .ll
            .bc .o .obj .s .asm)
        """,
    )
    what, levels = "level of code generation, 0 to 3 (default 2); no pass runs on IR", range(4)
    group.add_argument(
        "-O", dest="level", metavar="N", type=int, choices=levels, default=2, help=what
    )
    add_flags(
        group,
        """
        --llvm-version N llvm_version: write text that LLVM N reads, 15 to 22, with instructions
            that it selects only
        """,
    )
    add_flags(
        group,
        """
        --emit llvm|lifted|autollvm: what to write: LLVM intrinsics and generic IR, calls of
            AutoLLVM in their place, or what windows are as operations of fixed-point arithmetic
        """,
        default="llvm",
    )
    target_flags(parser)
    group = parser.add_argument_group("search")
    add_search_flags(group)
    add_flags(
        group,
        """
        --cache-verify: prove every cached answer again
        --assume-no-undef: take loaded and passed values to be neither undef nor poison
        """,
    )
    group = parser.add_argument_group("reports")
    add_flags(
        group,
        """
        --report: table on standard error: window, location, before, after, costs, proof, time
        --remarks FILE: LLVM optimisation remarks as YAML
        --stats-json FILE: counts as JSON
        --html FILE: a page that shows the result, and of each rewritten window the formula, the
            lanes and both assemblies
        """,
    )
    names, kinds = ("-print-changed", "--print-changed"), ("full", "diff")
    what = "changed functions on standard error"
    group.add_argument(*names, nargs="?", const="full", choices=kinds, help=what)
    add_flags(
        group,
        """
        --print-rules: rules applied in searches, and how often, on standard error (one search after
            the other)
        --time-passes: seconds of each stage on standard error
        """,
    )
    what = "what there is after a stage that 'isel passes' lists, on standard error"
    action = gather("stage", STAGES)
    add_flags(group, f"--print-after STAGE: {what}", action=action, default=())
    add_flags(
        parser.add_argument_group("bisecting"),
        """
        --bisect-limit N natural: apply the first N rewrites only
        --only-function R: rewrite functions whose whole name matches this regular expression
        --verify-each: prove the text of every candidate, not of the last one only
        """,
    )
    return parser


def batch_parser() -> Parser:
    """Return the parser of ``isel batch``."""
    parser = new_parser(
        "isel batch",
        "Rewrite many modules; what is done already is not done again. Flags are those of 'isel "
        "opt'.",
    )
    what = "a folder of modules, a module (.ll, .bc), or a compile_commands.json"
    parser.add_argument("inputs", metavar="IN", nargs="*", help=what)
    group = parser.add_argument_group("output")
    add_output(group, text="folder of outputs, a JSON file beside each, and summary.html")
    group.add_argument("-S", dest="text", action="store_true", help="write text for bitcode, too")
    add_flags(
        parser.add_argument_group("builds behind isel-cc"),
        """
        --journal: instead of inputs: search what isel-cc left, into the cache, and list the objects
            that would change
        --touch: with --journal: make these objects old, so that make and Ninja build them
        --measure: with --journal: run what changed here, take back what is slower, and remember it
        --scheduler tcp://HOST:PORT: do the work on the cluster of this Dask scheduler (needs
            isel[cluster])
        """,
    )
    target_flags(parser)
    group = parser.add_argument_group("search")
    add_search_flags(group)
    add_flags(
        group,
        """
        --assume-no-undef: take loaded and passed values to be neither undef nor poison
        --only-function R: rewrite functions whose whole name matches this regular expression
        """,
    )
    return parser


def halide_parser() -> Parser:
    """Return the parser of ``isel halide``."""
    from semantics import isas

    parser = new_parser(
        "isel halide",
        "Compile a Halide pipeline: a function that returns (Func, [ImageParam, ...]), or a "
        "generator class.",
    )
    what = "a Python file and the name of a function or generator in it"
    parser.add_argument("pipeline", metavar="FILE.py:PIPELINE", help=what)
    group = parser.add_argument_group("output")
    what = "writes OUT.o, OUT.h and OUT.ll"
    group.add_argument("-o", dest="output", metavar="OUT", required=True, help=what)
    add_flags(
        group,
        """
        --runtime: also write OUT.runtime.o, Halide's run-time library, to link with
        --compare: also write OUT.plain.* (LLVM alone on generic IR) and all candidates: OUT.own.*,
            OUT.own-isel.*, OUT.isel.*, with assembly
        --report: tables on standard error: candidates with cycles and times; windows with location,
            before, after, costs, proof
        """,
    )
    group = parser.add_argument_group("pipeline")
    group.add_argument(
        "-p",
        dest="parameters",
        action="append",
        default=[],
        type=parameter,
        metavar="NAME=VALUE",
        help="a generator's parameter",
    )
    add_flags(
        group,
        """
        --autoscheduler NAME: let Halide schedule the pipeline: Adams2019, Anderson2021, Li2018 or
            Mullapudi2016
        """,
    )
    add_flags(
        parser.add_argument_group(
            "choice between Halide's own code, that through isel, and generic IR through isel"
        ),
        """
        --no-run: choose by the model; the default is by time, where this machine runs the code and
            the outputs' sizes are known
        --size SIZE size: extents of the outputs to run with, innermost first, as 1920x1080
            (default: the pipeline's estimates)
        """,
    )
    group = parser.add_argument_group("target")
    names = " or ".join(i.name for i in isas())
    add_flags(group, f"--target T: instruction set: {names}", required=True)
    add_flags(
        group,
        """
        --mcpu CPU: CPU (default: a server CPU of today); 'native' is this machine's
        --mattr FEATURES: features on top of the CPU's, as +a,-b
        --halide-features FEATURES: features of a Halide target, as no_asserts-no_bounds_query
        """,
    )
    add_search_flags(parser.add_argument_group("search"))
    return parser


def verify_parser() -> Parser:
    """Return the parser of ``isel verify``."""
    parser = new_parser(
        "isel verify",
        "Does B refine A, function by function?  With one file: each @src/@tgt pair in it.  A and "
        "B may be for two machines; the intrinsics of each are those of its own.",
    )
    parser.add_argument("first", metavar="A")
    parser.add_argument("second", metavar="B", nargs="?")
    add_flags(
        parser,
        """
        --mtriple TRIPLE: target triple of modules that name none
        --assume-noundef-memory: take what is loaded to be neither undef nor poison
        --assume-noundef-arguments: take what functions are given to be neither undef nor poison
        --assume-alignment: take what B accesses to be as aligned as B says
        --json: print an object a function
        """,
    )
    return parser


def select_parser() -> Parser:
    """Return the parser of ``isel select``."""
    from semantics import DEFAULT, isas

    parser = new_parser("isel select", "The best proved program for Halide expressions.")
    parser.add_argument(
        "input",
        metavar="EXPR|FILE",
        help="an expression, or a table with rows of instruction, lanes, type and expression; '-' "
        "is standard input",
    )
    add_flags(
        parser,
        f"""
        --target {"|".join(i.name for i in isas())}: instruction set (default {DEFAULT})
        --mcpu CPU: CPU (default {", ".join(i.usual.cpu for i in isas())})
        --mattr FEATURES: features, as +a,-b
        --lanes N count: lanes of an expression of single lanes (default: a whole register)
        """,
    )
    parser.set_defaults(target=DEFAULT)
    workers = "worker processes (default: one a processor; the answers do not depend on it)"
    add_short_search(parser, workers)
    add_flags(parser, "--json: print an object a row")
    return parser
