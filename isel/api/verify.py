"""``isel.verify``: whether the functions of one module do what those of another do."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NoReturn

from frontends.llvm.dialect.inrange import comparable, comparable_pairs
from frontends.llvm.linked.binding import host_triple
from frontends.llvm.refine.assumed import (
    with_any_alignment,
    with_defined_arguments,
    with_defined_loads,
)
from frontends.llvm.refine.options import Options
from frontends.llvm.refine.report import Answer, verify_report
from frontends.llvm.text.ast import Module
from frontends.llvm.text.parse import parse_module
from isel.api.calls import turn
from isel.api.modules import LlvmModule, read_text, text_of
from isel.errors import BadModule, UnknownName
from isel.model.verdict import Proved, Refuted
from isel.spec.target import Target
from semantics import target_for
from semantics.structures import plain_structures


@dataclass(frozen=True, slots=True)
class Assumptions:
    """What is taken for granted: what is loaded, or passed to the first functions, is neither undef
    nor poison; what the second ones access is as aligned as they say.
    """

    noundef_memory: bool = False
    noundef_arguments: bool = False
    alignment: bool = False


@dataclass(frozen=True, slots=True)
class Verdict:
    """The verdicts on pairs of functions; printed, a line a pair, as ``isel verify`` has them.

    A row of ``functions`` has the ``name`` without ``@``, the ``verdict``
    (:class:`isel.model.verdict.Proved`, ``Refuted`` or ``Unknown``), and its ``line``, with the
    counterexample where there is one.  It has no truth value: ask :attr:`proved`.
    """

    functions: tuple[Answer, ...]

    @property
    def proved(self) -> bool:
        """Whether every pair is proved, for all inputs."""
        return {type(f.verdict) for f in self.functions} == {Proved}

    @property
    def refuted(self) -> bool:
        """Whether some pair has a counterexample."""
        return any(isinstance(f.verdict, Refuted) for f in self.functions)

    def __bool__(self) -> NoReturn:
        raise TypeError("a verdict may be unknown, too: ask .proved or .refuted")

    def __str__(self) -> str:
        return "".join(f"{f.line}\n" for f in self.functions)


def verify(
    source: str | bytes | LlvmModule,
    target: str | bytes | LlvmModule | None = None,
    *,
    triple: str | None = None,
    assume_noundef_memory: bool = False,
    assume_noundef_arguments: bool = False,
    assume_alignment: bool = False,
) -> Verdict:
    """Prove that each function of ``target`` refines the one of its name in ``source``, or each
    ``@tgt`` its ``@src`` where one module has both.

    Modules are LLVM IR as text, bitcode, or an ``llvmlite.binding.ModuleRef``.  ``triple`` is for
    modules that name none.  Proofs are limited in solvers' steps, not in seconds: what stays open
    is unknown.  The assumptions are those of ``isel verify``.

    Raises :class:`isel.errors.BadModule` for what LLVM cannot read, a ``ModuleRef`` that is closed,
    and modules without a pair; :class:`TypeError` for a module of another type.
    """
    assumed = Assumptions(assume_noundef_memory, assume_noundef_arguments, assume_alignment)
    with turn() as worker:
        assert worker is not None
        first = text_of(source, _FIRST)
        second = None if target is None else text_of(target, _SECOND)
        if isinstance(first, str) and second is None:
            first = comparable_pairs(first)
        elif isinstance(first, str) and isinstance(second, str):
            first, second = comparable(first, second)
        a = read_text(first, _FIRST, worker)[1]
        b = None if second is None else read_text(second, _SECOND, worker)[1]
        answers = compare(a, b, triple or "", assumed)
    if not answers:
        raise BadModule(_FIRST, 0, 0, "no pair of functions in it, expected one to compare")
    return Verdict(tuple(answers))


_FIRST, _SECOND = "<source>", "<target>"


def compare(first: str, second: str | None, triple: str, assumed: Assumptions) -> list[Answer]:
    """Return the answers about modules as LLVM prints them, or the pairs of one module."""
    a, b = _modules(first, second, assumed)
    isas = _isas(triple, a.triple, a.triple if b is None else b.triple)
    options = Options(isas=isas, defined_memory=assumed.noundef_memory)
    return verify_report(a, b, isas[0], options)


def _modules(first: str, second: str | None, assumed: Assumptions) -> tuple[Module, Module | None]:
    """Return the modules as assumptions have them: loads, those of structures among them, and
    arguments of the first, alignments of the second.
    """
    known = assumed.noundef_memory
    sources = "@src" if second is None else "@"
    text = with_defined_loads(plain_structures(first, sources)) if known else first
    a = parse_module(text)
    if assumed.noundef_arguments:
        a = with_defined_arguments(a)
    if second is None:
        return a, None
    aligned = with_any_alignment if assumed.alignment else str
    return a, parse_module(aligned(plain_structures(second) if known else second))


def _isas(given: str, first: str, second: str) -> tuple[Target | None, Target | None]:
    """Return what the intrinsics of each module mean: those of the machine that it is for, or of
    the other's where it does not say.
    """
    usual = given or first or second or host_triple()
    return _isa(given or first or usual), _isa(given or second or usual)


def _isa(triple: str) -> Target | None:
    """Return the target of a triple; without one its intrinsics are not understood, everything
    else is.
    """
    try:
        return target_for(triple)
    except UnknownName:
        return None
