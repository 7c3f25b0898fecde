"""What runs where the archive is sent: Python from 3.9 on, as systems have it, and nothing else.

    python3 isel-bench.pyz > table.txt

It takes out the libraries whose instructions this machine has, compares each version of each kernel
with the result that is known, and times them in turns, in two runs; then it prints one table, to be
sent back as text.  Nothing is installed, nothing goes over a network.
"""

from __future__ import annotations

import argparse
import ctypes
import hashlib
import json
import os
import platform
import statistics
import subprocess
import sys
import tempfile
import time
import zipfile
import zlib
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import NamedTuple, TypedDict

FLOOR = 0.98
ROUNDS = (21, 41, 81)  # of a run; more where two runs do not agree
ROUND_NS = 1_000_000
STEADY = 0.02  # how far a copy of the original may be from it
ALIKE = 0.1  # how far apart two ratios on the same side of the floor may be
VERSIONS = ("before", "after", "control")
COLUMNS = "level kernel before_ns after_ns ratio again control verdict"
HEAD = "isel-bench 1"
_ALIGNED = 64
_FILL = b"\x5a"  # what outputs hold before a call

Runner = Callable[[int], object]
Places = list[dict[str, Runner]]
Clock = Callable[[], int]


class KernelEntry(TypedDict):
    """A kernel of the archive: files of its inputs, bytes and elements of the output, its hash."""

    name: str
    inputs: list[str]
    output: int
    count: int
    sha256: str


class LibraryEntry(TypedDict):
    """A library of the archive and what it is for."""

    level: str
    system: str
    machine: str
    needs: list[str]
    file: str


class Manifest(TypedDict):
    """What is in the archive."""

    format: int
    isel: str
    kernels: list[KernelEntry]
    places: list[int]
    libraries: list[LibraryEntry]


class Once(NamedTuple):
    """One run: least nanoseconds of before and after, how many times as fast after and a copy of
    before are, as medians over places.
    """

    before: float
    after: float
    ratio: float
    control: float


class Wrong(Exception):
    """A version's result is not the one that is known."""


def compare(
    places: Places, rounds: int, round_ns: int = ROUND_NS, clock: Clock = time.thread_time_ns
) -> Once:
    """Time all versions in turns at each place."""
    found = []
    for runs in places:
        calls = {name: _calls(run, round_ns, clock) for name, run in runs.items()}
        least = dict.fromkeys(runs, float("inf"))
        names = list(runs)
        for turn in range(rounds):
            shift = turn % len(names)
            for name in names[shift:] + names[:shift]:
                taken = _clocked(runs[name], calls[name], clock) / calls[name]
                least[name] = min(least[name], taken)
        found.append(least)
    return Once(
        min(f["before"] for f in found),
        min(f["after"] for f in found),
        statistics.median(f["before"] / f["after"] for f in found),
        statistics.median(f["before"] / f["control"] for f in found),
    )


def _clocked(run: Runner, calls: int, clock: Clock) -> int:
    start = clock()
    run(calls)
    return max(clock() - start, 1)


def _calls(run: Runner, round_ns: int, clock: Clock) -> int:
    """Return how many calls take a round; warms up on the way."""
    calls = 1
    while True:
        taken = _clocked(run, calls, clock)
        if taken >= round_ns // 4 or calls >= 1 << 30:
            return max(1, int(calls * round_ns * 1.2 / taken))
        calls *= 2


def judge(run: Callable[[int], Once]) -> tuple[Once, Once, bool]:
    """Return two runs and whether they agree, with more rounds until they do."""
    for rounds in ROUNDS:
        first, second = run(rounds), run(rounds)
        steady = all(abs(x.control - 1) <= STEADY for x in (first, second))
        a, b = first.ratio, second.ratio
        if steady and (a < FLOOR) == (b < FLOOR) and abs(a - b) <= ALIKE * min(a, b):
            return first, second, True
    return first, second, False


def row(level: str, kernel: str, first: Once, second: Once, agree: bool) -> list[str]:
    """Return the cells of a kernel."""
    ratios = round(first.ratio, 3), round(second.ratio, 3)
    said = ("slower" if max(ratios) < FLOOR else "ok") if agree else "noisy"
    least = min(first.before, second.before), min(first.after, second.after)
    figures = [f"{x:.2f}" for x in least] + [f"{x:.3f}" for x in ratios]
    return [level, kernel, *figures, f"{min(first.control, second.control):.3f}", said]


def text_of(facts: Iterable[tuple[str, str]], rows: Sequence[Sequence[str]]) -> str:
    """Return the table: facts, rows, and a sum over what is before it."""
    lines = [HEAD, *(f"{name}: {' '.join(value.split())}" for name, value in facts), COLUMNS]
    lines += [" ".join(r) for r in rows]
    total = zlib.crc32("\n".join(lines).encode())
    return "\n".join([*lines, f"end {len(rows)} {total:08x}"])


