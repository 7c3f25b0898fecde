"""``isel port``: C with one machine's intrinsics as code of another, and the proof beside it.

The user's clang compiles the file twice: for the machine that it is written for, and, with SIMDe's
headers in place of that machine's own, for the other one.  The second module goes through ``isel
opt``; what comes out is compared with the first (:mod:`isel.cli.verify`).
"""

from __future__ import annotations

import argparse
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial, reduce
from pathlib import Path
from typing import Final

from equiv_classes.dictionary import dictionary
from frontends.autollvm.bits import without_floats
from frontends.autollvm.comments import without_comments
from frontends.autollvm.module import Aim, lower_module
from frontends.autollvm.write import write_autollvm
from frontends.llvm.linked import binding
from frontends.llvm.linked.worker import LlvmWorker, WorkerFailed
from frontends.llvm.machine.gate import Gate
from frontends.llvm.opt.options import Options
from frontends.llvm.refine.assumed import with_any_alignment, with_defined_loads
from frontends.llvm.refine.options import Options as Comparison
from frontends.llvm.refine.report import Answer, verify_report
from frontends.llvm.text.parse import parse_module
from isel.cli.edge import NOT_PROVED, OK, REFUTED
from isel.cli.files import Outputs, read_bytes
from isel.cli.kinds import Kind, kind_of
from isel.cli.lower import cheapest
from isel.cli.target import cpu_of
from isel.cli.tools import make_tools, rewrite
from isel.errors import BadModule, FileProblem, UsageProblem
from isel.model.machine import Machine
from isel.model.verdict import Proved, Refuted
from semantics import isa_named, target_named

# what a machine's own headers are called, and which of SIMDe's stands for all of them
_X86: Final = (
    "immintrin.h xmmintrin.h emmintrin.h pmmintrin.h tmmintrin.h smmintrin.h nmmintrin.h "
    "wmmintrin.h x86intrin.h"
)
_HEADERS: Final = {
    "x86": (_X86, "simde/x86/sse4.2.h simde/x86/avx2.h simde/x86/fma.h"),
    "arm": ("arm_neon.h", "simde/arm/neon.h"),
}
_NAMES: Final = {"aarch64": "arm", "arm": "arm", "x86": "x86"}
# loops that run a known and small number of times are unrolled, others stay as they are written
_LOOPS: Final = ("-mllvm", "-unroll-runtime=false", "-mllvm", "-unroll-allow-partial=false")
_MARCH: Final = {"x86": ("-march=haswell",), "arm": ()}


@dataclass(frozen=True, slots=True)
class Port:
    """A file on its way: the compiler, both machines, and what the target is compiled for."""

    path: str
    clang: str
    source: str
    target: str
    cpu: str
    features: str
    flags: tuple[str, ...]


def run(arguments: argparse.Namespace) -> int:
    """Obey ``isel port``."""
    kind = kind_of(arguments)
    if kind is Kind.BITCODE:
        raise UsageProblem("isel port writes OUT.ll, OUT.s or OUT.o, expected -o with one of them")
    port = _port(arguments, read_bytes(arguments.input).decode(errors="replace"))
    triple = isa_named(port.target).machine.triple
    first = compile_for(port, port.source, ())
    versions = list(_versions(port, first, triple))
    text = _cheapest(port, versions, triple, arguments.cache)
    answers = proofs(first, text, port)
    for a in answers:
        sys.stderr.write(f"{a.line}\n")
    kinds = {type(a.verdict) for a in answers}
    if Refuted not in kinds:
        with Outputs() as outputs:
            outputs.add(arguments.output, _bytes(text, kind, port, triple))
            outputs.commit()
    return REFUTED if Refuted in kinds else OK if kinds == {Proved} else NOT_PROVED


def _versions(port: Port, first: str, triple: str) -> Iterator[str]:
    """Yield the file for the target: with SIMDe's headers, and by the formulas of its intrinsics;
    raises :class:`BadModule` where there is neither.
    """
    own, problem = by_formulas(first, port, triple), None
    with tempfile.TemporaryDirectory() as folder:
        shims = list(write_shims(Path(folder), port.source))
        try:
            yield without_floats(compile_for(port, port.target, ("-isystem", folder, *shims)))
        except BadModule as found:  # SIMDe lacks some intrinsics
            problem = found
    if own:
        yield own
    elif problem is not None:
        raise problem


def _cheapest(port: Port, versions: Sequence[str], triple: str, cache: str | None) -> str:
    """Return of versions, as ``isel opt`` leaves them, that which no block model finds dearer."""
    options = Options(triple=triple, cpu=port.cpu, features=port.features)
    with LlvmWorker() as worker, make_tools(worker, options, cache) as tools:
        gate = Gate(worker, target_named(port.target), port.cpu, port.features, triple)
        done = (rewrite(text, options, tools, port.path).text for text in versions)
        return reduce(lambda text, other: cheapest(text, other, gate), done)


