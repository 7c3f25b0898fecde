"""The grammar of the command line; every command is one function of the parsed arguments."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from functools import partial
from typing import Final, NoReturn, TypeAlias

from isel.cli.examples import example
from isel.errors import UnknownName, UsageProblem

Command: TypeAlias = Callable[[], int]

_COMMANDS: Final = (
    "opt", "verify", "select", "explain", "semantics", "classes", "costs", "cache", "halide",
    "batch", "doctor",
)  # fmt: skip
_COMPLETION: Final = "--print-completion"
_GROUPS: Final = """\
rewriting:
  opt IN          rewrite a module: windows replaced by proved, cheaper instructions
  batch IN…       many modules: folders, files, a compile_commands.json; resumable, on several \
machines
  halide F.py:P   a Halide pipeline to an object, a C header and LLVM IR, rewritten
  verify A [B]    does B refine A, function by function (one file: each @src/@tgt pair)
  select EXPR     the best program for Halide expressions: one, or the rows of a table

looking things up:
  explain NAME    an instruction: semantics, emission, cost, how it was tested
  semantics       list, show, fuzz, count or import the instructions of an instruction set
  classes         build, list or show the equivalence classes of all instructions
  costs           show or compare what instructions cost in the models of CPUs

housekeeping:
  cache           stats, list, show, check, clear, export, import
  doctor          what this machine has, what is missing and what that costs
  --version       versions of the tool, of LLVM and of the solvers
  --print-completion SHELL   completion for bash, zsh, tcsh or fish

