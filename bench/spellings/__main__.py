"""Everyday values in five spellings through ``isel opt``: do all cost what the cheapest costs,
``python -m bench.spellings``?

Inputs are loads of neighbouring lanes, the result is stored: a window of one pass of a loop.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections import Counter
from collections.abc import Sequence

from bench.spellings.nests import nests, parts
from bench.spellings.values import VALUES, Value
from bench.spellings.writer import SPELLINGS, Spelling, Writer
from frontends.llvm.linked import binding
from frontends.llvm.linked.worker import LlvmWorker
from frontends.llvm.machine.gate import Gate
from frontends.llvm.pipeline.module import rewrite_module
from frontends.llvm.pipeline.options import Options, Tools
from isel.api.tools import make_tools
from semantics import target_named

_LANES = 32
_CPUS = {"x86": "znver4", "arm": "neoverse-v1"}
_TRIPLES = {"x86": "x86_64-pc-linux-gnu", "arm": "aarch64-unknown-linux-gnu"}
_WITHOUT = {"x86": "", "arm": "-sve,-sve2"}  # features that registers of 128 bits do without
_SLACK = 0.02  # cycles


def module(value: Value, spelling: Spelling, cpu: str, triple: str = _TRIPLES["x86"]) -> str:
    """Return a module with one function of a value."""
    writer = Writer(spelling, _LANES)
    kinds = [f"<{_LANES} x i{kind[1:]}>" for kind in value.inputs]
    loads = [f"  %x{k} = load {kind}, ptr %p{k}, align 1" for k, kind in enumerate(kinds)]
    inputs = [writer.read(f"%x{k}", kind) for k, kind in enumerate(value.inputs)]
    found = value.build(writer, inputs)
    result = f"<{_LANES} x i{value.result[1:]}>"
    pointers = ", ".join(f"ptr noalias %p{k}" for k in range(len(value.inputs)))
    lines = [*loads, *writer.lines, f"  %r = trunc {writer.type} {found.text} to {result}"]
    lines += [f"  store {result} %r, ptr %out, align 1", "  ret void"]
    body = "\n".join(lines)
    declared = "".join(f"{d}\n" for d in sorted(writer.declared))
    text = (
        f'target triple = "{triple}"\n\n'
        f"{declared}define void @f({pointers}, ptr noalias %out) #0 {{\n{body}\n}}\n"
        f'attributes #0 = {{ "target-cpu"="{cpu}" }}\n'
    )
    if not spelling.passes:
        return text
    return binding.optimise(text, triple=triple, cpu=cpu, features="")


def main(argv: Sequence[str] | None = None) -> int:
    """Print a line for each value: LLVM's price and isel's in each spelling."""
    parser = argparse.ArgumentParser(prog="python -m bench.spellings", description=__doc__)
    parser.add_argument("--cpu", default="", help="default: znver4, or neoverse-v1")
    parser.add_argument("--target", choices=tuple(_TRIPLES), default="x86")
    parser.add_argument("--only", default="", help="values whose name holds this")
    parser.add_argument("--nests", action="store_true", help="nests of operations instead")
    arguments = parser.parse_args(argv)
    triple, features = _TRIPLES[arguments.target], _WITHOUT[arguments.target]
    cpu = arguments.cpu or _CPUS[arguments.target]
    options = Options(cpu=cpu, features=features, jobs=1)
    same = below = 0
    alone: dict[str, float] = {}
    within = Counter[int]()
    values = nests() if arguments.nests else VALUES
    chosen = [v for v in values if arguments.only in v.name]
    print(f"{'LLVM>isel':20}", *(f"{s.name:13}" for s in SPELLINGS))
    with LlvmWorker(seconds=300) as worker, make_tools(worker, options, "off") as tools:
        gate = Gate(worker, target_named(arguments.target), cpu, features, triple)
        for name, part in parts().items() if arguments.nests else ():
            text = module(part, SPELLINGS[0], cpu, triple)
            alone[name] = _prices(text, options, tools, gate)[1]
        for value in chosen:
            start = sum(os.times()[:2])
            texts = [module(value, s, cpu, triple) for s in SPELLINGS]
            prices = [_prices(text, options, tools, gate) for text in texts]
            seconds = sum(os.times()[:2]) - start
            best = min(own for _, own in prices)
            equal = all(own <= best + _SLACK for _, own in prices)
            same += equal
            below += best < min(llvm for llvm, _ in prices) - _SLACK
            row = " ".join(f"{llvm:6.2f}>{own:<6.2f}" for llvm, own in prices)
            print(f"{value.name:20} {row} {'' if equal else 'differs'} {seconds:.1f}s", flush=True)
            most = sum(alone[part] for part in value.name.split()) if alone else 0.0
            within[len(value.name.split())] += sum(own <= most + _SLACK for _, own in prices)
    print(
        f"{len(chosen)} values: {same} at the price of the best of five, {below} below LLVM's best"
    )
    for depth, count in sorted(within.items()) if alone else ():
        some = len(SPELLINGS) * sum(len(v.name.split()) == depth for v in chosen)
        print(f"depth {depth}: {count} of {some} at the price of their parts or below")
    return 0


def _prices(text: str, options: Options, tools: Tools, gate: Gate) -> tuple[float, float]:
    """Return what a module's function costs as LLVM has it and as isel has it, the same where that
    leaves it.
    """
    found = rewrite_module(text, options, tools, "").report.functions[0].cost
    kept = 0.0 if found else gate.cost(binding.normalise(text), "f") or 0.0
    return found or (kept, kept)


if __name__ == "__main__":
    sys.exit(main())
