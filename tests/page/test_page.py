"""Parts of pages: everything escaped, well-formed pictures, the same bytes each time."""

from __future__ import annotations

from html.parser import HTMLParser
from itertools import pairwise
from xml.etree import ElementTree

import pytest

from isel.page import (
    Html,
    Series,
    bars,
    document,
    dots,
    folded,
    paragraph,
    preformatted,
    side_by_side,
    table,
    tag,
    text,
    wires,
)

BAD = "<script>alert('x')</script> & \"y\""
PICTURES = {
    "bars": bars([BAD, "b"], [0.5, 3.0], " x", one=1.0),
    "no bars": bars([], []),
    "zero": bars(["a"], [0.0]),
    "dots": dots(
        [BAD, "a name that is far too long for its place"],
        [Series(BAD, [0.01, None]), Series("s", [3.0, 40.0])],
        " s",
    ),
    "no dots": dots(["a"], [Series("s", [None])], ""),
    "wires": wires([(BAD, 4), ("b", 70)], [((0, 0), (1, 1)), (), ((1, 69),)], BAD),
    "many sources": wires([(f"s{k}", 2) for k in range(5)], [((k, 0),) for k in range(5)], "r"),
}


class _Balance(HTMLParser):
    """Fails where an element is closed that is not open."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: list[str] = []

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self.seen.append(tag)
        if tag != "meta":
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: object) -> None:
        self.seen.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def page() -> str:
    parts = [
        tag("h1", text(BAD)),
        paragraph(BAD, "soft"),
        preformatted([BAD, "b"]),
        table(("", BAD), [("1", BAD)], numbers=(0,), marked=(0,), code=(1,)),
        table(("", ""), [("a", "b")], links=[BAD]),
        folded(BAD, side_by_side((BAD, paragraph(BAD)), ("b", Html("")))),
        *PICTURES.values(),
    ]
    return document(BAD, parts)


def test_everything_is_escaped_and_closed() -> None:
    made = page()
    parser = _Balance()
    parser.feed(made)
    assert parser.open == []
    assert "script" not in parser.seen
    assert "<script" not in made


def test_nothing_is_fetched_and_nothing_runs() -> None:
    made = page()
    assert not [
        word for word in ("http:", "https:", "src=", "url(", "@import", "onload") if word in made
    ]


def test_the_same_bytes() -> None:
    assert page() == page()


@pytest.mark.parametrize("name", PICTURES)
def test_pictures_are_well_formed(name: str) -> None:
    svg = ElementTree.fromstring(PICTURES[name])
    assert svg.tag == "svg"
    width = float(svg.attrib["viewBox"].split()[2])
    for rect in svg.iter("rect"):
        assert (
            float(rect.attrib["x"]) >= 0
            and float(rect.attrib["x"]) + float(rect.attrib["width"]) <= width + 0.1
        )


def test_bars_say_which_side_of_one_they_are_on() -> None:
    made = [
        r.attrib["class"]
        for r in ElementTree.fromstring(bars(["a", "b", "c"], [0.9, 1.0, 1.1], one=1.0)).iter(
            "rect"
        )
    ]
    assert made == ["bad", "s0", "good"]


def test_a_wire_for_each_lane_that_is_read_and_drawn() -> None:
    made = ElementTree.fromstring(
        wires([("a", 4), ("b", 70)], [((0, 0), (1, 1)), ((0, 3),), ((1, 69),)], "r")
    )
    assert len(list(made.iter("path"))) == 3  # the last lane of b is not drawn
    assert [t.text for t in made.iter("text")] == [
        "a",
        "4 lanes",
        "b",
        "70 lanes, 64 shown",
        "r",
        "3 lanes",
    ]


def test_names_of_rows_stand_beside_the_lanes() -> None:
    long = wires([("a" * 40, 64), ("b", 2), ("c", 2)], [((0, 0), (1, 1), (2, 0))], "result")
    svg = ElementTree.fromstring(long)
    left = min(float(r.attrib["x"]) for r in svg.iter("rect"))
    names = list(svg.iter("text"))
    assert names[0].text == "a" * 13 + "…" and names[0][0].text == "a" * 40
    assert all(float(t.attrib["x"]) + 6 * len(t.text or "") <= left + 22 for t in names)
    rows = sorted(float(t.attrib["y"]) for t in names)
    assert all(b - a >= 10 for a, b in pairwise(rows))
