"""Everyday values in five spellings through ``isel opt``: do all cost what the cheapest costs,
``python -m bench.spellings``?

Inputs are loads of neighbouring lanes, the result is stored: a window of one pass of a loop.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence

from bench.spellings.values import VALUES, Value
from bench.spellings.writer import SPELLINGS, Spelling, Writer
from frontends.llvm.linked import binding
from frontends.llvm.linked.worker import LlvmWorker
from frontends.llvm.machine.gate import Gate
from frontends.llvm.opt.module import rewrite_module
from frontends.llvm.opt.options import Options
from isel.cli.tools import make_tools
from semantics import target_named

_LANES = 32
_TRIPLE = "x86_64-pc-linux-gnu"
_SLACK = 0.02  # cycles


def module(value: Value, spelling: Spelling, cpu: str) -> str:
    """Return a module with one function of a value."""
    writer = Writer(spelling, _LANES)
    loads: list[str] = []
    for k, kind in enumerate(value.inputs):
        loads.append(f"  %x{k} = load <{_LANES} x i{kind[1:]}>, ptr %p{k}, align 1")
    inputs = [writer.read(f"%x{k}", kind) for k, kind in enumerate(value.inputs)]
    found = value.build(writer, inputs)
    result = f"<{_LANES} x i{value.result[1:]}>"
    pointers = ", ".join(f"ptr noalias %p{k}" for k in range(len(value.inputs)))
    lines = [*loads, *writer.lines, f"  %r = trunc {writer.type} {found.text} to {result}"]
    lines += [f"  store {result} %r, ptr %out, align 1", "  ret void"]
    body = "\n".join(lines)
    declared = "".join(f"{d}\n" for d in sorted(writer.declared))
    return (
        f'target triple = "{_TRIPLE}"\n\n'
        f"{declared}define void @f({pointers}, ptr noalias %out) #0 {{\n{body}\n}}\n"
        f'attributes #0 = {{ "target-cpu"="{cpu}" }}\n'
    )


def main(argv: Sequence[str] | None = None) -> int:
    """Print a line for each value: LLVM's price and isel's in each spelling."""
    parser = argparse.ArgumentParser(prog="python -m bench.spellings", description=__doc__)
    parser.add_argument("--cpu", default="znver4")
    parser.add_argument("--only", default="", help="values whose name holds this")
    arguments = parser.parse_args(argv)
    options = Options(cpu=arguments.cpu, jobs=1)
    same = below = count = 0
    with LlvmWorker(seconds=300) as worker, make_tools(worker, options, "off") as tools:
        gate = Gate(worker, target_named("x86"), arguments.cpu, "", _TRIPLE)
        for value in VALUES:
            if arguments.only not in value.name:
                continue
            llvm: list[float] = []
            own: list[float] = []
            start = sum(os.times()[:2])
            for spelling in SPELLINGS:
                text = module(value, spelling, arguments.cpu)
                if spelling.passes:
                    text = with_passes(text, arguments.cpu)
                f = rewrite_module(text, options, tools, value.name).report.functions[0]
                kept = 0.0 if f.cost else gate.cost(binding.normalise(text), "f") or 0.0
                cost = f.cost or (kept, kept)
                llvm.append(cost[0])
                own.append(cost[1])
            seconds = sum(os.times()[:2]) - start
            best = min(own)
            count += 1
            equal = all(c <= best + _SLACK for c in own)
            same += equal
            below += best < min(llvm) - _SLACK
            row = " ".join(f"{a:6.2f}>{b:<6.2f}" for a, b in zip(llvm, own, strict=True))
            print(f"{value.name:20} {row} {'' if equal else 'differs'} {seconds:.1f}s", flush=True)
    print(f"{count} values: {same} at the price of the best of five, {below} below LLVM's best")
    return 0


def with_passes(text: str, cpu: str) -> str:
    """Return a module after LLVM's -O3."""
    return binding.optimise(text, triple=_TRIPLE, cpu=cpu, features="")


if __name__ == "__main__":
    sys.exit(main())
