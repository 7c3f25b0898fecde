"""The stages of rewriting a module, by name: who watches is told when one ends and what there is
then.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, TypeAlias

from frontends.llvm.transform.table import BEFORE_WINDOWS, REGROUPED_REDUCTIONS, WINDOWS
from isel.model.mechanisms import Mechanism

Watch: TypeAlias = Callable[[str, Callable[[], str]], None]  # a stage's name, and what there is

PARSE: Final = "parse"
SEARCH: Final = "search"
JUDGE: Final = "judge"
SPLICE: Final = "splice"
PROVE: Final = "prove"
STAGES: Final = (
    Mechanism(PARSE, "stage", "the module as LLVM prints it"),
    *(Mechanism(row.name, "stage", "the module with what it does") for row in BEFORE_WINDOWS),
    Mechanism(REGROUPED_REDUCTIONS, "stage", "functions in every form that is tried"),
    Mechanism(WINDOWS, "stage", "the windows that are searched"),
    Mechanism(SEARCH, "stage", "the programs that were found"),
    Mechanism(JUDGE, "stage", "what was accepted of them"),
    Mechanism(SPLICE, "stage", "the module as it would be written"),
    Mechanism(PROVE, "stage", "the module that is proved"),
)


def watch_nothing(stage: str, text: Callable[[], str]) -> None:
    """Tell nobody."""
