"""Pieces of ``make release`` that need no index of packages."""

from __future__ import annotations

import hashlib
import os
import sys
from pathlib import Path

import pytest

from tests import release
from tests.release import Answer, Failed, Interpreter


def programs(folder: Path, *names: str) -> Path:
    folder.mkdir()
    for name in names:
        (folder / name).touch()
    return folder


def test_candidates_are_ordered_by_version_and_then_by_the_path(tmp_path: Path) -> None:
    a = programs(tmp_path / "a", "python3.12", "python3.9", "python3.12-config", "python3")
    b = programs(tmp_path / "b", "python3.12", "python3.10", "python3.11", "python4.0")
    path = os.pathsep.join(map(str, (a, "", b, a, tmp_path / "none")))
    assert release.candidates(path, (3, 11)) == [
        [b / "python3.11"],
        [a / "python3.12", b / "python3.12"],
    ]


def test_an_empty_shim_is_passed_over_and_a_python_without_venv_is_told(tmp_path: Path) -> None:
    shims = programs(tmp_path / "shims", "python3.11", "python3.12", "python3.13")
    real = programs(tmp_path / "real", "python3.11", "python3.12")
    answers = {
        shims / "python3.11": Answer(127),
        real / "python3.11": Answer(0, "3.11.7"),
        shims / "python3.12": Answer(1),
        shims / "python3.13": Answer(127),
    }
    good, bad = release.interpreters(f"{shims}{os.pathsep}{real}", (3, 11), answers.__getitem__)
    assert good == [Interpreter(real / "python3.11", "3.11.7")]
    assert bad == [
        f"{shims}/python3.12: makes no environment; on Debian type: apt install python3.12-venv"
    ]


def test_this_python_answers() -> None:
    version = ".".join(map(str, sys.version_info[:3]))
    assert release.asked(Path(sys.executable)) == Answer(0, version)
    assert release.asked(Path("/nonexistent/python3.99")).code


def test_the_oldest_python_is_that_of_pyproject() -> None:
    assert (3, 11) <= release.least_version() <= sys.version_info[:2]


def test_nothing_leads_back_to_the_checkout() -> None:
    given = {"PATH": "/bin", "PYTHONPATH": "/x", "ISEL_CACHE": "/y", "XDG_CACHE_HOME": "/z"}
    assert release.outside(given) == {"PATH": "/bin"}


def test_a_failure_says_what_was_run_and_the_end_of_what_it_said() -> None:
    code = "print('first'); raise SystemExit('last')"
    with pytest.raises(Failed) as caught:
        release.run(sys.executable, "-c", code)
    assert str(caught.value).endswith("exit code 1\n  first\n  last")
    with pytest.raises(Failed, match="No such file"):
        release.run("/nonexistent/program")


def test_a_changed_file_is_no_release(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(release, "run", lambda *_: " M README.md\n")
    with pytest.raises(Failed) as caught:
        release.commit()
    assert str(caught.value).splitlines()[1:] == ["   M README.md"]


def test_what_to_upload_is_named_with_its_hash(tmp_path: Path) -> None:
    file = tmp_path / "isel-1.0.tar.gz"
    file.write_bytes(b"abc")
    assert release.to_upload([file]) == [
        f"isel-1.0.tar.gz\t3 bytes\tsha256 {hashlib.sha256(b'abc').hexdigest()}",
        f"upload: twine upload {file}",
    ]


def test_a_failed_trial_keeps_the_files_from_being_named(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """Two distributions under two Pythons, of which one rewrites in another way."""
    wheel, source = tmp_path / "isel-1.0-py3-none-any.whl", tmp_path / "isel-1.0.tar.gz"
    pythons = [Interpreter(Path("python3.11"), "3.11.7"), Interpreter(Path("python3.12"), "3.12.1")]
    for file in (wheel, source):
        file.touch()

    def tried(python: Interpreter, file: Path, folder: Path) -> str:
        if python.version == "3.12.1" and file == source:
            raise Failed("it does not install")
        return python.version

    monkeypatch.setattr(sys, "argv", ["release"])
    monkeypatch.setattr(release, "interpreters", lambda *_: (pythons, []))
    monkeypatch.setattr(release, "commit", lambda: "abc123")
    monkeypatch.setattr(release, "build", lambda *_: [wheel, source])
    monkeypatch.setattr(release, "tried", tried)
    monkeypatch.setattr(release, "check_metadata", lambda *_: "PASSED\n")
    assert release.main() == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines[-3:] == [
        "not to be uploaded:",
        "Python 3.12.1, isel-1.0.tar.gz: it does not install",
        "dot4.ll is rewritten in 2 ways, expected one",
    ]
    assert not any(line.startswith("upload:") for line in lines)
    monkeypatch.setattr(release, "tried", lambda *_: "the same")
    assert release.main() == 0
    assert capsys.readouterr().out.splitlines()[-1] == f"upload: twine upload {wheel} {source}"
