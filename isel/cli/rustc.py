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
import sys
import tempfile
from pathlib import Path
from typing import Final, NamedTuple, NoReturn

from isel.cli.foreign import object_of
from isel.cli.launcher import children, counters

_LINKED: Final = "ISEL_RUSTC_LINKED"  # for the linker: the crate's prefix, source and level
_LINKER: Final = "cc"  # rustc's where it is told of no other
_LEVELS: Final = {"1": 1, "2": 2, "3": 3, "s": 2, "z": 2}
_CODEGEN: Final = frozenset((
    "opt-level", "embed-bitcode", "codegen-units", "metadata", "extra-filename", "strip",
    "target-cpu", "target-feature", "panic", "debuginfo", "debug-assertions", "overflow-checks",
    "link-arg", "link-args", "rpath", "prefer-dynamic", "symbol-mangling-version",
    "force-frame-pointers", "force-unwind-tables", "dwarf-version",
))  # fmt: skip
_OTHER: Final = ("-Z", "-O", "-o", "--print", "--target", "--test", "@")  # beside a crate's
# Sections of their own, as rustc gives functions: the linker drops what is not called.
_FUNCTION: Final = re.compile(
    r'^(define [^@]*@("?)([\w.$-]+)\2\(.*\) unnamed_addr #\d+)', re.MULTILINE
)


class Crate(NamedTuple):
    """What rustc compiles: its files up to their suffixes, source, level, and whether it links."""

    prefix: str
    source: str
    level: int
    links: bool = True


def entry() -> NoReturn:
    """Run this process's command line as rustc, or as the linker that rustc calls."""
    words = sys.argv[1:]
    prefix, *told = os.environ.pop(_LINKED, "").split("\t")
    children.answer_signals()
    try:
        crate = Crate(prefix, told[0], int(told[1])) if told else None
        code = _link([_LINKER, *words], crate) if crate else _compile(words)
        sys.exit(code if code >= 0 else 1)
    except children.Interrupted as signal:
        children.die_of(signal.number)
    except OSError as error:
        sys.exit(f"isel-rustc: error: {' '.join(words[:1])}: {(error.strerror or '').lower()}")


def _link(words: list[str], crate: Crate) -> int:
    with tempfile.TemporaryDirectory(prefix="isel-") as folder:
        done = [_renew(w, crate, folder) for w in words]
        if done != words and not children.run(done, errors=os.path.join(folder, "said")):
            return 0
    return children.run(words)


def _compile(words: list[str]) -> int:
    crate = None if os.environ.get("ISEL_DISABLE", "0") not in ("", "0") else _crate(words)
    if crate is None:
        return children.run(words)
    more = ["--emit=llvm-ir"]
    if crate.links:
        os.environ[_LINKED] = f"{crate.prefix}\t{crate.source}\t{crate.level}"
        more += ["-C", f"linker={os.path.abspath(sys.argv[0])}"]
    try:
        code = children.run([*words, *more])
        if not code and not crate.links:
            _renew_library(crate)
        return code
    finally:
        own = glob.escape(crate.prefix)
        for path in (*glob.glob(f"{own}.ll"), *glob.glob(f"{own}.*.rcgu.ll")):
            os.unlink(path)


def _crate(words: list[str]) -> Crate | None:
    """Return what a command line compiles, None where it is not understood."""
    parser = argparse.ArgumentParser(add_help=False, allow_abbrev=False, exit_on_error=False)
    parser.add_argument("-C", "--codegen", action="append", default=[])
    for flag in ("--emit", "--crate-type", "--crate-name", "--out-dir"):
        parser.add_argument(flag, action="append")
    try:
        given, rest = parser.parse_known_args(words[1:])
        (kind,), (name,), (folder,) = given.crate_type, given.crate_name, given.out_dir
        (source,), (emit,) = (w for w in rest if w.endswith(".rs")), given.emit
        codegen = dict(c.partition("=")[::2] for c in given.codegen)
        level = _LEVELS[codegen["opt-level"]]
    except (argparse.ArgumentError, TypeError, ValueError, KeyError):
        return None
    emits = {*emit.split(",")} - {"dep-info", "metadata"}
    if not _is_plain(codegen) or emits != {"link"} or any(w.startswith(_OTHER) for w in rest):
        return None
    prefix = os.path.join(folder, name + codegen.get("extra-filename", ""))
    return Crate(prefix, source, level, kind not in ("lib", "rlib"))


def _is_plain(codegen: dict[str, str]) -> bool:
    return codegen.keys() <= _CODEGEN and codegen.get("embed-bitcode") == "no"


def _renew_library(crate: Crate) -> None:
    """Put rewritten objects into the library, which stays as it is where that fails."""
    folder, name = os.path.split(crate.prefix)
    library = os.path.join(folder, f"lib{name}.rlib")
    members = os.fsdecode(children.output_of(["ar", "t", library])).split()
    with tempfile.TemporaryDirectory(prefix="isel-") as made:
        paths = [_renew(os.path.join(folder, m), crate, made) for m in members]
        if new := [p for p in paths if p.startswith(made)]:
            children.run(["ar", "rsD", library, *new], errors=os.path.join(made, "said"))


def _renew(word: str, crate: Crate, folder: str) -> str:
    """Return the rewritten object, in a folder, of an object of the crate, else the word."""
    own, alone = f"{word.removesuffix('.o')}.ll", f"{crate.prefix}.ll"
    ir = Path(alone if "-cgu." in word and os.path.exists(alone) else own)
    if not (word.startswith(f"{crate.prefix}.") and word.endswith(".rcgu.o") and ir.exists()):
        return word
    try:
        text = _FUNCTION.sub(r'\1 section ".text.\3"', ir.read_text(errors="surrogateescape"))
        data = object_of(text, ["rustc"], crate.source, word, crate.level)
        made = os.path.join(folder, os.path.basename(word))
        Path(made).write_bytes(data)
    except Exception as bug:  # the object is there
        counters.log(f"{word}: kept: {type(bug).__name__}: {bug}")
        return word
    return made if data else word
