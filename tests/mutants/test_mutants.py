"""The making, running and recording of mutants, on a module of our own and on one real function."""

from __future__ import annotations

import contextlib
import os
from functools import partial
from pathlib import Path

import pytest

from tests.children import Died, Done, Late, in_children
from tests.mutants.__main__ import MODULES, result, texts
from tests.mutants.battery import ROOT, Job, Ran, files_for, run
from tests.mutants.cover import NOTE, Notes, Seen, chosen, lines_by_test, noting, statement
from tests.mutants.mutate import Mutant, candidates, drawn, made
from tests.mutants.record import (
    HEAD,
    SURVIVORS,
    Known,
    Outcome,
    Result,
    Verdict,
    append,
    known,
    open_and_judged,
    read,
    row,
    totals,
)

TEXT = '''
"""A module."""

from __future__ import annotations

WORDS = frozenset({"a", "b"})


def f(x: int, y: int = 3) -> bool:
    """Return 1 if 2 < 3."""
    if x - y < 4 and not y:
        g(x, y)
        return True
    for k in (z for z in range(x) if z):
        x += k
    raise ValueError(f"{x + 1}", 5)


class C:
    LIMIT = 8

    def m(self) -> str:
        return ""
'''


def all_of(text: str = TEXT) -> list[Mutant]:
    return [m for m in (made(c, text) for c in candidates("m", text)) if m is not None]


def test_the_changes() -> None:
    """Every change is there once; annotations, defaults, docstrings, errors and class
    attributes are left alone.
    """
    found = [(m.where, m.kind, m.before, m.after) for m in all_of()]
    assert found == [
        ("WORDS", "member dropped", "{\"a\", \"b\"}", "{'b'}"),
        ("WORDS", "member dropped", "{\"a\", \"b\"}", "{'a'}"),
        ("f", "condition decided", "x - y < 4 and not y", "True"),
        ("f", "condition decided", "x - y < 4 and not y", "False"),
        ("f", "connective", "x - y < 4 and not y", "(x - y < 4 or not y)"),
        ("f", "condition removed", "x - y < 4 and not y", "(not y)"),
        ("f", "condition removed", "x - y < 4 and not y", "(x - y < 4)"),
        ("f", "comparison", "x - y < 4", "(x - y <= 4)"),
        ("f", "operator", "x - y", "(x + y)"),
        ("f", "operands swapped", "x - y", "(y - x)"),
        ("f", "constant", "4", "5"),
        ("f", "constant", "4", "3"),
        ("f", "not dropped", "not y", "y"),
        ("f", "statement dropped", "g(x, y)", "pass"),
        ("f", "arguments swapped", "g(x, y)", "g(y, x)"),
        ("f", "constant", "True", "False"),
        ("f", "condition removed", "(z for z in range(x) if z)", "((z for z in range(x)))"),
        ("f", "statement dropped", "x += k", "pass"),
        ("C.m", "another result", 'return ""', "return 'other'"),
    ]  # fmt: skip


def test_a_mutant_differs_in_one_place() -> None:
    for m in all_of():
        lines = [
            line
            for line in m.diff(TEXT).splitlines()
            if line[:1] in "+-" and line[:3] not in ("+++", "---")
        ]
        assert len(lines) == 2, m


def test_keys_outlast_other_changes() -> None:
    """Lines move, other functions change: the keys of a function's mutants stay, and no two are
    equal.
    """
    keys = [m.key for m in all_of()]
    assert len(set(keys)) == len(keys)
    moved = all_of(TEXT.replace('"""A module."""', '"""A module."""\n\nMORE = 1\n'))
    assert set(keys) < {m.key for m in moved}


def test_the_sample_is_seeded() -> None:
    def sample(seed: int, count: int) -> list[str]:
        return [m.key for m in drawn({"m": TEXT, "n": TEXT}, count, seed)]

    assert sample(1, 8) == sample(1, 20)[:8] != sample(2, 8)
    assert len(sample(1, 1000)) == 2 * len(all_of())
    assert [m.after for m in drawn({"m": TEXT}, 9, 1, "operands swapped")] == ["(y - x)"]


def test_every_module_has_tests() -> None:
    found = texts(MODULES)
    assert len(found) >= 13
    assert all((ROOT / name).exists() for m in found for name in files_for(m))
    with pytest.raises(KeyError):
        files_for("isel.cost.block")


