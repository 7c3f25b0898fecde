"""Modules as they are given: text, bitcode or llvmlite's object; the same kind comes back."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Final, Protocol, TypeVar, cast

from frontends.llvm.linked import binding
from frontends.llvm.linked.worker import LlvmWorker, WorkerFailed
from isel.errors import BadModule

_FORMULA: Final = "\n; @autollvm."  # what another dictionary may have meant by a call
MODULE: Final = "<module>"  # how messages name a module that has no name


class LlvmModule(Protocol):
    """A module of ``llvmlite.binding``: a ``ModuleRef``, and nothing else."""

    def as_bitcode(self) -> bytes:
        """Return the module as bitcode."""
        ...


M = TypeVar("M", bound="str | bytes | LlvmModule")


def text_of(module: str | bytes | LlvmModule, name: str = MODULE) -> str | bytes:
    """Return text as it was given, bitcode, or what LLVM prints of a ``ModuleRef``.

    Raises :class:`isel.errors.BadModule` for a ``ModuleRef`` that is closed, :class:`TypeError` for
    anything else.
    """
    if isinstance(module, str | bytes):
        return module
    if not isinstance(module, binding.ModuleRef):
        raise TypeError(f"expected str, bytes or llvmlite.binding.ModuleRef, got {type(module)}")
    if module.closed:
        raise BadModule(name, 0, 0, "the ModuleRef is closed")
    return str(module)


def same_kind(module: M, text: str, worker: LlvmWorker, name: str = MODULE) -> M:
    """Return a text as text, bitcode or a new ``ModuleRef`` of LLVM's global context, as ``module``
    is.
    """
    if isinstance(module, str):
        return cast("M", text)
    if not isinstance(module, bytes):
        return cast("M", binding.module_of(text, module))
    made = worker.run(partial(binding.text_to_bitcode, text, name))
    if isinstance(made, WorkerFailed):
        raise BadModule(name, 0, 0, f"LLVM makes no bitcode of this module: {made.reason}")
    return cast("M", made)


def read_text(given: str | bytes, name: str, worker: LlvmWorker) -> tuple[str, str]:
    """Return a module, LLVM text or bitcode, in words that LLVM 22 reads and as that prints it.

    Raises :class:`BadModule`; a text that ends LLVM ends the worker only.
    """
    if isinstance(given, bytes):
        text = print_module(partial(binding.bitcode_to_text, given, name), name, worker)
        return text, text
    if _FORMULA in given:
        given = _in_own_words(name, given)
    return given, print_module(partial(binding.normalise, given, name), name, worker)


def print_module(job: Callable[[], str], name: str, worker: LlvmWorker) -> str:
    """Return a module as LLVM prints it, by a job of a process of its own; raises
    :class:`BadModule`.
    """
    text = worker.run(job)
    if isinstance(text, WorkerFailed):
        raise BadModule(name, 0, 0, f"LLVM cannot read this module: {text.reason}")
    return text


def _in_own_words(name: str, text: str) -> str:
    """Return a module with calls of the shipped dictionary: as it is where its comments say what
    that says, else without them; raises :class:`BadModule` where a declaration's comment says
    something else than the class of its name.
    """
    from equiv_classes.dictionary import dictionary
    from frontends.autollvm.comments import disagreements
    from frontends.autollvm.translate import Disagreement, translate

    if not disagreements(text, dictionary()):
        return text
    try:
        return translate(text, dictionary())
    except Disagreement as found:
        expected = f"'{found.ours}'" if found.ours else "a class of this dictionary"
        said = f"the comment of '@{found.call}' says '{found.said[:60]}', expected {expected[:200]}"
        raise BadModule(name, found.line, 3, said) from None
