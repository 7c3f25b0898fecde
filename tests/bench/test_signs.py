"""The report on the model's sign."""

from __future__ import annotations

from bench.signs.report import Row, report


def test_a_sign_is_wrong_where_the_model_says_faster_and_the_clock_slower() -> None:
    assert Row("f", 10, 5, 1.4, 1.0).right and Row("f", 10, 5, 0.99, 1.0).right
    assert not Row("f", 10, 5, 0.97, 1.0).right
    assert Row("f", 10, 5, 0.94, 0.94).right and not Row("f", 10, 5, 0.94, 1.1).right
    assert Row("f", 5, 10, 0.5, 1.0).right and not Row("f", 5, 10, 1.5, 1.0).right


def test_the_report_counts() -> None:
    rows = [Row("good", 10, 5, 2.0, 1.01), Row("bad", 10, 8, 0.5, 0.99)]
    text = report(rows, "znver5", "command", ["other: signal SIGSEGV"])
    assert "**1 of 2 signs are right** (50%), of the" in text
    assert "differ by over 2% 1 of 2\n(50%; asked 97%); " in text
    assert "geometric mean\n1.00 by the clock, 1.58 by the model;" in text
    assert text.index("| bad | 10 | 8 | 1.25 | 0.50 | 0.990 | wrong |") < text.index(
        "| good | 10 | 5 | 2.00 | 2.00 | 1.010 |  |"
    )
    assert text.endswith("Not timed: other: signal SIGSEGV.\n")
    assert "0 of 0" in report([], "znver5", "command", [])


def test_rows_of_a_run_elsewhere() -> None:
    assert Row.read("f\t10\t5\t1.5\t1") == Row("f", 10, 5, 1.5, 1.0)