def _port(arguments: argparse.Namespace, text: str) -> Port:
    target = _NAMES[arguments.to]
    clang = arguments.clang or _clang()
    flags = tuple(arguments.flag or ())
    source = _machine_of(clang, arguments.input, text, flags)
    if not source or source == target:
        other = next(m for m in _HEADERS if m != target)
        raise FileProblem(
            arguments.input,
            f"it includes none of {_HEADERS[other][0]}, expected intrinsics of another machine",
        )
    cpu, features = cpu_of(target, arguments.mcpu or "", arguments.mattr or "")
    return Port(arguments.input, clang, source, target, cpu, features, flags)


def _machine_of(clang: str, path: str, text: str, flags: Sequence[str]) -> str:
    """Return the machine whose headers a file includes, itself or by way of others."""
    own = next((m for m, (names, _) in _HEADERS.items() if _includes(text, names)), "")
    return own or _read_by(clang, path, flags)


def _includes(text: str, names: str) -> bool:
    found = re.findall(r'^\s*#\s*include\s*[<"]([^>"]+)[>"]', text, re.MULTILINE)
    return bool(set(found) & set(names.split()))


def _read_by(clang: str, path: str, flags: Sequence[str]) -> str:
    """Return the machine whose headers a file reads by way of others, empty for none."""
    for machine, (names, _) in _HEADERS.items():
        triple = isa_named(machine).machine.triple
        command = [clang, f"--target={triple}", "-ffreestanding", "-M", *flags, path]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        read = {Path(word).name for word in done.stdout.split()}
        if not done.returncode and read & set(names.split()):
            return machine
    return ""


def _clang() -> str:
    names = ["clang", *(f"clang-{n}" for n in range(22, 13, -1))]
    found = next((c for c in names if shutil.which(c)), None)
    if found is None:
        raise UsageProblem("no clang was found, expected one in $PATH or --clang")
    return found


def write_shims(folder: Path, source: str) -> Iterator[str]:
    """Write headers with the names of a machine's own that include SIMDe's; yield flags."""
    names, simde = _HEADERS[source]
    body = "#define SIMDE_ENABLE_NATIVE_ALIASES\n"
    body += "".join(f"#include <{x}>\n" for x in simde.split())
    for name in names.split():
        (folder / name).write_text(body)
    (folder / "gnu").mkdir()
    for name in ("stubs-32.h", "stubs-lp64.h"):  # which a host's headers ask for, in vain
        (folder / "gnu" / name).write_text("")
    yield "-DSIMDE_X86_MMX_NO_NATIVE"  # LLVM 22 has no type for these registers
    yield from ("-idirafter", "/usr/include", "-idirafter", "/usr/include/x86_64-linux-gnu")


def compile_for(port: Port, machine: str, more: Sequence[str]) -> str:
    """Return the file compiled for a machine as LLVM 22 prints it."""
    triple = isa_named(machine).machine.triple
    if not more and not triple.startswith(binding.host_triple().partition("-")[0]):
        more = ("-ffreestanding",)  # headers of this machine's own are no use
    march = (f"-mcpu={port.cpu}",) if machine == port.target == "arm" else _MARCH[machine]
    command = [
        port.clang, f"--target={triple}", "-O2", *_LOOPS, "-S", "-emit-llvm", "-w",
        *march, *more, *port.flags, port.path, "-o", "-",
    ]  # fmt: skip
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise BadModule(port.path, 0, 0, f"{port.clang} does not compile it: {done.stderr[:2000]}")
    with LlvmWorker() as worker:
        text = worker.run(partial(binding.normalise, done.stdout, port.path))
    if isinstance(text, WorkerFailed):
        raise BadModule(port.path, 0, 0, f"LLVM cannot read this module: {text.reason}")
    return text


def by_formulas(first: str, port: Port, triple: str) -> str:
    """Return the module of the machine that the file is written for with its intrinsics as members
    of their classes on the other one, else as plain IR; empty where one of them is neither.
    """
    source, target = target_named(port.source), target_named(port.target)
    known = target.features(port.cpu, port.features)
    machine = Machine(target, port.cpu, known, target.vector_bits(known, {}))
    written = without_comments(write_autollvm(first, source, dictionary()).text)
    aim = Aim(triple, port.cpu, port.features)
    found = lower_module(written, aim, machine, dictionary(), None, plain=True, source=source)
    return "" if found.left else found.text


def proofs(first: str, second: str, port: Port) -> list[Answer]:
    """Compare both modules: what is loaded is defined, and as aligned as the target says."""
    a = parse_module(with_defined_loads(first))
    b = parse_module(with_any_alignment(second))
    isas = (target_named(port.source), target_named(port.target))
    found = verify_report(a, b, isas[0], Comparison(isas=isas, defined_memory=True))
    return [x for x in found if x.name]


def _bytes(text: str, kind: Kind, port: Port, triple: str) -> bytes:
    if kind is Kind.TEXT:
        return text.encode()
    generate = binding.object_code if kind is Kind.OBJECT else binding.assembly
    with LlvmWorker() as worker:
        job: partial[bytes] | partial[str] = partial(
            generate, text, level=2, triple=triple, cpu=port.cpu, features=port.features
        )
        found: bytes | str | WorkerFailed = worker.run(job)
    if isinstance(found, WorkerFailed):
        raise BadModule(port.path, 0, 0, f"LLVM makes no code of it: {found.reason}")
    return found.encode() if isinstance(found, str) else found
