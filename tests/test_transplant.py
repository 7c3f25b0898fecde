"""Changed source in imported modules: every way in which a function or a name is reached, in
children of their own.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest

from tests.children import Died, Done, in_children
from tests.transplant import NotTransplanted, replaced, transplant

SOURCE = """
from __future__ import annotations
import contextlib
from dataclasses import dataclass
from functools import cache, cached_property

LIMIT = 3

def plain(x):
    return x + 1

@cache
def kept(x):
    return x + 10

def outer(x):
    def inner(y):
        return y + 100
    return inner(x)

def maker(k):
    def run(x):
        return x * k
    return run

TABLE = {"limit": LIMIT, "plain": plain(1), "run": maker(2)}
LATER = (lambda: LIMIT, TABLE["limit"])

@contextlib.contextmanager
def managed():
    yield 7

@dataclass(frozen=True, slots=True)
class Pair:
    a: int

    @property
    def double(self):
        return 2 * self.a

    def more(self):
        return self.a + 5

    @staticmethod
    def nothing():
        return 0

class Lazy:
    @cached_property
    def value(self):
        return 11
"""
USER = "from donor import LATER, LIMIT, TABLE, plain, Pair\n\nRUN = TABLE['run']\n\ndef use():\n    return plain(1) + LIMIT\n"


def modules(folder: Path) -> tuple[ModuleType, ModuleType]:
    found = []
    for name, text in (("donor", SOURCE), ("recipient", USER)):
        (folder / f"{name}.py").write_text(text)
        module = ModuleType(name)
        module.__file__ = str(folder / f"{name}.py")
        sys.modules[name] = module
        exec(compile(text, module.__file__, "exec", dont_inherit=True), vars(module))
        found.append(module)
    return found[0], found[1]


def changed(job: tuple[str, str, str, str]) -> object:
    folder, old, new, asked = job
    donor, user = modules(Path(folder))
    before = eval(asked, {"d": donor, "u": user})
    transplant(donor, replaced(donor, old, new))
    vars(donor)["kept"].cache_clear()
    return before, eval(asked, {"d": donor, "u": user})


def answer(call: Callable[[tuple[str, str, str, str]], object], *job: str) -> Done[object] | Died:
    old, new, asked, folder = job
    ((_, found),) = in_children(call, [(folder, old, new, asked)], jobs=1, seconds=20)
    assert isinstance(found, Done | Died)
    return found


@pytest.mark.parametrize(
    ("old", "new", "asked", "values"),
    [
        ("x + 1\n", "x + 2\n", "u.use()", (5, 6)),
        ("LIMIT = 3", "LIMIT = 4", "u.use()", (5, 6)),
        ("x + 10\n", "x + 20\n", "d.kept(1)", (11, 21)),
        ("y + 100", "y + 200", "d.outer(0)", (100, 200)),
        ("yield 7", "yield 8", "d.managed().__enter__()", (7, 8)),
        ("2 * self.a", "3 * self.a", "u.Pair(1).double", (2, 3)),
        ("self.a + 5", "self.a + 6", "u.Pair(1).more()", (6, 7)),
        ("return 0", "return 9", "u.Pair.nothing()", (0, 9)),
        ("LIMIT = 3", "LIMIT = 4", "u.TABLE['limit']", (3, 4)),
        ("LIMIT = 3", "LIMIT = 4", "u.LATER[0](), u.LATER[1]", ((3, 3), (4, 4))),
        ("x + 1\n", "x + 2\n", "u.TABLE['plain']", (2, 3)),
        ("x * k", "x * k + 1", "u.TABLE['run'](5)", (10, 11)),
        ("x * k", "x * k + 1", "u.RUN(5)", (10, 11)),
        ("return 11", "return 12", "d.Lazy().value", (11, 12)),
    ],
)
def test_a_change_is_seen_everywhere(
    old: str, new: str, asked: str, values: tuple[object, object], tmp_path: Path
) -> None:
    found = answer(changed, old, new, asked, str(tmp_path))
    assert isinstance(found, Done), found
    assert found.value == values


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        ("LIMIT = 3", "LIMIT = 3  # same", "donor is as it was"),
        ("not there", "", "donor holds 0 times, expected once: not there"),
        ("return", "yield", "donor holds 10 times, expected once: return"),
        ("    a: int", "    b: int", "a AnnAssign in Pair"),
        ("import contextlib\n", "", "a definition more or less"),
    ],
)
def test_what_cannot_be_done_is_said(old: str, new: str, why: str, tmp_path: Path) -> None:
    found = answer(changed, old, new, "0", str(tmp_path))
    assert isinstance(found, Died)
    assert found.reason == f"{NotTransplanted.__name__}: {why}"
