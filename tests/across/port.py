"""``python -m tests.across.port``: kernels ported to the other machine, proved, executed on both and
priced against SIMDe's code.
"""

from __future__ import annotations

import math
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Final

from frontends.llvm.linked.binding import host_features, object_code
from frontends.llvm.linked.worker import LlvmWorker
from frontends.llvm.machine.gate import Gate
from isel.cli.edge import guard
from isel.cli.port.compile import Port, simde_module, source_module
from isel.cli.port.machines import CPUS
from isel.errors import BadModule, IselError
from semantics import isa_named, target_named
from tests.across.compile import CLANG, KERNELS, NAMES

ROUNDS: Final = 1000
WAYS: Final = (("SSE", "x86", "aarch64", "arm"), ("NEON", "arm", "x86", "x86"))
_DRIVER: Final = """\
#include <stdint.h>
#include <stdio.h>
#include <string.h>
{declaration}
static uint64_t seed = 88172645463325252ull;
static uint64_t next(void) {{ seed ^= seed << 13; seed ^= seed >> 7; seed ^= seed << 17; return seed; }}
int main(void) {{
  _Alignas(128) static uint64_t buffers[{count}][64];
  uint64_t hash = 1469598103934665603ull;
  for (int round = 0; round < {rounds}; round++) {{
    for (int b = 0; b < {count}; b++)
      for (int k = 0; k < 64; k++) {{
        uint64_t x = next(); int how = next() & 7;
        buffers[b][k] = how == 0 ? 0x8000800080008000ull : how == 1 ? 0x7fff7fff7fff7fffull : how == 2 ? ~0ull : x;
      }}
    uint64_t result = 0;
    {call}
    hash = (hash ^ result) * 1099511628211ull;
    for (int b = 0; b < {count}; b++)
      for (int k = 0; k < 64; k++) hash = (hash ^ buffers[b][k]) * 1099511628211ull;
    printf("%016llx\\n", (unsigned long long)hash);
  }}
}}
"""


def driver(source: str) -> str:
    """Return a program that calls a kernel on random buffers and prints what it did."""
    found = re.search(r"^(\w+) kernel\(([^)]*)\)", source, re.MULTILINE)
    assert found is not None
    given: list[str] = []
    pointers = 0
    for parameter in found[2].replace("\n", " ").split(","):
        if "*" in parameter:
            given.append(f"(void *)buffers[{pointers}]")
            pointers += 1
        else:
            given.append("64" if "long" in parameter else "next()")
    call = f"kernel({', '.join(given)});"
    return _DRIVER.format(
        declaration=f"{found[1]} kernel({found[2].replace('restrict', '')});",
        count=pointers,
        rounds=ROUNDS,
        call=call if found[1] == "void" else f"result = (uint64_t){call}",
    )


def printed(folder: Path, machine: str, module: str, main: Path) -> str:
    """Return what a module's kernel prints, linked with its driver for a machine."""
    run = linked(folder, machine, module, main)
    return subprocess.run(run, check=True, capture_output=True, text=True).stdout


def linked(folder: Path, machine: str, module: str, main: Path) -> list[str]:
    """Compile a module for a machine, on x86 without AVX-512 where this one has none; link it with
    its driver by zig; return what runs it.
    """
    out, code, isa = folder / f"run.{machine}", folder / f"{machine}.o", isa_named(machine)
    wide = "avx512vbmi" in host_features()
    cpu, features = (
        ("icelake-server" if wide else "haswell", "")
        if machine == "x86"
        else (isa.usual.cpu, isa.usual.features)
    )
    triple = isa.machine.triple
    code.write_bytes(object_code(module, level=2, triple=triple, cpu=cpu, features=features))
    triple = {"x86": "x86_64-linux-musl", "arm": "aarch64-linux-musl"}[machine]
    mcpu = {"x86": f"-mcpu=x86_64_v{3 + wide}", "arm": "-mcpu=neoverse_v1"}[machine]
    command = [sys.executable, "-m", "ziglang", "cc", f"--target={triple}", mcpu, "-O1", "-w"]
    command += ["-fno-sanitize=undefined", str(main), str(code), "-o", str(out)]
    subprocess.run(command, check=True, capture_output=True)
    return [str(out)] if machine == "x86" else ["qemu-aarch64", str(out)]


def main() -> int:
    """Port every kernel both ways; returns 1 where an output differs or a port is not proved."""
    bad = 0
    gains: list[float] = []
    counted = dict.fromkeys(("ported", "proved", "equal", "dearer"), 0)
    for macro, own, to, target in WAYS:
        for name in sys.argv[1:] or NAMES:
            try:
                row = one(name, macro, own, to, target)
            except (OSError, IselError, subprocess.CalledProcessError) as problem:
                sys.stdout.write(f"{name} {to}: {problem}\n")
                bad += 1
                continue
            counted["ported"] += 1
            counted["proved"] += row["proved"] == "yes"
            counted["equal"] += row["equal"] == "yes"
            counted["dearer"] += float(row["after"]) > 1.02 * float(row["before"])
            gains.append(float(row["before"]) / float(row["after"]) if float(row["after"]) else 1.0)
            bad += row["equal"] != "yes"
            sys.stdout.write(" ".join(f"{v:>14}" for v in row.values()) + "\n")
            sys.stdout.flush()
    mean = math.exp(sum(map(math.log, gains)) / len(gains))
    sys.stdout.write(f"{counted} geomean over SIMDe {mean:.3f}\n")
    return int(bad > 0)


def one(name: str, macro: str, own: str, to: str, target: str) -> dict[str, str]:
    """Port one kernel; return what came of it."""
    path = KERNELS / f"{name}.c"
    with tempfile.TemporaryDirectory() as text:
        folder = Path(text)
        ported, main_c = folder / "ported.ll", folder / "main.c"
        words = ["port", str(path), "--to", to, "-o", str(ported), "--clang", CLANG]
        code = guard([*words, f"--flag=-D{macro}"])
        port = Port(str(path), CLANG, own, target, CPUS[target], "", (f"-D{macro}",))
        try:
            simde = simde_module(port)
        except BadModule:  # SIMDe lacks an intrinsic
            simde = ported.read_text()
        main_c.write_text(driver(path.read_text()))
        with LlvmWorker() as worker:
            triple = isa_named(target).machine.triple
            gate = Gate(worker, target_named(target), port.cpu, port.features, triple)
            before, after = (cycles(gate, t) for t in (simde, ported.read_text()))
        plain = source_module(port)
        outputs = [
            printed(folder, m, t, main_c) for m, t in ((own, plain), (target, ported.read_text()))
        ]
    return {
        "name": name,
        "to": to,
        "proved": "yes" if code == 0 else f"code {code}",
        "equal": "yes" if outputs[0] == outputs[1] else "no",
        "before": f"{before:.2f}",
        "after": f"{after:.2f}",
    }


def cycles(gate: Gate, module: str) -> float:
    """Return the cycles of a kernel by the block model: all its blocks once."""
    return sum(cost.cycles for _, cost in gate.blocks(module, "kernel"))


if __name__ == "__main__":
    sys.exit(main())
