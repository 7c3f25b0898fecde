"""Pages in headless Chromium, in a frame of some width: how wide they are, and whether anything
covers their text.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from dataclasses import dataclass
from html import escape, unescape
from pathlib import Path
from typing import Final

_PROBE: Final = """
const d = this.contentDocument, w = this.contentWindow;
for (const x of d.querySelectorAll('details')) x.open = true;
this.style.height = '900px';
const covered = [], inner = [];
const walk = d.createTreeWalker(d.body, NodeFilter.SHOW_TEXT);
while (walk.nextNode()) {
  const node = walk.currentNode, parent = node.parentElement;
  if (!node.data.trim() || parent.closest('style, title, option, textarea')) continue;
  const range = d.createRange();
  range.selectNodeContents(node);
  const rects = Array.from(range.getClientRects(), r => [r.left, r.top + w.scrollY, r.width, r.height]);
  for (const [left, up, wide, high] of rects) {
    if (wide < 2 || high < 2) continue;
    w.scrollTo(0, up - 300);
    for (const part of [0.1, 0.5, 0.9]) {
      const x = left + wide * part, y = up - w.scrollY + high / 2;
      if (x >= d.documentElement.clientWidth) continue;  // spaces that hang over an edge
      const top = d.elementFromPoint(x, y);
      if (!top || !(parent.contains(top) || top.contains(parent))) {
        covered.push(node.data.trim().slice(0, 40) + ' by ' + (top ? top.outerHTML.slice(0, 80) : 'nothing at ' + [x, y, w.scrollY]));
      }
    }
  }
}
for (const x of d.body.querySelectorAll('*')) {
  if (x.tagName != 'TEXTAREA' && !x.closest('svg') && x.clientWidth && x.scrollWidth > x.clientWidth + 1) {
    inner.push(x.outerHTML.slice(0, 80));
  }
}
w.scrollTo(0, 0);
this.style.height = d.documentElement.scrollHeight + 40 + 'px';
const said = { needed: d.scrollingElement.scrollWidth, width: d.documentElement.clientWidth,
  height: d.documentElement.scrollHeight, covered: covered, inner: inner };
document.title = JSON.stringify(said);
"""


@dataclass(frozen=True)
class Look:
    """What a page looks like: pixels that it needs and has, texts that something covers, and parts
    that scroll sideways by themselves.
    """

    needed: int
    width: int
    height: int
    covered: tuple[str, ...]
    inner: tuple[str, ...]


def look(page: str, width: int, folder: Path, picture: Path | None = None) -> Look:
    """Open a page, everything unfolded, in a frame of ``width`` pixels; windows are no narrower
    than 500.
    """
    page = page.replace("<details>", "<details open>")
    opened = folder / f"opened-{width}.html"
    opened.write_text(
        '<!DOCTYPE html><meta charset="utf-8"><title></title><style>body { margin: 0 }</style>'
        f'<iframe style="width: {width}px; border: 0; display: block" onload="{escape(_PROBE)}" '
        f'srcdoc="{escape(page)}"></iframe>'
    )
    said = chromium(opened.as_uri(), folder, "--dump-dom", f"--window-size={max(width, 500)},900")
    found = re.search(r"<title>(\{.*?\})</title>", said)
    assert found is not None, said[:2000]
    data = json.loads(unescape(found[1]))
    seen = Look(
        data["needed"], data["width"], data["height"], tuple(data["covered"]), tuple(data["inner"])
    )
    if picture is not None:
        size = f"--window-size={max(width, 500)},{min(seen.height + 60, 8000)}"
        chromium(opened.as_uri(), folder, f"--screenshot={picture}", size)
    return seen


def chromium(address: str, folder: Path, *flags: str) -> str:
    """Run Chromium on an address and return what it prints."""
    program = shutil.which("chromium")
    assert program is not None, "Debian's chromium is missing"
    command = [
        program, "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars",
        f"--user-data-dir={folder / 'profile'}", *flags, address,
    ]  # fmt: skip
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    return done.stdout
