"""Objects of other compilers' IR: rewritten, and made by the LLVM that is linked in."""

from __future__ import annotations

import os
import re
import tempfile
from pathlib import Path
from typing import Final

from isel.cli.launcher import counters
from isel.cli.launcher.classify import Compile
from isel.cli.launcher.compiler import Compiler
from isel.cli.launcher.job import Job
from isel.cli.launcher.remarks import tell, wanted_remarks
from isel.cli.launcher.rewriting import holds_vectors, rewritten

_NUMBERED: Final = re.compile(r'"[^"]*"|%(\d+)\b')  # a type, but for strings, outside of functions
_INSIDE: Final = (" ", "define ")


def object_of(ir: str, words: list[str], source: str, output: str, level: int) -> bytes:
    """Return the object of a module that is rewritten, empty where nothing is, for what the command
    ``words`` makes of a source.  Whatever becomes of it is counted, and in the log.
    """
    counts = {"files": 1}
    with tempfile.TemporaryDirectory(prefix="isel-") as folder:
        own = tuple(words[:1])
        what = Compile(source, output, (), (), level)
        remarks = wanted_remarks((), os.environ)
        job = Job(Compiler(own, own), tuple(words[1:]), 0, what, folder, remarks)
        Path(job.ir).write_text(_with_named_types(ir), errors="surrogateescape")
        found = b""
        if not holds_vectors(job.ir, counts):
            counts["scalar"] = 1
        elif rewritten(job, counts):
            found = Path(job.rewritten).read_bytes()
        if remarks is not None:
            tell(remarks, job.arguments, source, output, found=job.notes, kept="")
    counters.tell_of(output, counts)
    return found


def _with_named_types(ir: str) -> str:
    """Return a module whose types have no numbers, as values have.  A function that uses such a
    type is none to LLVM then, and the module stays as it is.
    """

    def name(found: re.Match[str]) -> str:
        return f"%numbered.{found[1]}" if found[1] else found[0]

    lines = ir.splitlines(keepends=True)
    return "".join(x if x.startswith(_INSIDE) else _NUMBERED.sub(name, x) for x in lines)
