"""What became of an object, told where people look: files in the folder that ``$ISEL_REMARKS``
names, and what clang's own flags ask for, behind what clang says.
"""

from __future__ import annotations

import os

from isel.cli.launcher import counters
from isel.cli.launcher.light import Record
from isel.cli.launcher.notices import say_once
from isel.cli.launcher.whole import write_whole

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Final

    from isel.cli.remarks.findings import Finding

LOCATED: Final = "-Rpass=^$"  # of clang: lines are in the IR, and nothing is said


class Wanted(Record):
    """Remarks that are wanted: a folder for files, and flags with their values as in
    :class:`isel.cli.launcher.classify.Compile`.
    """

    folder: str
    flags: tuple[tuple[str, str], ...]


def wanted_remarks(
    flags: tuple[tuple[str, str], ...], environment: Mapping[str, str]
) -> Wanted | None:
    """Return what is wanted of a compile with these flags."""
    folder = environment.get("ISEL_REMARKS", "")
    return Wanted(folder, flags) if folder or flags else None


def tell(
    wanted: Wanted, command: Sequence[str], source: str, output: str, *, found: str, kept: str
) -> None:
    """Tell what became of an object.  ``found`` is a file with what the rewriter knows, empty or
    absent where there was nothing to rewrite; ``kept`` is why the object is as written after all.

    Whatever fails is a line of the log, and one for the user where a folder cannot be written.
    """
    try:
        findings, text = _read(found, kept, source)
        flags = dict(wanted.flags)
        if "file" in flags:
            _append(flags["file"], flags["passes"], text)
        _print(findings, wanted.flags)
        if wanted.folder:
            _write(wanted.folder, output, findings, text)
    except OSError as error:
        why = f"{error.filename or wanted.folder}: {(error.strerror or str(error)).lower()}"
        say_once(f"warning: no remarks: {why}", command, os.environ)
        counters.log(f"{output}: no remarks: {why}")
    except Exception as bug:  # an object is what counts
        counters.log(f"{output}: no remarks: {type(bug).__name__}: {bug}")


def _read(found: str, kept: str, source: str) -> tuple[list[Finding], str]:
    """Return findings and the YAML of an object."""
    import json

    from isel.cli.remarks.findings import Finding, as_written, with_path

    here = os.getcwd()
    if kept:
        return [with_path(as_written(source, kept), here)], ""
    if not os.path.exists(found):
        return [], ""
    with open(found, encoding="utf-8", errors="surrogateescape") as file:
        rows, text = json.load(file)
    return [with_path(Finding(*row), here) for row in rows], str(text)


def _print(findings: Sequence[Finding], flags: Sequence[tuple[str, str]]) -> None:
    from isel.cli.remarks.lines import remark_lines

    lines = "".join(f"{line}\n" for line in remark_lines(findings, flags, os.getcwd()))
    if lines:
        os.write(2, lines.encode(errors="surrogateescape"))


def _append(file: str, passes: str, text: str) -> None:
    """Add our document to clang's."""
    from isel.cli.remarks.lines import wants

    if text and wants(passes) and os.path.isfile(file):
        with open(file, "a", encoding="utf-8", errors="surrogateescape") as out:
            out.write(text)


def _write(folder: str, output: str, findings: Sequence[Finding], text: str) -> None:
    """Write the two files of an object, each whole or not at all."""
    import hashlib

    from isel.cli.remarks.sarif import sarif

    os.makedirs(folder, exist_ok=True)
    whole = os.path.abspath(output).encode(errors="surrogateescape")
    name = f"{os.path.basename(output)}-{hashlib.sha256(whole).hexdigest()[:12]}"
    for suffix, data in (("yaml", text), ("sarif", sarif(findings, os.getcwd(), named=True))):
        path = os.path.join(folder, f"{name}.{suffix}")
        write_whole(path, data.encode(errors="surrogateescape"), 0o666)
