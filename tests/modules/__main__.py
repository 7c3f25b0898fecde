"""``python -m tests.modules verify``, ``planted`` and ``versions 15=clang-15 …``: every module of
the benchmark; prints the totals, and writes them to ``docs/evidence.md`` with ``--record``.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from bench.harness.machine import host_cpu
from bench.kernels import KERNELS
from frontends.halide.targets import resolve
from isel.errors import IselError
from tests.evidence import EVIDENCE, write_section
from tests.modules.running import ROOT, Rewriter
from tests.modules.sources import Source, sources_of
from tests.modules.verify import over_modules
from tests.modules.versions import Clang, over_versions
from tests.planted.modules import plant

_OUT: Final = ROOT / "bench" / "out" / "modules"


def main() -> int:
    """Run a battery; 1 where something was wrong."""
    arguments = _parser().parse_args()
    try:
        default = host_cpu() if arguments.target == "x86" else "neoverse-n1"
        target = resolve(arguments.target, cpu=arguments.cpu or default)
        rewriter = Rewriter(target, arguments.effort, arguments.out / "cache.sqlite")
        arguments.out.mkdir(parents=True, exist_ok=True)
        chosen = [k for k in KERNELS if re.fullmatch(arguments.kernels, k.name)]
        modules = sources_of(chosen, target)
        title, rows, problems = _WHAT[arguments.what](modules, rewriter, arguments)
    except IselError as error:
        print(f"tests.modules: error: {error.message()}", file=sys.stderr)
        return 1
    print(*rows, *problems, sep="\n")
    if arguments.record:
        which = "" if arguments.kernels == ".*" else f" of the kernels `{arguments.kernels}`"
        what = f"`make {arguments.what}`: the benchmark's modules{which} for {target.cpu}"
        listed = [f"- {p}" for p in problems] or ["Nothing went wrong."]
        body = (f"{what}, rewritten at effort {arguments.effort}.", "", *rows, "", *listed)
        write_section(EVIDENCE, title, "\n".join(body))
    return 1 if problems else 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tests.modules", description=__doc__)
    parser.add_argument("what", choices=_WHAT)
    parser.add_argument("clangs", nargs="*", type=Clang.read, metavar="VERSION=COMMAND")
    parser.add_argument("--target", choices=("x86", "arm"), default="x86", help="of the modules")
    parser.add_argument("--cpu", default="", help="default: the host's, or neoverse-n1")
    parser.add_argument("--effort", type=int, default=1)
    parser.add_argument("--kernels", default=".*", metavar="R", help="kernels by name")
    parser.add_argument("--changes", type=int, default=10, help="of each module (planted)")
    parser.add_argument("--seed", type=int, default=1, help="of these changes")
    parser.add_argument("--out", type=Path, default=_OUT, help="folder of files and the cache")
    parser.add_argument("--record", action="store_true", help="write docs/evidence.md")
    return parser


Said = tuple[str, list[str], list[str]]  # the section's title, its rows, and what went wrong


def _verify(modules: Iterator[Source], rewriter: Rewriter, arguments: argparse.Namespace) -> Said:
    rows, problems = ["no module"], ["there was none"]
    for name, done in over_modules(modules, rewriter, arguments.out):
        print(f"{name}: {done.line()}", flush=True)
        rows, problems = [f"{done.line()}."], done.problems
    return "Rewritten modules", rows, problems


def _planted(modules: Iterator[Source], rewriter: Rewriter, arguments: argparse.Namespace) -> Said:
    rows, problems = ["no module"], ["there was none"]
    rewritten = _rewritten(modules, rewriter, arguments.out)
    for name, done in plant(rewritten, arguments.out, arguments.seed, arguments.changes):
        print(f"{name}: {done.line()}", flush=True)
        rows, problems = [f"{done.line()}. Seed {arguments.seed}."], done.proved
    return "Planted changes", rows, problems


def _rewritten(
    modules: Iterator[Source], rewriter: Rewriter, folder: Path
) -> Iterator[tuple[Source, str]]:
    for module in modules:
        source, out = folder / f"{module.name}.ll", folder / f"{module.name}.22.ll"
        source.write_text(module.text)
        done, windows = rewriter(source, out, "-S")
        if done.code == 0 and windows:
            yield module, out.read_text()


def _versions(modules: Iterator[Source], rewriter: Rewriter, arguments: argparse.Namespace) -> Said:
    rows, problems = ["no module"], ["there was none"]
    for name, done in over_versions(modules, arguments.clangs, rewriter, arguments.out):
        print(f"{name}: {', '.join(f'{w} {n}' for w, n in done.right.items())}", flush=True)
        rows, problems = [*done.rows(), "", f"isel: {done.seconds:.0f} s of CPU."], done.problems
    title = "Older LLVMs" if arguments.target == "x86" else "Older LLVMs for AArch64"
    return title, rows, problems


_WHAT: Final = {"verify": _verify, "planted": _planted, "versions": _versions}


if __name__ == "__main__":
    sys.exit(main())
