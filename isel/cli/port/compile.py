"""The user's clang: a file as a module of the machine that it is written for, or, with SIMDe's
headers in place of that machine's own, of another one.
"""

from __future__ import annotations

import re
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Final

from frontends.llvm.linked import binding
from frontends.llvm.linked.worker import LlvmWorker
from isel.api.modules import print_module
from isel.cli.limits import PORT_ROUNDS
from isel.cli.port.machines import CPU_FLAG, SIMDE, headers_of
from isel.errors import BadModule, file_problem
from semantics import isa_named

# loops that run a known and small number of times are unrolled, others stay as they are written
_LOOPS: Final = ("-mllvm", "-unroll-runtime=false", "-mllvm", "-unroll-allow-partial=false")
_LACKING: Final = re.compile(r"(?:requires|needs) target feature '?([\w.-]+)")
_ERROR: Final = re.compile(
    r"^(.+?):(\d+):(\d+): (?:fatal )?error: (.*)\n(?: *\d+ \| (.*))?", re.MULTILINE
)
_NO_SIMDE: Final = re.compile(r"'(simde/[^']*)' file not found")


@dataclass(frozen=True, slots=True)
class Port:
    """A file on its way: the compiler, both machines, and what the target is compiled for.

    ``flags`` are for both compiles, ``machine`` for that of the source; ``folder`` is where clang
    runs.
    """

    path: str
    clang: str
    source: str
    target: str
    cpu: str
    features: str
    flags: tuple[str, ...] = ()
    machine: tuple[str, ...] = ()
    folder: Path = Path()

    @property
    def triple(self) -> str:
        """What the target is called."""
        return isa_named(self.target).machine.triple


def source_module(port: Port, *more: str) -> str:
    """Return the file's module for its own machine; raises :class:`BadModule`.

    A feature that an intrinsic needs and no flag names is that function's wish: it is added.
    """
    with tempfile.TemporaryDirectory() as folder:
        given = [*host_headers(Path(folder), port.source, hosted=False), *port.machine, *more]
        for _ in range(PORT_ROUNDS):
            said = _clang(port, port.source, given)
            needed = sorted(set(_LACKING.findall(said.stderr)) if said.returncode else ())
            if not needed:
                break
            given += [w for n in needed for w in ("-Xclang", "-target-feature", "-Xclang", f"+{n}")]
    return _module(port, said)


def simde_module(port: Port) -> str:
    """Return the file's module for the other machine by SIMDe's headers; raises
    :class:`BadModule`.
    """
    cpu = [f"{CPU_FLAG[port.target]}{port.cpu}"]
    for feature in filter(None, port.features.split(",")):
        cpu += ["-Xclang", "-target-feature", "-Xclang", feature]
    with tempfile.TemporaryDirectory() as text:
        folder = Path(text)
        shims = write_shims(folder, port.source)
        host = host_headers(folder, port.target, hosted=True)
        return _module(port, _clang(port, port.target, [*cpu, *shims, *host]))


def write_shims(folder: Path, source: str) -> Iterator[str]:
    """Write headers with the names of a machine's own that include SIMDe's; yield flags."""
    body = "#define SIMDE_ENABLE_NATIVE_ALIASES\n"
    body += "".join(f"#include <{x}>\n" for x in SIMDE[source])
    for name in headers_of(source):
        (folder / name).write_text(body)
    yield from ("-isystem", str(folder))
    yield "-DSIMDE_X86_MMX_NO_NATIVE"  # LLVM 22 has no type for these registers


def host_headers(folder: Path, machine: str, *, hosted: bool) -> Iterator[str]:
    """Yield flags by which the headers of this machine's C library do for another machine; what
    they ask for in vain is written to a folder.  clang's own headers ask for no library unless they
    are ``hosted``; builtins are known all the same.
    """
    host = binding.host_triple().partition("-")[0]
    if isa_named(machine).machine.triple.startswith(host):
        return
    ours = folder / "host"
    for name in ("gnu/stubs-32.h", "gnu/stubs-lp64.h", "bits/wordsize.h"):
        (ours / name).parent.mkdir(parents=True, exist_ok=True)
        (ours / name).write_text("")
    words = "#define __WORDSIZE 64\n#define __WORDSIZE_TIME64_COMPAT32 0\n"
    (ours / "bits/wordsize.h").write_text(words)
    for place in (str(ours), "/usr/include", f"/usr/include/{host}-linux-gnu"):
        yield from ("-idirafter", place)
    if not hosted:
        yield from ("-U__STDC_HOSTED__", "-D__STDC_HOSTED__=0")


def _clang(port: Port, machine: str, flags: Sequence[str]) -> subprocess.CompletedProcess[str]:
    words = ("-O2", *_LOOPS, "-S", "-emit-llvm", "-w", "-ferror-limit=0", "-o", "-")
    return run_clang(port, machine, [*words, *flags])


def run_clang(port: Port, machine: str, words: Sequence[str]) -> subprocess.CompletedProcess[str]:
    """Run the compiler for a machine on the file; raises :class:`isel.errors.FileProblem`."""
    triple = isa_named(machine).machine.triple
    command = [port.clang, f"--target={triple}", *words, *port.flags, port.path]
    try:
        return subprocess.run(command, cwd=port.folder, capture_output=True, text=True, check=False)
    except OSError as error:
        raise file_problem(port.clang, error) from None


def _module(port: Port, said: subprocess.CompletedProcess[str]) -> str:
    """Return what clang wrote as LLVM 22 prints it."""
    if said.returncode:
        raise mistake(port, said.stderr)
    with LlvmWorker() as worker:
        return print_module(partial(binding.normalise, said.stdout, port.path), port.path, worker)


def mistake(port: Port, said: str) -> BadModule:
    """Return the first of clang's errors."""
    if found := _NO_SIMDE.search(said):
        where = "expected libsimde-dev, or its folder by --flag=-IFOLDER"
        return BadModule(port.path, 0, 0, f"SIMDe was not found ({found[1]}), {where}")
    if error := _ERROR.search(said):
        return BadModule(error[1], int(error[2]), int(error[3]), error[4], error[5] or "")
    return BadModule(port.path, 0, 0, f"{port.clang} does not compile it: {said[:2000]}")