def features(system: str) -> set[str]:
    """Return what this machine's instructions are called by its system."""
    if system == "Darwin":
        out = _said(["sysctl", "-a"])
        pairs = (line.partition(": ")[::2] for line in out.lower().splitlines())
        return {name for name, value in pairs if value.strip() == "1"}
    found: set[str] = set()
    for name, value in _cpuinfo():
        if name.lower() in ("flags", "features"):
            found |= set(value.split())
    return found


def _cpuinfo() -> list[tuple[str, str]]:
    try:
        with open("/proc/cpuinfo", encoding="utf-8", errors="replace") as file:
            lines = [line.partition(":") for line in file]
    except OSError:
        return []
    return [(name.strip(), value.strip()) for name, _, value in lines]


def _said(command: Sequence[str]) -> str:
    try:
        done = subprocess.run(
            command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False
        )
    except OSError:
        return ""
    return done.stdout.decode(errors="replace")


def model(system: str) -> str:
    """Return what this CPU calls itself, or the numbers of its parts."""
    if system == "Darwin":
        return _said(["sysctl", "-n", "machdep.cpu.brand_string"]).strip() or "unknown"
    named = dict(_cpuinfo())
    parts = [f"{k} {named[k]}" for k in ("CPU implementer", "CPU part") if k in named]
    return named.get("model name") or " ".join(parts) or platform.processor() or "unknown"


def fitting(manifest: Manifest, system: str, machine: str, has: set[str]) -> list[LibraryEntry]:
    """Return the libraries that a machine runs."""
    return [
        x
        for x in manifest["libraries"]
        if (x["system"], x["machine"]) == (system, machine) and set(x["needs"]) <= has
    ]


class Buffer:
    """Bytes at an aligned address."""

    def __init__(self, contents: bytes) -> None:
        self.size = len(contents)
        self._memory = ctypes.create_string_buffer(self.size + 4096 + _ALIGNED)
        start = ctypes.addressof(self._memory) + 2048
        self.address = start + -start % _ALIGNED
        self.write(contents)

    def write(self, contents: bytes) -> None:
        """Replace the contents."""
        ctypes.memmove(self.address, contents, len(contents))

    def read(self) -> bytes:
        """Return the contents."""
        return ctypes.string_at(self.address, self.size)


def places_of(
    library: ctypes.CDLL, manifest: Manifest, kernel: KernelEntry, data: Callable[[str], bytes]
) -> Places:
    """Return, for each place, what runs each version a number of times; raises :class:`Wrong`."""
    inputs = [Buffer(data(name)) for name in kernel["inputs"]]
    output = Buffer(bytes(kernel["output"]))
    words = [b.address for b in (*inputs, output)] + [kernel["count"]]
    found: Places = []
    for place in manifest["places"]:
        runs: dict[str, Runner] = {}
        for version in VERSIONS:
            loop = library[f"drive_{kernel['name']}_{version}_{place}"]
            loop.argtypes, loop.restype = [ctypes.c_int64] * (len(words) + 1), None
            output.write(_FILL * output.size)
            loop(1, *words)
            if hashlib.sha256(output.read()).hexdigest() != kernel["sha256"]:
                raise Wrong(f"{version} of {kernel['name']} computes something else")
            runs[version] = partial(_run, loop, words, inputs, output)
        found.append(runs)
    return found


def _run(loop: Callable[..., object], words: Sequence[int], *rest: object) -> object:
    """Call a loop; what is between words and the number of calls is memory, which must live."""
    return loop(rest[-1], *words)


def main(words: Sequence[str] | None = None, path: str = "") -> int:
    """Print the table; 1 where nothing in the archive runs here, or a result is wrong."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--only", default="", help="only kernels whose name holds this")
    parser.add_argument("--quick", action="store_true", help="a look: figures mean nothing")
    asked = parser.parse_args(words)
    system, machine = platform.system(), platform.machine()
    with zipfile.ZipFile(path or sys.argv[0]) as archive, tempfile.TemporaryDirectory() as folder:
        manifest: Manifest = json.loads(archive.read("manifest.json").decode())
        chosen = fitting(manifest, system, machine, features(system))
        if not chosen:
            here = f"{system} {machine}, {model(system)}"
            sys.stderr.write(f"isel-bench: nothing in this archive runs here: {here}\n")
            return 1
        rows = []
        for entry in chosen:
            library = ctypes.CDLL(archive.extract(entry["file"], folder))
            for kernel in manifest["kernels"]:
                if asked.only not in kernel["name"]:
                    continue
                sys.stderr.write(f"{entry['level']} {kernel['name']}\n")
                try:
                    places = places_of(library, manifest, kernel, archive.read)
                except Wrong as problem:
                    sys.stderr.write(f"isel-bench: {entry['level']}: {problem}\n")
                    return 1
                length = ROUND_NS // 100 if asked.quick else ROUND_NS
                found = judge(partial(compare, places, round_ns=length))
                rows.append(row(entry["level"], kernel["name"], *found))
    facts = [
        ("archive", manifest["isel"]),
        ("cpu", model(system)),
        ("system", f"{system} {machine}"),
        ("python", platform.python_version()),
        ("processors", str(os.cpu_count())),
    ]
    sys.stdout.write(f"{text_of(facts, rows)}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
