"""Makes the archive: the same sources, tool and compiler give the same bytes."""

from __future__ import annotations

import hashlib
import io
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Final

from bench.archive.levels import Level
from bench.harness.clang import ir_with
from bench.harness.kernels import Kernel
from bench.harness.measure import inputs_of
from bench.harness.native import driver_text
from bench.measure.timing import SEED, align_loops, placed
from frontends.llvm.linked import binding
from frontends.llvm.linked.worker import LlvmWorker, WorkerFailed
from frontends.llvm.pipeline.module import rewrite_module
from frontends.llvm.pipeline.options import Options
from frontends.llvm.text.isolate import isolate
from isel import __version__
from isel.api.tools import make_tools, tool_digest
from isel.errors import IselError
from isel.json_text import to_json
from isel.workers import processors

FORMAT: Final = 1
PLACES: Final = (0, 32)  # bytes from a cache line to a function's first
VERSIONS: Final = ("before", "after", "control")
_RUNNER: Final = Path(__file__).with_name("runner.py")
_DATE: Final = (1980, 1, 1, 0, 0, 0)
_DRIVER: Final = "bench.drive"


class NotBuilt(IselError):
    """A library of the archive cannot be made."""


def archive(
    kernels: Sequence[Kernel], levels: Sequence[Level], say: Callable[[str], None]
) -> bytes:
    """Return the archive, which Python runs; raises :class:`NotBuilt` and
    :class:`bench.harness.clang.NoClang`.
    """
    files: dict[str, bytes] = {"__main__.py": _RUNNER.read_bytes()}
    listed = []
    for kernel in kernels:
        arrays, output = inputs_of(kernel, SEED, 0), kernel.empty_output()
        names = [f"{kernel.name}.{k}" for k in range(len(arrays))]
        files |= {name: a.tobytes() for name, a in zip(names, arrays, strict=True)}
        listed.append(
            {
                "name": kernel.name,
                "inputs": names,
                "output": output.nbytes,
                "count": output.size,
                "sha256": hashlib.sha256(kernel.reference(arrays).tobytes()).hexdigest(),
            }
        )
    for level in levels:
        say(f"{level.name} for {level.system}")
        files[level.file] = library(kernels, level)
    manifest = {
        "format": FORMAT,
        "isel": f"{__version__} {tool_digest()[:16]}",
        "kernels": listed,
        "places": PLACES,
        "libraries": [
            {"level": x.name, "system": x.system, "machine": x.machine, "needs": x.needs}
            | {"file": x.file}
            for x in levels
        ],
    }
    files["manifest.json"] = to_json(manifest, sort_keys=True).encode()
    return _packed(files)


def _packed(files: Mapping[str, bytes]) -> bytes:
    out = io.BytesIO(b"#!/usr/bin/env python3\n")
    out.seek(0, io.SEEK_END)
    with zipfile.ZipFile(out, "a") as made:
        for name in sorted(files):
            info = zipfile.ZipInfo(name, _DATE)
            info.create_system, info.external_attr = 3, 0o644 << 16
            made.writestr(info, files[name], zipfile.ZIP_DEFLATED, 9)
    return out.getvalue()


def library(kernels: Sequence[Kernel], level: Level) -> bytes:
    """Return a shared library with a loop around each version of each kernel at each place."""
    flags = (
        ["-dynamiclib", "-Wl,-undefined,dynamic_lookup", "-Wl,-install_name,kernels"]
        if level.system == "Darwin"
        else ["-shared", "-s"]
    )
    return linked(objects(kernels, level), level, ["-nostdlib", *flags])


def objects(kernels: Sequence[Kernel], level: Level) -> list[bytes]:
    """Return an object for each of these loops."""
    made: list[bytes] = []
    with LlvmWorker(seconds=300) as worker:
        for text in _modules(kernels, level):
            code = worker.run(partial(_object, text, level.triple))
            if isinstance(code, WorkerFailed):
                raise NotBuilt(f"{level.name}: {code.reason}")
            made.append(code)
    return made


def linked(code: Sequence[bytes], level: Level, flags: Sequence[str]) -> bytes:
    """Return what objects are linked to; raises :class:`NotBuilt`."""
    with tempfile.TemporaryDirectory() as folder:
        names = [f"{k:04}.o" for k in range(len(code))]
        for name, data in zip(names, code, strict=True):
            (Path(folder) / name).write_bytes(data)
        command = [sys.executable, "-m", "ziglang", "cc", *flags]
        command += ["-target", level.linked, "-o", "out.lib", *names]
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
        if done.returncode:
            said = " ".join(done.stderr.split())[:200]
            raise NotBuilt(f"{level.name} for {level.system} is not linked: {said}")
        return (Path(folder) / "out.lib").read_bytes()


def _modules(kernels: Sequence[Kernel], level: Level) -> Iterator[str]:
    options = Options(jobs=processors())
    with LlvmWorker(seconds=300) as worker, make_tools(worker, options, None) as tools:
        for kernel in kernels:
            done = rewrite_module(
                ir_with(kernel.source, level.clang), options, tools, kernel.source.name
            )
            count = len(inputs_of(kernel, SEED, 0)) + 2
            for version, text in zip(VERSIONS, (done.before, done.text, done.before), strict=True):
                alone = retargeted(isolate(text, kernel.entry), level.triple)
                for place in PLACES:
                    name = symbol(kernel.name, version, place)
                    yield _with_driver(
                        placed(alone, kernel.entry, place), kernel.entry, name, count
                    )


def symbol(kernel: str, version: str, place: int) -> str:
    """Return the name of the loop around a version of a kernel."""
    return f"drive_{kernel}_{version}_{place}"


def _with_driver(text: str, entry: str, name: str, count: int) -> str:
    """Return a module with the loop, its kernel within the module alone."""
    driver = driver_text(entry, count).partition("\n\n")[2].replace(_DRIVER, name)
    lines = text.splitlines()
    at = next(k for k, line in enumerate(lines) if line.startswith("define "))
    lines[at] = lines[at].replace("define ", "define internal ", 1).replace(" dso_local", "", 1)
    return "\n".join(lines) + "\n" + driver


def retargeted(text: str, triple: str) -> str:
    """Return a module for another system of the same machine."""
    own = {"target triple": triple, "target datalayout": binding.data_layout(triple)}
    lines = [line for line in text.splitlines() if not line.startswith(tuple(own))]
    return "\n".join([*(f'{k} = "{v}"' for k, v in own.items()), *lines]) + "\n"


def _object(text: str, triple: str) -> bytes:
    align_loops()
    return binding.object_code(text, triple=triple, cpu="", features="", level=2)
