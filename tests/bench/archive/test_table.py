"""Tables that come back: read, checked and merged; what is forged is told in one line."""

from __future__ import annotations

import zlib
from pathlib import Path

import pytest

from bench.archive.__main__ import main
from bench.archive.runner import text_of
from bench.archive.table import NotATable, markdown, read

FACTS = [
    ("archive", "0.1.0 abc"),
    ("cpu", "Neoverse | V2"),
    ("system", "Linux aarch64"),
    ("python", "3.12.1"),
    ("processors", "8"),
]
ROWS = [
    "neon c_add 100.00 50.00 2.000 1.980 1.001 ok",
    "neon c_sad 100.00 110.00 0.910 0.900 1.001 slower",
    "dotprod c_add 100.00 100.00 0.900 1.200 1.050 noisy",
]


def table(rows: list[str] = ROWS, facts: list[tuple[str, str]] = FACTS) -> str:
    return text_of(facts, [row.split() for row in rows]) + "\n"


def test_what_is_printed_is_read() -> None:
    found = read(table(), "t.txt")
    assert found.facts == tuple(FACTS)
    assert [(r.kernel, r.ratio, r.verdict) for r in found.rows] == [
        ("c_add", 2.0, "ok"), ("c_sad", 0.91, "slower"), ("c_add", 0.9, "noisy"),
    ]  # fmt: skip


@pytest.mark.parametrize("change", ["mail", "spaces", "windows"])
def test_what_mail_does_to_a_table(change: str) -> None:
    text = {
        "mail": "Hello,\n\n> " + table().replace("\n", "\n> ") + "\nBest\n",
        "spaces": table().replace(" ", "   ").replace("\n", " \n\n"),
        "windows": table().replace("\n", "\r\n"),
    }[change]
    assert read(text, "t.txt") == read(table(), "t.txt")


def signed(body: str) -> str:
    """Return a table with the right sum of what somebody wrote."""
    return f"{body}\nend {body.count('neon') + body.count('dotprod')} {zlib.crc32(body.encode()):08x}\n"


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "no line 'isel-bench 1'"),
        (table().replace("isel-bench 1", "isel-bench 2"), "no line 'isel-bench 1'"),
        (table().rpartition("end")[0], "it is cut"),
        (table().replace("50.00", "40.00"), "its sum is another"),
        (table([ROWS[0], ROWS[0]]), "a kernel is there twice"),
        (table([ROWS[0].replace("50.00", "5.00")]), "figures that do not go together"),
        (table([ROWS[1].replace("slower", "ok")]), "figures that do not go together"),
        (table([ROWS[0].replace("2.000", "0.000")]), "figures that do not go together"),
        (table([ROWS[0].replace("2.000", "nan")]), "not a row"),
        (table([ROWS[0].replace("2.000", "-2.000")]), "not a row"),
        (table([ROWS[0].replace("c_add", "<b>")]), "not a row"),
        (table([ROWS[0] + " more"]), "not a row"),
        (table(facts=FACTS[1:]), "expected facts"),
        (signed(table().partition("\nend")[0].replace("verdict", "said")), "not of these columns"),
        (signed(table().partition("\nend")[0] + "\nneon\ndotprod"), "not a row"),
    ],
)
def test_a_forged_table(
    text: str, why: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(NotATable, match=why):
        read(text, "t.txt")
    path = tmp_path / "t.txt"
    path.write_text(text)
    assert main(["read", str(path)]) == 1
    out, err = capsys.readouterr()
    assert out == "" and err.count("\n") == 1 and why in err


def test_tables_are_merged(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    other = table(
        ["x86-64-v3 c_add 90.00 60.00 1.500 1.500 1.000 ok"], [FACTS[0], ("cpu", "Zen"), *FACTS[2:]]
    )
    found = markdown([read(table(), "a"), read(other, "b")])
    assert found.splitlines()[2:] == [
        "| kernel | Neoverse \\| V2, neon | Neoverse \\| V2, dotprod | Zen, x86-64-v3 |",
        "| --- | --- | --- | --- |",
        "| c_add | 1.99 | 1.05 noisy | 1.50 |",
        "| c_sad | 0.91 slower | - | - |",
        "| geometric mean | 1.34 | 1.00 | 1.50 |",
    ]
    paths = [tmp_path / name for name in ("a", "b")]
    for path, text in zip(paths, (table(), other), strict=True):
        path.write_text(text)
    assert main(["read", *map(str, paths)]) == 0
    assert capsys.readouterr().out == found


def test_a_file_that_is_not_there(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["read", str(tmp_path / "gone")]) == 1
    assert "no such file" in capsys.readouterr().err
