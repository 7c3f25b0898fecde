"""What a file is ported with: machines by headers, flags by whose they are."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from isel.cli.grammar.moving import port_parser
from isel.cli.port.compile import mistake
from isel.cli.port.given import port_of
from isel.cli.port.machines import machine_of
from isel.errors import FileProblem


@pytest.mark.parametrize(
    ("headers", "found"),
    [
        ("emmintrin.h stdint.h", ("x86", "-march=x86-64")),
        ("emmintrin.h smmintrin.h", ("x86", "-march=x86-64-v2")),
        ("immintrin.h smmintrin.h", ("x86", "-march=x86-64-v3")),
        ("arm_neon.h", ("arm", "-march=armv8-a")),
        ("stdint.h", None),
    ],
)
def test_headers_name_a_machine_and_its_level(headers: str, found: tuple[str, str] | None) -> None:
    assert machine_of(headers.split()) == found


def test_flags_of_a_machine_are_the_sources(tmp_path: Path) -> None:
    """Those of a database come first; what says where to write, and for whom, is dropped."""
    (tmp_path / "in.c").write_text("#include <tmmintrin.h>\n")
    words = "cc --target=x86_64-linux -O3 -g -mavx -Iparts -Wall -fno-vectorize -o in.o -c in.c"
    entry = {"directory": str(tmp_path), "file": "in.c", "command": words}
    (tmp_path / "compile_commands.json").write_text(json.dumps([entry]))
    parser = port_parser()
    line = ["in.c", "--to", "aarch64", "--clang", "cc", "--flag=-DX", "--flag=-mfma"]
    port = port_of(parser.parse_args([str(tmp_path / line[0]), *line[1:]]))
    assert port.flags == ("-Iparts", "-Wall", "-fno-vectorize", "-DX")
    assert port.machine == ("-march=x86-64-v2", "-mavx", "-mfma")
    assert (port.source, port.target, port.cpu, port.folder) == ("x86", "arm", "generic", tmp_path)


def test_a_file_that_a_named_database_lacks(tmp_path: Path) -> None:
    (tmp_path / "in.c").write_text("#include <tmmintrin.h>\n")
    entry = {"directory": str(tmp_path), "file": "other.c", "command": "cc -c other.c"}
    (tmp_path / "compile_commands.json").write_text(json.dumps([entry]))
    parser = port_parser()
    words = [str(tmp_path / "in.c"), "--to", "aarch64", "--clang", "cc"]
    assert port_of(parser.parse_args(words)).flags == ()
    with pytest.raises(FileProblem, match="no entry for"):
        port_of(parser.parse_args([*words, "-p", str(tmp_path)]))
    (tmp_path / "in.c").write_text("#include <arm_neon.h>\n")
    with pytest.raises(FileProblem, match="expected intrinsics of another machine"):
        port_of(parser.parse_args(words))


def test_the_first_error_of_a_compile_is_ours(tmp_path: Path) -> None:
    (tmp_path / "in.c").write_text("#include <tmmintrin.h>\n")
    parser = port_parser()
    port = port_of(parser.parse_args([str(tmp_path / "in.c"), "--to", "aarch64", "--clang", "cc"]))
    said = "In file included from a.c:1:\nb.h:3:7: error: what\n    3 | int f(;\n      |       ^\n"
    assert mistake(port, said).message() == "b.h:3:7: error: what\nint f(;\n      ^"
    assert "does not compile it: no such thing" in mistake(port, "no such thing").message()
