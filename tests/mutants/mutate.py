"""The mutants of a module: one change of one expression or statement each, spliced into its
text so that differences are short.
"""

from __future__ import annotations

import ast
import copy
import hashlib
import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from difflib import unified_diff
from itertools import islice
from typing import Final, TypeAlias

Change: TypeAlias = tuple[
    str, ast.expr | ast.stmt, ast.expr | ast.stmt
]  # its kind, the node, what stands in its place

_COMPARED: Final[dict[type[ast.cmpop], type[ast.cmpop]]] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is,
}  # fmt: skip
_COMPUTED: Final[dict[type[ast.operator], type[ast.operator]]] = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Add, ast.FloorDiv: ast.Mult, ast.Mod: ast.FloorDiv, ast.LShift: ast.RShift,
    ast.RShift: ast.LShift, ast.BitAnd: ast.BitOr, ast.BitOr: ast.BitAnd, ast.BitXor: ast.BitOr,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Mutant:
    """A change: ``where`` is the function (or the name that is assigned) that it is in, ``source``
    the whole changed text.

    ``key`` depends on what is changed to what in which function, not on lines
    or layout: it lasts while the function does.
    """

    key: str
    module: str
    where: str
    line: int
    kind: str
    before: str
    after: str
    source: str

    def diff(self, text: str) -> str:
        """Return the difference to the module's text."""
        lines = unified_diff(
            text.splitlines(),
            self.source.splitlines(),
            self.module,
            f"{self.module} ({self.kind})",
            lineterm="",
            n=1,
        )
        return "\n".join(lines) + "\n"


@dataclass(frozen=True, slots=True)
class Candidate:
    """A mutant that is not yet made: most are never drawn."""

    key: str
    module: str
    where: str
    kind: str
    old: ast.expr | ast.stmt
    new: ast.expr | ast.stmt


def candidates(module: str, text: str) -> list[Candidate]:
    """Return every candidate of a module's text, in order."""
    found: list[Candidate] = []
    count: dict[tuple[str, str, str, str], int] = {}
    for where, kind, old, new in _changes(ast.parse(text)):
        what = (where, kind, ast.unparse(old), ast.unparse(new))
        number = count[what] = count.get(what, 0) + 1
        key = hashlib.sha256("\0".join((module, *what, str(number))).encode()).hexdigest()[:12]
        found.append(Candidate(key, module, where, kind, old, new))
    return found


def made(candidate: Candidate, text: str) -> Mutant | None:
    """Return the mutant of a candidate of ``text``; None where it cannot be spliced in, or is
    the same program.
    """
    rows = _Rows(text)
    before, after = rows.of(candidate.old), _text(candidate.old, candidate.new)
    source = rows.replaced(candidate.old, after)
    if not _is_meant(source, text, candidate.old, candidate.new):
        return None
    old, new = (" ".join(x.split()) for x in (before, after))
    return Mutant(
        candidate.key,
        candidate.module,
        candidate.where,
        candidate.old.lineno,
        candidate.kind,
        old,
        new,
        source,
    )


def drawn(texts: Mapping[str, str], count: int, seed: int, kind: str = "") -> list[Mutant]:
    """Return a seeded sample of the mutants of some modules, given by name, or of one kind;
    fewer than ``count`` if there are no more.
    """
    pool = [
        c
        for module in sorted(texts)
        for c in candidates(module, texts[module])
        if kind in ("", c.kind)
    ]
    random.Random(seed).shuffle(pool)
    return list(
        islice((m for m in (made(c, texts[c.module]) for c in pool) if m is not None), count)
    )


def _text(old: ast.expr | ast.stmt, new: ast.expr | ast.stmt) -> str:
    text = ast.unparse(new)
    plain = isinstance(old, ast.stmt) or isinstance(
        new, ast.Constant | ast.Name | ast.Call | ast.Attribute | ast.Set | ast.Dict | ast.Subscript
    )
    return text if plain else f"({text})"


class _Rows:
    """A text by the places of its syntax tree, whose columns count bytes."""

    def __init__(self, text: str) -> None:
        self._data = text.encode()
        self._starts = [0]
        for line in self._data.splitlines(keepends=True):
            self._starts.append(self._starts[-1] + len(line))

    def _span(self, node: ast.expr | ast.stmt) -> tuple[int, int]:
        assert node.end_lineno is not None and node.end_col_offset is not None
        return self._starts[node.lineno - 1] + node.col_offset, self._starts[
            node.end_lineno - 1
        ] + node.end_col_offset

    def of(self, node: ast.expr | ast.stmt) -> str:
        first, last = self._span(node)
        return self._data[first:last].decode()

    def replaced(self, node: ast.expr | ast.stmt, new: str) -> str:
        first, last = self._span(node)
        return (self._data[:first] + new.encode() + self._data[last:]).decode()


def _is_meant(source: str, text: str, old: ast.AST, new: ast.AST) -> bool:
    """Tell whether the changed text is the tree with the one node replaced, and not the same
    program.
    """
    try:
        tree = ast.parse(source)
    except SyntaxError:
        return False
    wanted = _Replace(old, new).visit(ast.parse(text))
    return ast.dump(tree) == ast.dump(wanted) != ast.dump(ast.parse(text))


