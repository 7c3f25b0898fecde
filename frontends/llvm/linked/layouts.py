"""Data layouts of modules that name a triple alone, as LLVM has them."""

from __future__ import annotations

from dataclasses import replace

from frontends.llvm.linked import binding
from frontends.llvm.text.ast import Module


def with_layout(module: Module, triple: str) -> Module:
    """Return a module with the data layout under which it is compiled: its own, or that of the
    triple where it names none or another triple.
    """
    triple = triple or module.triple or binding.host_triple()
    if (module.layout and module.triple == triple) or not binding.known_triple(triple):
        return module
    return replace(module, layout=binding.data_layout(triple))


def with_own_layout(module: Module) -> Module:
    """Return a module with the data layout of its triple where it names a known one and no layout:
    what a proof asks for.
    """
    return with_layout(module, "") if module.triple else module
