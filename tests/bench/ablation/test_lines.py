"""Lines that hang on a mechanism are of modules that nothing else needs."""

from __future__ import annotations

from pathlib import Path

from bench.ablation.lines import ENTRIES, lines, lines_of
from bench.ablation.worth import NAMES

_ROOT = Path(__file__).parents[3]


def test_every_entry_is_a_module_of_a_mechanism() -> None:
    assert ENTRIES.keys() <= {row.name for row in NAMES}
    for entry in (e for entries in ENTRIES.values() for e in entries):
        assert (_ROOT / f"{entry.replace('.', '/')}.py").is_file(), entry


def test_a_mechanism_has_its_own_modules_and_what_they_alone_need() -> None:
    found = lines()
    assert found.keys() == ENTRIES.keys()
    assert all(found.values())
    chains = (_ROOT / "isel/synth/edges/chains.py").read_text(encoding="utf-8")
    assert found["chains"] == len(chains.splitlines())
    scaled = (_ROOT / "isel/synth/cegis/scaled.py").read_text(encoding="utf-8")
    assert found["cegis"] > len(scaled.splitlines())


def test_nothing_hangs_on_no_module() -> None:
    assert lines_of(()) == 0
