"""Each module as text for older LLVMs, compiled by their own clang, and as an object of ours: all
compile, link, and compute what numpy does, as the module does that is not rewritten.
"""

from __future__ import annotations

import re
import shlex
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from frontends.halide.targets import HalideTarget
from isel.errors import UsageProblem
from tests.modules.running import Rewriter, run
from tests.modules.sources import Source, plain_object

_PLAIN: Final = "LLVM 22, not rewritten"
OURS: Final = "isel's object"
_NAMED: Final = re.compile(r"(\d+)=(.+)")
# Code generation alone; modules name a CPU and no machine that the linker of this one could not.
_FLAGS: Final = ("-O2", "-Xclang", "-disable-llvm-passes", "-Wno-override-module", "-c")


@dataclass(frozen=True, slots=True)
class Clang:
    """The command of a clang, and the version of LLVM that it holds."""

    version: int
    command: tuple[str, ...]

    @staticmethod
    def read(text: str) -> Clang:
        """Read ``15=clang-15``; raise :class:`isel.errors.UsageProblem` for anything else."""
        found = _NAMED.fullmatch(text)
        if found is None:
            raise UsageProblem(f"'{text}' is no VERSION=COMMAND")
        return Clang(int(found[1]), tuple(shlex.split(found[2])))

    def compiled(self, text: Path, out: Path, target: HalideTarget) -> str:
        """Make an object of a module's text; return what was wrong, empty if nothing was."""
        machine = ("--target=aarch64-linux-gnu",) if target.name == "arm" else ()
        done = run([*self.command, *machine, *_FLAGS, str(text), "-o", str(out)])
        return "" if done.code == 0 and out.exists() else f"does not compile: {done.said}"


@dataclass
class Totals:
    """Of the modules so far: which were rewritten for whom, whose objects compute what numpy
    does, what went wrong, and the processor seconds of isel.
    """

    modules: int = 0
    rewritten: Counter[str] = field(default_factory=Counter)
    right: Counter[str] = field(default_factory=Counter)
    problems: list[str] = field(default_factory=list)
    seconds: float = 0.0

    def rows(self) -> list[str]:
        """Return a table of the totals."""
        head = ["| written for | modules | rewritten | compiled, linked and right |"]
        return [
            *head,
            "| --- | --: | --: | --: |",
            *(
                f"| {w} | {self.modules} | {self.rewritten[w]} | {n} |"
                for w, n in self.right.items()
            ),
        ]


def over_versions(
    modules: Iterable[Source], clangs: Sequence[Clang], rewriter: Rewriter, folder: Path
) -> Iterator[tuple[str, Totals]]:
    """Take every module through every way; yield its name and the totals so far, one object."""
    ways: dict[str, Clang | None] = {_PLAIN: None, OURS: None}
    ways.update({f"LLVM {c.version}": c for c in clangs})
    totals = Totals(right=Counter(dict.fromkeys(ways, 0)))
    for module in modules:
        source = folder / f"{module.name}.ll"
        source.write_text(module.text)
        for name, clang in ways.items():
            problem = _through(module, source, name, clang, rewriter, totals)
            totals.right[name] += not problem
            totals.problems += [f"{module.name}: {name}: {problem}"] if problem else []
        totals.modules += 1
        yield module.name, totals


def _through(
    module: Source, source: Path, name: str, clang: Clang | None, write: Rewriter, totals: Totals
) -> str:
    """Return what is wrong with a module that went one way, empty if nothing is."""
    made = source.with_name(f"{source.stem}.{clang.version if clang else name.split()[0]}.o")
    if name == _PLAIN:
        made.write_bytes(plain_object(module))
        return module.wrong(made)
    out = made.with_suffix(".ll") if clang else made
    done, rewritten = write(source, out, *(_older(clang) if clang else ()))
    totals.seconds += done.seconds
    totals.rewritten[name] += rewritten > 0
    if done.code:
        return done.said
    return (clang.compiled(out, made, module.target) if clang else "") or module.wrong(made)


def _older(clang: Clang) -> tuple[str, ...]:
    return "-S", "--llvm-version", str(clang.version)
