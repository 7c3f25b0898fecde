"""Cyclomatic complexity as radon 6.0 counts it of functions and methods; its rank C begins at 11."""

from __future__ import annotations

import ast

from tests.roof.sources import functions, tree

C = 11
Scope = ast.FunctionDef | ast.AsyncFunctionDef


def complex_in(name: str) -> list[str]:
    """Return functions and methods of a module at rank C and worse, with their numbers."""
    inner = {id(n) for f in functions(tree(name)) for n in functions(f) if n is not f}
    return [
        f"{name}.{f.name} {n}"
        for f in functions(tree(name))
        if id(f) not in inner and (n := complexity(f)) >= C
    ]


def complexity(at: Scope) -> int:
    """Return the number of ways through a function."""
    return 1 + sum(_below(child) for child in at.body)


def _below(at: ast.AST) -> int:
    if isinstance(at, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        return 0
    if isinstance(at, ast.Assert):
        return 1
    return _own(at) + sum(_below(child) for child in ast.iter_child_nodes(at))


def _own(at: ast.AST) -> int:
    match at:
        case ast.If() | ast.IfExp():
            return 1
        case ast.For() | ast.AsyncFor() | ast.While():
            return 1 + bool(at.orelse)
        case ast.comprehension():
            return 1 + len(at.ifs)
        case ast.BoolOp():
            return len(at.values) - 1
        case ast.Try() | ast.TryStar():
            return len(at.handlers) + bool(at.orelse)
        case ast.Match():
            return len(at.cases) - any(_is_else(c.pattern) for c in at.cases)
    return 0


def _is_else(pattern: ast.pattern) -> bool:
    return isinstance(pattern, ast.MatchAs) and pattern.pattern is None
