"""The key: made once by however many processes, read from a file that is the user's alone, and
never a reason to fail.
"""

from __future__ import annotations

import errno
import fcntl
import logging
import os
import stat
import time
from concurrent.futures import ThreadPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import pytest

from isel.places import key_path
from isel.trust import Signer, signer_at, trusted
from isel.workers import Pool


def warnings(caplog: pytest.LogCaptureFixture) -> list[str]:
    return [r.getMessage() for r in caplog.records if r.levelno >= logging.WARNING]


def test_where_the_key_is() -> None:
    assert str(key_path({"XDG_STATE_HOME": "/z", "HOME": "/h"})) == "/z/isel-key/key"
    assert str(key_path({"HOME": "/h"})) == "/h/.local/state/isel-key/key"


def test_the_key_is_made_once_and_is_the_users_alone(tmp_path: Path) -> None:
    path = tmp_path / "state" / "isel-key" / "key"
    first = signer_at(path)
    assert first is not None and signer_at(path) == first != signer_at(tmp_path / "other" / "key")
    assert len(first.secret) == 32 and repr(first) == "Signer()"
    assert (
        stat.S_IMODE(path.stat().st_mode) == 0o600
        and stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    )
    assert os.listdir(path.parent) == ["key"]


def test_codes_tell_parts_apart() -> None:
    signer = Signer(bytes(32))
    parts: tuple[tuple[str | bytes, ...], ...] = (
        ("ab", "c"),
        ("a", "bc"),
        ("abc",),
        ("abc", ""),
        ("c", "ab"),
        ("\ud800",),
        ("\u00e9",),
        (b"\xe9",),
    )
    macs = [signer.mac(*p) for p in parts]
    assert len(set(macs)) == len(parts)
    assert all(signer.signed(m, *p) for m, p in zip(macs, parts, strict=True))
    for wrong in (
        "",
        macs[0][:-1],
        macs[0] + "0",
        macs[0].upper(),
        "\u00e9" * 64,
        "\ud800",
        Signer(b"1" * 32).mac(*parts[0]),
    ):
        assert not signer.signed(wrong, *parts[0])


def test_the_code_is_hmac() -> None:
    """RFC 4231, test case 2, behind the length of the part."""
    import hashlib
    import hmac

    data = b"what do ya want for nothing?"
    assert hmac.new(b"Jefe", data, hashlib.sha256).hexdigest().startswith("5bdcc146bf60754e")
    assert (
        Signer(b"Jefe").mac(data)
        == hmac.new(b"Jefe", len(data).to_bytes(8, "big") + data, hashlib.sha256).hexdigest()
    )


def test_processes_agree_on_the_key(tmp_path: Path) -> None:
    for k in range(20):
        path = tmp_path / str(k) / "key"
        found = Pool(8).map(signer_at, [path] * 8)
        assert None not in found and len(set(found)) == 1


def test_an_empty_key_is_filled_by_one_at_a_time(tmp_path: Path) -> None:
    path = tmp_path / "key"
    with path.open("wb") as file:
        path.chmod(0o600)
        fcntl.flock(file, fcntl.LOCK_EX)
        with ThreadPoolExecutor() as other:
            waiting = other.submit(signer_at, path)
            time.sleep(0.2)
            assert not waiting.done()
            file.write(b"k" * 32)
            file.flush()
            fcntl.flock(file, fcntl.LOCK_UN)
            assert waiting.result() == Signer(b"k" * 32)


def test_a_process_that_is_killed_leaves_no_half_of_a_key(tmp_path: Path) -> None:
    def make(path: Path) -> None:
        signer_at(path)

    for k in range(30):
        path = tmp_path / str(k) / "key"
        process = get_context("fork").Process(target=make, args=(path,))
        process.start()
        time.sleep(k * 1e-4)
        process.kill()
        process.join()
        signer = signer_at(path)
        assert (
            signer is not None and signer == signer_at(path) and os.listdir(path.parent) == ["key"]
        )


@pytest.mark.parametrize(
    "damage",
    ["read", "write", "folder", "owner", "link", "pipe", "folder in its place", "short", "long"],
)
def test_a_key_that_is_not_the_users_alone_is_no_key(
    tmp_path: Path, damage: str, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "isel-key" / "key"
    good = signer_at(path)
    assert good is not None
    user = os.geteuid() + 1
    match damage:
        case "read":
            path.chmod(0o604)
        case "write":
            path.chmod(0o620)
        case "folder":
            path.parent.chmod(0o770)
        case "owner":
            monkeypatch.setattr(os, "geteuid", lambda: user)
        case "link":
            path.rename(tmp_path / "elsewhere")
            path.symlink_to(tmp_path / "elsewhere")
        case "pipe":
            path.unlink()
            os.mkfifo(path, 0o600)
        case "folder in its place":
            path.unlink()
            path.mkdir()
        case "short":
            path.write_bytes(good.secret[:31])
        case "long":
            path.write_bytes(good.secret + b"\n")
    before = path.lstat()
    assert signer_at(path) is None and signer_at(path) is None
    assert len(warnings(caplog)) == 1 and str(path.parent) in warnings(caplog)[0]
    assert path.lstat() == before


@pytest.mark.parametrize("call", ["open", "write", "mkdir"])
def test_a_key_that_cannot_be_made(
    tmp_path: Path, call: str, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A read-only home and a full disk; what is left then is filled another time."""
    path = tmp_path / "isel-key" / "key"

    def fails(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as full:
        full.setattr(os, call, fails)
        assert signer_at(path) is None
    assert warnings(caplog) == [
        f"nothing is kept between runs: no key {path}: no space left on device"
    ]
    assert signer_at(path) is not None


def test_what_others_may_write_is_not_trusted(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    mine, open_to_all = tmp_path / "mine", tmp_path / "open"
    for path, mode in ((mine, 0o644), (open_to_all, 0o602)):
        path.touch()
        path.chmod(mode)
    assert trusted(mine, tmp_path / "missing") and not warnings(caplog)
    assert not trusted(mine, open_to_all) and not trusted(open_to_all)
    assert warnings(caplog) == [
        f"nothing kept in {open_to_all} is used: others may write it (mode 602)"
    ]
