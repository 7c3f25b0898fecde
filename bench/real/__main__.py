"""`python -m bench.real WORK`: exit code 0 if every library behaves behind the launcher as it does
without, 1 otherwise.
"""

from __future__ import annotations

import argparse
import shlex
import subprocess
import sys
from pathlib import Path

from bench.real.build import Build, Failed, Way, built, launcher_in
from bench.real.code import functions_that_differ
from bench.real.compare import compared
from bench.real.library import LIBRARIES, Library
from bench.real.pictures import pictures
from bench.real.speed import timed

_FLAGS = "-O3 -march={cpu} -fPIC -g0 -w -falign-loops=64 -falign-functions=64"


def _arguments() -> argparse.Namespace:
    p = argparse.ArgumentParser(
        prog="python -m bench.real", description=__doc__.partition(":")[2].strip()
    )
    p.add_argument("work", type=Path, help="folder with src/libwebp, src/libjpeg-turbo, …")
    p.add_argument("--compiler", default="clang", help="words of the compiler (default: clang)")
    p.add_argument("--cpu", default="haswell", help="-march of the code (default: haswell)")
    p.add_argument("--flags", default=_FLAGS, help=f"flags (default: {_FLAGS})")
    p.add_argument("--libraries", nargs="*", choices=LIBRARIES, default=list(LIBRARIES))
    p.add_argument(
        "--objects", type=Path, help="compare the code of functions with LIBRARY-*.after.o in here"
    )
    p.add_argument(
        "--speed", action="store_true", help="time what users run, from start to end, too"
    )
    p.add_argument("-j", "--jobs", type=int, default=2, help="processes of a build (default: 2)")
    return p.parse_args()


def main() -> int:
    """Build, test and compare each library; print what was found."""
    arguments = _arguments()
    work: Path = arguments.work.absolute()
    compiler = tuple(shlex.split(arguments.compiler))
    flags = arguments.flags.format(cpu=arguments.cpu)
    plain = Way(compiler, flags, arguments.jobs)
    ours = Way(compiler, flags, arguments.jobs, launcher_in(work / "real"))
    failures = 0
    for name in arguments.libraries:
        try:
            failures += _checked(LIBRARIES[name], work, plain, ours, arguments)
        except (Failed, subprocess.TimeoutExpired) as problem:
            sys.stdout.write(f"{problem}\n")
            failures += 1
    return 1 if failures else 0


def _checked(library: Library, work: Path, plain: Way, ours: Way, asked: argparse.Namespace) -> int:
    """Return how many things differ."""
    first = built(library, work, plain)
    launcher = str(ours.launcher)
    first.must([launcher, "--zero-stats"])
    second = built(library, work, ours)
    said = [f"== {library.name}", first.must([launcher, "--show-stats"]).rstrip()]
    failed = _tests(second)
    said.append(f"own tests: {'none shipped' if not library.test else failed or 'pass'}")
    outputs = compared(first, second, pictures(), work / "real" / library.name / "pictures")
    said.append(f"outputs compared: {outputs.compared}, different: {len(outputs.different)}")
    said += [f"  {what}" for what in outputs.different]
    if asked.objects is not None:
        said.extend(functions_that_differ(first.folder, second.folder, asked.objects, library.name))
    if asked.speed:
        said.append("end to end, CPU seconds: plain, behind isel-cc, ratio")
        said.extend(f"  {t}" for t in timed(first, second, work / "real" / library.name / "speed"))
    sys.stdout.write("\n".join(said) + "\n")
    sys.stdout.flush()
    return bool(failed) + len(outputs.different)


def _tests(build: Build) -> str:
    """Run a library's own tests; return what failed."""
    if not build.library.test:
        return ""
    done = build.run(build.library.test)
    return "" if not done.returncode else done.stdout.decode(errors="replace")[-2000:]


if __name__ == "__main__":
    sys.exit(main())
