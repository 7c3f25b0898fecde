"""What is said of libraries behind the launcher: pictures are what they say, differences are seen."""

from __future__ import annotations

import os
import subprocess
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from bench.real.build import Build, Failed
from bench.real.code import code_of, functions_that_differ
from bench.real.compare import compared
from bench.real.cpu import Cost
from bench.real.library import LIBRARIES, Codec, Library, Use
from bench.real.pictures import SIZES, pam, pictures, ppm, scene, y4m
from bench.real.speed import timed

FEW = {name: pictures()[name] for name in ("noise-17x5", "edges-1x1")}
COPY = '#!/bin/sh\ncat "$1" > "$2"\n'
TOY = Library(
    "toy",
    "toy",
    configure=(),
    build=(),
    test=(),
    codecs=(Codec("copy", ppm, (("encode", "{in}", "{out}"),), (("decode", "{in}", "{out}"),)),),
)


def build(folder: Path, *, decode: str = COPY) -> Build:
    """Return a library whose programs are shell scripts."""
    folder.mkdir()
    for name, text in (("encode", COPY), ("decode", decode)):
        (folder / name).write_text(text)
        (folder / name).chmod(0o755)
    return Build(TOY, folder, os.environ)


def test_pictures_have_the_sizes_that_they_say() -> None:
    made = pictures()
    assert len(made) == 3 * len(SIZES) and (made["noise-17x5"] == pictures()["noise-17x5"]).all()
    for name, picture in made.items():
        width, height = map(int, name.partition("-")[2].split("x"))
        assert picture.shape == (height, width, 4) and picture.dtype == np.uint8
        assert len(ppm(picture).split(b"\n255\n", 1)[1]) == 3 * width * height
        assert len(pam(picture).split(b"ENDHDR\n", 1)[1]) == 4 * width * height
        half = -(-width // 2) * -(-height // 2)
        frames = y4m(picture).split(b"\n", 1)[1]
        assert len(frames) == 4 * (len(b"FRAME\n") + width * height + 2 * half)


def test_equal_builds_make_equal_outputs(tmp_path: Path) -> None:
    plain, other = build(tmp_path / "plain"), build(tmp_path / "other")
    found = compared(plain, other, FEW, tmp_path / "pictures")
    assert (found.compared, found.different) == (2 * len(FEW), ())


@pytest.mark.parametrize(
    "wrong",
    [
        COPY + 'grep -qa "^17 5" "$1" && printf x >> "$2"; true\n',
        COPY + "echo something\n",
        COPY + "exit 3\n",
        "#!/bin/sh\n",
    ],
    ids=["a byte more", "a message", "exit code", "no output"],
)
def test_a_difference_is_seen(wrong: str, tmp_path: Path) -> None:
    plain, other = build(tmp_path / "plain"), build(tmp_path / "other", decode=wrong)
    found = compared(plain, other, FEW, tmp_path / "pictures")
    assert 1 <= len(found.different) <= len(FEW)
    assert all("decode" in what for what in found.different)


def test_what_the_clock_says_is_no_difference(tmp_path: Path) -> None:
    said = COPY + "echo encoded 4 frames, $$.5 fps, 166.45 kb/s\n"
    plain, other = (build(tmp_path / name, decode=said) for name in ("plain", "other"))
    assert compared(plain, other, FEW, tmp_path / "pictures").different == ()


def test_a_use_is_timed_with_both_builds_on_one_picture(tmp_path: Path) -> None:
    seen = (
        '#!/bin/sh\necho "$0" >> "$(dirname "$0")/../seen"\ncmp "$1" "$2.was" || cp "$1" "$2.was"\n'
    )
    use = Use("decode", ppm, ("encode", "{in}", "{coded}"), ("decode", "{coded}", "{out}"))
    library = replace(TOY, uses=(use,))
    a, b = (replace(build(tmp_path / n, decode=seen), library=library) for n in ("a", "b"))
    (found,) = timed(a, b, tmp_path / "speed", rounds=2, size=(640, 360))
    assert found.use == "decode" and found.plain > 0 and found.ours > 0
    ran = (tmp_path / "seen").read_text().split()
    assert sorted(Path(x).parent.name for x in ran) == ["a", "a", "b", "b"]
    assert (tmp_path / "speed" / "coded").read_bytes() == ppm(scene(640, 360))


def test_a_command_that_fails_says_why(tmp_path: Path) -> None:
    made = build(tmp_path / "plain")
    with pytest.raises(Failed, match="toy: sh -c 'echo no; exit 4': 4\nno"):
        made.must(["sh", "-c", "echo no; exit 4"])


def test_command_lines_have_places_for_files() -> None:
    for library in LIBRARIES.values():
        assert any("{flags}" in word for word in library.configure)
        for codec in library.codecs:
            for words in (*codec.encode, *codec.decode):
                assert words.count("{in}") == words.count("{out}") == 1


@pytest.mark.parametrize(
    ("plain", "has_vectors", "limit"),
    [(40.0, False, 120.0), (40.0, True, 240.0), (600.0, True, 900.0), (600.0, False, 680.0)],
)
def test_what_a_compile_may_take(plain: float, has_vectors: bool, limit: float) -> None:
    assert Cost("a.c", plain, 0.0, has_vectors).limit == limit


@pytest.mark.tools
def test_changed_code_is_named(tmp_path: Path) -> None:
    """f is the same everywhere; both change g, otherwise; h differs and neither changes it; only
    one changes i.
    """
    source = "int f(int x) { return x * 3; }" + "".join(
        f"int {name}(int x) {{ return f(x) + %d; }}" for name in "ghi"
    )
    made = {
        "plain/a.o": (1, 1, 1),
        "isel/a.o": (2, 1, 1),
        "run/toy-a.before.o": (1, 2, 2),
        "run/toy-a.after.o": (3, 2, 3),
    }
    for name, more in made.items():
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        (tmp_path / "a.c").write_text(source % more)
        words = ("clang-19", "-O1", "-fno-inline", "-c", tmp_path / "a.c", "-o", path)
        subprocess.run(words, check=True)
    plain, isel, run = (tmp_path / name for name in ("plain", "isel", "run"))
    assert set(code_of(isel / "a.o")) == set("fghi")
    assert list(functions_that_differ(plain, isel, run, "toy")) == [
        "functions with the machine code of run: 1, changed neither there nor here: 1, others: 2",
        "  toy-a.after.o: g",
        "  toy-a.after.o: i",
    ]
