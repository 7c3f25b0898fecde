"""The index of a target: the same instructions with it, without it, and whatever lies where it
is kept.
"""

from __future__ import annotations

import hashlib
import os
import time
from collections.abc import Callable
from multiprocessing import get_context
from pathlib import Path

import numpy as np
import pytest

from isel.ir.canon import canonical
from isel.places import cache_folder
from isel.spec.index import indexed, opened
from isel.spec.index_made import made
from isel.spec.index_rows import Data, Entries
from isel.spec.kept import path_of, read_kept, write_kept
from isel.spec.known import (
    Permute,
    class_of,
    first_lane,
    gather,
    is_enumerable,
    is_masked,
    moves_only,
    remembered,
    swizzle_map,
    swizzles,
)
from isel.spec.permutes import permute_of
from isel.spec.sem import read_block, read_entries
from isel.spec.sem_block import Family
from isel.trust import Signer
from tests.spec.indexed import SEM, SOURCES, entries, fails, load, same, signer


def test_what_is_opened_is_what_was_read() -> None:
    read = entries()
    again = opened(made(read, SOURCES), SOURCES)
    assert len(again.instructions) == len(read.instructions) == 8
    assert all(same(a, b) for a, b in zip(again.instructions, read.instructions, strict=True))
    assert {n: (i.emission, i.immediates, i.call) for n, i in again.calls.items()} == {
        n: (i.emission, i.immediates, i.call) for n, i in read.calls.items()
    }
    assert "llvm.toy.high" in again.calls


def test_what_is_remembered_is_what_lanes_give() -> None:
    for read, kept in zip(
        entries().instructions, opened(made(entries(), SOURCES), SOURCES).instructions, strict=True
    ):
        assert remembered(read) is None and remembered(kept) is not None
        chosen = (
            [()]
            if not read.immediates
            else [((read.immediates[0].name, v),) for v in (0, 1, 31, 32, 64, 65, 255)]
        )
        assert [first_lane(read, f) for f in chosen] == [first_lane(kept, f) for f in chosen]
        assert (is_masked(read), is_enumerable(read)) == (is_masked(kept), is_enumerable(kept))
        if not read.immediates and is_enumerable(read) and not is_masked(read):
            one, other = gather(read, ()), gather(kept, ())
            assert (
                one is not None
                and other is not None
                and all(np.array_equal(a, b) for a, b in zip(one, other, strict=True))
            )
        if read.immediates:
            assert moves_only(read) == moves_only(kept) == (read.name == "shuffle")


def test_classes_are_kept_by_the_values_of_the_immediates() -> None:
    by_name = {i.name: i for i in opened(made(entries(), SOURCES), SOURCES).instructions}
    assert (
        class_of(by_name["add_8"], ()) == class_of(by_name["add_16"], ()) == "add"
        and class_of(by_name["addsub"], ()) == ""
    )
    assert [class_of(by_name["shift"], (("n", n),)) for n in (0, 30, 31, 32, 255)] == [
        "shl",
        "shl",
        "",
        "constant",
        "constant",
    ]


def test_swizzles_are_those_that_permute_bits() -> None:
    by_name = {i.name: i for i in opened(made(entries(), SOURCES), SOURCES).instructions}
    plain = {i.name: i for i in entries().instructions}
    for name in ("shuffle", "high"):
        found = {
            value: (operand.tolist(), element.tolist())
            for value, operand, element in swizzles(by_name[name])
        }
        values = plain[name].immediates[0].values if plain[name].immediates else (0,)
        maps = {
            v: swizzle_map(
                plain[name],
                ((plain[name].immediates[0].name, v),) if plain[name].immediates else (),
            )
            for v in values
        }
        assert found == {
            v: (m[0].tolist(), m[1].tolist()) for v, m in maps.items() if m is not None
        }
        assert found


def test_permutes_by_index_are_kept_as_tables() -> None:
    by_name = {i.name: i for i in opened(made(entries(), SOURCES), SOURCES).instructions}
    found = permute_of(by_name["permute_zeroing"])
    assert found == permute_of(
        next(i for i in entries().instructions if i.name == "permute_zeroing")
    )
    assert found == Permute((0, 0, 0, 0), ((128, 0, 1, 2, 3),))
    assert permute_of(by_name["add_8"]) is None


