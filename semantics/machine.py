"""What LLVM compiles instructions for: a triple, a plain CPU, and attributes of functions."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Usual:
    """The CPU that commands take where nobody names one, with features as +a,-b; ``older`` are CPUs
    whose instructions people still know by name.
    """

    cpu: str
    features: str = ""
    older: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Mistake:
    """What is wrong where LLVM selects a form by itself; code that calls ``intrinsic`` asks for
    it.
    """

    intrinsic: str
    what: str


@dataclass(frozen=True, slots=True)
class Machine:
    """A triple, the CPU to which features are added, what else each function needs said, the bits
    that a lane of a mask takes in memory, features (+a,-b) of
    all code that is executed, whether code takes what its blocks cost as often as they run,
    however long it is, and how features begin with which masks have registers of their own.
    """

    triple: str
    cpu: str
    further: str = ""
    mask_bits: int = 1
    base: str = ""
    in_order: bool = False
    masks: str = ""

    def attributes(self, features: frozenset[str]) -> str:
        """Return function attributes that allow exactly these features (and what they imply), and
        registers of any width.
        """
        added = ",".join([*filter(None, [self.base]), *("+" + f for f in sorted(features))])
        said = f'"target-cpu"="{self.cpu}" "target-features"="{added}"'
        return f"{said} {self.further}" if self.further else said
