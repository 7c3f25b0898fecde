"""`isel verify` on each module and what was made of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from tests.modules.running import Rewriter, isel
from tests.modules.sources import Source


@dataclass
class Verified:
    """Of the modules so far: how many were rewritten and proved, the processor seconds of both
    commands, and what was not proved.
    """

    modules: int = 0
    rewritten: int = 0
    proved: int = 0
    rewriting: float = 0.0
    verifying: list[float] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)

    def line(self) -> str:
        """Return the totals."""
        times = sorted(self.verifying) or [0.0]
        return (
            f"{self.modules} modules, {self.rewritten} rewritten, {self.proved} of them proved by "
            f"isel verify; CPU: isel opt {self.rewriting:.0f} s, isel verify {sum(times):.0f} s, "
            f"a module {times[len(times) // 2]:.1f} s in the median and {times[-1]:.1f} s at most"
        )


def over_modules(
    modules: Iterable[Source], rewriter: Rewriter, folder: Path
) -> Iterator[tuple[str, Verified]]:
    """Rewrite every module and verify what was; yield its name and the totals so far."""
    totals = Verified()
    for module in modules:
        source, out = folder / f"{module.name}.ll", folder / f"{module.name}.22.ll"
        source.write_text(module.text)
        done, rewritten = rewriter(source, out, "-S")
        totals.modules += 1
        totals.rewriting += done.seconds
        if done.code:
            totals.problems.append(f"{module.name}: {done.said}")
        elif rewritten:
            totals.rewritten += 1
            _verify(module.name, source, out, totals)
        yield module.name, totals


def _verify(name: str, source: Path, out: Path, totals: Verified) -> None:
    judged = isel("verify", source, out)
    totals.verifying.append(judged.seconds)
    totals.proved += judged.code == 0
    if judged.code:
        lines = [x for x in judged.out.splitlines() if ": proved" not in x and "rests on" not in x]
        totals.problems += [f"{name}: {x}" for x in lines or [judged.said]]
