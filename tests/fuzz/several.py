"""Functions that load several registers and store several results, in a loop or not."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from tests.fuzz.generate import OUTPUT_BYTES, Generated
from tests.fuzz.small import module
from tests.fuzz.writer import Shape, Writer

_ROUNDS: Final = 3  # of a loop; what goes wrong there goes wrong at once


@dataclass(slots=True)
class Registers:
    """A function's memory: what it reads of each pointer, and the lines that write ``%out``.

    With ``loop`` each round reads and writes the bytes behind those of the one before.
    """

    w: Writer
    loop: bool
    step: int  # bytes that a round reads of each pointer
    read: dict[str, int] = field(default_factory=dict)
    stores: list[str] = field(default_factory=list)
    written: int = 0

    def load(self, kind: Shape | str, size: int, pointer: str, at: int = 0) -> str:
        """Load so many bytes from byte ``at`` of a round's; half of the loads are never undef."""
        if pointer not in self.read:
            self.read[pointer] = 0
            if self.loop:
                self.w.scalar(f"mul i64 %i, {self.step}")
                self.w.lines.append(
                    f"  {pointer}.i = getelementptr inbounds i8, ptr {pointer}, i64 %v{self.w.names}"
                )
        self.read[pointer] = max(self.read[pointer], at + size)
        address = f"{pointer}.i" if self.loop else pointer
        if at:
            address = self.w.scalar(f"getelementptr inbounds i8, ptr {address}, i64 {at}")
        known = self.w.rng.choice(("", ", !noundef !{}"))
        text = f"load {kind}, ptr {address}, align 1{known}"
        return self.w.emit(kind, text) if isinstance(kind, Shape) else self.w.scalar(text)

    def address(self, size: int, gap: int = 0) -> str:
        """Return where the next so many bytes of output are, ``gap`` bytes behind the last."""
        at = self.written + gap
        self.written = at + size
        name = f"%o{len(self.stores)}"
        base = "%out.i" if self.loop else "%out"
        self.stores.append(f"  {name} = getelementptr inbounds i8, ptr {base}, i64 {at}")
        return name

    def store(self, value: str, kind: Shape | str, size: int, gap: int = 0) -> None:
        """Store a result behind all others."""
        at = self.address(size, gap)
        self.stores.append(f"  store {kind} {value}, ptr {at}, align 1")

    def made(self, seed: int) -> Generated:
        """Return the function."""
        rounds = max(1, min(_ROUNDS, OUTPUT_BYTES // self.written)) if self.loop else 0
        first: Sequence[str] = ()
        if rounds:
            first = (
                f"  %out.at = mul i64 %i, {self.written}",
                "  %out.i = getelementptr inbounds i8, ptr %out, i64 %out.at",
            )
        sizes = [max(rounds - 1, 0) * self.step + n for n in self.read.values()]
        text = module(self.w, [*self.read], [*first, *self.stores], rounds)
        return Generated(seed, text, (*sizes, max(1, rounds) * self.written))