def test_what_a_test_executes_is_noted(tmp_path: Path) -> None:
    """Also in a forked child; each statement once a test."""
    notes = Notes(tmp_path / "notes")
    names: dict[str, object] = {NOTE: partial(notes.note, "m"), "g": lambda x, y: None}
    exec(compile(noting(TEXT), "m", "exec", dont_inherit=True), names)
    f = names["f"]
    assert callable(f)
    notes.test("a::first")
    assert f(3, 0) and f(3, 0)
    notes.test("a::second")
    pid = os.fork()
    if not pid:
        with contextlib.suppress(ValueError):
            f(9, 3)
        os._exit(0)
    os.waitpid(pid, 0)
    found = lines_by_test(tmp_path / "notes")
    at = {
        word: next(k for k, line in enumerate(TEXT.splitlines(), 1) if word in line)
        for word in ("if x - y", "g(x, y)", "for k", "x += k", "raise")
    }
    assert {("m", at["if x - y"]), ("m", at["g(x, y)"])} <= found["a::first"] and (
        "m",
        at["for k"],
    ) not in found["a::first"]
    assert {("m", at[w]) for w in ("for k", "x += k", "raise")} <= found["a::second"] and (
        "m",
        at["g(x, y)"],
    ) not in found["a::second"]
    assert statement(TEXT, at["x += k"]) == at["x += k"] and statement(TEXT, 1) is None


def test_tests_that_execute_a_statement_are_chosen() -> None:
    """The fastest first, then those that share a small file with them; of a large file no
    others; all where no statement is named.
    """
    here, there = ("m", 3), ("m", 4)
    seen = {
        "a.py::slow": Seen(2, frozenset({here})),
        "a.py::quick": Seen(1, frozenset({here})),
        "a.py::other": Seen(0.5, frozenset({there})),
    }
    seen |= {
        f"b.py::{k}": Seen(0.1 * k, frozenset({here if k == 7 else there})) for k in range(50)
    } | {"c.py::x": Seen(0, frozenset({here}))}
    assert chosen(seen, ("a.py", "b.py"), here) == [
        "b.py::7",
        "a.py::quick",
        "a.py::slow",
        "a.py::other",
    ]
    assert len(chosen(seen, ("a.py", "b.py"), None)) == 53
    assert chosen(seen, ("b.py",), ("m", 5)) == []


def test_a_mutant_is_noticed_and_the_source_itself_is_not() -> None:
    """A certificate that is believed about every query: a test of ``isel.verify.recorded``
    fails.
    """
    module = "isel.verify.recorded"
    text = texts([f"{module.replace('.', '/')}.py"])[module]
    wrong = text.replace(
        "return self._known.get(query_hash(key))",
        'return self._known.get(query_hash(key), "nobody")',
    )
    assert wrong != text
    found = dict(in_children(run, [Job(module, wrong)], jobs=1, seconds=300))
    assert isinstance(found[0], Done) and "::" in found[0].value.failed


def a_result(key: str, outcome: Outcome) -> Result:
    return Result(key, "m", "f", 3, "constant", "1", "2", outcome, "", 0.5)


def test_what_becomes_of_a_child() -> None:
    mutant = all_of()[0]
    assert result(mutant, Done(Ran("a::b", 3), 1.0)).outcome is Outcome.KILLED
    assert result(mutant, Done(Ran("", 3), 1.0)).outcome is Outcome.SURVIVED
    assert result(mutant, Died("ended by SIGSEGV", 1.0)).by == "ended by SIGSEGV"
    assert result(mutant, Died("ended by SIGXCPU", 1.0)).outcome is Outcome.TIMEOUT
    assert result(mutant, Late(9.0)).outcome is Outcome.TIMEOUT


def test_results_are_taken_up_again(tmp_path: Path) -> None:
    file = tmp_path / "out.jsonl"
    assert read(file) == {}
    for r in (
        a_result("x", Outcome.SURVIVED),
        a_result("y", Outcome.KILLED),
        a_result("x", Outcome.KILLED),
    ):
        append(file, r)
    with file.open("a") as out:
        out.write('{"key": "z", "outc')
    assert {k: r.outcome for k, r in read(file).items()} == {
        "x": Outcome.KILLED,
        "y": Outcome.KILLED,
    }


def test_verdicts(tmp_path: Path) -> None:
    """A survivor needs one, and one that says 'killed' is wrong about a survivor."""
    results = [a_result(k, Outcome.SURVIVED) for k in ("a", "b", "c")] + [
        a_result("d", Outcome.KILLED)
    ]
    file = tmp_path / "survivors.tsv"
    lines = [
        row(r).replace("?", v.value, 1)[:-1] + "a reason"
        for r, v in zip(results, (Verdict.EQUIVALENT, Verdict.KILLED), strict=False)
    ]
    file.write_text("\n".join(["# comment", "\t".join(HEAD), *lines]) + "\n")
    verdicts = known(file)
    assert verdicts == {
        "a": Known("a", Verdict.EQUIVALENT, "a reason"),
        "b": Known("b", Verdict.KILLED, "a reason"),
    }
    assert [r.key for r in open_and_judged(results, verdicts)[0]] == ["b", "c"]
    assert totals(results, verdicts)["survived, equivalent"] == 1
    file.write_text("\t".join(HEAD) + "\n" + row(results[0]) + "\n")
    with pytest.raises(ValueError, match="is not a valid Verdict"):
        known(file)


def test_our_verdicts_are_of_mutants_that_there_are() -> None:
    """A verdict on a function that has changed is no verdict."""
    there = {c.key for module, text in texts(MODULES).items() for c in candidates(module, text)}
    assert set(known(SURVIVORS)) <= there
