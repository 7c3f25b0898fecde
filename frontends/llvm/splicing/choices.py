"""The proof's own look at instructions of the source that choose: an instruction of the machine
takes undef and poison as it likes, each time that it is computed.
"""

from __future__ import annotations

from frontends.llvm.meaning.spread import seen_in
from frontends.llvm.text.ast import Instr
from frontends.llvm.text.view import View
from frontends.llvm.windows.knowledge import Knowledge
from frontends.llvm.windows.scene import Site
from isel.spec.target import Target


class Choices:
    """The choosing instructions of one function of the source, and who sees them."""

    def __init__(self, view: View, target: Target, knowledge: Knowledge) -> None:
        self._view = view
        self._target = target
        self._knowledge = knowledge

    def apart(self, site: Site) -> str:
        """Return why new code for a window would choose another time than the source does: an
        instruction of another block, or one that is seen behind the window too; "" if it does not.
        """
        inside = {i.name for i in site.nodes}
        here = {self._view.place(r.name) for r in site.roots}
        for i in site.nodes:
            if not self._chooses(i):
                continue
            if {self._view.place(i.name)} != here or i.name in site.given:
                return f"%{i.name} chooses in another block than the window"
            if not any(seen_in(i, r.name, inside, self._view.used_by) for r in site.roots):
                return f"%{i.name} chooses and is seen outside of the window"
        return ""

    def _chooses(self, i: Instr) -> bool:
        if i.opcode != "call" or self._target.by_call(i.callee) is None:
            return False
        return not all(self._knowledge.defined(o) for o in i.operands)
