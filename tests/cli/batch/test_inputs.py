"""Which modules a batch has, what their outputs are called, and what is an error before any
work.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from isel.cli.batch.compile_commands import Compile, read_commands
from isel.cli.batch.inputs import modules_of
from isel.errors import IselError


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def made(*names: str) -> None:
    for k, name in enumerate(names):
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        Path(name).write_bytes(b"x" * (len(names) - k))


def outputs(*inputs: str, text: bool = False) -> list[tuple[str, str]]:
    return [(m.name, m.output) for m in modules_of(inputs, Path("out"), text=text)]


def test_a_folder_is_mirrored_the_largest_module_first() -> None:
    made("in/b/z.ll", "in/a.bc", "in/notes.txt", "in/b/c/y.ll")
    Path("in/folder.ll").mkdir()
    assert outputs("in") == [("b/z.ll", "b/z.ll"), ("a.bc", "a.bc"), ("b/c/y.ll", "b/c/y.ll")]
    assert outputs("in", text=True)[1] == ("a.bc", "a.ll")


def test_files_are_named_below_the_folder_that_they_share() -> None:
    made("in/b/z.ll", "in/c/z.ll", "d/q.bc")
    assert outputs("in/b/z.ll") == [("z.ll", "z.ll")]
    assert outputs("in/b/z.ll", str(Path("in/c/z.ll").absolute())) == [
        ("b/z.ll", "b/z.ll"),
        ("c/z.ll", "c/z.ll"),
    ]
    assert outputs("in", "d/q.bc") == [("b/z.ll", "b/z.ll"), ("c/z.ll", "c/z.ll"), ("q.bc", "q.bc")]


def test_outputs_of_an_earlier_batch_are_no_inputs() -> None:
    made("in/a.ll", "in/out/a.ll")
    assert [m.name for m in modules_of(["in"], Path("in/out"), text=False)] == ["a.ll"]
    assert len(modules_of(["in"], Path("out"), text=False)) == 2


@pytest.mark.parametrize(
    ("inputs", "message"),
    [
        (["in", "in"], "two modules would be written to out/a.ll: in/a.bc and in/a.bc"),
        (["both"], "two modules would be written to out/a.ll: both/a.bc and both/a.ll"),
        (
            ["out/a.ll"],
            "out/a.ll: error: would be overwritten by its own output, expected another folder after -o",
        ),
        (
            ["folder", "file"],
            "out/x.ll would be a file and the folder of what folder/x.ll/y.ll becomes",
        ),
        (
            ["page"],
            "out/summary.html would be a file and the folder of what page/summary.html/y.ll becomes",
        ),
        (["empty"], "empty: error: no module (.ll or .bc) below this folder"),
        (
            ["in/notes.txt"],
            "in/notes.txt: error: expected a folder, a module (.ll or .bc) or a compile_commands.json",
        ),
        (["in/gone.ll"], "in/gone.ll: error: no such file or directory"),
        (["gone.json"], "gone.json: error: no such file or directory"),
        (
            ["number.json"],
            "number.json: error: not a compilation database: expected entries with directory, file, and arguments or command",
        ),
        (["none.json"], "none.json: error: no entry in this compilation database"),
        (
            ["broken.json"],
            "broken.json:1:2: error: Expecting value, expected a compilation database\n[\n ^",
        ),
    ],
)
def test_mistakes(inputs: list[str], message: str) -> None:
    made(
        "in/a.bc",
        "in/notes.txt",
        "both/a.ll",
        "both/a.bc",
        "out/a.ll",
        "folder/x.ll/y.ll",
        "file/x.ll",
        "page/summary.html/y.ll",
    )
    Path("empty").mkdir()
    for name, text in (("number", "[3]"), ("none", "[]"), ("broken", "[")):
        Path(f"{name}.json").write_text(text)
    with pytest.raises(IselError) as caught:
        modules_of(inputs, Path("out"), text=True)
    assert caught.value.message() == message


def test_entries_become_commands_that_make_ir(tmp_path: Path) -> None:
    entries: list[dict[str, object]] = [
        {
            "directory": "build",
            "file": "../src/a.c",
            "command": "clang -O3 -DX='a b' -MD -MT t -MFa.d -o obj/a.c.o -c ../src/a.c",
        },
        {
            "directory": str(tmp_path),
            "file": "b.c",
            "arguments": [
                *("cc", "-O2", "-flto=thin", "-MM", "-MJ", "b.json", "-Wp,-MD,b.d"),
                *(
                    "-save-temps=obj",
                    "-include",
                    "-odd.h",
                    "-emit-llvm",
                    "-mllvm",
                    "-c",
                    "-c",
                    "b.c",
                ),
            ],
            "output": "build/obj/b.o",
        },
    ]
    Path("db.json").write_text(json.dumps(entries))
    first, second = read_commands(Path("db.json"))
    assert first.words == ("clang", "-O3", "-DX=a b", "../src/a.c", "-S", "-emit-llvm")
    assert (first.folder, second.folder) == (tmp_path / "build", tmp_path)
    kept = ("-include", "-odd.h", "-mllvm", "-c")  # values that look like flags
    assert second.words == ("cc", "-O2", *kept, "b.c", "-S", "-emit-llvm")
    assert outputs("db.json") == [("a.c.ll", "a.c.ll"), ("b.ll", "b.ll")]


def python(*lines: str) -> Compile:
    return Compile((sys.executable, "-c", "\n".join(lines)), Path(), Path("a.c"), Path("a.c"))


def test_what_a_compiler_says_is_told() -> None:
    assert python("import sys", "open(sys.argv[2], 'w').write('; IR')").module() == b"; IR"
    name = Path(sys.executable).name
    for command, message in (
        (
            python("import sys", "sys.exit('note: x\\na.c:1:2: error: no')"),
            f"{name} made no LLVM IR (status 1): a.c:1:2: error: no",
        ),
        (python("pass"), f"{name} made no LLVM IR (status 0): nothing on standard error"),
        (
            Compile(("no-such-cc",), Path(), Path("a.c"), Path("a.c")),
            "no-such-cc cannot be run in .: no such file or directory",
        ),
    ):
        with pytest.raises(IselError) as caught:
            command.module()
        assert caught.value.message() == message
    assert not list(Path().glob("a*"))
