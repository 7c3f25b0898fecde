"""Which rewrites a build has while ``isel-cc bisect`` looks for one: the folder ``$ISEL_BISECT``
has a file for each module of which something is rewritten, with the flags that hold for it.
"""

from __future__ import annotations

import hashlib
import marshal
import os
from collections.abc import Iterator
from typing import Final, NamedTuple

from isel.cli.launcher.light import suppress
from isel.cli.launcher.rewriter import Order, Result, decide
from isel.cli.launcher.whole import write_whole

OFF: Final = "off"  # a file: modules that are not known yet are not rewritten


class Module(NamedTuple):
    """A module: what was asked, its text, the remarks of all that is rewritten, and the flags that
    now leave a part of it, None where nothing is rewritten.
    """

    order: Order
    text: str
    remarks: str
    flags: str | None = ""

    def decide(self) -> Result:
        """Return what becomes of it with these flags."""
        flags = f"{self.order.flags} {self.flags}".strip()
        return decide(self.order._replace(flags=flags), self.text)[0]


def choose(order: Order, text: str) -> tuple[Result, bool]:
    """Return what :func:`isel.cli.launcher.rewriter.decide` does, for the build at hand."""
    folder = os.environ["ISEL_BISECT"]
    module = _read(os.path.join(folder, _file(order, text)))
    if module is not None:
        return (Result(0, 0, 0, "") if module.flags is None else module.decide()), False
    is_off = os.path.exists(os.path.join(folder, OFF))
    result, is_known = (Result(0, 0, 0, ""), False) if is_off else decide(order, text)
    if is_off or result.new:
        keep(folder, Module(order, text, result.remarks, None if is_off else ""))
    return result, is_known


def keep(folder: str, module: Module) -> None:
    """Write a module's file; raises :class:`OSError`."""
    data = marshal.dumps((tuple(module.order), *module[1:]))
    write_whole(os.path.join(folder, _file(*module[:2])), data)


def modules_in(folder: str) -> Iterator[Module]:
    """Yield all modules, by source and object."""
    found = (_read(os.path.join(folder, name)) for name in os.listdir(folder))
    yield from sorted((m for m in found if m), key=lambda m: (m.order.source, *m[:2]))


def _file(order: Order, text: str) -> str:
    """Return the name of a module's file; an object may be made of several, one after another."""
    return hashlib.sha256(f"{order.output}\0{text}".encode(errors="surrogateescape")).hexdigest()


def _read(path: str) -> Module | None:
    with suppress(OSError, EOFError), open(path, "rb") as file:
        order, text, remarks, flags = marshal.load(file)
        return Module(Order(*order), text, remarks, flags)
    return None