def test_irregular_and_predicated_instructions_are_not_enumerated() -> None:
    by_name = {i.name: i for i in opened(made(entries(), SOURCES), SOURCES).instructions}
    assert not is_enumerable(by_name["addsub"]) and is_masked(by_name["add_16_merge"])
    assert is_enumerable(by_name["add_8"]) and not is_masked(by_name["add_8"])


def test_blocks_are_read_when_a_lane_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[str] = []

    def noted(text: str, file: str) -> Family:
        read.append(text)
        return read_block(text, file)

    monkeypatch.setattr("isel.spec.sem.read_block", noted)
    found = opened(made(entries(), SOURCES), SOURCES)
    first = found.instructions[0]
    assert first_lane(first, ()) is not None and not read
    assert canonical(first.lane(0, {}))[0] is first_lane(first, ()) and len(read) == 1
    found.instructions[1].lane(3, {})
    assert len(read) == 1 and read[0].startswith("instruction add_{w}") and "merge" not in read[0]


def test_the_second_time_nothing_is_read(tmp_path: Path) -> None:
    first = load(tmp_path)
    (kept,) = (tmp_path / "isel").iterdir()
    again = load(tmp_path, fails)
    assert all(same(a, b) for a, b in zip(first.instructions, again.instructions, strict=True))
    assert kept.stat().st_mode & 0o077 == 0


