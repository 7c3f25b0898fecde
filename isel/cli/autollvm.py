"""AutoLLVM on the command line: what is emitted, and comments that are checked."""

from __future__ import annotations

import re
import sys

from equiv_classes.dictionary import dictionary
from frontends.autollvm.write import write_autollvm
from frontends.llvm.linked import binding
from isel.errors import UnknownName
from isel.spec.target import Target
from semantics import target_for


def autollvm_text(text: str, triple: str) -> str:
    """Return a module with its target intrinsics as AutoLLVM calls, and say which stay."""
    triple = triple or triple_of(text) or binding.host_triple()
    target = known_target(triple)
    if target is None:
        say_unknown(triple)
        return text
    written = write_autollvm(text, target, dictionary())
    for name, why in written.left:
        sys.stderr.write(f"isel: remark: '@{name}' stays: {why}\n")
    return written.text


def triple_of(text: str) -> str:
    """Return the triple that a module names, empty where it names none."""
    found = re.search(r'^target triple = "([^"]*)"', text, re.MULTILINE)
    return found[1] if found is not None else ""


def known_target(triple: str) -> Target | None:
    """Return the target of a triple, None where it has no semantics."""
    try:
        return target_for(triple) if triple else None
    except UnknownName:
        return None


def say_unknown(triple: str) -> None:
    """Remark that a module is left alone."""
    sys.stderr.write(f"isel: remark: {triple}: no semantics of its instructions, left alone\n")
