"""The rewritten module as it is written: in the user's own lines where they can be kept, in the
words of the LLVM that will read it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from frontends.llvm.dialect.older import NEWEST, has_typed_pointers, older, say_for
from frontends.llvm.linked import binding
from frontends.llvm.splicing.emit import EmissionError
from frontends.llvm.splicing.own import NotPlaced, check_same, in_own_lines
from frontends.llvm.splicing.write import Edits, edit
from frontends.llvm.text.ast import Module
from frontends.llvm.text.parse import parse_module
from isel.errors import BadModule, IselError


@dataclass(frozen=True, slots=True)
class Text:
    """A module with changes: what is new in each function; the module as spliced into LLVM's print,
    as written, and as LLVM prints what it reads of that; what is not changed is not read.

    ``reprinted`` says why what is written is LLVM's print of all of the module; empty where it is
    the user's own lines.
    """

    new: Mapping[str, Edits]
    spliced: Module
    written: str
    printed: Module
    reprinted: str = ""


@dataclass(frozen=True, slots=True)
class Writer:
    """Writes changes of one module: ``own`` is the text that the user gave, ``source`` what LLVM
    printed of it.
    """

    own: str
    source: Module
    version: int
    file: str

    def unchanged(self) -> str:
        """Return the module without changes; raises :class:`isel.errors.TooNew`."""
        return say_for(self.own, self.source.text, self.version)

    def attempt(
        self, edits: Callable[[], Mapping[str, Edits]], old: Mapping[str, Edits]
    ) -> Text | str:
        """Return the module with edits and with old ones of other functions, or why it cannot
        be written or LLVM does not accept it.
        """
        try:
            new = edits()
            return self._change(new, {**old, **new})
        except (EmissionError, IselError) as problem:
            return f"the rewritten module is not accepted: {problem}"

    def _change(self, new: Mapping[str, Edits], changes: Mapping[str, Edits]) -> Text:
        only = frozenset(changes)
        spliced = parse_module(edit(self.source, changes), only)
        whole = parse_module(binding.normalise(spliced.text, self.file), only)
        try:
            text, printed, why = *self._place(changes, whole), ""
        except NotPlaced as problem:
            text, printed, why = whole.text, whole, str(problem)
        if self.version >= NEWEST:
            return Text(new, spliced, text, printed, why)
        text = older(text, self.version)
        printed = parse_module(binding.normalise(text, self.file), only)
        return Text(new, spliced, text, printed, why)

    def _place(self, changes: Mapping[str, Edits], whole: Module) -> tuple[str, Module]:
        if has_typed_pointers(self.own):
            raise NotPlaced("its pointers have types")
        only = frozenset(changes)
        text = in_own_lines(parse_module(self.own, only), self.source, changes)
        try:
            printed = parse_module(binding.normalise(text, self.file), only)
        except BadModule as problem:
            raise NotPlaced(f"LLVM does not accept the changed text: {problem.what}") from None
        check_same(printed, whole, changes)
        return text, printed
