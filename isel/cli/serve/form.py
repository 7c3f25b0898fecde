"""The page: a form, and below it the answer."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from typing import Final

from isel.cli.limits import SERVE_EFFORTS
from isel.cli.serve.request import Request
from isel.page import Html, document, paragraph, tag, text
from isel.shipped import text_of

_STYLE: Final = f"\n<style>\n{text_of(__file__, 'form.css')}</style>\n"
_ANSWERED: Final = "</div><style>.steps { display: none }</style>\n"


def page(request: Request, cpus: Iterable[str], answer: Html | None) -> str:
    """Return the page with a request filled in, and the answer to it."""
    what = "C or LLVM IR in; its vector code out, as cheaper instructions, proved for all inputs."
    head = tag("h1", text("isel"))
    parts = [Html(_STYLE), head, paragraph(what, "soft"), _form(request, cpus)]
    return document("isel", [*parts, answer] if answer is not None else parts)


def pieces(request: Request, cpus: Iterable[str]) -> tuple[str, str, str]:
    """Return a request's page up to where paragraphs say how far the answer is, what is between
    these and the answer, and what is behind it.
    """
    before, end, after = page(request, cpus, None).rpartition("\n</body>")
    return f'{before}\n<div class="steps soft" role="status">', _ANSWERED, end + after


def _form(request: Request, cpus: Iterable[str]) -> Html:
    efforts = [str(n) for n in range(SERVE_EFFORTS + 1)]
    cpu = _choice("cpu", cpus, request.cpu)
    return Html(
        '<form method="post" action=".">'
        '<label for="code">C or LLVM IR</label>'
        '<textarea id="code" name="code" spellcheck="false" autocapitalize="off" required>\n'
        f"{escape(request.code)}</textarea>"
        f'<div class="bar"><div><label for="cpu">CPU</label>{cpu}</div>'
        '<div><label for="effort">effort</label>'
        f"{_choice('effort', efforts, str(request.effort))}</div>"
        "<div><button>Rewrite</button></div></div></form>"
    )


def _choice(name: str, values: Iterable[str], chosen: str) -> str:
    options = "".join(
        f"<option{' selected' if v == chosen else ''}>{escape(v)}</option>" for v in values
    )
    return f'<select id="{name}" name="{name}">{options}</select>'
