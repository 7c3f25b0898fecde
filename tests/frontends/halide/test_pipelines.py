"""Pipelines compiled three ways and compared with numpy, bit for bit; what the generic IR looks
like.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from frontends.halide import (
    Built,
    Generic,
    HalideTarget,
    PipelineFunction,
    build,
    callable_of,
    generic,
    load_pipeline,
    object_of,
    resolve,
)
from frontends.llvm.linked import binding
from isel.cache import store
from isel.cli.halide import rewriter
from tests.frontends.halide.accesses import parts

PIPELINES = Path(__file__).with_name("pipelines.py")
Array = NDArray[np.generic]
Case = tuple[list[Array | int], list[Array]]  # inputs and scalars, wanted outputs


@cache
def pipeline(name: str) -> PipelineFunction:
    return load_pipeline(f"{PIPELINES}:{name}")[1]


@cache
def target() -> HalideTarget:
    """Return this machine as a target, its CPU named as the price tables name it where it has
    all that one has.
    """
    return resolve("x86", cpu="native")


def _bytes(seed: int, *shape: int) -> Array:
    rng = np.random.default_rng(seed)
    found = rng.integers(0, 256, shape, dtype=np.uint8)
    return np.where(rng.random(shape) < 0.2, rng.choice(np.array([0, 255], np.uint8), shape), found)


def _words(seed: int, *shape: int) -> Array:
    rng = np.random.default_rng(seed)
    found = rng.integers(-32768, 32768, shape, dtype=np.int16)
    return np.where(
        rng.random(shape) < 0.2,
        rng.choice(np.array([-32768, 32767, 0, -1], np.int16), shape),
        found,
    )


def _shifted(image: Array, dx: int, dy: int) -> NDArray[np.int64]:
    return image[dy : dy + image.shape[0] - 2, dx : dx + image.shape[1] - 2].astype(np.int64)


def _blur() -> Case:
    image = _bytes(1, 34, 194)
    taps = [_shifted(image, dx, dy) for dx in range(3) for dy in range(3)]
    return [image], [(np.sum(taps, axis=0) // 9).astype(np.uint8)]


def _sobel() -> Case:
    image = _bytes(2, 34, 194)

    def at(dx: int, dy: int) -> NDArray[np.int64]:
        return _shifted(image, dx, dy)

    across = at(2, 0) - at(0, 0) + 2 * (at(2, 1) - at(0, 1)) + at(2, 2) - at(0, 2)
    down = at(0, 2) - at(0, 0) + 2 * (at(1, 2) - at(1, 0)) + at(2, 2) - at(2, 0)
    return [image], [np.clip(abs(across) + abs(down), 0, 255).astype(np.uint8)]


def _dot() -> Case:
    a, b = _words(3, 512), _words(4, 512)
    products = a.astype(np.int64) * b.astype(np.int64)
    return [a, b], [(products[0::2] + products[1::2]).astype(np.int32)]


def _average() -> Case:
    a, b = _bytes(12, 256), _bytes(13, 256)
    return [a, b], [((a.astype(np.int64) + b.astype(np.int64) + 1) >> 1).astype(np.uint8)]


def _mix() -> Case:
    a, b, p, q = _words(5, 512), _words(6, 512), 23170, -32768

    def scaled(v: Array, by: int) -> NDArray[np.int64]:
        return (v.astype(np.int64) * by + (1 << 14)) >> 15

    return [a, b, p, q], [np.clip(scaled(a, p) + scaled(b, q), -32768, 32767).astype(np.int16)]


def _matmul() -> Case:
    a, b = _words(7, 16, 24), _words(8, 24, 64)
    return [a, b], [(a.astype(np.int64) @ b.astype(np.int64)).astype(np.int32)]


def _two_stages() -> Case:
    image = _bytes(9, 66, 130)
    weights = (1, 2, 1)
    total = sum(
        _shifted(image, dx, dy) * weights[dx] * weights[dy] for dx in range(3) for dy in range(3)
    )
    return [image], [((total + 8) >> 4).astype(np.uint8)]  # type: ignore[union-attr]


def _halves() -> Case:
    image = _bytes(10, 256)
    return [image], [image // 2, image.astype(np.uint16) * 3]


def _max_pool() -> Case:
    image = _bytes(11, 17, 33, 64)
    return [image], [
        np.stack(
            [image[dy : dy + 15 : 2, dx : dx + 31 : 2] for dx in range(3) for dy in range(3)]
        ).max(axis=0)
    ]


CASES: dict[str, Callable[[], Case]] = {
    "blur3x3": _blur,
    "sobel3x3": _sobel,
    "dot2": _dot,
    "average": _average,
    "mix": _mix,
    "matmul": _matmul,
    "two_stages": _two_stages,
    "halves": _halves,
    "max_pool": _max_pool,
}
REWRITTEN = ("average", "sobel3x3", "dot2", "mix", "blur3x3")


@cache
def made(name: str) -> Generic:
    return generic(pipeline(name), target())


def outputs(code: str | bytes, base: Generic | Built, case: Case) -> list[Array]:
    found = [np.full_like(w, 77) for w in case[1]]
    callable_of(code, base.signature, target())(*case[0], *found)
    return found


def check(code: str | bytes, base: Generic | Built) -> None:
    case = CASES[base.signature.name]()
    for found, wanted in zip(outputs(code, base, case), case[1], strict=True):
        np.testing.assert_array_equal(found, wanted)


@pytest.mark.parametrize("name", CASES)
def test_generic_code_is_exact(name: str) -> None:
    check(made(name).text, made(name))


@pytest.mark.parametrize("name", CASES)
def test_generic_code_is_exact_before_merging(name: str) -> None:
    check(made(name).sliced, made(name))


@pytest.mark.parametrize("name", CASES)
def test_no_vector_is_left_in_slices(name: str) -> None:
    """The schedules ask for at least 32 lanes of bytes, or 512 bits of anything else."""
    widths = [_bits(kind) for _, kind in parts(made(name).text)]
    assert widths
    assert min(widths) >= 256
    assert any(_bits(kind) == 128 for _, kind in parts(made(name).sliced))


def _bits(kind: str) -> int:
    found = re.search(r"<(\d+) x [a-z]+(\d+)>", kind)
    assert found is not None
    return int(found[1]) * int(found[2])


@pytest.mark.parametrize("name", CASES)
def test_no_target_is_left_in_generic_code(name: str) -> None:
    text = made(name).text
    assert set(re.findall(r"@llvm\.(aarch64|arm|neon|x86|hexagon)\.", text)) == set()
    assert f'target triple = "{target().triple}"' in text
    assert binding.data_layout(target().triple) in text
    assert "aarch64" not in text and "arm-64" not in text
    assert set(re.findall(r'"target-cpu"="([^"]*)"', text)) == {target().cpu}
    assert set(re.findall(r'"prefer-vector-width"="(\d+)"', text)) == {str(target().vector_bits)}


OTHERS = {
    "hexagon": HalideTarget(
        "hvx",
        "hexagon-unknown-linux-musl",
        "hexagonv66",
        "+hvxv66,+hvx-length128b",
        1024,
        "arm-32-noos-no_neon",
        "hexagon-32-noos-hvx_128",
    ),
    "aarch64": HalideTarget(
        "arm",
        "aarch64-unknown-linux-gnu",
        "neoverse-v1",
        "-sve,-sve2",
        128,
        "arm-64-linux-no_neon",
        "arm-64-linux-arm_dot_prod",
    ),
}


@pytest.mark.parametrize("other", OTHERS)
@pytest.mark.parametrize("name", ["blur3x3", "matmul"])
def test_other_targets_get_whole_vectors_too(name: str, other: str) -> None:
    there = generic(pipeline(name), OTHERS[other])
    assert min(_bits(kind) for _, kind in parts(there.text)) >= 512
    assert f'target triple = "{OTHERS[other].triple}"' in there.text
    assert object_of(there.text, OTHERS[other]).startswith(b"\x7fELF")


def test_the_same_text_whatever_was_compiled_before() -> None:
    assert (
        generic(pipeline("sobel3x3"), target()).text == generic(pipeline("sobel3x3"), target()).text
    )


def test_signatures() -> None:
    assert [
        (p.name, p.dtype, p.dimensions, p.output, p.scalar)
        for p in made("mix").signature.parameters
    ] == [
        ("a", "int16", 1, False, False),
        ("b", "int16", 1, False, False),
        ("p", "int16", 0, False, True),
        ("q", "int16", 0, False, True),
        ("out", "int16", 1, True, False),
    ]
    assert [(p.name, p.dtype) for p in made("halves").signature.parameters[1:]] == [
        ("out.0", "uint8"),
        ("out.1", "uint16"),
    ]


@pytest.mark.parametrize("name", REWRITTEN)
def test_rewritten_and_own_code_are_exact(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(store, "seed_path", lambda: tmp_path / "no-seed")
    with rewriter(target(), jobs=1, cache="off") as rewrite:
        built = build(pipeline(name), target(), rewrite, compare=True)
    assert built.plain_ll == made(name).text
    assert built.report.windows
    assert (built.isel_ll != built.plain_ll) == bool(built.report.rewritten)
    assert built.own is not None
    for code in (built.plain_ll, built.isel_ll, built.own.object):
        check(code, built)


def test_own_code_with_checks_uses_the_run_time_library() -> None:
    checked = generic(pipeline("blur3x3"), target(), flags=())
    assert "@halide_error_" in checked.text
    check(checked.text, checked)
