"""Commands about what builds left: remarks."""

from __future__ import annotations

from isel.cli.grammar.flags import Built, add_valued, new_parser


def remarks_parser() -> Built:
    """Return the parser of ``isel remarks`` and what runs it."""
    from isel.cli.remarks.command import run

    parser = new_parser(
        "isel remarks",
        "Merge what a build with ISEL_REMARKS=DIR left: one SARIF log, and a page; the hottest "
        "windows come first.",
    )
    parser.add_argument(
        "folder", metavar="DIR", help="the folder that ISEL_REMARKS named in the build"
    )
    parser.add_argument(
        "-o",
        dest="outputs",
        metavar="OUT",
        nargs="+",
        required=True,
        help="files to write, by suffix: .sarif (SARIF 2.1.0, at most 5,000 results), .html",
    )
    add_valued(
        parser,
        "root",
        "name files from this folder, as the top of a checkout (default: the current one)",
        metavar="FOLDER",
    )
    return parser, run
