"""How many modules write an instruction of LLVM IR by hand, as a string with holes: who builds IR
(:mod:`frontends.llvm.text.build`) may, and few others.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[1]
MOST: Final = 4
_HOLE: Final = "\0"
_KIND: Final = rf"(?:{_HOLE}|<|\[|i\d|ptr\b)"
_BINARY: Final = "add|sub|mul|[us]div|[us]rem|shl|[la]shr|and|or|xor"
_INSTRUCTION: Final = re.compile(
    rf"(?:^|\n)\s*(?:%?{_HOLE}[\w.]* = )?(?:"
    rf"(?:{_BINARY})(?: nuw| nsw| exact| disjoint)* {_KIND}.*,|icmp (?:\w+|{_HOLE}) {_KIND}[^(]*,"
    rf"|(?:trunc|[zs]ext|bitcast|ptrtoint|inttoptr)(?: \w+)* {_KIND}.* to "
    rf"|(?:select|freeze|phi|alloca|insertelement|extractelement|shufflevector) {_KIND}"
    rf"|getelementptr (?:inbounds )?{_KIND}|(?:load|store) {_KIND}.*,|ret {_KIND}"
    rf"|(?:tail )?call (?:{_KIND}|void)|br (?:i1|label) )"
)


def _text(node: ast.AST) -> str:
    """Return a string with holes where something is put in, empty for anything else."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return re.sub(r"\{\w*\}", _HOLE, node.value) if "{" in node.value else ""
    if not isinstance(node, ast.JoinedStr):
        return ""
    parts = (v.value if isinstance(v, ast.Constant) else _HOLE for v in node.values)
    return "".join(map(str, parts))


def written(source: str) -> Iterator[int]:
    """Yield the lines of a module with an instruction that is a string with holes."""
    for node in ast.walk(ast.parse(source)):
        text = _text(node)
        if _HOLE in text and _INSTRUCTION.search(text):
            yield node.lineno  # type: ignore[attr-defined]


def test_what_is_an_instruction() -> None:
    rows = {
        'f"%{x} = add {kind} {a}, {b}"': 1,
        'f"  store {kind} {x}, ptr {p}, align 1"': 1,
        'f"br label %{x}"': 1,
        'f"a call of {x}"': 0,
        'f"load {x}"': 0,
        '"icmp {op} {type} {a}, {b}".format(**x)': 1,
        'f"block %{x}: the call {y}"': 0,
    }
    assert {source: len([*written(source)]) for source in rows} == rows


def test_few_modules_write_instructions() -> None:
    files = sorted((ROOT / "frontends").rglob("*.py"))
    found = {str(p.relative_to(ROOT)): [*written(p.read_text())] for p in files}
    by_hand = [f"{p}:{lines}" for p, lines in found.items() if lines]
    assert len(by_hand) <= MOST, "\n".join((f"{len(by_hand)} modules", *by_hand))
