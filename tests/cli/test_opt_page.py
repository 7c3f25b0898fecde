"""``isel opt --html``: what is on the page, nothing unescaped, the same bytes, and no wider
than a phone.
"""

from __future__ import annotations

import re
import shutil
import subprocess
from dataclasses import replace
from html import escape
from pathlib import Path

import pytest

from frontends.llvm.linked.worker import LlvmWorker
from frontends.llvm.pipeline.options import Options
from frontends.llvm.report.tried import FunctionReport, ModuleReport, Outcome, Place, WindowReport
from isel.cli.opt_page import opt_page
from tests.cli.modules import CPU, EXAMPLES, WINDOW, Run

BAD = "<script>&\"'"
_WIDTHS = re.compile(r"<title>(\d+) of (\d+)</title>")


def test_what_the_user_wrote_is_escaped() -> None:
    kept = WindowReport(
        Place(BAD, BAD, 3), Outcome.KEPT, (BAD,), reason=BAD, facts=(BAD,), selected=BAD, steps=1
    )
    done = replace(
        kept,
        outcome=Outcome.REWRITTEN,
        after=(BAD,),
        cost_before=2.0,
        cost_after=1.0,
        chosen=BAD,
        claim=BAD,
        proof=BAD,
    )
    report = ModuleReport(
        BAD,
        (kept, done),
        (
            FunctionReport(BAD, "", 2, 1, {BAD: 1}, cost=(2.0, 1.0)),
            FunctionReport("g", BAD, 1, 0, {}),
        ),
        timed_out=True,
        late=(BAD, "g"),
    )
    with LlvmWorker() as worker:
        made = opt_page(report, Options(), worker)
    assert "<script" not in made
    assert made.count("&lt;script&gt;") > 10
    left = f"Left out, or in part: @{escape(BAD)}, @g."
    assert f"The time limit was reached: more may be found without it. {left}" in made


def test_the_page_of_an_example(isel: Run) -> None:
    assert isel("opt", WINDOW, "-S", CPU, "-o", "plain.ll", "--cache", "off").code == 0
    for jobs in ("-j1", "-j2"):
        ran = isel(
            "opt", WINDOW, "-S", CPU, "-o", f"out{jobs}.ll", "--html", f"page{jobs}.html", jobs
        )
        assert (ran.code, ran.err) == (0, "")
    page = Path("page-j1.html").read_text()
    assert page == Path("page-j2.html").read_text()  # and the second run had answers from the cache
    assert Path("out-j1.ll").read_text() == Path("plain.ll").read_text()
    for part in (
        "1 of 1 window rewritten, all proved",
        f"{WINDOW}:13",
        "6 operations -&gt; vpmulhrsw (zmm)",
        "%r[0] = u16((s32(%",
        ">%x<title>",
        "32 lanes",
        "cycles by ports; busy: p0",
        "vpmulhrsw (%rsi), %zmm0",
    ):
        assert part in page, part
    before, after = (int(n) for n in re.findall(r"(?:before|after): (\d+) instructions", page))
    assert after < before
    assert page.count('<path class="wire') == 64


def measured(page: Path, folder: Path) -> tuple[int, int]:
    """Return the width that the page needs in a frame of 360 pixels with everything unfolded,
    and that of the frame; windows are no narrower than 500.
    """
    shown = escape(page.read_text().replace("<details>", "<details open>"))
    probe = "const d = this.contentDocument; document.title = d.scrollingElement.scrollWidth + ' of ' + d.documentElement.clientWidth"
    opened = folder / "opened.html"
    opened.write_text(
        f'<!DOCTYPE html><meta charset="utf-8"><title></title><iframe style="width: 360px; border: 0" onload="{probe}" srcdoc="{shown}"></iframe>'
    )
    chromium = shutil.which("chromium")
    assert chromium is not None, "Debian's chromium is missing"
    command = [
        chromium,
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        "--window-size=360,800",
        f"--user-data-dir={folder / 'profile'}",
        "--dump-dom",
        str(opened),
    ]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    found = _WIDTHS.search(done.stdout)
    assert found is not None, done.stderr
    return int(found[1]), int(found[2])


@pytest.mark.tools
@pytest.mark.parametrize("name", ["subtract_clamp", "average_down"])
def test_nothing_is_wider_than_a_phone(isel: Run, tmp_path: Path, name: str) -> None:
    assert (
        isel("opt", EXAMPLES / f"{name}.ll", CPU, "-o", "out.ll", "--html", "page.html").code == 0
    )
    needed, window = measured(tmp_path / "page.html", tmp_path)
    assert needed <= window <= 360
