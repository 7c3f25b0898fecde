"""Which rewrites a build has while ``isel-cc bisect`` looks for one: what became of a module is
kept in the folder ``$ISEL_BISECT``, and taken from there, or what is to be instead.
"""

from __future__ import annotations

import hashlib
import marshal
import os
import re
from collections.abc import Collection, Iterator, Mapping
from typing import Final, NamedTuple

from isel.cli.launcher.light import suppress
from isel.cli.launcher.rewriter import Order, Result, decide
from isel.cli.launcher.whole import write_whole

OFF: Final = "off"  # a file: modules that are not kept yet are not rewritten
WHOLE: Final = ""  # stands for all functions of a module that cannot be told apart
_BODY: Final = re.compile(
    r'^define [^@\n]*@("[^"\n]*"|[-\w$.]+)\(.*?^\}$', re.MULTILINE | re.DOTALL
)
_DECLARE: Final = "declare "


class Module(NamedTuple):
    """A module: what was asked, its text, what became of it, and the text that is to be instead,
    empty where nothing is to be rewritten.
    """

    order: Order
    text: str
    result: Result
    instead: str | None = None

    def functions(self) -> list[str]:
        """Return the names of the functions that are rewritten."""
        new = self.result.new
        if not isinstance(new, str) or _rest(new) != _rest(self.text):
            return [WHOLE]
        after = bodies(new)
        return [name for name, body in bodies(self.text).items() if after.get(name) != body]

    def without(self, off: Collection[str]) -> str | None:
        """Return what is to be instead where some of them are as they were."""
        if not off or set(off) >= set(self.functions()):
            return "" if off else None
        before = bodies(self.text)
        return _with_bodies(str(self.result.new), {name: before[name] for name in off})


def choose(order: Order, text: str) -> tuple[Result, bool]:
    """Return what :func:`isel.cli.launcher.rewriter.decide` does for the build at hand."""
    folder, is_known = os.environ["ISEL_BISECT"], True
    module = _read(os.path.join(folder, _file(order, text)))
    if module is None:
        result, is_known = decide(order, text)
        instead = "" if os.path.exists(os.path.join(folder, OFF)) else None
        module = Module(order, text, result, instead)
        if result.new:
            keep(folder, module)
    result, instead = module[2:]
    if instead is not None:
        result = result._replace(new=instead, rewritten=result.rewritten if instead else 0)
    return result, is_known


def keep(folder: str, module: Module) -> None:
    """Write a module's file; raises :class:`OSError`."""
    row = (tuple(module.order), module.text, tuple(module.result), module.instead)
    data = marshal.dumps(row)  # type: ignore[arg-type]  # texts and numbers
    write_whole(os.path.join(folder, _file(*module[:2])), data)


def modules_in(folder: str) -> Iterator[Module]:
    """Yield the modules of which something was rewritten, by source and object."""
    found = (_read(os.path.join(folder, name)) for name in os.listdir(folder))
    yield from sorted((m for m in found if m), key=lambda m: (m.order.source, *m[:2]))


def bodies(text: str) -> dict[str, str]:
    """Return the definitions of a module's functions by name."""
    return {m[1]: m[0] for m in _BODY.finditer(text)}


def with_function(text: str, other: str, name: str) -> str:
    """Return a module with a function of another one, and what that declares."""
    declared = {x for x in other.split("\n") if x.startswith(_DECLARE)}.difference(text.split("\n"))
    new = _with_bodies(text, {name: bodies(other)[name]})
    return "\n".join((new, *sorted(declared), ""))


def _with_bodies(text: str, new: Mapping[str, str]) -> str:
    return _BODY.sub(lambda m: new.get(m[1], m[0]), text)


def _rest(text: str) -> list[str]:
    """Return the lines by which functions mean the same in two modules."""
    return [x for x in _BODY.sub("", text).split("\n") if x and not x.startswith(_DECLARE)]


def _file(order: Order, text: str) -> str:
    """Return the name of a module's file; an object may be made of several, one after another."""
    return hashlib.sha256(f"{order.output}\0{text}".encode(errors="surrogateescape")).hexdigest()


def _read(path: str) -> Module | None:
    with suppress(OSError, EOFError), open(path, "rb") as file:
        order, text, result, instead = marshal.load(file)
        return Module(Order(*order), text, Result(*result), instead)
    return None
