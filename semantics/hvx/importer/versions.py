"""Since which version of HVX there is an instruction, asked of the linked LLVM: the first processor
for which it selects the intrinsic.  A name that LLVM does not know is a call of a function.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Final

from frontends.llvm.linked import binding
from frontends.llvm.linked.worker import LlvmWorker
from isel.errors import BadModule
from semantics.hvx.emission.call import callee, function_text
from semantics.hvx.importer.spec import Intrinsic

TRIPLE: Final = "hexagon-unknown-linux-musl"
VERSIONS: Final = (60, 62, 65, 66, 67, 68, 69, 71, 73)
LENGTH: Final = "hvx-length128b"


def first_versions(entries: Sequence[Intrinsic]) -> tuple[dict[str, str], dict[str, str]]:
    """Return the feature that each entry needs, by name, and why others have none."""
    found: dict[str, str] = {}
    left = list(entries)
    with LlvmWorker() as worker:
        for version in VERSIONS:
            known = _select(left, version, worker)
            found.update({e.name: f"hvxv{version}" for e in left if e.name in known})
            left = [e for e in left if e.name not in known]
    return found, {e.name: "an intrinsic that LLVM does not select" for e in left}


def _select(entries: Sequence[Intrinsic], version: int, worker: LlvmWorker) -> set[str]:
    """Return the names of the entries for which code is made; LLVM ends the process otherwise."""
    if not entries:
        return set()
    attributes = f'"target-cpu"="hexagonv{version}" "target-features"="+hvxv{version},+{LENGTH}"'
    text = "".join(function_text(e, f"f{k}", attributes) for k, e in enumerate(entries))
    try:
        done = worker.run(partial(_assembly, text, f"hexagonv{version}"))
    except BadModule:  # a name that no version of LLVM has
        done = None
    if isinstance(done, str):
        return {e.name for e in entries if callee(e)[1:] not in done}
    if len(entries) == 1:
        return set()
    half = len(entries) // 2
    return _select(entries[:half], version, worker) | _select(entries[half:], version, worker)


def _assembly(text: str, cpu: str) -> str:
    return binding.assembly(text, triple=TRIPLE, cpu=cpu, features="")
