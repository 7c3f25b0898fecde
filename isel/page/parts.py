"""The parts of a page: text, tables, what is folded, what stands side by side."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from typing import Final, NewType

Html = NewType("Html", str)

_META: Final = (
    '<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">'
)
_STYLE: Final = """
:root { color-scheme: light dark; --page: #fff; --ink: #1c2127; --soft: #5c6773;
  --line: #d8dde3; --box: #f5f7f9; --good: #1a7f37; --bad: #c0352b; --hot: #fde8cf;
  --a: #2f6fd0; --b: #c46a12; --c: #8250b8; --d: #0f7f76 }
@media (prefers-color-scheme: dark) { :root { --page: #14181d; --ink: #e3e7eb; --soft: #9aa5b1;
  --line: #333b44; --box: #1c2229; --good: #4cc06a; --bad: #ff7b70; --hot: #4d3413;
  --a: #6ea3f5; --b: #e89a4a; --c: #b58ae6; --d: #45c0b5 } }
* { box-sizing: border-box }
body { margin: 0 auto; padding: 12px; max-width: 72em; font: 15px/1.5 system-ui, sans-serif;
  color: var(--ink); background: var(--page); overflow-wrap: anywhere }
h1 { font-size: 1.5em; line-height: 1.25; margin: .4em 0 }
h2 { font-size: 1.2em; margin: 1.6em 0 .4em } h3 { font-size: 1em; margin: 1.2em 0 .2em }
p { margin: .4em 0 } .soft { color: var(--soft) }
.good { color: var(--good) } .bad { color: var(--bad) }
pre, code { font: 12px/1.5 ui-monospace, monospace }
pre { margin: 0; padding: 8px; background: var(--box); white-space: pre-wrap; border-radius: 4px }
.wide { overflow-x: auto } table { border-collapse: collapse; margin: .5em 0; font-size: .9em }
td, th { border-bottom: 1px solid var(--line); padding: 3px 10px 3px 0; text-align: left;
  vertical-align: top; overflow-wrap: normal }
td.n, th.n { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap }
td.code { font: 12px/1.5 ui-monospace, monospace }
tr.hot { background: var(--hot) }
details { margin: .4em 0; border: 1px solid var(--line); border-radius: 4px; padding: 0 8px }
summary { cursor: pointer; padding: 4px 0 } details[open] { padding-bottom: 8px }
.sides { display: grid; gap: 8px;
  grid-template-columns: repeat(auto-fit, minmax(min(100%, 24em), 1fr)) }
.sides > div { min-width: 0 }
.entry { border-bottom: 1px solid var(--line); padding: 6px 0 } .entry p { margin: 0 }
.head { display: flex; flex-wrap: wrap; gap: 0 12px; justify-content: space-between }
.head b { font-weight: 600; min-width: 0 } .value { font-variant-numeric: tabular-nums }
details > .entry:last-child { border: 0 }
:focus-visible { outline: 2px solid var(--a); outline-offset: 2px }
del { background: color-mix(in srgb, var(--bad) 18%, transparent); text-decoration: none }
ins { background: color-mix(in srgb, var(--good) 18%, transparent); text-decoration: none }
svg { display: block; width: 100%; max-width: 560px; height: auto; margin: .5em 0;
  font: 10px system-ui, sans-serif; fill: var(--ink) }
svg text { paint-order: stroke; stroke: var(--page); stroke-width: 2px }
svg .soft { fill: var(--soft) } svg .rule { stroke: var(--line); fill: none }
svg .one { stroke: var(--soft); fill: none }
svg rect { stroke: var(--page) }
svg .cell { fill: var(--box); stroke: var(--soft); stroke-width: .5 }
svg .s0 { fill: var(--a) } svg .s1 { fill: var(--b) } svg .s2 { fill: var(--c) }
svg .s3 { fill: var(--d) } svg .good { fill: var(--good) } svg .bad { fill: var(--bad) }
svg path.wire { fill: none; stroke-width: .8; stroke-opacity: .75 }
svg .wire.s0 { stroke: var(--a) } svg .wire.s1 { stroke: var(--b) }
svg .wire.s2 { stroke: var(--c) } svg .wire.s3 { stroke: var(--d) }
td:first-child { min-width: 7em }
"""


def text(words: str) -> Html:
    """Return a string as markup that shows it."""
    return Html(escape(words))


def tag(name: str, content: Html, kind: str = "") -> Html:
    """Return an element, of a class where ``kind`` is given."""
    opening = f'{name} class="{kind}"' if kind else name
    return Html(f"<{opening}>{content}</{name}>")


def joined(parts: Iterable[Html]) -> Html:
    """Return parts one after the other."""
    return Html("\n".join(parts))


def paragraph(words: str, kind: str = "") -> Html:
    """Return a paragraph of text."""
    return tag("p", text(words), kind)


def link(content: Html, target: str) -> Html:
    """Return content that leads to an address."""
    return Html(f'<a href="{escape(target)}">{content}</a>')


def preformatted(lines: Iterable[str]) -> Html:
    """Return lines of code."""
    return tag("pre", text("\n".join(lines)))


def table(
    header: Sequence[str],
    rows: Iterable[Sequence[str]],
    numbers: Iterable[int] = (),
    marked: Iterable[int] = (),
    code: Iterable[int] = (),
    links: Sequence[str] = (),
) -> Html:
    """Return a table of text; columns of ``numbers`` are set right, those of ``code`` as code,
    rows ``marked`` stand out, the first cells of rows are links to ``links``.
    """
    kinds = {**dict.fromkeys(code, "code"), **dict.fromkeys(numbers, "n")}
    stand_out = frozenset(marked)
    head = "".join(tag("th", text(h), kinds.get(k, "")) for k, h in enumerate(header))
    cells = [list(map(text, row)) for row in rows]
    for row, target in zip(cells, links, strict=bool(links)):
        row[0] = link(row[0], target)
    lines = ("".join(tag("td", c, kinds.get(k, "")) for k, c in enumerate(row)) for row in cells)
    body = "\n".join(
        tag("tr", Html(line), "hot" if k in stand_out else "") for k, line in enumerate(lines)
    )
    return tag(
        "div",
        Html(f"<table>{tag('tr', Html(head)) if any(header) else ''}\n{body}</table>"),
        "wide",
    )


def folded(title: str, content: Html) -> Html:
    """Return content that is shown when its title is clicked."""
    return Html(f"<details>{tag('summary', text(title))}{content}</details>")


def entry(name: str, value: str, content: Html) -> Html:
    """Return a line of a list: a name, a value on its right, and content below."""
    head = tag("b", text(name)) + tag("span", text(value), "value")
    return tag("div", Html(f"{tag('div', Html(head), 'head')}{content}"), "entry")


def side_by_side(*parts: tuple[str, Html]) -> Html:
    """Return parts with their titles, beside each other where there is room."""
    return tag(
        "div",
        Html(
            "".join(
                tag("div", Html(f"{tag('p', text(title), 'soft')}{content}"))
                for title, content in parts
            )
        ),
        "sides",
    )


def document(title: str, parts: Iterable[Html]) -> str:
    """Return a page."""
    head = f"{_META}{tag('title', text(title))}<style>{_STYLE}</style>"
    page = f'<html lang="en"><head>{head}</head>\n<body>\n{joined(parts)}\n</body></html>'
    return f"<!DOCTYPE html>\n{page}\n"