class _Replace(ast.NodeTransformer):
    def __init__(self, old: ast.AST, new: ast.AST) -> None:
        self._place = _place(old)
        self._new = new

    def visit(self, node: ast.AST) -> ast.AST:
        return self._new if _place(node) == self._place else self.generic_visit(node)


def _place(node: ast.AST) -> tuple[object, ...]:
    return (
        type(node),
        *(getattr(node, n, None) for n in ("lineno", "col_offset", "end_lineno", "end_col_offset")),
    )


def _changes(
    tree: ast.Module,
) -> Iterator[tuple[str, str, ast.expr | ast.stmt, ast.expr | ast.stmt]]:
    """Yield (function, kind, node, replacement): what functions do, and values that the module
    assigns to names.
    """
    for where, node in _parts(tree, ()):
        if isinstance(node, ast.FunctionDef):
            for k, statement in enumerate(node.body):
                if not (
                    k == 0
                    and isinstance(statement, ast.Expr)
                    and isinstance(statement.value, ast.Constant)
                ):
                    yield from ((where, *c) for c in _inside(statement))
        elif isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None:
            yield from ((where, *c) for c in _inside(node.value))


def _parts(
    node: ast.Module | ast.ClassDef, where: tuple[str, ...]
) -> Iterator[tuple[str, ast.stmt]]:
    for child in node.body:
        match child:
            case ast.ClassDef(name=name):
                yield from _parts(child, (*where, name))
            case ast.FunctionDef(name=name):
                yield ".".join((*where, name)), child
            case (
                ast.Assign(targets=[ast.Name(id=name)]) | ast.AnnAssign(target=ast.Name(id=name))
            ) if not where:
                yield name, child


def _inside(node: ast.AST) -> Iterator[Change]:
    if isinstance(
        node, ast.JoinedStr | ast.arguments | ast.Raise
    ):  # texts for a reader; places in f-strings are not given
        return
    if isinstance(node, ast.expr | ast.stmt):
        yield from _of(node)
    for name, value in ast.iter_fields(node):
        if name in ("annotation", "returns", "decorator_list"):
            continue
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.AST):
                yield from _inside(child)


def _with(node: ast.expr | ast.stmt, **fields: object) -> ast.expr | ast.stmt:
    made = copy.copy(node)
    for name, value in fields.items():
        setattr(made, name, value)
    return made


def _of(node: ast.expr | ast.stmt) -> Iterator[Change]:
    """Yield the changes of this very node."""
    match node:
        case ast.Compare(ops=[op]) if type(op) in _COMPARED:
            yield "comparison", node, _with(node, ops=[_COMPARED[type(op)]()])
        case ast.BinOp(op=op, left=left, right=right):
            if type(op) in _COMPUTED:
                yield "operator", node, _with(node, op=_COMPUTED[type(op)]())
            if isinstance(op, ast.Sub | ast.LShift | ast.RShift | ast.FloorDiv | ast.Mod):
                yield "operands swapped", node, _with(node, left=right, right=left)
        case ast.BoolOp(op=op, values=values):
            yield (
                "connective",
                node,
                _with(node, op=ast.Or() if isinstance(op, ast.And) else ast.And()),
            )
            for k in range(len(values)):
                rest = values[:k] + values[k + 1 :]
                yield (
                    "condition removed",
                    node,
                    rest[0] if len(rest) == 1 else _with(node, values=rest),
                )
        case ast.UnaryOp(op=ast.Not(), operand=inner):
            yield "not dropped", node, inner
        case ast.Constant(value=bool() as value):
            yield "constant", node, ast.Constant(not value)
        case ast.Constant(value=int() as value):
            yield "constant", node, ast.Constant(value + 1)
            yield "constant", node, ast.Constant(value - 1)
        case ast.Call(args=[first, second, *rest]) if not any(
            isinstance(a, ast.Starred) for a in node.args[:2]
        ):
            yield "arguments swapped", node, _with(node, args=[second, first, *rest])
        case (
            ast.Set(elts=[_, _, *_] as members)
            | ast.Tuple(elts=[ast.Constant(), ast.Constant(), *_] as members)
        ):
            for k in range(len(members)):
                yield "member dropped", node, _with(node, elts=members[:k] + members[k + 1 :])
        case ast.Dict(keys=keys, values=values) if len(keys) > 1:
            for k in range(len(keys)):
                yield (
                    "member dropped",
                    node,
                    _with(node, keys=keys[:k] + keys[k + 1 :], values=values[:k] + values[k + 1 :]),
                )
        case ast.If(test=test) | ast.IfExp(test=test):
            yield "condition decided", test, ast.Constant(True)
            yield "condition decided", test, ast.Constant(False)
        case ast.Return(value=ast.Constant(value=str() | None as value)):
            yield (
                "another result",
                node,
                ast.Return(ast.Constant("other" if value is not None and not value else "")),
            )
        case ast.Expr(value=ast.Call()) | ast.AugAssign() | ast.Continue() | ast.Break():
            yield "statement dropped", node, ast.Pass()
        case (
            ast.GeneratorExp(generators=[g, *more])
            | ast.ListComp(generators=[g, *more])
            | ast.SetComp(generators=[g, *more])
        ) if g.ifs:
            yield (
                "condition removed",
                node,
                _with(
                    node,
                    generators=[ast.comprehension(g.target, g.iter, g.ifs[1:], g.is_async), *more],
                ),
            )