exit codes: 0 done (also when nothing changed), 1 an error of the user, 2 refuted, 3 not proved, \
70 a bug
"""


class Parser(argparse.ArgumentParser):
    """An argument parser whose mistakes are :class:`isel.errors.UsageProblem`, with suggestions."""

    def error(self, message: str) -> NoReturn:
        """Raise instead of exiting."""
        raise UsageProblem(f"{message} (see '{self.prog} --help')")

    def flags(self) -> tuple[str, ...]:
        """Return every flag this parser knows."""
        return tuple(self._option_string_actions)


def _parser(prog: str, what: str) -> Parser:
    return Parser(
        prog=prog,
        description=what,
        epilog=example(prog),
        allow_abbrev=False,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )


def parse_arguments(words: Sequence[str]) -> Command | None:
    """Return what to run, or None where help or the version was asked for and printed."""
    if not words or words[0] in ("-h", "--help", "-help", "help"):
        sys.stdout.write(
            "usage: isel COMMAND …\n\nA proving instruction-selection superoptimizer for LLVM "
            f"IR.\n\n{_GROUPS}"
        )
        return None
    if words[0] in ("--version", "-version", "-V"):
        from isel.cli.versions import version_text

        sys.stdout.write(version_text())
        return None
    name, rest = words[0], list(words[1:])
    if name == _COMPLETION:
        return partial(_complete, rest)
    if name.startswith("-"):
        raise UnknownName("flag", name, ("--help", "--version", _COMPLETION))
    if name not in _COMMANDS:
        raise UnknownName("command", name, _COMMANDS)
    parser, run = _BUILDERS[name]()
    try:
        arguments, left = parser.parse_known_args(rest)
    except SystemExit:  # --help was printed
        return None
    if left:
        raise _unexpected(left[0], parser)
    arguments.words = tuple(words)
    return partial(run, arguments)


def _complete(words: Sequence[str]) -> int:
    """Print the completion script of a shell."""
    from isel.cli.completion import script

    if len(words) != 1:
        raise UsageProblem(f"{_COMPLETION} takes the name of a shell: bash, zsh, tcsh or fish")
    sys.stdout.write(
        script(
            words[0],
            {name: build()[0] for name, build in _BUILDERS.items()},
            ("--version", _COMPLETION),
        )
        + "\n"
    )
    return 0


def _unexpected(word: str, parser: Parser) -> Exception:
    if word.startswith("-") and word != "-":
        return UnknownName("flag", word.partition("=")[0], parser.flags())
    return UsageProblem(f"unexpected argument '{word}' (see '{parser.prog} --help')")


def _count(text: str) -> int:
    value = int(text)
    if value < 1:
        raise ValueError
    return value


def _natural(text: str) -> int:
    value = int(text)
    if value < 0:
        raise ValueError
    return value


def _llvm_version(text: str) -> int:
    value = int(text)
    if not 15 <= value <= 22:
        raise ValueError
    return value


def _seconds(text: str) -> float:
    value = float(text)
    if not 0 < value < float("inf"):
        raise ValueError
    return value


def _size(text: str) -> tuple[int, ...]:
    return tuple(_count(x) for x in text.split("x"))


def _parameter(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not name or not equals:
        raise ValueError
    return name, value


for _kind, _words in (
    (_llvm_version, "version from 15 to 22"),
    (_count, "number from 1"),
    (_natural, "number"),
    (_seconds, "number of seconds above 0"),
    (_size, "size"),
    (_parameter, "NAME=VALUE"),
):
    _kind.__name__ = _words


def _add(
    group: argparse._ActionsContainer,
    name: str,
    text: str,
    *,
    metavar: str = "",
    kind: Callable[[str], object] = str,
    short: str = "",
    dest: str = "",
) -> None:
    """Add a flag with a value, under one dash and two."""
    names = [*([short] if short else []), f"-{name}", f"--{name}"]
    group.add_argument(
        *names, dest=dest or name.replace("-", "_"), metavar=metavar or None, type=kind, help=text
    )


def _choice(
    group: argparse._ActionsContainer, name: str, choices: Sequence[str], text: str
) -> None:
    group.add_argument(
        f"-{name}", f"--{name}", dest=name.replace("-", "_"), choices=choices, help=text
    )


def _switch(group: argparse._ActionsContainer, name: str, text: str) -> None:
    group.add_argument(
        f"-{name}", f"--{name}", dest=name.replace("-", "_"), action="store_true", help=text
    )


def _target_flags(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("target (default: the module's and its functions' own)")
    _add(group, "mtriple", "target triple of a module that names none", metavar="TRIPLE")
    _add(
        group, "mcpu", "CPU of functions that name none; 'native' is this machine's", metavar="CPU"
    )
    _add(group, "mattr", "features of functions that name none, as +a,-b", metavar="FEATURES")


def _search_flags(group: argparse._ActionsContainer) -> None:
    _add(
        group,
        "jobs",
        "worker processes (default: one a processor; the output does not depend on it)",
        metavar="N",
        kind=_count,
        short="-j",
    )
    _add(
        group,
        "effort",
        "scale of all limits in steps (default 1; 0 is a quick look)",
        metavar="N",
        kind=_natural,
    )
    _add(
        group,
        "time-limit",
        "seconds after which nothing is planned and no search is started; what was found by then "
        "is kept",
        metavar="S",
        kind=_seconds,
    )
    _add(
        group, "vector-width", "use no register wider than this many bits", metavar="N", kind=_count
    )
    _add(group, "cache", "folder or file of the cache, or 'off'", metavar="PATH")
    _switch(
        group,
        "strict",
        "let a bug end the run, where otherwise it costs the window or function that it shows in",
    )


def search_flags(prog: str, words: Sequence[str]) -> argparse.Namespace:
    """Return the flags of a search that are given, None for others; raises
    :class:`UsageProblem`.
    """
    parser = _parser(prog, "")
    _search_flags(parser)
    return parser.parse_args(words)


def _opt() -> tuple[Parser, Callable[[argparse.Namespace], int]]:
    from isel.cli.opt import run

    parser = _parser(
        "isel opt",
        "Rewrite a module: every window that a proved and cheaper program exists for is replaced.",
    )
    parser.add_argument(
        "input", metavar="IN", help="module as text or bitcode, '-' is standard input"
    )
    group = parser.add_argument_group("output")
    group.add_argument(
        "-S",
        dest="text",
        action="store_true",
        help="write text (the default for *.ll and for terminals), not bitcode",
    )
    group.add_argument(
        "-o",
        dest="output",
        metavar="OUT",
        default="-",
        help="where to write, '-' (the default) is standard output",
    )
    _choice(
        group,
        "filetype",
        ("llvm", "obj", "asm"),
        "LLVM IR, an object or assembly (default: by the suffix of OUT: .ll .bc .o .obj .s .asm)",
    )
    group.add_argument(
        "-O",
        dest="level",
        metavar="N",
        type=int,
        choices=range(4),
        default=2,
        help="level of code generation, 0 to 3 (default 2); no pass runs on IR",
    )
    _add(
        group,
        "llvm-version",
        "write text that LLVM N reads, 15 to 22, with instructions that it selects only",
        metavar="N",
        kind=_llvm_version,
    )
    group.add_argument(
        "-emit",
        "--emit",
        dest="emit",
        choices=("llvm",),
        default="llvm",
        help="what to write: LLVM intrinsics and generic IR",
    )
    _target_flags(parser)
    group = parser.add_argument_group("search")
    _search_flags(group)
    _switch(group, "cache-verify", "prove every cached answer again")
    _switch(
        group, "assume-no-undef", "take loaded and passed values to be neither undef nor poison"
    )
    group = parser.add_argument_group("reports")
    _switch(
        group,
        "report",
        "table on standard error: window, location, before, after, costs, proof, time",
    )
    _add(group, "remarks", "LLVM optimisation remarks as YAML", metavar="FILE")
    _add(group, "stats-json", "counts as JSON", metavar="FILE")
    _add(
        group,
        "html",
        "a page that shows the result, and of each rewritten window the formula, the lanes and "
        "both assemblies",
        metavar="FILE",
    )
    group.add_argument(
        "-print-changed",
        "--print-changed",
        dest="print_changed",
        nargs="?",
        const="full",
        choices=("full", "diff"),
        help="changed functions on standard error",
    )
    _switch(group, "time-passes", "seconds of each phase on standard error")
    group = parser.add_argument_group("bisecting")
    _add(group, "bisect-limit", "apply the first N rewrites only", metavar="N", kind=_natural)
    _add(
        group,
        "only-function",
        "rewrite functions whose whole name matches this regular expression",
        metavar="R",
    )
    _switch(group, "verify-each", "prove the text of every candidate, not of the last one only")
    return parser, run


def _batch() -> tuple[Parser, Callable[[argparse.Namespace], int]]:
    from isel.cli.batch.command import run

    parser = _parser(
        "isel batch",
        "Rewrite many modules; what is done already is not done again. Flags are those of 'isel "
        "opt'.",
    )
    parser.add_argument(
        "inputs",
        metavar="IN",
        nargs="+",
        help="a folder of modules, a module (.ll, .bc), or a compile_commands.json",
    )
    group = parser.add_argument_group("output")
    group.add_argument(
        "-o",
        dest="output",
        metavar="OUT",
        required=True,
        help="folder of outputs, a JSON file beside each, and summary.html",
    )
    group.add_argument("-S", dest="text", action="store_true", help="write text for bitcode, too")
    _add(
        group,
        "scheduler",
        "do the work on the cluster of this Dask scheduler (needs isel[cluster])",
        metavar="tcp://HOST:PORT",
    )
    _target_flags(parser)
    group = parser.add_argument_group("search")
    _search_flags(group)
    _switch(
        group, "assume-no-undef", "take loaded and passed values to be neither undef nor poison"
    )
    _add(
        group,
        "only-function",
        "rewrite functions whose whole name matches this regular expression",
        metavar="R",
    )
    return parser, run


def _halide() -> tuple[Parser, Callable[[argparse.Namespace], int]]:
    from isel.cli.halide import run

    parser = _parser(
        "isel halide",
        "Compile a Halide pipeline: a function that returns (Func, [ImageParam, ...]), or a "
        "generator class.",
    )
    parser.add_argument(
        "pipeline",
        metavar="FILE.py:PIPELINE",
        help="a Python file and the name of a function or generator in it",
    )
    group = parser.add_argument_group("output")
    group.add_argument(
        "-o", dest="output", metavar="OUT", required=True, help="writes OUT.o, OUT.h and OUT.ll"
    )
    _switch(group, "runtime", "also write OUT.runtime.o, Halide's run-time library, to link with")
    _switch(
        group,
        "compare",
        "also write OUT.plain.* (LLVM alone on generic IR) and all candidates: OUT.own.*, "
        "OUT.own-isel.*, OUT.isel.*, with assembly",
    )
    _switch(
        group,
        "report",
        "tables on standard error: candidates with cycles and times; windows with location, "
        "before, after, costs, proof",
    )
    group = parser.add_argument_group("pipeline")
    group.add_argument(
        "-p",
        dest="parameters",
        action="append",
        default=[],
        type=_parameter,
        metavar="NAME=VALUE",
        help="a generator's parameter",
    )
    _add(
        group,
        "autoscheduler",
        "let Halide schedule the pipeline: Adams2019, Anderson2021, Li2018 or Mullapudi2016",
        metavar="NAME",
    )
    group = parser.add_argument_group(
        "choice between Halide's own code, that through isel, and generic IR through isel"
    )
    _switch(
        group,
        "no-run",
        "choose by the model; the default is by time, where this machine runs the code and the "
        "outputs' sizes are known",
    )
    _add(
        group,
        "size",
        "extents of the outputs to run with, innermost first, as 1920x1080 (default: the "
        "pipeline's estimates)",
        metavar="SIZE",
        kind=_size,
    )
    group = parser.add_argument_group("target")
    group.add_argument(
        "-target",
        "--target",
        dest="target",
        metavar="T",
        required=True,
        help="instruction set: x86",
    )
    _add(
        group,
        "mcpu",
        "CPU (default: a server CPU of today); 'native' is this machine's",
        metavar="CPU",
    )
    _add(group, "mattr", "features on top of the CPU's, as +a,-b", metavar="FEATURES")
    _add(
        group,
        "halide-features",
        "features of a Halide target, as no_asserts-no_bounds_query",
        metavar="FEATURES",
    )
    group = parser.add_argument_group("search")
    _search_flags(group)
    return parser, run


def _verify() -> tuple[Parser, Callable[[argparse.Namespace], int]]:
    from isel.cli.verify import run

    parser = _parser(
        "isel verify",
        "Does B refine A, function by function?  With one file: each @src/@tgt pair in it.",
    )
    parser.add_argument("first", metavar="A")
    parser.add_argument("second", metavar="B", nargs="?")
    _add(parser, "mtriple", "target triple of modules that name none", metavar="TRIPLE")
    return parser, run


def _select() -> tuple[Parser, Callable[[argparse.Namespace], int]]:
    from isel.cli.select import run

    parser = _parser("isel select", "The best proved program for Halide expressions.")
    parser.add_argument(
        "input",
        metavar="EXPR|FILE",
        help="an expression, or a table with rows of instruction, lanes, type and expression; '-' "
        "is standard input",
    )
    parser.add_argument(
        "-target",
        "--target",
        dest="target",
        choices=("x86", "arm", "hvx"),
        default="x86",
        help="instruction set (default x86)",
    )
    _add(parser, "mcpu", "CPU (default sapphirerapids, neoverse-v1, hexagonv66)", metavar="CPU")
    _add(parser, "mattr", "features, as +a,-b", metavar="FEATURES")
    _add(
        parser,
        "lanes",
        "lanes of an expression of single lanes (default: a whole register)",
        metavar="N",
        kind=_count,
    )
    _add(
        parser,
        "jobs",
        "worker processes (default: one a processor; the answers do not depend on it)",
        metavar="N",
        kind=_count,
        short="-j",
    )
    _add(parser, "effort", "scale of all limits in steps (default 1)", metavar="N", kind=_natural)
    _add(parser, "cache", "folder or file of the cache, or 'off'", metavar="PATH")
    _switch(parser, "json", "print an object a row")
    return parser, run


def _explain() -> tuple[Parser, Callable[[argparse.Namespace], int]]:
    from isel.cli.explain import run

    parser = _parser(
        "isel explain",
        "What is known of an instruction: semantics, emission, cost, how it was tested.",
    )
    parser.add_argument(
        "name", metavar="NAME", help="an instruction, a mnemonic or an LLVM intrinsic"
    )
    _add(parser, "mcpu", "price it for this CPU", metavar="CPU")
    return parser, run


def _filter_flags(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "-feature",
        "--feature",
        dest="feature",
        metavar="F",
        action="append",
        help="list: only what needs this feature (may be repeated)",
    )
    _add(
        parser,
        "width",
        "list: only what has registers of this many bits, and no wider ones",
        metavar="BITS",
        kind=_count,
    )


def _semantics() -> tuple[Parser, Callable[[argparse.Namespace], int]]:
    from isel.cli.semantics import run

    parser = _parser("isel semantics", "The instructions of an instruction set.")
    parser.add_argument(
        "action",
        metavar="ACTION",
        choices=("list", "show", "fuzz", "coverage", "import"),
        help="list, show, fuzz, coverage or import",
    )
    parser.add_argument("isa", metavar="ISA")
    parser.add_argument(
        "names",
        metavar="NAME",
        nargs="*",
        help="only instructions or mnemonics of these names, or like 'vpadd*'",
    )
    _filter_flags(parser)
    _add(
        parser,
        "class",
        "list: only instructions of this equivalence class",
        metavar="CLASS",
        dest="equiv_class",
    )
    _switch(parser, "json", "list and coverage: print JSON")
    _add(parser, "seed", "fuzz: the seed of the random inputs", metavar="N", kind=_natural)
    _add(parser, "samples", "fuzz: random inputs an instruction", metavar="N", kind=_count)
    _add(parser, "jobs", "worker processes", metavar="N", kind=_count, short="-j")
    _add(parser, "spec", "import: the vendor's specification", metavar="FILE")
    parser.add_argument(
        "-o",
        dest="output",
        metavar="DIR",
        help="import: folder of the .sem files; fuzz: file of the record",
    )
    return parser, run


def _classes() -> tuple[Parser, Callable[[argparse.Namespace], int]]:
    from isel.cli.classes import run

    parser = _parser(
        "isel classes",
        "Equivalence classes: one formula with parameters for the instructions of all instruction "
        "sets that compute it.",
    )
    parser.add_argument(
        "action", metavar="ACTION", choices=("build", "list", "show"), help="build, list or show"
    )
    parser.add_argument(
        "names",
        metavar="NAME",
        nargs="*",
        help="show: classes or instructions; list: like 'vpavg*', by the name of the class, a "
        "member or its mnemonic",
    )
    _filter_flags(parser)
    _switch(parser, "json", "list: print JSON")
    _switch(parser, "summary", "list: counts only")
    _switch(parser, "swizzles", "list: the classes of data movement that compute instructions need")
    parser.add_argument("-o", dest="output", metavar="FOLDER", help="build: where to write")
    _add(parser, "jobs", "build: worker processes", metavar="N", kind=_count, short="-j")
    return parser, run


def _costs() -> tuple[Parser, Callable[[argparse.Namespace], int]]:
    from isel.cli.costs import run

    parser = _parser(
        "isel costs",
        "What instructions cost in the models of CPUs, in cycles of reciprocal throughput, and "
        "their latencies.",
    )
    parser.add_argument(
        "action", metavar="ACTION", choices=("show", "compare"), help="show or compare"
    )
    parser.add_argument(
        "names",
        metavar="NAME",
        nargs="*",
        help="a CPU (compare: two), then instructions, mnemonics or patterns like 'vpadd*'",
    )
    return parser, run


def _cache() -> tuple[Parser, Callable[[argparse.Namespace], int]]:
    from isel.cli.cache import run

    parser = _parser("isel cache", "Proved results kept between runs.")
    actions = ("stats", "list", "show", "check", "clear", "export", "import")
    parser.add_argument(
        "action",
        metavar="ACTION",
        choices=actions,
        help="stats, list, show, check, clear, export or import",
    )
    parser.add_argument(
        "file",
        metavar="FILE|KEY",
        nargs="?",
        help="of export and import, or the key that show takes (its first digits will do)",
    )
    parser.add_argument(
        "-sort",
        "--sort",
        dest="sort",
        choices=("gain", "uses", "key"),
        help="list: by cycles saved, by uses or by key (the default)",
    )
    _add(
        parser,
        "pairs",
        "export: a file with @src and @tgt for each result, proved as written",
        metavar="DIR",
    )
    _switch(
        parser,
        "anew",
        "import: use nothing that cannot be proved here; what was said of prices and of the search "
        "is found out again",
    )
    _add(parser, "cache", "folder or file of the cache", metavar="PATH")
    return parser, run


def _doctor() -> tuple[Parser, Callable[[argparse.Namespace], int]]:
    from isel.cli.doctor import run

    return _parser(
        "isel doctor", "What this machine has, what is missing and what that costs."
    ), run


_BUILDERS: Final = {
    "opt": _opt,
    "verify": _verify,
    "select": _select,
    "explain": _explain,
    "semantics": _semantics,
    "classes": _classes,
    "costs": _costs,
    "cache": _cache,
    "halide": _halide,
    "batch": _batch,
    "doctor": _doctor,
}
