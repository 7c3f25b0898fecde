"""Ask LLVMs 15 to 21 what they know:
``python -m bench.older 15=CLANG:BINARY … > frontends/llvm/dialect/since.tsv``.

``CLANG`` is a command that compiles LLVM IR, ``BINARY`` the file with that LLVM in it (often a
shared library): the names of intrinsics are its strings.  CPUs and features are those that it does
not complain of.
"""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from pathlib import Path
from typing import Final

import llvmlite.binding

from frontends.llvm.dialect.call_words import RENAMED
from frontends.llvm.dialect.known import ARM, ELSEWHERE, X86, kind_of
from frontends.llvm.dialect.older import NEWEST, OLDEST
from frontends.llvm.linked import binding
from frontends.llvm.linked.names import target_names
from frontends.llvm.linked.worker import LlvmWorker
from isel.errors import BadModule

_NAME: Final = re.compile(rb"llvm\.([a-z0-9][a-zA-Z0-9_.]*)\0")
_TYPED: Final = re.compile(r"\.[fi]\d+$")  # names of library functions' intrinsics, with a type
_CPU: Final = re.compile(r"'(\S+)' is not a recognized processor")
_FEATURE: Final = re.compile(r"'\+(\S+)' is not a recognized feature")
_MODES: Final = ("16bit-mode", "32bit-mode", "all")
_PLAIN: Final = {X86: ("x86-64", "+64bit"), ARM: ("generic", "+neon")}
_A_ROW: Final = 8  # names a line


def strings(file: Path) -> set[str]:
    """Return what a binary might call an intrinsic, without ``llvm.``."""
    return {m[1].decode() for m in _NAME.finditer(file.read_bytes())}


def is_intrinsic(name: str, worker: LlvmWorker) -> bool:
    """Tell whether the linked LLVM knows an intrinsic: one that it does not know cannot be
    called without a declaration.
    """
    text = f"define void @f() {{\n  call void @llvm.{name}()\n  ret void\n}}\n"
    try:
        worker.run(partial(binding.normalise, text))
    except BadModule as problem:
        return "unknown intrinsic" not in problem.what and "undefined value" not in problem.what
    return True  # also where LLVM fails on the call


def find_unknown(
    clang: Sequence[str], triple: str, cpus: Sequence[str], features: Sequence[str]
) -> tuple[set[str], set[str]]:
    """Return the CPUs and features of a target that a compiler does not know."""
    lines = [f'target triple = "{triple}"']
    cpu, feature = _PLAIN[triple]
    named = [f'"target-cpu"="{c}" "target-features"="{feature}"' for c in cpus] + [
        f'"target-cpu"="{cpu}" "target-features"="+{f},{feature}"' for f in features
    ]
    lines += [f"define void @f{k}() {text} {{\n  ret void\n}}" for k, text in enumerate(named)]
    done = subprocess.run(
        [
            *clang,
            "-target",
            triple.replace("-unknown", ""),
            "-x",
            "ir",
            "-",
            "-S",
            "-O0",
            "-o",
            "-",
        ],
        input="\n".join(lines),
        capture_output=True,
        text=True,
        check=True,
    )
    return set(_CPU.findall(done.stderr)), set(_FEATURE.findall(done.stderr))


def rows(kind: str, names: Iterable[str], known: Callable[[str, int], bool]) -> list[str]:
    """Return the rows of names that LLVM 15 does not know."""
    by_version: dict[int, list[str]] = {}
    for name in sorted(names):
        first = next(
            v
            for v in range(OLDEST, NEWEST + 1)
            if all(known(name, w) for w in range(v, NEWEST + 1))
        )
        if first > OLDEST:
            by_version.setdefault(first, []).append(name)
    cut = (
        (v, found[k : k + _A_ROW])
        for v, found in sorted(by_version.items())
        for k in range(0, len(found), _A_ROW)
    )
    return [f"{kind}\t{v}\t{' '.join(some)}" for v, some in cut]


def main(words: Sequence[str]) -> str:
    """Return the table."""
    asked = {int(word.partition("=")[0]): word.partition("=")[2].partition(":") for word in words}
    if sorted(asked) != list(range(OLDEST, NEWEST)):
        raise SystemExit(f"expected VERSION=CLANG:BINARY for {OLDEST} to {NEWEST - 1}")
    have = {v: strings(Path(binary)) for v, (_, _, binary) in asked.items()}
    newer = {
        n
        for n in strings(Path(llvmlite.binding.__file__).with_name("libllvmlite.so")) - have[OLDEST]
        if not _TYPED.search(n)
    }
    with LlvmWorker() as worker:
        intrinsics = [
            n
            for n in sorted(newer)
            if n.partition(".")[0] not in ELSEWHERE and is_intrinsic(n, worker)
        ]
    lines = [
        (
            f"# what LLVM {binding.llvm_version()} knows of x86, AArch64, Hexagon and no target, "
            "by the first version from 16 on: python -m bench.older"
        )
    ]
    last = {f"experimental.{x.removeprefix('llvm.')}": v for x, v in RENAMED.items()}
    lines += rows(
        "intrinsic", [*intrinsics, *last], lambda n, v: v >= last.get(n, NEWEST) or n in have[v]
    )
    for triple in _PLAIN:
        names = target_names(triple)
        features = [f for f in names.features if f not in _MODES]
        lacking = {
            v: find_unknown(shlex.split(clang), triple, names.cpus, features)
            for v, (clang, _, _) in asked.items()
        }
        for k, (what, of) in enumerate((("cpu", names.cpus), ("feature", features))):
            lines += rows(
                kind_of(what, triple),
                of,
                lambda n, v, k=k, lacking=lacking: v == NEWEST or n not in lacking[v][k],  # type: ignore[misc]
            )
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    sys.stdout.write(main(sys.argv[1:]))
