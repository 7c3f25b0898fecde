"""x86-64 as a target: its instructions, CPUs, registers and prices."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from functools import cache, cached_property, partial
from pathlib import Path

from isel.errors import SyntaxProblem
from isel.spec.index import indexed, packaged
from isel.spec.index_rows import Entries, Sources
from isel.spec.instruction import Instruction, Membership
from isel.spec.kept import code_of
from semantics.digest import digest_with, own_sources, sources
from semantics.x86.cpus import cpus
from semantics.x86.prices import instruction_cost

INDEX = "x86.index"  # in a wheel; a checkout has none
_UNLIMITED = 1 << 32


class X86:
    """Implements :class:`isel.spec.target.Target`; ``own`` are the names and texts of the
    user's ``.sem`` files.
    """

    def __init__(self, own: Sources = ()) -> None:
        self._own = tuple(own)

    @property
    def name(self) -> str:
        """The name used by ``--target``."""
        return "x86"

    @property
    def sources(self) -> tuple[tuple[str, str], ...]:
        """The names and texts of the shipped ``.sem`` files."""
        return sources("x86")

    @property
    def digest(self) -> str:
        """A hash of the semantics; part of every cache key."""
        return digest_with("x86", self._own)

    @cached_property
    def _entries(self) -> Entries:
        """The shipped entries, and the user's instructions; what calls of intrinsics mean is
        for the shipped ones to say.
        """
        shipped = indexed(
            "x86", self.sources, _inputs(), _read, os.environ, Path(__file__).with_name(INDEX)
        )
        if not self._own:
            return shipped
        mine = indexed(
            "x86-own",
            self._own,
            (*_inputs(), self.digest, _proving_code()),
            partial(_own_entries, self._own),
            os.environ,
        )
        return Entries((*shipped.instructions, *mine.instructions), shipped.calls)

    @cached_property
    def by_name(self) -> Mapping[str, Instruction]:
        """The instructions by name."""
        return {i.name: i for i in self._entries.instructions}

    @property
    def calls(self) -> Mapping[str, Instruction]:
        """Every known target intrinsic and the instruction it stands for."""
        return self._entries.calls

    def instructions(self) -> Sequence[Instruction]:
        """Return every instruction, in a fixed order."""
        return self._entries.instructions

    def by_call(self, intrinsic: str) -> Instruction | None:
        """Return the instruction that a target intrinsic stands for, if known."""
        return self.calls.get(intrinsic)

    def handles(self, triple: str) -> bool:
        """Tell whether modules of this triple are x86-64's."""
        return triple.partition("-")[0] in ("x86_64", "amd64", "x86_64h")

    def features(self, cpu: str, attributes: str) -> frozenset[str]:
        """Return the features of ``cpu`` changed by ``attributes``; raise :class:`UnknownName`."""
        return cpus().changed(cpus().of(cpu), attributes)

    def vector_bits(self, features: frozenset[str], attributes: Mapping[str, str]) -> int:
        """Return the widest register that a function with these attributes may use, 0 where it may
        use none.

        512 bits need ``min-legal-vector-width`` above 256 (LLVM takes an absent one for unlimited)
        or a preference for 512; ``prefer-vector-width`` overrides the CPU's tuning (X86Subtarget:
        useAVX512Regs, canExtendTo512DQ).  A preference that the function states is kept to even
        where LLVM would allow wider registers.
        """
        if (
            "sse2" not in features
            or "soft-float" in features
            or attributes.get("use-soft-float") == "true"
        ):
            return 0
        if "avx2" not in features:
            return 128
        required = _number(attributes.get("min-legal-vector-width"))
        stated = _number(attributes.get("prefer-vector-width"))
        needed = 0 if required is None else required
        if stated is not None and stated < 256 and needed <= 128:
            return 128
        if "avx512f" not in features:
            return 256
        if stated is not None and stated < 512:
            return 512 if needed > 256 else 256
        tuned = (
            cpus().of(attributes["tune-cpu"])
            if attributes.get("tune-cpu", "generic") in cpus().cpus and "tune-cpu" in attributes
            else features
        )
        tuned = cpus().changed(tuned, attributes.get("target-features", ""))
        prefers_256 = stated is None and "prefer-256-bit" in tuned and "avx512vl" in features
        return 256 if prefers_256 and required is not None and required <= 256 else 512

    def operation_cost(self, instruction: Instruction, cpu: str) -> int:
        """Return the price of one execution in hundredths of a cycle of reciprocal throughput."""
        return instruction_cost(instruction, cpu)

    def register_of(self, instruction: Instruction) -> str:
        """Return the kind of the register that an instruction writes."""
        if instruction.width == 1:
            return "k"
        return "xmm" if instruction.bits <= 128 else "ymm" if instruction.bits <= 256 else "zmm"


def _read() -> Entries:
    from semantics.x86.entries import read

    return read(sources("x86"), _classes())


def _inputs() -> tuple[str, ...]:
    return digest_with("x86", ()), _code()


def packaged_index() -> bytes:
    """Return the content of the index that a wheel holds."""
    return packaged(_read(), sources("x86"), _inputs())


def _own_entries(own: Sources) -> Entries:
    """Read and prove the user's instructions against the shipped ones."""
    from semantics.own import admitted

    return Entries(admitted(own, X86(), frozenset(cpus().implies)), {})


def _classes() -> Mapping[str, tuple[Membership, ...]]:
    """Return the classes of the shipped dictionary, whatever semantics it was made from; none
    where it cannot be read.
    """
    from equiv_classes.dictionary import dictionary, memberships

    try:
        return memberships(dictionary(), "x86")
    except (
        SyntaxProblem
    ):  # it groups what is searched and no more; `isel classes` reports it, or makes it anew
        return {}


def _code() -> str:
    here = Path(__file__).parent
    classes = here.parents[1] / "equiv_classes"  # imported where an index is made only
    return code_of(
        *here.glob("*.py"),
        *(here / "emission").glob("*.py"),
        *classes.glob("dictionary.py"),
        *classes.glob("classes.txt"),
    )


def _proving_code() -> str:
    """Return a hash of the code that admits a user's instructions: another version of it proves
    them again.
    """
    root = Path(__file__).parents[2]
    parts = (
        "isel/ir",
        "isel/model",
        "isel/verify",
        "isel/smt",
        "isel/interp",
        "frontends/llvm",
        "semantics",
    )
    return code_of(*(p for part in parts for p in (root / part).glob("*.py")))


def _number(text: str | None) -> int | None:
    return min(int(text), _UNLIMITED) if text is not None and text.isdigit() else None


@cache
def target() -> X86:
    """Return the target."""
    return X86(own_sources("x86"))
