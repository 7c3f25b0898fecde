"""Resolve the newest versions that pyproject.toml allows and write them, exact, to
requirements/*.lock.

Run by ``make lock``; needs Python 3.11 with pip and a package index.  The three files agree: what
is in base.lock has the same version in test.lock and all.lock.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tempfile
import tomllib
import venv
from pathlib import Path

HERE = Path(__file__).parent
HEADER = "# Made by `make lock` from pyproject.toml; do not edit.\n"


def main() -> None:
    """Write the lock files."""
    project = tomllib.loads((HERE.parent / "pyproject.toml").read_text())
    extras = project["project"]["optional-dependencies"]
    base = [*project["build-system"]["requires"], *project["project"]["dependencies"]]
    wanted = {
        "all": [*base, *(r for rows in extras.values() for r in rows)],
        "test": [*base, *extras["test"]],
        "base": base,
    }
    with tempfile.TemporaryDirectory() as folder:
        venv.create(folder, with_pip=True)
        python = Path(folder) / "bin" / "python"
        pinned: list[str] = []
        for name, requirements in wanted.items():
            rows = resolve(python, requirements, pinned, Path(folder))
            pinned = pinned or rows
            (HERE / f"{name}.lock").write_text(HEADER + "".join(f"{row}\n" for row in rows))
            sys.stdout.write(f"requirements/{name}.lock: {len(rows)} packages\n")


def resolve(python: Path, requirements: list[str], pinned: list[str], folder: Path) -> list[str]:
    """Return ``name==version`` of everything that pip would install, sorted."""
    constraints = folder / "constraints.txt"
    constraints.write_text("".join(f"{row}\n" for row in pinned))
    report = folder / "report.json"
    command = [
        str(python),
        "-m",
        "pip",
        "install",
        "--disable-pip-version-check",
        "--dry-run",
        "--ignore-installed",
        "--report",
        str(report),
    ]
    subprocess.run(
        [*command, "-c", str(constraints), *requirements], check=True, stdout=subprocess.DEVNULL
    )
    found = json.loads(report.read_text())["install"]
    pairs = {
        re.sub(r"[-_.]+", "-", item["metadata"]["name"]).lower(): item["metadata"]["version"]
        for item in found
    }
    return [f"{name}=={version}" for name, version in sorted(pairs.items())]


if __name__ == "__main__":
    main()
