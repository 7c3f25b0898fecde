"""``python -m tests.across.cross x86 FILES``: windows rewritten for a machine, written as AutoLLVM and
lowered for the other one: proved, executed on both, priced against plain IR of the formulas.
"""

from __future__ import annotations

import sys
import tempfile
import time
from pathlib import Path
from typing import Final

from equiv_classes.dictionary import dictionary
from frontends.autollvm.comments import without_comments
from frontends.autollvm.module import Aim
from frontends.autollvm.write import write_autollvm
from frontends.llvm.linked.worker import LlvmWorker
from frontends.llvm.machine.gate import Gate
from frontends.llvm.pipeline.options import Options
from frontends.llvm.refine.assumed import with_defined_loads
from frontends.llvm.text.ast import PtrType
from frontends.llvm.text.parse import parse_module
from isel.api.tools import make_tools, rewrite
from isel.cli.lower import Place, lower_cheaply, searcher
from isel.model.machine import Machine
from isel.model.verdict import Proved
from isel.spec.target import Target
from semantics import isa_named, target_named
from tests.across.port import driver, printed
from tests.across.windows import window_for

OTHER: Final = {"x86": "arm", "arm": "x86"}


def main() -> int:
    """Print a line a module, then how many crossed; returns 1 where an output differs."""
    crossed = bad = dearer = 0
    seconds = 0.0
    own, *files = sys.argv[1:]
    for file in files:
        text = window_for(Path(file).read_text(), isa_named(own).machine.triple)
        start = time.process_time()
        found, words = cross(Path(file).name, text, target_named(own))
        seconds += time.process_time() - start
        crossed += found == "crossed"
        bad += found == "different"
        dearer += "dearer" in words
        sys.stdout.write(f"{Path(file).name:24} {found:10} {words}\n")
        sys.stdout.flush()
    sys.stdout.write(
        f"{crossed} of {len(files)} crossed, {bad} different, {dearer} dearer than plain IR, "
        f"{seconds:.0f} CPU s\n"
    )
    return int(bad > 0)


def _machine(target: Target) -> tuple[Aim, Machine]:
    isa = isa_named(target.name)
    if isa.name == "x86":  # which this machine executes
        features = target.features("icelake-server", "")
        machine = Machine(target, "icelake-server", features, 512)
        return Aim(isa.machine.triple, "icelake-server", ""), machine
    features = target.features(isa.usual.cpu, isa.usual.features)
    machine = Machine(target, isa.usual.cpu, features, target.vector_bits(features, {}))
    return Aim(isa.machine.triple, isa.usual.cpu, isa.usual.features), machine


def cross(name: str, text: str, own: Target, *, executed: bool = True) -> tuple[str, str]:
    """Return whether a module crossed, ``executed`` or proved only, and what was found in words."""
    other = target_named(OTHER[own.name])
    usual, (aim, machine) = isa_named(own.name).usual, _machine(other)
    options = Options(
        triple=isa_named(own.name).machine.triple, cpu=usual.cpu, features=usual.features
    )
    with LlvmWorker() as worker, make_tools(worker, options, None) as tools:
        done = rewrite(text, options, tools, name).text
    auto = with_defined_loads(without_comments(write_autollvm(done, own, dictionary()).text))

    place = Place(aim, machine)
    back = lower_cheaply(auto, place, searcher(machine, None), own)
    generic = lower_cheaply(auto, place, None, own)
    proved = all(isinstance(a.verdict, Proved) for a in back.proofs)
    words = f"{back.ways or 'no calls'}"
    if back.left or not proved:
        return "stays", f"{words} {[x.callee for x in back.left]}"
    with LlvmWorker() as worker:
        gate = Gate(worker, other, aim.cpu, aim.features, aim.triple)
        name = parse_module(back.text).functions[0].name
        costs = [sum(c.cycles for _, c in gate.blocks(t, name)) for t in (back.text, generic.text)]
    words += f" {costs[0]:.2f} cycles, plain {costs[1]:.2f}"
    words += " dearer" if costs[0] > costs[1] + 0.01 else ""
    agrees = not executed or _agree(done, back.text, own.name)
    return ("crossed" if agrees else "different"), words


def _agree(first: str, second: str, own: str) -> bool:
    """Execute the one function of two modules on random buffers, each on its machine."""
    f = parse_module(first).functions[0]
    kinds = ["void *" if isinstance(a.type, PtrType) else "long" for a in f.arguments]
    parameters = ", ".join(f"{k} p{n}" for n, k in enumerate(kinds))
    main_c = driver(f"void kernel({parameters})\n")
    with tempfile.TemporaryDirectory() as text:
        folder = Path(text)
        (folder / "main.c").write_text(main_c)
        outputs = [
            printed(folder, m, t.replace(f"@{f.name}(", "@kernel("), folder / "main.c")
            for m, t in ((own, first), (OTHER[own], second))
        ]
    return outputs[0] == outputs[1]


if __name__ == "__main__":
    sys.exit(main())
