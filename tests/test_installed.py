"""The wheel, installed into an environment of its own: it runs from anywhere and writes nothing
into what was installed.
"""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
import venv
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


def pip(*words: str | Path) -> None:
    command = [sys.executable, "-m", "pip", "--disable-pip-version-check", *map(str, words)]
    subprocess.run(command, check=True, capture_output=True, cwd=ROOT)


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An environment with the wheel and, by a path file, with the packages of this one; nobody
    may write to it.
    """
    folder = tmp_path_factory.mktemp("installed")
    pip("wheel", "--no-deps", "--no-build-isolation", "--no-index", "--wheel-dir", folder, ".")
    (wheel,) = folder.glob("*.whl")
    venv.create(folder / "venv", with_pip=False)
    pip("--python", folder / "venv" / "bin" / "python", "install", "--no-deps", "--no-index", wheel)
    (site,) = folder.glob("venv/lib/python3.*/site-packages")
    borrowed = [p for p in sys.path if p.endswith("site-packages")]
    (site / "borrowed.pth").write_text("".join(f"{p}\n" for p in borrowed))
    for path in [site, *site.rglob("*")]:
        path.chmod(path.stat().st_mode & 0o555)
    return folder / "venv"


def contents(folder: Path) -> dict[str, str]:
    return {
        str(p.relative_to(folder)): hashlib.sha256(p.read_bytes()).hexdigest()
        for p in sorted(folder.rglob("*"))
        if p.is_file()
    }


def run(program: Path, folder: Path, *words: str | Path) -> subprocess.CompletedProcess[str]:
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("ISEL_", "XDG_", "PYTHON"))}
    folder.mkdir(exist_ok=True)
    return subprocess.run(
        [program, *map(str, words)],
        cwd=folder,
        env={**kept, "HOME": str(folder)},
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )


def test_an_installed_program_needs_no_checkout_and_writes_nothing_into_itself(
    installed: Path, tmp_path: Path
) -> None:
    (site,) = installed.glob("lib/python3.*/site-packages")
    before = contents(site)
    assert any(name.endswith("semantics/x86/x86.index") for name in before)
    isel = installed / "bin" / "isel"
    where = run(
        installed / "bin" / "python",
        tmp_path / "a",
        "-c",
        "import isel, semantics; print(isel.__file__, semantics.__file__)",
    ).stdout
    assert where.count(str(site)) == 2
    example = ROOT / "examples" / "q15_multiply.ll"
    done = run(
        isel,
        tmp_path / "a",
        "opt",
        example,
        "-S",
        "-o",
        "out.ll",
        "--report",
        "-mcpu=sapphirerapids",
    )
    assert (done.returncode, done.stdout) == (0, "") and "pmul.hr.sw" in (
        tmp_path / "a" / "out.ll"
    ).read_text()
    here = run(
        Path(sys.executable),
        tmp_path / "b",
        "-m",
        "isel",
        "opt",
        example,
        "-S",
        "-o",
        "out.ll",
        "-mcpu=sapphirerapids",
    )
    assert (
        here.returncode == 0
        and (tmp_path / "b" / "out.ll").read_text() == (tmp_path / "a" / "out.ll").read_text()
    )
    assert not list((tmp_path / "a").rglob("*.index")), "the index of the wheel was of no use"
    assert run(isel, tmp_path / "a", "explain", "_mm_add_epi8").returncode == 0
    assert run(isel, tmp_path / "a", "classes", "show", "_mm_add_epi8").returncode == 0
    timed = run(isel, tmp_path / "a", "measure", example, "out.ll")
    assert timed.returncode == 0 and timed.stdout.startswith("@q15_multiply: "), timed.stderr
    assert contents(site) == before


def test_what_a_user_writes_is_checked_against_the_wheel(installed: Path, tmp_path: Path) -> None:
    """mypy has nothing to say but that llvmlite ships no types."""
    (tmp_path / "user.py").write_text((ROOT / "tests" / "api" / "user.py").read_text())
    words = ["-m", "mypy", "--strict", "--disable-error-code=import-untyped", "user.py"]
    where = ["--python-executable", str(installed / "bin" / "python"), "--cache-dir=cache"]
    done = run(Path(sys.executable), tmp_path, *words, *where)
    assert done.stdout == "Success: no issues found in 1 source file\n", done.stdout
