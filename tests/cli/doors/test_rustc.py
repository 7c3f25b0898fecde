"""``RUSTC_WRAPPER=isel-rustc``: what is understood."""

from __future__ import annotations

import pytest

from isel.cli.rustc import Crate, _crate

CARGO = (
    "rustc --crate-name halve --edition=2021 src/lib.rs --error-format=json --json=artifacts "
    "--crate-type lib --emit=dep-info,metadata,link -C opt-level=3 -C embed-bitcode=no "
    "-C metadata=54 -C extra-filename=-c5 --out-dir deps -L dependency=deps -C target-cpu=native"
)


def test_what_cargo_asks_for() -> None:
    assert _crate(CARGO.split()) == Crate("deps/halve-c5", "src/lib.rs", 3, links=False)
    linked = CARGO.replace("type lib", "type bin").replace("level=3", "level=s")
    assert _crate(linked.split()) == Crate("deps/halve-c5", "src/lib.rs", 2)


@pytest.mark.parametrize(
    "change",
    [
        ("opt-level=3", "opt-level=0"),
        ("-C opt-level=3", ""),
        ("embed-bitcode=no", "lto=fat"),
        ("-C metadata=54", "-C linker=clang"),
        ("-C metadata=54", "-C incremental=i"),
        ("--out-dir deps", "-o x"),
        (",link", ""),
        (",link", ",link,asm"),
        ("-L dependency=deps", "--target x86_64-unknown-none"),
        ("-L dependency=deps", "--print cfg"),
        ("src/lib.rs", "-"),
        ("--crate-type lib", "--crate-type lib --crate-type cdylib"),
        (CARGO, "rustc -vV"),
        (CARGO, "rustc -C"),
        (CARGO, ""),
    ],
)
def test_what_is_left_to_rustc(change: tuple[str, str]) -> None:
    assert _crate(CARGO.replace(*change).split()) is None
