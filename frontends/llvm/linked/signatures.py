"""The signatures of intrinsics in the linked LLVM: they differ between versions, so LLVM is
asked.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from itertools import product

from frontends.llvm.linked import binding
from frontends.llvm.linked.worker import LlvmWorker
from isel.errors import BadModule


@dataclass(frozen=True, slots=True)
class Signature:
    """The result type and the argument types, as LLVM writes them."""

    result: str
    arguments: tuple[str, ...]


def accepts(intrinsic: str, result: str, arguments: Sequence[str]) -> bool:
    """Tell whether a call with these types verifies as it stands, without being upgraded or
    renamed.

    LLVM aborts on some signatures that are wrong: run it in a worker, and take a death for no.
    """
    declare = f"declare {result} @{intrinsic}({', '.join(arguments)})"
    try:
        printed = binding.normalise(declare)
    except BadModule:
        return False
    given = re.search(rf"^declare .*@{re.escape(intrinsic)}\((.*)\)", printed, re.MULTILINE)
    if given is None or not intrinsic.startswith("llvm."):
        return False
    immediate = ["immarg" in part for part in given[1].split(", ")] if arguments else []
    if len(immediate) != len(arguments):
        return False
    parameters = [f"{kind} %a{i}" for i, kind in enumerate(arguments)]
    passed = [
        f"{kind} 0" if now else parameter
        for kind, parameter, now in zip(arguments, parameters, immediate, strict=True)
    ]
    head, call = (
        f"define {result} @probe({', '.join(parameters)})",
        f"call {result} @{intrinsic}({', '.join(passed)})",
    )
    try:
        after = binding.normalise(f"{head} {{\n  %r = {call}\n  ret {result} %r\n}}\n{declare}\n")
    except BadModule:
        return False
    return call in after and _is_intrinsic(printed, given.start())


def _is_intrinsic(printed: str, at: int) -> bool:
    """Tell whether the declaration got attributes of its own, as every intrinsic does and an
    unknown name does not.
    """
    return "#" in printed[at:].split("\n", 1)[0]


@lru_cache(maxsize=64)
def _types(bits: int) -> tuple[str, ...]:
    scalars = [f"i{bits}"] if bits <= 64 else []
    widths = (8, 16, 32, 64, 1) if bits >= 64 else (1,)
    return tuple(scalars + [f"<{bits // w} x i{w}>" for w in widths if bits % w == 0 and bits > w])


def signature(
    worker: LlvmWorker, intrinsic: str, result_bits: int, argument_bits: Sequence[int]
) -> Signature | None:
    """Return the integer signature with operands of these sizes that LLVM takes, or None;
    immediates count as scalars.
    """
    for result in _types(result_bits):
        for arguments in product(*(_types(bits) for bits in argument_bits)):
            if worker.run(partial(accepts, intrinsic, result, arguments)) is True:
                return Signature(result, arguments)
    return None
