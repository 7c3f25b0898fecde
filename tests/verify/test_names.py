"""A user may call values, blocks and functions as isel calls its own: no verdict depends on it.

Each pair ``name_*`` returns a value of the user's that has the name which a rule of the prover gave
to one of its own: what the wrong target returns was then taken for it.
"""

from __future__ import annotations

import re
from itertools import product
from pathlib import Path
from typing import Final

import pytest

from frontends.llvm.linked.binding import normalise
from frontends.llvm.text.ast import Block
from frontends.llvm.text.parse import parse_instruction, parse_module
from frontends.llvm.text.view import View
from isel.errors import BadModule
from isel.model.verdict import Proved
from semantics import target_named
from tests.verdicts import verify_modules

_PAIRS: Final = Path(__file__).parent / "pairs"
_OURS: Final = re.compile(r"%isel\.(double|again|joined|pass\.loop|straight|split)\.\d+")

# What each pair returns, in either function, where it is right.
_RIGHT: Final = {
    "double": ("ret i64 %d.5", "ret i64 %zz"),
    "again": ("ret <8 x i8> %a", "ret <8 x i8> splat (i8 3)"),
    "joined": ("ret <4 x i32> %ab", "ret <4 x i32> %zz"),
    "pass": ("ret i8 %x", "ret i8 %zz"),
    "straight": ("ret <2 x i8> %x", "ret <2 x i8> %zz"),
    "split": ("ret i64 %pi", "ret i64 %zz"),
}
_STEMS: Final = ("double", "again", "joined", "pass.loop", "pass", "straight", "split", "narrow")


def _proves(text: str) -> bool:
    ((_, verdict),) = verify_modules(parse_module(normalise(text)), None, target_named("x86"))
    return isinstance(verdict, Proved)


def _text(name: str) -> str:
    return (_PAIRS / f"name_{name}.ll").read_text().partition("\n")[2]


def _pair(name: str, called: str) -> tuple[str, str]:
    """Return a wrong pair and the right one, whose value is called so."""
    text = _text(name)
    wrong = _OURS.sub(f"%{called}", text)
    assert wrong.count(f"%{called}") == len(_OURS.findall(text)) == 2
    old, new = _RIGHT[name]
    assert wrong.count(old) == 1
    return wrong, wrong.replace(old, new)


@pytest.mark.parametrize("name", _RIGHT)
def test_no_number_is_taken_for_one_of_a_rule(name: str) -> None:
    stem = _OURS.findall(_text(name))[0]
    for called in (f"isel.{s}.{n}" for s, n in product({stem, name}, range(64))):
        wrong, right = _pair(name, called)
        assert not _proves(wrong), called
        assert _proves(right), called


@pytest.mark.parametrize("stem", _STEMS)
def test_no_block_is_taken_for_one_of_a_rule(stem: str) -> None:
    """Blocks and values have one room for names: a rule is applied as before beside such blocks."""
    for name in _RIGHT:
        _, right = _pair(name, "kept")
        for n in (0, 1, 2, 3, 5):
            text = re.sub(r"%(entry|loop)\b", rf"%isel.{stem}.{n}.\1", right)
            text = re.sub(r"^(entry|loop):", rf"isel.{stem}.{n}.\1:", text, flags=re.MULTILINE)
            text = text.replace(f".{n}.loop", f".{n}")
            assert _proves(text), (name, n)


# How opcodes and intrinsics are called, but for ``llvm.``, and others that begin like them.
_LIKE: Final = (
    "and.f", "and", "zext.1", "phi.0", "umin.3", "umax", "mul.7", "add", "add.v8i32", "lshr.i32",
    "select.x", "llvm_umin.v8i16", "llvmumin", "llvm", "umin.v8i32", "trunc.", "shufflevector.2",
)  # fmt: skip


@pytest.mark.parametrize("called", _LIKE)
def test_a_users_function_has_no_bound(called: str) -> None:
    text = (_PAIRS / "called_like_and.ll").read_text().replace("@and.f(", f"@{called}(")
    assert not _proves(text)


@pytest.mark.parametrize("name", ["llvm.umin.v8i32", "autollvm.add.v8i32", "llvm.x86.avx2.psad.bw"])
def test_an_alias_is_no_intrinsic(name: str) -> None:
    """LLVM lets one be called so: it was taken for the intrinsic."""
    kind = "<8 x i32>"
    text = f"""@{name} = alias {kind} ({kind}), ptr @g
define {kind} @g({kind} %a) {{
  ret {kind} %a
}}
define {kind} @f({kind} %a) {{
  %c = call {kind} @{name}({kind} %a)
  ret {kind} %c
}}
"""
    with pytest.raises(BadModule, match="is defined"):
        normalise(text)
    assert f"@x{name}x(" in normalise(text.replace(name, f"x{name}x"))


def test_a_function_of_the_users_is_no_class_of_ours() -> None:
    text = "define <8 x i32> @autollvm.add.v8i32(<8 x i32> %a) {\n  ret <8 x i32> %a\n}\n"
    with pytest.raises(BadModule, match="is defined"):
        normalise(text)


def _view(*lines: str, labels: tuple[str, ...] = ("entry",)) -> View:
    instrs = tuple(parse_instruction(x, k) for k, x in enumerate(lines))
    return View([Block(x, instrs if x == "entry" else ()) for x in labels], arguments=["a"])


@pytest.mark.parametrize(
    "view",
    [
        lambda: _view("%x = add i8 %a, 1", "%x = add i8 %a, 2"),
        lambda: _view("%a = add i8 %a, 1"),
        lambda: _view("%out = add i8 %a, 1", labels=("entry", "out")),
        lambda: _view(labels=("entry", "out", "out")),
    ],
)
def test_two_definitions_of_one_name_are_a_mistake_of_ours(view: object) -> None:
    assert callable(view)
    with pytest.raises(AssertionError, match="two definitions of %"):
        view()


def test_names_that_are_free() -> None:
    view = _view(
        "%isel.3 = add i8 %a, 1", "%isel.5.at = add i8 %a, 1", "%isel.split.7 = add i8 %a, 1",
        labels=("entry", "isel.twice.6", "isel.unlikely.9", f"isel.{'9' * 5000}"),
    )  # fmt: skip
    free = view.free_names()
    assert [next(free) for _ in range(4)] == ["isel.7", "isel.8", "isel.10", "isel.11"]
    assert next(view.free_names("isel.split")) == "isel.split.8"
    assert next(view.free_names("isel.double")) == "isel.double.0"


def test_an_argument_is_no_free_name() -> None:
    (f,) = parse_module(normalise("define void @f(i8 %isel.0) {\n  ret void\n}\n")).functions
    assert next(f.view.free_names()) == "isel.1"