@pytest.mark.parametrize(
    "damage",
    [
        lambda data: data[: len(data) // 2],
        lambda data: b"",
        lambda data: b"SQLite format 3\0" + data,
        lambda data: data.replace(b"add", b"sub", 1),
        lambda data: b"\xff" * 100,
        lambda data: data.split(b"\n", 1)[0] + b"\n",
    ],
)
def test_a_damaged_or_foreign_file_is_made_again(
    tmp_path: Path, damage: Callable[[bytes], bytes], capfd: pytest.CaptureFixture[str]
) -> None:
    load(tmp_path)
    (kept,) = (tmp_path / "isel").iterdir()
    good = kept.read_bytes()
    kept.write_bytes(damage(good))
    assert len(load(tmp_path).instructions) == 8
    assert kept.read_bytes() == good
    assert capfd.readouterr() == ("", "")


def test_a_file_of_the_right_hash_and_the_wrong_shape_is_made_again(tmp_path: Path) -> None:
    load(tmp_path)
    (kept,) = (tmp_path / "isel").iterdir()
    key = kept.read_bytes().split()[3].decode()
    wrong: list[object] = [{}, [], {"terms": 3}, None]
    for data in wrong:
        write_kept(kept, key, data, signer())
        assert len(load(tmp_path).instructions) == 8
    load(tmp_path, fails)


def forged() -> Data:
    """Return the index of instructions that subtract where they say that they add."""
    data = made(
        Entries(
            read_entries(
                SEM.replace("a[i] + b[i]", "a[i] - b[i]"), "toy.sem", check=False
            ).instructions,
            {},
        ),
        SOURCES,
    )
    return Data(
        **{
            **data,
            "rows": [r._replace(emission=["%r = sub <16 x i8> %b, %a"]) for r in data["rows"]],
        }
    )


@pytest.mark.parametrize("kind", ["another key", "another name", "no code", "a hash"])
def test_a_forged_index_is_made_again(tmp_path: Path, kind: str) -> None:
    """Emissions and gather maps are taken from an index as they are, so nobody else may say
    what they are.
    """
    honest = load(tmp_path)
    (kept,) = (tmp_path / "isel").iterdir()
    good = kept.read_bytes()
    key = good.split()[3].decode()
    write_kept(kept, key, forged(), signer())
    assert load(tmp_path, fails).instructions[0].emission == (
        "%r = sub <16 x i8> %b, %a",
    )  # whoever has the key is believed
    start, body = kept.read_bytes().split(b"\n", 1)
    match kind:
        case "another key":
            write_kept(kept, key, forged(), Signer(bytes(32)))
        case "another name":
            load(tmp_path, key="other")
            other = next(p for p in (tmp_path / "isel").iterdir() if p != kept).read_bytes()
            kept.write_bytes(other.replace(other.split()[3], key.encode()))
        case "no code":
            kept.write_bytes(start.rsplit(b" ", 1)[0] + b" \n" + body)
        case "a hash":
            kept.write_bytes(
                start.rsplit(b" ", 1)[0]
                + b" "
                + hashlib.sha256(body).hexdigest().encode()
                + b"\n"
                + body
            )
    assert all(
        same(a, b) for a, b in zip(load(tmp_path).instructions, honest.instructions, strict=True)
    )
    assert kept.read_bytes() == good


@pytest.mark.parametrize("what", ["file", "folder", "owner", "no key"])
def test_an_index_that_others_may_write_is_neither_read_nor_written(
    tmp_path: Path, what: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    load(tmp_path)
    (kept,) = (tmp_path / "isel").iterdir()
    write_kept(kept, kept.read_bytes().split()[3].decode(), forged(), signer())
    before, user = kept.read_bytes(), os.geteuid() + 1
    match what:
        case "file":
            kept.chmod(0o666)
        case "folder":
            kept.parent.chmod(0o777)
        case "owner":
            monkeypatch.setattr(os, "geteuid", lambda: user)
        case "no key":
            monkeypatch.setattr("isel.spec.index.key_path", lambda _: Path("/proc/isel-key/key"))
    for _ in range(2):
        assert load(tmp_path).instructions[0].emission == entries().instructions[0].emission
    assert kept.read_bytes() == before and len(caplog.records) == 1


def test_writers_of_an_index_that_are_killed_leave_nothing_but_the_index(tmp_path: Path) -> None:
    def write() -> None:
        load(tmp_path)

    for k in range(30):
        process = get_context("fork").Process(target=write)
        process.start()
        time.sleep(k * 2e-3)
        process.kill()
        process.join()
        assert len(list(tmp_path.glob("isel/*"))) <= 1
    load(tmp_path)
    load(tmp_path, fails)


def test_other_inputs_are_another_file(tmp_path: Path) -> None:
    load(tmp_path)
    load(tmp_path, key="other")
    assert len(list((tmp_path / "isel").iterdir())) == 2
    for k in range(5):
        load(tmp_path, key=str(k))
    assert len(list((tmp_path / "isel").iterdir())) == 3
    load(tmp_path, fails, key="4")


def test_without_a_place_to_write_the_texts_are_read(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("")
    found = indexed("toy", SOURCES, ("k",), entries, {**os.environ, "XDG_CACHE_HOME": str(file)})
    assert len(found.instructions) == 8 and file.read_text() == ""
    assert len(indexed("toy", SOURCES, ("k",), entries, {"ISEL_CACHE": "off"}).instructions) == 8


def test_a_directory_in_the_place_of_the_file_is_no_matter(tmp_path: Path) -> None:
    load(tmp_path)
    (kept,) = (tmp_path / "isel").iterdir()
    kept.unlink()
    kept.mkdir()
    assert len(load(tmp_path).instructions) == 8
    assert [p.name for p in (tmp_path / "isel").iterdir()] == [kept.name]


def test_the_folder_is_the_caches(tmp_path: Path) -> None:
    assert cache_folder({"ISEL_CACHE": "off"}) is None
    assert cache_folder({"ISEL_CACHE": "/x/mine.sqlite"}) == Path("/x")
    assert cache_folder({"ISEL_CACHE": "/y"}) == Path("/y")
    assert cache_folder({"XDG_CACHE_HOME": "/z", "HOME": "/h"}) == Path("/z/isel")
    assert cache_folder({"HOME": "/h"}) == Path("/h/.cache/isel")
    path = path_of(tmp_path, "toy", "0" * 64)
    assert read_kept(path, "0" * 64, signer()) is None
    write_kept(path, "0" * 64, [1], signer())
    assert (
        read_kept(path, "0" * 64, signer()) == [1] and read_kept(path, "1" * 64, signer()) is None
    )
    assert os.listdir(tmp_path) == [path.name]
