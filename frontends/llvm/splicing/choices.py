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


def why_apart(site: Site, view: View, target: Target, knowledge: Knowledge) -> str:
    """Return why new code for a window would choose another time than the source does: an
    instruction of another block, or one that is seen behind the window too; "" if it does not.
    """

    def chooses(i: Instr) -> bool:
        ours = i.opcode == "call" and target.by_call(i.callee) is not None
        return ours and not all(map(knowledge.defined, i.operands))

    inside = {i.name for i in site.nodes}
    here = {view.place(r.name) for r in site.roots}
    for i in filter(chooses, site.nodes):
        if {view.place(i.name)} != here or i.name in site.given:
            return f"%{i.name} chooses in another block than the window"
        if not any(seen_in(i, r.name, inside, view.used_by) for r in site.roots):
            return f"%{i.name} chooses and is seen outside of the window"
    return ""
