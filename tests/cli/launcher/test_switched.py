"""What a build makes of modules, of which a folder says what is on."""

from __future__ import annotations

from pathlib import Path

import pytest

from isel.cli.launcher import switched
from isel.cli.launcher.rewriter import Order, Result
from isel.cli.launcher.switched import Module

ORDER = Order("a.ll", "a.out", "a.c", 19, 3, "--effort=0", output="/x/a.o")
NOTHING = Result(0, 0, 0, "")


@pytest.mark.parametrize("object_", [False, True])
def test_a_build_has_what_the_folder_says(
    object_: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of text and, as for clang 14, of an object."""

    def decide(order: Order, text: str) -> tuple[Result, bool]:
        new = "" if text == "scalar" else f"{text} {order.flags}"
        return Result(2, 2, 2, new.encode() if object_ else new, remarks="said"), True

    def new_of(text: str) -> str:
        new = switched.choose(ORDER, text)[0].new
        return new.decode() if isinstance(new, bytes) else new

    folder = str(tmp_path)
    monkeypatch.setattr(switched, "decide", decide)
    monkeypatch.setenv("ISEL_BISECT", folder)
    module = Module(ORDER, "text", "said")
    assert new_of("text") == new_of("text") == "text --effort=0"
    assert new_of("scalar") == ""
    assert list(switched.modules_in(folder)) == [module]
    switched.keep(folder, module._replace(flags="--only-function=f"))
    assert new_of("text") == "text --effort=0 --only-function=f"
    switched.keep(folder, module._replace(flags=None))
    assert switched.choose(ORDER, "text") == (NOTHING, False)
    assert new_of("another text of this object") == "another text of this object --effort=0"
    # once anything is off, so is what was not seen so far
    (tmp_path / switched.OFF).touch()
    assert switched.choose(ORDER, "late") == (NOTHING, False)
    (tmp_path / "remarks").mkdir()
    flags = {m.text: m.flags for m in switched.modules_in(folder)}
    assert flags == {"text": None, "another text of this object": "", "late": None}
