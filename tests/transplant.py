"""Changed source put into a module that is already imported, so that everything that refers to its
functions runs the change.

Functions, and those that they made and returned, keep their identity and get new code.  Names that
the module itself assigns get new values, in every module that imported them.  Do it in a child
(:mod:`tests.children`): there is no way back.
"""

from __future__ import annotations

import ast
import functools
import gc
import inspect
import sys
from collections.abc import Iterator
from types import CodeType, FunctionType, ModuleType


class NotTransplanted(Exception):
    """A change that reaches neither a function nor a plain assignment of the module."""


def source_of(module: ModuleType) -> str:
    """Return the source text of a module."""
    return inspect.getsource(module)


def replaced(module: ModuleType, old: str, new: str) -> str:
    """Return the module's source with the only occurrence of ``old`` replaced."""
    text = source_of(module)
    if text.count(old) != 1:
        raise NotTransplanted(
            f"{module.__name__} holds {text.count(old)} times, expected once: {old}"
        )
    return text.replace(old, new)


def transplant(module: ModuleType, changed: str) -> None:
    """Make a module run ``changed`` instead of its own source."""
    before, after = ast.parse(source_of(module)), ast.parse(changed)
    code = compile(changed, module.__file__ or module.__name__, "exec", dont_inherit=True)
    codes = {c.co_qualname: c for c in _codes(code)}
    wanted = list(_different(before, after))
    if not wanted:
        raise NotTransplanted(f"{module.__name__} is as it was")
    new: set[str] = set()
    for node, where in wanted:
        if isinstance(node, ast.FunctionDef):
            name = ".".join((*where, node.name))
            function = function_of(module, name)
            _replace_inner(function.__code__, codes[name])
            function.__code__ = codes[name]
            new.add(name)
    for node in after.body:
        if any(node is n for n, _ in wanted if not isinstance(n, ast.FunctionDef)) or _built_from(
            node, new
        ):
            new.add(_assign(module, node))


def _built_from(node: ast.stmt, names: set[str]) -> bool:
    """Tell whether the module assigns something that was built from values or by functions of
    these names.
    """
    value = node.value if isinstance(node, ast.Assign | ast.AnnAssign) else None
    lambdas = (
        {n for x in ast.walk(value) if isinstance(x, ast.Lambda) for n in ast.walk(x.body)}
        if value is not None
        else set()
    )
    return value is not None and any(
        isinstance(n, ast.Name) and n.id in names and n not in lambdas for n in ast.walk(value)
    )


def _replace_inner(before: CodeType, after: CodeType) -> None:
    """Give the functions that a function has made and that are kept somewhere, as in a table,
    their new code.
    """
    new = {c.co_qualname: c for c in after.co_consts if isinstance(c, CodeType)}
    for old in [
        c for c in before.co_consts if isinstance(c, CodeType) and c.co_name.isidentifier()
    ]:
        code = new.get(old.co_qualname)
        for function in gc.get_referrers(old) if code is not None and code != old else ():
            if (
                isinstance(function, FunctionType)
                and code is not None
                and code.co_freevars == old.co_freevars
            ):
                function.__code__ = code


def _codes(code: CodeType) -> Iterator[CodeType]:
    for c in code.co_consts:
        if isinstance(c, CodeType):
            yield c
            if "<locals>" not in c.co_qualname:
                yield from _codes(c)


def _different(
    before: ast.AST, after: ast.AST, where: tuple[str, ...] = ()
) -> Iterator[tuple[ast.stmt, tuple[str, ...]]]:
    """Yield the smallest definitions and assignments that differ, with the classes around them."""
    mine, yours = list(getattr(before, "body", ())), list(getattr(after, "body", ()))
    if len(mine) != len(yours):
        raise NotTransplanted("a definition more or less")
    for a, b in zip(mine, yours, strict=True):
        if ast.dump(a) == ast.dump(b):
            continue
        if isinstance(a, ast.ClassDef) and isinstance(b, ast.ClassDef) and a.name == b.name:
            yield from _different(a, b, (*where, a.name))
        elif isinstance(b, ast.FunctionDef) or (
            not where and isinstance(b, ast.Assign | ast.AnnAssign)
        ):
            yield b, where
        else:
            raise NotTransplanted(f"a {type(b).__name__} in {'.'.join(where) or 'the module'}")


def function_of(module: ModuleType, name: str) -> FunctionType:
    """Return a function or method of a module, without its decorators."""
    first, *rest = name.split(".")
    found: object = vars(module)[first]
    for part in rest:
        found = inspect.getattr_static(found, part)
    while not isinstance(found, FunctionType):
        match found:
            case property(fget=inner) if inner is not None:
                found = inner
            case functools.cached_property(func=inner):
                found = inner
            case staticmethod() | classmethod():
                found = found.__func__
            case _ if hasattr(found, "__wrapped__"):
                found = found.__wrapped__
            case _:
                raise NotTransplanted(f"{name} of {module.__name__} is no function")
    # a decorator that keeps the function, as contextmanager does, names it
    return found if not hasattr(found, "__wrapped__") else inspect.unwrap(found)


def _assign(module: ModuleType, node: ast.stmt) -> str:
    target = node.targets[0] if isinstance(node, ast.Assign) else getattr(node, "target", None)
    if not isinstance(target, ast.Name):
        raise NotTransplanted(f"line {node.lineno} assigns to something other than a name")
    old = vars(module).get(target.id)
    exec(
        compile(ast.Module([node], []), module.__file__ or "", "exec", dont_inherit=True),
        vars(module),
    )
    for other in list(sys.modules.values()):
        if other is not module and vars(other).get(target.id) is old:
            setattr(other, target.id, vars(module)[target.id])
    return target.id
