"""The grammar of the command line; every command is one function of the parsed arguments."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias, cast

from isel.errors import UnknownName, UsageProblem

if TYPE_CHECKING:
    from argparse import Namespace

    from isel.cli.grammar.flags import Parser

Command: TypeAlias = Callable[[], int]


class Row(NamedTuple):
    """A command: the module of its grammar, and the one that has what runs it.  Modules are
    imported when their command is given.
    """

    grammar: str
    module: str

    def parser(self, name: str) -> Parser:
        """Return the parser of the command of a name."""
        module = import_module(f"isel.cli.grammar.{self.grammar}")
        return cast("Parser", getattr(module, f"{name.replace('-', '_')}_parser")())

    def run(self, arguments: Namespace) -> int:
        """Obey the command."""
        return cast("int", import_module(f"isel.cli.{self.module}").run(arguments))


COMMANDS: Final = {
    "opt": Row("rewriting", "opt"),
    "verify": Row("rewriting", "verify"),
    "lower": Row("moving", "lower"),
    "port": Row("moving", "port.command"),
    "compile": Row("moving", "compile"),
    "select": Row("rewriting", "select"),
    "explain": Row("lookup", "explain"),
    "why-not": Row("builds", "why.command"),
    "measure": Row("builds", "measure"),
    "serve": Row("builds", "serve.command"),
    "semantics": Row("lookup", "semantics"),
    "classes": Row("lookup", "classes"),
    "costs": Row("lookup", "costs"),
    "rules": Row("lookup", "rules"),
    "cache": Row("housekeeping", "cache"),
    "halide": Row("rewriting", "halide"),
    "batch": Row("rewriting", "batch.command"),
    "remarks": Row("builds", "remarks.command"),
    "passes": Row("lookup", "passes"),
    "doctor": Row("housekeeping", "doctor"),
}

_COMPLETION: Final = "--print-completion"
_GROUPS: Final = """\
rewriting:
  opt IN          rewrite a module: windows replaced by proved, cheaper instructions
  batch IN…       many modules: folders, files, a compile_commands.json; resumable, on several \
machines
  remarks DIR     what a build with ISEL_REMARKS=DIR left, merged: SARIF and a page
  halide F.py:P   a Halide pipeline to an object, a C header and LLVM IR, rewritten
  verify A [B]    does B refine A, function by function (one file: each @src/@tgt pair)
  lower IN        AutoLLVM calls, and another machine's intrinsics, as a machine's instructions
  port FILE.c     C with one machine's intrinsics to an object of another, proved
  compile -- CC … a source as ldc2, flang or zig compiles it, its IR rewritten (C: isel-cc)
  select EXPR     the best program for Halide expressions: one, or the rows of a table

looking things up:
  explain NAME    an instruction: semantics, emission, cost, how it was tested
  why-not NAME IN what stops an instruction in each window: a feature, a counterexample, cost
  measure A [B]   changed functions run against their originals on made inputs
  serve           one page on this machine: C or IR in; windows, lanes, assembly and proofs out
  semantics       list, show, fuzz, count or import the instructions of an instruction set
  classes         build, list or show the equivalence classes of all instructions
  costs           show or compare what instructions cost in the models of CPUs
  passes          what a run does, by name: transforms and parts of the search
  rules           list, show, prove or export the equalities that terms are rewritten by

housekeeping:
  cache           stats, list, show, check, clear, export, import, serve
  doctor          what this machine has, what is missing and what that costs
  --version       versions of the tool, of LLVM and of the solvers
  --print-completion SHELL   completion for bash, zsh, tcsh or fish

exit codes: 0 done (also when nothing changed), 1 an error of the user, 2 refuted, 3 not proved, \
70 a bug
"""


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
    if name not in COMMANDS:
        raise UnknownName("command", name, tuple(COMMANDS))
    parser = COMMANDS[name].parser(name)
    try:
        arguments, left = parser.parse_known_args(rest)
    except SystemExit:  # --help was printed
        return None
    if left:
        raise _refuse_unexpected(left[0], parser)
    arguments.words = tuple(words)
    return partial(COMMANDS[name].run, arguments)


def _complete(words: Sequence[str]) -> int:
    """Print the completion script of a shell."""
    from isel.cli.completion import script

    if len(words) != 1:
        raise UsageProblem(f"{_COMPLETION} takes the name of a shell: bash, zsh, tcsh or fish")
    parsers = {name: row.parser(name) for name, row in COMMANDS.items()}
    print(script(words[0], parsers, ("--version", _COMPLETION)))
    return 0


def _refuse_unexpected(word: str, parser: Parser) -> Exception:
    if word.startswith("-") and word != "-":
        return UnknownName("flag", word.partition("=")[0], parser.flags())
    return UsageProblem(f"unexpected argument '{word}' (see '{parser.prog} --help')")
