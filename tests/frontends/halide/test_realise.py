"""Generators, several outputs, scalars of every type and autoschedulers: what is built, in
which order, and what is refused.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from frontends.halide import HalideTarget, callable_of, generic, load_pipeline, recipe, resolve
from frontends.halide.build import Built, build
from frontends.halide.package import LEAN, PipelineFunction
from frontends.halide.trial import Differs, NotRun, Trial, measured
from frontends.llvm.pipeline.options import Rewritten
from frontends.llvm.report.tried import ModuleReport
from isel.errors import IselError
from isel.timing import Plan

FILE = Path(__file__).with_name("generators.py")
Parameters = tuple[tuple[str, str], ...]
BYTES: Parameters = (("out.type", "uint8"),)


def target() -> HalideTarget:
    return resolve("x86", cpu="native")


def pipeline(name: str) -> PipelineFunction:
    return load_pipeline(f"{FILE}:{name}")[1]


def untouched(text: str, file: str) -> Rewritten:
    return Rewritten(text, text, ModuleReport(file), text)


def made(
    name: str, parameters: Parameters = (), autoscheduler: str = "", flags: Sequence[str] = LEAN
) -> Built:
    wanted = recipe(pipeline(name), target(), name, parameters, autoscheduler)
    return build(wanted, target(), untouched, flags=flags, compare=True, checked=True)


IMAGE, OUT = "struct halide_buffer_t *_image_buffer", "struct halide_buffer_t *_out_buffer"
SCALARS = "bool _s0, int8_t _s1, int16_t _s2, int32_t _s3, int64_t _s4, uint8_t _s5, uint16_t _s6, uint32_t _s7, uint64_t _s8, float _s9, double _s10"
SEVERAL = f"{IMAGE}, {SCALARS}, " + ", ".join(
    f"struct halide_buffer_t *_{name}_buffer" for name in ("first", "second_0", "second_1")
)
HEADERS = {
    "Brighter": (BYTES, f"{IMAGE}, int32_t _more, {OUT}, struct halide_buffer_t *_mask_buffer"),
    "brighter": (BYTES, f"{IMAGE}, int32_t _more, {OUT}, struct halide_buffer_t *_mask_buffer"),
    "brighter_by_nine": (
        BYTES,
        f"{IMAGE}, int32_t _more, {OUT}, struct halide_buffer_t *_mask_buffer",
    ),
    "several": ((), SEVERAL),
    "as_pipeline": ((), SEVERAL),
    "odd": ((), f"struct halide_buffer_t *_image_buffer, bfloat16_t _half, {OUT}"),
}


@pytest.mark.parametrize("name", HEADERS)
def test_arguments_are_in_the_order_of_the_header(name: str) -> None:
    parameters, wanted = HEADERS[name]
    built = made(name, parameters)
    header = re.sub(
        r"__\d+_buffer", "_buffer", built.header
    )  # the second Func of a name has a number in this process
    assert f"int {name}({wanted});" in header
    assert [
        re.sub(r"\$\d+$", "", p.name).replace(".", "_") for p in built.signature.parameters
    ] == [re.split(r"[ *]_", p)[-1].removesuffix("_buffer") for p in wanted.split(", ")]


GENERATED = {
    "defaults": (BYTES, 3),
    "a number": ((*BYTES, ("by", "5")), 5),
    "true": ((*BYTES, ("twice", "true")), 6),
    "false": ((*BYTES, ("twice", "False")), 3),
    "a wider type": ((("out.type", "uint16"), ("by", "40")), 40),
}


@pytest.mark.parametrize("case", GENERATED)
def test_parameters_of_a_generator(case: str) -> None:
    parameters, by = GENERATED[case]
    wanted = recipe(pipeline("Brighter"), target(), "brighter", parameters)
    base = build(wanted, target(), untouched)
    image = np.random.default_rng(1).integers(0, 256, (32, 128), np.uint8)
    out, mask = np.zeros((32, 128), base.signature.parameters[2].dtype), np.zeros((32, 128), bool)
    callable_of(base.plain_ll, base.signature, target())(image, 2, out, mask)
    np.testing.assert_array_equal(out, (image.astype(np.int64) + by + 2).astype(out.dtype))
    np.testing.assert_array_equal(mask, image > 7)


def test_every_type_of_scalar_arrives() -> None:
    base = generic(pipeline("several"), target(), name="several")
    image = np.random.default_rng(2).integers(0, 256, (4, 64), np.uint8)
    scalars = (True, -100, -30000, -(1 << 20), 1 << 24, 200, 60000, 1 << 25, 1 << 26, 12.0, -3.0)
    first, second, third = (
        np.zeros((4, 64), np.int32),
        np.zeros((4, 64), np.uint8),
        np.zeros((4, 64), np.uint16),
    )
    callable_of(base.text, base.signature, target())(image, *scalars, first, second, third)
    np.testing.assert_array_equal(first, image.astype(np.int32) + int(sum(scalars)))
    np.testing.assert_array_equal(second, image)
    np.testing.assert_array_equal(third, image.astype(np.uint16) * 2)


SCHEDULED = {
    "Mullapudi2016": ("plain", ()),
    "Li2018": ("plain", (("autoscheduler.parallelism", "2"),)),
    "adams2019": ("plain", (("autoscheduler.parallelism", "1"),)),
    "mullapudi2016": ("Brighter", BYTES),
}


@pytest.mark.parametrize("name", SCHEDULED)
def test_autoschedulers(name: str) -> None:
    entry, parameters = SCHEDULED[name]
    assert re.search(
        r"store <\d+ x i8>",
        build(
            recipe(pipeline(entry), target(), entry, parameters, name), target(), untouched
        ).plain_ll,
    )


def test_without_a_schedule_nothing_is_vectorised() -> None:
    assert not re.search(r"store <\d+ x i8>", generic(pipeline("plain"), target()).text)


REFUSED: dict[str, tuple[str, Parameters, str, str]] = {
    "no type": ("Brighter", (), "", "No type has been specified for out"),
    "no number": ("Brighter", (*BYTES, ("by", "x")), "", "-p by=x: expected a number"),
    "neither true nor false": (
        "Brighter",
        (*BYTES, ("twice", "x")),
        "",
        "-p twice=x: expected true or false",
    ),
    "no such parameter": (
        "Brighter",
        (*BYTES, ("no", "1")),
        "",
        "no GeneratorParam(s) named: ['no']",
    ),
    "a function has no parameters": (
        "plain",
        (("by", "1"),),
        "",
        "'plain' is a function, -p by is for generators",
    ),
    "no such autoscheduler": (
        "plain",
        (),
        "Adams",
        "unknown autoscheduler 'Adams', did you mean 'Adams2019'?",
    ),
    "no estimates": ("unsized", (), "Adams2019", 'Need an estimate on dimension 0 of "out"'),
    "for other machines": ("plain", (), "Anderson2021", "does not support GPU"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_refused(case: str) -> None:
    entry, parameters, autoscheduler, message = REFUSED[case]
    with pytest.raises(IselError) as found:
        build(
            recipe(pipeline(entry), target(), entry, parameters, autoscheduler), target(), untouched
        )
    assert message in found.value.message()
    assert "\n" not in found.value.message()


QUICK = Plan(rounds=3, round_ns=100_000)


def trial(built: Built, other: bytes, size: tuple[int, ...] = ()) -> Trial:
    assert built.own is not None
    return Trial(
        built.signature,
        target(),
        (("own", built.own.object), ("other", other)),
        built.checked,
        size,
        plan=QUICK,
    )


def test_a_trial_runs_on_estimated_and_on_given_sizes() -> None:
    built = made("plain")
    assert built.own is not None and built.checked != built.own.object
    found = measured(trial(built, built.own.object))
    assert found.extents == (("image", (258, 64)), ("out", (256, 64)))
    assert [(t.version, len(t.rounds)) for t in found.times] == [("own", 3), ("other", 3)]
    assert measured(trial(built, built.own.object, (100, 7))).extents == (
        ("image", (102, 7)),
        ("out", (100, 7)),
    )


def test_a_trial_of_all_scalars() -> None:
    built = made("several")
    assert built.own is not None
    assert not measured(trial(built, built.own.object)).different


def test_different_results_are_an_error() -> None:
    built, other = made("brighter", BYTES), made("brighter", (*BYTES, ("by", "4")))
    assert other.own is not None
    with pytest.raises(
        Differs,
        match="'brighter': 'other' differs from Halide's own code with checks in the output 'out'",
    ):
        measured(trial(built, other.own.object))


NOT_RUN = {
    "unsized": ((), "no size is given or estimated for dimension 0 of the output 'out'"),
    "plain": ((1 << 20, 1 << 20), "it does not run|its buffers would take"),
}


@pytest.mark.parametrize("name", NOT_RUN)
def test_what_is_not_run(name: str) -> None:
    size, message = NOT_RUN[name]
    built = made(name)
    assert built.own is not None
    with pytest.raises(NotRun, match=message):
        measured(trial(built, built.own.object, size))
