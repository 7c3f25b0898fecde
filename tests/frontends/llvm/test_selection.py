"""Which of the rewrites that are judged together are tried without each other."""

from __future__ import annotations

from types import SimpleNamespace
from typing import cast

import pytest

from frontends.llvm.limits import JUDGE_PRUNED
from frontends.llvm.pipeline.judge import Choice, Refusal, Selection
from frontends.llvm.splicing.write import Rewrite
from isel.cost.judgement import Judgement
from isel.model.answer import Candidate
from isel.model.program import Program
from isel.model.verdict import Certificate, Proved

_NONE = Program((), (0,))


def _choice(k: int) -> Choice:
    """Return a rewrite of a window of its own."""
    window = SimpleNamespace(text=lambda: str(k))
    site = SimpleNamespace(block=0, window=window, roots=[SimpleNamespace(name=f"r{k}")])
    made = Candidate(_NONE, Proved(Certificate((), ())))
    return Choice(cast(Rewrite, SimpleNamespace(site=site)), made, Judgement(True, "", 9, 5), 1, 0)


class _Alike(Selection):
    """One to which a function is as fast without any of its rewrites."""

    def __init__(self) -> None:
        self.tried = 0

    def _judge_beside(self, *_: object) -> Judgement:
        self.tried += 1
        return Judgement(False, "", 5.0, 5.0)


@pytest.mark.parametrize("count", [2, JUDGE_PRUNED, JUDGE_PRUNED + 1])
def test_of_many_none_is_tried_without_the_others(count: int) -> None:
    selection, choices = _Alike(), [_choice(k) for k in range(count)]
    answers = selection._prune((), choices)
    assert list(answers) == [f"r{k}" for k in range(count)]
    few = count <= JUDGE_PRUNED
    assert selection.tried == (count if few else 0)
    dropped = [isinstance(a, Refusal) for a in answers.values()]
    assert dropped == ([True] * (count - 1) + [False] if few else [False] * count)
