"""Asking llvm-mca: which lines exist on a CPU, what each costs, and which port groups it uses."""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypedDict

_SECONDS = 300  # far beyond any batch; a simulation that never ends raises


@dataclass(frozen=True, slots=True)
class Fact:
    """What the instruction tables say: micro-operations, latency, throughput, and pressure by
    port index.
    """

    uops: int
    latency: int
    throughput: float
    pressure: tuple[tuple[int, float], ...]


@dataclass(frozen=True, slots=True)
class Tables:
    """The facts of a batch of lines, with the names of the ports."""

    ports: tuple[str, ...]
    facts: tuple[Fact, ...]


class _Info(TypedDict):
    NumMicroOpcodes: int
    Latency: int
    RThroughput: float


class _InfoView(TypedDict):
    InstructionList: list[_Info]


class _Use(TypedDict):
    InstructionIndex: int
    ResourceIndex: int
    ResourceUsage: float


class _PressureView(TypedDict):
    ResourcePressureInfo: list[_Use]


class _Summary(TypedDict):
    BlockRThroughput: float
    DispatchWidth: int
    TotalCycles: int


class _Region(TypedDict):
    InstructionInfoView: _InfoView
    ResourcePressureView: _PressureView
    SummaryView: _Summary


class _TargetInfo(TypedDict):
    Resources: list[str]


class _Report(TypedDict):
    """The part of llvm-mca's JSON report that is read here."""

    CodeRegions: list[_Region]
    TargetInfo: _TargetInfo


class ToolFailed(Exception):
    """llvm-mca or llvm-mc ended with an error; carries the first line of its message."""


@dataclass(frozen=True, slots=True)
class Mca:
    """The tools for one triple; the simulation of lines that match ``endless`` does not end on some
    CPUs.

    ``attributes`` are features that every CPU is given.
    """

    triple: str
    endless: re.Pattern[str]
    suffix: str = "-19"
    attributes: str = ""

    def version(self) -> str:
        """Return the tool's version as it prints it."""
        text = subprocess.run(
            [f"llvm-mca{self.suffix}", "--version"], capture_output=True, text=True, check=True
        ).stdout
        match = re.search(r"LLVM version ([\w.]+)", text)
        return f"llvm-mca {match[1]}" if match else "llvm-mca"

    def existing(self, lines: Sequence[str]) -> list[str]:
        """Return the lines that the assembler accepts, in order; it knows every extension,
        whatever the CPU.
        """
        done = subprocess.run(
            [f"llvm-mc{self.suffix}", f"-triple={self.triple}", *self._given(), "-filetype=null"],
            input="\n".join(lines) + "\n",
            capture_output=True,
            text=True,
        )
        bad = {int(n) for n in re.findall(r"^<stdin>:(\d+):\d+: error", done.stderr, re.MULTILINE)}
        if done.returncode != 0 and not bad:
            raise ToolFailed(
                done.stderr.strip().splitlines()[0] if done.stderr.strip() else "llvm-mc failed"
            )
        return [line for i, line in enumerate(lines, 1) if i not in bad]

    def encodings(self, lines: Sequence[str], cpu: str) -> list[str]:
        """Return the first byte of each line's encoding, empty where that is no whole byte."""
        done = subprocess.run(
            [f"llvm-mc{self.suffix}", f"-triple={self.triple}", f"-mcpu={cpu}", "-show-encoding"],
            input="\n".join(lines) + "\n",
            capture_output=True,
            text=True,
        )
        codes: list[str] = re.findall(r"encoding: \[(0x[0-9a-f]{2})?", done.stdout)
        if len(codes) != len(lines):
            raise ToolFailed(f"llvm-mc encoded {len(codes)} of {len(lines)} lines")
        return codes

    def tables(self, lines: Sequence[str], cpu: str) -> Tables:
        """Return the instruction tables of ``lines``: no simulation, so a batch costs what its
        parts cost.
        """
        report = self._report("\n".join(lines) + "\n", cpu, ("--instruction-tables",))
        region = report["CodeRegions"][0]
        infos = region["InstructionInfoView"]["InstructionList"]
        pressure: list[list[tuple[int, float]]] = [[] for _ in infos]
        for use in region["ResourcePressureView"]["ResourcePressureInfo"]:
            if use["InstructionIndex"] < len(infos) and use["ResourceUsage"] > 0:
                pressure[use["InstructionIndex"]].append(
                    (use["ResourceIndex"], use["ResourceUsage"])
                )
        facts = (
            Fact(i["NumMicroOpcodes"], i["Latency"], i["RThroughput"], tuple(sorted(p)))
            for i, p in zip(infos, pressure, strict=True)
        )
        return Tables(_port_names(report["TargetInfo"]["Resources"]), tuple(facts))

    def block_throughputs(self, blocks: Sequence[Sequence[str]], cpu: str) -> list[float]:
        """Return the block reciprocal throughput of each block (the static figure of the summary
        view); 0 where the tool aborts.
        """
        try:
            return [s["BlockRThroughput"] for s in self.summaries(blocks, cpu, 1)]
        except ToolFailed:
            if len(blocks) <= 1:
                return [0.0 for _ in blocks]
            half = len(blocks) // 2
            return self.block_throughputs(blocks[:half], cpu) + self.block_throughputs(
                blocks[half:], cpu
            )

    def dispatch_width(self, cpu: str) -> int:
        """Return how many micro-operations the model dispatches in a cycle."""
        return int(self.summaries([["nop"]], cpu, 1)[0]["DispatchWidth"])

    def summaries(
        self, blocks: Sequence[Sequence[str]], cpu: str, iterations: int
    ) -> list[_Summary]:
        """Return what llvm-mca says of each block, run so many times."""
        text = "".join(
            f"# LLVM-MCA-BEGIN b{i}\n" + "\n".join(block) + "\n# LLVM-MCA-END\n"
            for i, block in enumerate(blocks)
        )
        options = (
            f"--iterations={iterations}",
            "--instruction-info=false",
            "--resource-pressure=false",
        )
        return [r["SummaryView"] for r in self._report(text, cpu, options)["CodeRegions"]]

    def _given(self) -> tuple[str, ...]:
        return (f"-mattr={self.attributes}",) if self.attributes else ()

    def _report(self, text: str, cpu: str, options: Sequence[str]) -> _Report:
        done = subprocess.run(
            [
                f"llvm-mca{self.suffix}",
                f"-mtriple={self.triple}",
                f"-mcpu={cpu}",
                *self._given(),
                "--json",
                *options,
            ],
            input=text,
            capture_output=True,
            text=True,
            timeout=_SECONDS,
        )
        if done.returncode != 0:
            errors = [line for line in done.stderr.splitlines() if "error" in line]
            raise ToolFailed(errors[0] if errors else "llvm-mca failed")
        report: _Report = json.loads(done.stdout)
        return report


def _port_names(resources: Sequence[str]) -> tuple[str, ...]:
    """Number the units of a resource: what llvm-mca prints behind the dot is not text."""
    names: list[str] = []
    for resource in resources:
        name, dot, _ = resource.partition(".")
        names.append(f"{name}.{sum(n.startswith(name + '.') for n in names)}" if dot else name)
    return tuple(names)
