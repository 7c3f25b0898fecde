"""Every instruction executed against its semantics; what this machine cannot run is reported, never passed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from frontends.llvm import binding
from frontends.llvm.worker import LlvmWorker, WorkerFailed
from isel.ir.ops import Lanes
from isel.spec.instruction import Instruction
from isel.spec.target import Target
from semantics.meaning import results
from semantics.native import Run, run_all
from semantics.samples import from_bytes, immediate_choices, operand_values, to_bytes

_BATCH = 24


@dataclass(frozen=True, slots=True)
class Untestable:
    """An instruction that was not executed, and why."""

    name: str
    reason: str


@dataclass(frozen=True, slots=True)
class Disagreement:
    """One set of operands (by name, lowest lane first) on which machine and semantics differ."""

    name: str
    immediates: Mapping[str, int]
    inputs: Mapping[str, tuple[int, ...]]
    semantics: tuple[int, ...]
    machine: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class FuzzReport:
    """What was executed: ``agree`` are the tested instructions without a disagreement; ``vectors`` counts applications."""

    seed: int
    vectors: int
    tested: tuple[str, ...]
    agree: tuple[str, ...]
    untestable: tuple[Untestable, ...]
    disagreements: tuple[Disagreement, ...]

    def summary(self) -> dict[str, object]:
        """Return counts and names fit for JSON."""
        return {
            "seed": self.seed,
            "vectors": self.vectors,
            "tested": len(self.tested),
            "agree": len(self.agree),
            "untestable": {u.name: u.reason for u in self.untestable},
            "disagreements": [
                {
                    "name": d.name,
                    "immediates": dict(d.immediates),
                    "inputs": {k: list(v) for k, v in d.inputs.items()},
                    "semantics": list(d.semantics),
                    "machine": list(d.machine),
                }
                for d in self.disagreements
            ],
        }


@dataclass(frozen=True, slots=True)
class _Case:
    instruction: Instruction
    immediates: Mapping[str, int]
    operands: Mapping[str, Lanes]
    count: int

    def run(self) -> Run:
        given = tuple(to_bytes(self.operands[o.name], o.width) for o in self.instruction.operands)
        return Run(self.instruction, self.immediates, given, self.count)


def fuzz(target: Target, count: int, seed: int, only: Sequence[str] | None = None, immediates: int = 4) -> FuzzReport:
    """Execute each instruction on ``count`` operand sets for each of up to ``immediates`` values of its immediates."""
    wanted = [i for i in target.instructions() if only is None or i.name in only]
    host = binding.host_features() if target.handles(binding.host_triple()) else frozenset[str]()
    untestable = [Untestable(i.name, f"the host lacks {' '.join(sorted(i.features - host))}") for i in wanted if not i.features <= host]
    cases = [c for i in wanted if i.features <= host for c in _cases(i, count, seed, immediates)]
    disagreements: list[Disagreement] = []
    failed: dict[str, str] = {}
    with LlvmWorker() as worker:
        for start in range(0, len(cases), _BATCH):
            batch = cases[start : start + _BATCH]
            for case, result in zip(batch, run_all([c.run() for c in batch], worker), strict=True):
                if isinstance(result, WorkerFailed):
                    failed[case.instruction.name] = result.reason
                else:
                    disagreements.extend(_compare(case, result))
    untestable.extend(Untestable(name, reason) for name, reason in failed.items())
    tested = tuple(dict.fromkeys(c.instruction.name for c in cases if c.instruction.name not in failed))
    wrong = {d.name for d in disagreements}
    agree = tuple(n for n in tested if n not in wrong)
    return FuzzReport(seed, sum(c.count for c in cases if c.instruction.name not in failed), tested, agree, tuple(untestable), tuple(disagreements))


def _cases(instruction: Instruction, count: int, seed: int, immediates: int) -> list[_Case]:
    found: list[_Case] = []
    for k, chosen in enumerate(immediate_choices(instruction.immediates, immediates, seed)):
        operands = {o.name: operand_values(o, count, seed, f"{instruction.name}/{k}", p) for p, o in enumerate(instruction.operands)}
        found.append(_Case(instruction, chosen, operands, count))
    return found


def _compare(case: _Case, data: bytes) -> list[Disagreement]:
    i = case.instruction
    machine = from_bytes(data, i.lanes, i.width, case.count)
    semantics = results(i, case.immediates, case.operands, case.count)
    rows = np.flatnonzero((machine != semantics).any(axis=1))
    if not len(rows):
        return []
    row = int(rows[0])
    inputs = {name: tuple(int(x) for x in values[row]) for name, values in case.operands.items()}
    return [Disagreement(i.name, case.immediates, inputs, tuple(int(x) for x in semantics[row]), tuple(int(x) for x in machine[row]))]
