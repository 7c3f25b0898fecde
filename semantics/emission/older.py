"""Which emissions older LLVMs do not select as their instruction:
``python -m semantics.emission.older ISA 15=CLANG … > semantics/ISA/older.tsv``.

``CLANG`` is a command that compiles LLVM IR; what follows a colon is
for :mod:`bench.older`.  Every emission is compiled as ``isel`` writes it, without
passes.
"""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from typing import Final

from frontends.llvm.dialect.known import knows_feature, since
from frontends.llvm.dialect.older import NEWEST, OLDEST, older
from frontends.llvm.linked import binding
from frontends.llvm.linked.worker import LlvmWorker, WorkerFailed
from isel.errors import IselError
from isel.spec.instruction import Instruction
from semantics import isa_named
from semantics.harness import function_text
from semantics.isa import Isa
from semantics.selection import Printed, Selected, functions_of, read_selected, tried

_FLAGS: Final = (
    "-w", "-x", "ir", "-", "-S", "-O2", "-g0", "-fno-sanitize=all", "-Xclang",
    "-disable-llvm-passes", "-o", "-",
)  # fmt: skip
_AT_ONCE: Final = 256
_IMMEDIATES: Final = 2
_SECONDS: Final = 600.0
_JOBS: Final = 2
_IN_FUNCTION: Final = re.compile(r"In function: f(\d+)")
_INTRINSIC: Final = re.compile(r"@(llvm\.[\w.]+)")


class NotCompiled(IselError):
    """A compiler that does not do what is asked of it at all."""


@dataclass(frozen=True, slots=True)
class Case:
    """An instruction with fixed immediates."""

    instruction: Instruction
    immediates: Mapping[str, int]


def text_of(cases: Sequence[Case], isa: Isa) -> str:
    """Return a module with one function a case, in the words of the linked LLVM."""
    return f'target triple = "{isa.machine.triple}"\n' + "".join(
        function_text(c.instruction, c.immediates, f"f{k}", isa.machine)
        for k, c in enumerate(cases)
    )


def by_clang(clang: Sequence[str], isa: Isa, version: int, text: str) -> str | int:
    """Return the assembly that an older LLVM makes of a module, or the number of a function
    that it fails on, -1 where it does not say which.
    """
    said = older(binding.normalise(text), version)
    words = [*clang, "-target", isa.machine.triple.replace("-unknown", ""), *_FLAGS]
    done = subprocess.run(words, input=said, capture_output=True, text=True)
    return _culprit(done.stderr) if done.returncode else done.stdout


def by_ours(worker: LlvmWorker, isa: Isa, text: str) -> str | int:
    """Return the assembly that the linked LLVM makes of a module, or -1 where it fails."""
    m = isa.machine
    found = worker.assembly(text, triple=m.triple, cpu=m.cpu, features="", level=2)
    return -1 if isinstance(found, WorkerFailed) else found


def _culprit(said: str) -> int:
    found = _IN_FUNCTION.search(said)
    return int(found[1]) if found is not None else -1


def selected(
    cases: Sequence[Case], isa: Isa, compiler: Callable[[str], str | int]
) -> list[Selected]:
    """Return what a compiler makes of each case; what makes it fail is found by halves where it
    does not say.
    """
    if not cases:
        return []
    assembly = compiler(text_of(cases, isa))
    if isinstance(assembly, str):
        bodies = functions_of(assembly)
        return [
            read_selected(bodies[f"f{k}"], c.instruction, c.immediates, isa.printed())
            for k, c in enumerate(cases)
        ]
    if len(cases) == 1:
        return [_failed(cases[0])]
    if assembly >= 0:
        rest = selected([c for k, c in enumerate(cases) if k != assembly], isa, compiler)
        return [*rest[:assembly], _failed(cases[assembly]), *rest[assembly:]]
    middle = len(cases) // 2
    return [*selected(cases[:middle], isa, compiler), *selected(cases[middle:], isa, compiler)]


def known_to(version: int, c: Case, isa: Isa) -> bool:
    """Tell whether an older LLVM knows the features and the intrinsics of a case."""
    i = c.instruction
    triple = isa.machine.triple
    return all(knows_feature(f, version, triple) for f in i.features) and all(
        since(name) <= version for name in _INTRINSIC.findall(text_of([c], isa))
    )


def by_version(
    clang: Sequence[str], isa: Isa, version: int, cases: Sequence[Case]
) -> list[Selected]:
    """Return what an older LLVM makes of each case."""
    known = [c for c in cases if known_to(version, c, isa)]
    compiler = partial(by_clang, clang, isa, version)
    with ThreadPoolExecutor(_JOBS) as pool:
        done = pool.map(
            lambda k: selected(known[k : k + _AT_ONCE], isa, compiler),
            range(0, len(known), _AT_ONCE),
        )
        found = {id(c): s for c, s in zip(known, (s for some in done for s in some), strict=True)}
    if all(s.failure for s in found.values()):
        raise NotCompiled(f"{shlex.join(clang)} compiles none of {len(known)} functions")
    return [found.get(id(c)) or _failed(c) for c in cases]


def _failed(c: Case) -> Selected:
    return Selected(c.instruction.name, c.immediates, (), (), "not compiled")


def worse(i: Instruction, ours: Selected, theirs: Selected, printed: Printed) -> bool:
    """Tell whether an older LLVM makes something else of an emission than the linked one: not
    the instruction, or more of them.
    """
    if ours.failure:
        return False  # it is of no use to anybody
    if theirs.failure or (
        ours.is_one(i.mnemonic, printed) and not theirs.is_one(i.mnemonic, printed)
    ):
        return True
    return len(theirs.mnemonics) > len(ours.mnemonics)


def main(name: str, words: Sequence[str]) -> str:
    """Return the table of an instruction set."""
    isa = isa_named(name)
    instructions = isa.shipped().instructions()
    clangs = {
        int(w.partition("=")[0]): shlex.split(w.partition("=")[2].partition(":")[0]) for w in words
    }
    if sorted(clangs) != list(range(OLDEST, NEWEST)):
        raise SystemExit(f"expected VERSION=CLANG for {OLDEST} to {NEWEST - 1}")
    cases = [Case(i, imm) for i in instructions for imm in tried(i, _IMMEDIATES)]
    with LlvmWorker(seconds=_SECONDS) as worker:
        by, some = partial(by_ours, worker, isa), range(0, len(cases), _AT_ONCE)
        ours = [s for k in some for s in selected(cases[k : k + _AT_ONCE], isa, by)]
    fails: dict[str, set[int]] = {}
    printed = isa.printed()
    for version, clang in sorted(clangs.items()):
        for c, mine, other in zip(cases, ours, by_version(clang, isa, version, cases), strict=True):
            if worse(c.instruction, mine, other, printed):
                fails.setdefault(c.instruction.name, set()).add(version)
        sys.stderr.write(
            f"LLVM {version}: {sum(version in v for v in fails.values())} of "
            f"{len(instructions)} refused\n"
        )
    head = (
        f"# emissions that an older LLVM does not select as LLVM {binding.llvm_version()} does: "
        f"python -m semantics.emission.older {name}"
    )
    rows = (f"{i}\t{' '.join(map(str, sorted(fails[i])))}" for i in sorted(fails))
    return "\n".join([head, *rows]) + "\n"


if __name__ == "__main__":
    sys.stdout.write(main(sys.argv[1], sys.argv[2:]))
