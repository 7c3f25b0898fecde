"""``python -m tests.across.trip FILES``: modules rewritten, written as AutoLLVM and lowered again for
their own machine: are calls left, is it proved, is the machine code the same?  With ``--kernels``
the benchmark's C kernels and ten of vector IR as well.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from itertools import chain
from pathlib import Path

from bench.harness.sources import sources
from bench.kernels import KERNELS
from bench.ten import KERNELS as TEN
from equiv_classes.dictionary import dictionary
from frontends.autollvm.comments import without_comments
from frontends.autollvm.module import Aim, lower_module
from frontends.autollvm.write import write_autollvm
from frontends.halide.targets import resolve
from frontends.llvm.linked import binding
from frontends.llvm.linked.worker import LlvmWorker
from frontends.llvm.pipeline.options import Options
from isel.api.tools import make_tools, rewrite
from isel.cli.lower import place_of
from isel.model.verdict import Proved


def main() -> int:
    """Print a line a file, then how many are the same; returns 1 where something is not proved."""
    count = same = proved = 0
    files = (Path(x) for x in sys.argv[1:] if x != "--kernels")
    modules = ((p.name, p.read_text()) for p in files)
    for name, text in chain(modules, kernels() if "--kernels" in sys.argv else ()):
        found = trip(name, text)
        count += 1
        same += found[0]
        proved += found[1]
        sys.stdout.write(f"{name:28} {found[2]}\n")
        sys.stdout.flush()
    sys.stdout.write(f"{count} modules, {proved} proved, {same} with the same machine code\n")
    return int(proved < count)


def kernels() -> Iterator[tuple[str, str]]:
    """Yield the modules of the benchmark's C kernels and of the ten in natural form."""
    target = resolve("x86", cpu="sapphirerapids")
    for kernel in (*(k for k in KERNELS if k.kind == "c"), *TEN):
        yield f"{kernel.name} ({kernel.kind})", sources(kernel, target, 0).pairs[0].text


def trip(name: str, text: str) -> tuple[bool, bool, str]:
    """Return whether code is the same, whether all is proved, and what was found in words."""
    given = argparse.Namespace(mtriple=None, mcpu=None, mattr=None)
    place = place_of(given, text)
    assert place is not None
    aim, machine, target = place.aim, place.machine, place.machine.target
    options = Options(triple=aim.triple, cpu=aim.cpu, features=aim.features)
    with LlvmWorker() as worker, make_tools(worker, options, None) as tools:
        done = rewrite(text, options, tools, name).text
    auto = write_autollvm(done, target, dictionary())
    back = lower_module(
        without_comments(auto.text), aim, machine, dictionary(), None, plain=False, source=target
    )
    codes = [code(t, aim) for t in (done, back.text)]
    proved = not back.left and all(isinstance(a.verdict, Proved) for a in back.proofs)
    words = f"{auto.count} calls, {len(back.left)} left"
    words += ", same code" if codes[0] == codes[1] else ", other code"
    return codes[0] == codes[1], proved, words + ("" if proved else ", NOT PROVED")


def code(text: str, aim: Aim) -> str:
    """Return assembly without names of files and comments."""
    found = binding.assembly(text, level=2, triple=aim.triple, cpu=aim.cpu, features=aim.features)
    kept = (x.split("//")[0].split(" #")[0].rstrip() for x in found.splitlines())
    return "\n".join(x for x in kept if x and not x.strip().startswith((".file", "#", "//", ".")))


if __name__ == "__main__":
    sys.exit(main())
