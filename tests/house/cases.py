"""The modules of the guard: kernels of the benchmark for two targets, with debug information and
for older LLVMs; the suites that lie at the border and those that people reported; C++ that may
unwind; and, where its source is at hand, stb_image.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from bench.harness.clang import ir_with
from bench.harness.sources import sources
from bench.kernels import KERNELS
from frontends.halide.targets import resolve
from frontends.llvm.linked import binding
from tests.house.located import located
from tests.modules.sources import sources_of
from tests.suites import SUITES

X86: Final = resolve("x86", cpu="znver5")
ARM: Final = resolve("arm", cpu="neoverse-v1")
_OLDER: Final = ("c_audio_mix", "c_rgb_to_gray", "c_sad", "c_alpha_blend", "c_dot_u8i8")
_ARM_FLAGS: Final = ("-target", "aarch64-linux-musl", "-mcpu=neoverse_v1-sve")
_STB: Final = '#define STB_IMAGE_IMPLEMENTATION\n#define STBI_NO_STDIO\n#include "{}"\n'
_COMPILE: Final = (sys.executable, "-m", "ziglang")
_FLAGS: Final = ("-O3", "-g0", "-S", "-emit-llvm", "-target", "x86_64-linux-gnu", "-march=znver5")


@dataclass(frozen=True, slots=True)
class Case:
    """A module's text and the flags of ``isel opt`` that it is rewritten with."""

    name: str
    text: str
    flags: tuple[str, ...] = ()


def write_modules(folder: Path, stb: Path | None) -> None:
    """Make the modules that compilers and Halide make, as files of a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in _compiled(stb):
        (folder / f"{name}.ll").write_text(text)


def _compiled(stb: Path | None) -> Iterator[tuple[str, str]]:
    for source in sources_of(KERNELS, X86):
        yield f"x86.{source.name}", source.text
    for kernel in KERNELS:
        if kernel.kind == "c":
            yield f"arm.{kernel.name}.clang", ir_with(kernel.source, _ARM_FLAGS)
            continue
        for pair in sources(kernel, ARM, 0).pairs:
            yield f"arm.{kernel.name}.{pair.base}", pair.text
    unwinding = Path(__file__).parent / "unwinding.cpp"
    yield "cpp.unwinding", _clang("c++", unwinding)
    if stb is not None:
        made = stb.parent / "isel_house_stb.c"
        made.write_text(_STB.format(stb.name))
        try:
            yield "stb_image", _clang("cc", made)
        finally:
            made.unlink()


def _clang(driver: str, source: Path) -> str:
    """Return the LLVM IR of a file, as LLVM 22 prints it."""
    with tempfile.TemporaryDirectory() as folder:
        made = Path(folder) / "made.ll"
        command = [*_COMPILE, driver, *_FLAGS, source.name, "-o", str(made)]
        done = subprocess.run(
            command, cwd=source.parent, capture_output=True, text=True, check=False
        )
        if done.returncode:
            raise AssertionError(f"{source.name}: {done.stderr}")
        return binding.normalise(made.read_text(), source.name)


def cases(folder: Path) -> Iterator[Case]:
    """Yield the cases over the files that :func:`write_modules` made, and over the suites."""
    made = sorted(folder.glob("*.ll"))
    for path in made:
        yield Case(path.stem, path.read_text(), _machine(path.stem))
    for path in (p for p in made if p.stem.startswith(("x86.", "arm."))):
        yield Case(f"{path.stem}.g", located(path.read_text()), _machine(path.stem))
    for path in (p for p in made if p.stem.split(".")[1:] in _older()):
        if path.stem.startswith("x86."):
            text = path.read_text()
            for version in ("15", "19"):
                flags = (*_machine(path.stem), f"--llvm-version={version}")
                yield Case(f"{path.stem}.{version}", text, flags)
    for suite in ("border", "reports"):
        for path in sorted((SUITES / suite).glob("*.ll")):
            yield Case(f"{suite}.{path.stem}", path.read_text(), _named(path.stem))


def _older() -> Sequence[list[str]]:
    return [[name, "clang"] for name in _OLDER]


def _machine(name: str) -> tuple[str, ...]:
    cpu = ARM.cpu if name.startswith("arm.") else X86.cpu
    return (f"-mcpu={cpu}",)


def _named(name: str) -> tuple[str, ...]:
    return ("-mcpu=neoverse-v1",) if name.startswith("a64_") else ("-mcpu=znver5",)
