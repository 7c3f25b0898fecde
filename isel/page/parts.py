"""The parts of a page: text, tables, what is folded, what stands side by side."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from typing import Final, NewType

from isel.shipped import text_of

Html = NewType("Html", str)

_META: Final = (
    '<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">'
)
_STYLE: Final = text_of(__file__, "page.css")


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
    top = tag("tr", Html(head)) if any(header) else ""
    return tag("div", Html(f"<table>{top}\n{body}</table>"), "wide")


def folded(title: str, content: Html) -> Html:
    """Return content that is shown when its title is clicked."""
    return Html(f"<details>{tag('summary', text(title))}{content}</details>")


def entry(name: str, value: str, content: Html) -> Html:
    """Return a line of a list: a name, a value on its right, and content below."""
    head = tag("b", text(name)) + tag("span", text(value), "value")
    return tag("div", Html(f"{tag('div', Html(head), 'head')}{content}"), "entry")


def side_by_side(*parts: tuple[str, Html]) -> Html:
    """Return parts with their titles, beside each other where there is room."""
    titled = (f"{tag('p', text(title), 'soft')}{content}" for title, content in parts)
    return tag("div", Html("".join(tag("div", Html(x)) for x in titled)), "sides")


def document(title: str, parts: Iterable[Html]) -> str:
    """Return a page."""
    head = f"{_META}{tag('title', text(title))}<style>\n{_STYLE}</style>"
    page = f'<html lang="en"><head>{head}</head>\n<body>\n{joined(parts)}\n</body></html>'
    return f"<!DOCTYPE html>\n{page}\n"
