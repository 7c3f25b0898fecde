"""``RUSTC_WRAPPER=isel-rustc``: rustc as it stands, told to leave its LLVM IR; objects of what is
rewritten take their places in the library, or before the linker, for which this program stands in
then.

What is not understood is rustc's alone, and so is the outcome where something goes wrong here.
"""

from __future__ import annotations

import argparse
import glob
import os
import re
import subprocess
import sys
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import Final, NamedTuple, NoReturn

from isel.cli.launcher import children, counters
from isel.cli.launcher.foreign import object_of

_LINKED: Final = "ISEL_RUSTC_LINKED"  # for the linker: the crate's prefix, source and level
_LINKER: Final = "cc"  # rustc's where it is told of no other
_LEVELS: Final = {"1": 1, "2": 2, "3": 3, "s": 2, "z": 2}
_CODEGEN: Final = frozenset(
    "opt-level embed-bitcode codegen-units metadata extra-filename strip target-cpu target-feature "
    "panic debuginfo debug-assertions overflow-checks link-arg link-args rpath prefer-dynamic "
    "symbol-mangling-version force-frame-pointers force-unwind-tables dwarf-version".split()
)
_OTHER: Final = ("-Z", "-O", "-o", "--print", "--target", "--test", "@")  # beside a crate's
# Sections of their own, as rustc gives functions: the linker drops what is not called.
_FUNCTION: Final = re.compile(r'^(define [^@]*@("?)([\w.$-]+)\2\(.*\) unnamed_addr #\d+)', re.MULTILINE)


class Crate(NamedTuple):
    """What rustc compiles: what its files are called up to their suffixes, its source and the
    level.
    """

    prefix: str
    source: str
    level: int

    def units(self) -> list[str]:
        """Return the files of IR."""
        own = glob.escape(self.prefix)
        return [*glob.glob(f"{own}.ll"), *glob.glob(f"{own}.*.rcgu.ll")]


def entry() -> NoReturn:
    """Run this process's command line as rustc, or as the linker that rustc calls."""
    words = sys.argv[1:]
    prefix, *told = os.environ.pop(_LINKED, "").split("\t")
    children.answer_signals()
    try:
        if told:
            code = _link([_LINKER, *words], Crate(prefix, told[0], int(told[1])))
        else:
            code = _compile(words)
        sys.exit(code if code >= 0 else 1)
    except children.Interrupted as signal:
        children.die_of(signal.number)
    except OSError as error:
        sys.exit(f"isel-rustc: error: {' '.join(words[:1])}: {(error.strerror or '').lower()}")


def _link(words: list[str], crate: Crate) -> int:
    with tempfile.TemporaryDirectory(prefix="isel-") as folder:
        done = _renewed(words, crate, folder)
        if done != words and not children.run(done, errors=os.path.join(folder, "said")):
            return 0
    return children.run(words)


def _compile(words: list[str]) -> int:
    off = os.environ.get("ISEL_DISABLE", "0") not in ("", "0")
    crate, kind = (None, "") if off else _crate(words)
    if crate is None:
        return children.run(words)
    more = ["--emit=llvm-ir"]
    if kind not in ("lib", "rlib"):
        os.environ[_LINKED] = f"{crate.prefix}\t{crate.source}\t{crate.level}"
        more += ["-C", f"linker={os.path.abspath(sys.argv[0])}"]
    try:
        code = children.run([*words, *more])
        if not code and len(more) == 1:
            _renew_library(crate)
        return code
    finally:
        for path in crate.units():
            os.unlink(path)


def _crate(words: list[str]) -> tuple[Crate | None, str]:
    """Return what a command line compiles, None where it is not understood, and its type."""
    parser = argparse.ArgumentParser(add_help=False, allow_abbrev=False, exit_on_error=False)
    parser.add_argument("-C", "--codegen", action="append", default=[])
    for flag in ("--emit", "--crate-type", "--crate-name", "--out-dir"):
        parser.add_argument(flag, action="append")
    try:
        given, rest = parser.parse_known_args(words[1:])
        (kind,), (name,), (folder,) = given.crate_type, given.crate_name, given.out_dir
        (source,) = (w for w in rest if w.endswith(".rs"))
        codegen = dict(c.partition("=")[::2] for c in given.codegen)
        level = _LEVELS[codegen["opt-level"]]
    except (argparse.ArgumentError, TypeError, ValueError, KeyError):
        return None, ""
    emits = set(",".join(given.emit or ()).split(",")) - {"dep-info", "metadata"}
    plain = codegen.keys() <= _CODEGEN and codegen.get("embed-bitcode") == "no"
    if not plain or emits != {"link"} or any(w.startswith(_OTHER) for w in rest):
        return None, ""
    return Crate(
        os.path.join(folder, name + codegen.get("extra-filename", "")), source, level
    ), kind


def _renew_library(crate: Crate) -> None:
    """Put rewritten objects into the library, which stays as it is where that fails."""
    folder, name = os.path.split(crate.prefix)
    library = os.path.join(folder, f"lib{name}.rlib")
    members = os.fsdecode(children.output_of(["ar", "t", library])).split()
    paths = [os.path.join(folder, m) for m in members]
    with tempfile.TemporaryDirectory(prefix="isel-") as made, suppress(OSError):
        new = [n for n in _renewed(paths, crate, made) if n not in paths]
        if new:
            subprocess.run(["ar", "rsD", library, *new], check=False, capture_output=True)


def _renewed(words: list[str], crate: Crate, folder: str) -> list[str]:
    """Return words with rewritten objects, in a folder, for objects of the crate."""
    found = [*words]
    for k, word in enumerate(words):
        if word.startswith(f"{crate.prefix}.") and word.endswith(".rcgu.o"):
            own, alone = f"{word.removesuffix('.o')}.ll", f"{crate.prefix}.ll"
            ir = Path(own if os.path.exists(own) or "-cgu." not in word else alone)
            try:
                text = _FUNCTION.sub(
                    r'\1 section ".text.\3"', ir.read_text(errors="surrogateescape")
                )
                data = object_of(text, ["rustc"], crate.source, word, crate.level)
            except Exception as bug:  # the object is there
                counters.log(f"{word}: kept: {type(bug).__name__}: {bug}")
                continue
            if data:
                found[k] = os.path.join(folder, os.path.basename(word))
                Path(found[k]).write_bytes(data)
    return found
