"""The steps by which text that LLVM 22 reads becomes text of an older LLVM."""

from __future__ import annotations

from frontends.llvm.dialect.call_words import Calls
from frontends.llvm.dialect.gaps import close_gaps
from frontends.llvm.dialect.machine import say_machine
from frontends.llvm.dialect.records import say_records
from frontends.llvm.dialect.spelling import say_words
from frontends.llvm.dialect.tape import Tape
from frontends.llvm.text.layout import sizes_of


def take_steps(text: str, version: int, oldest: int) -> str:
    """Return a module in the words of an older LLVM; raise :class:`isel.errors.TooNew`."""
    tape = Tape(text, version)
    if version < oldest:
        raise tape.refused("pointers without types")
    lines = text.split("\n")
    layout = next((x.split('"')[1] for x in lines if x.startswith("target datalayout")), "")
    close_gaps(tape)
    say_words(tape)
    Calls(tape, sizes_of(layout, lines)).say()
    say_machine(tape)
    declarations = say_records(tape)
    return tape.text() + declarations
