"""Single functions: the ten kernels are modules that LLVM accepts, mean what they say, and are
timed in both versions.
"""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pytest

from bench.jit import Jit
from bench.listed import KERNELS, PITCH, main, module
from bench.measure.timing import Once, Task, once
from frontends.llvm.linked import binding
from frontends.llvm.linked.buffer import Buffer
from frontends.llvm.text.parse import parse_module

_SIZE = 4096


def _outputs(name: str) -> tuple[list[np.ndarray], np.ndarray]:
    rng = random.Random(7)
    arguments = [rng.randbytes(_SIZE) for _ in range(4)]
    text = next(module(k) for k in KERNELS if k.__name__ == name)
    after = Jit(text, [name]).call(name, arguments).buffers
    return [np.frombuffer(a, dtype=np.uint8) for a in arguments], np.frombuffer(
        after[3], dtype=np.uint8
    )


def _window(image: np.ndarray, size: int) -> list[list[np.ndarray]]:
    return [
        [image[PITCH * y + x :][:64].astype(np.int64) for x in range(size)] for y in range(size)
    ]


@pytest.mark.parametrize("kernel", KERNELS, ids=lambda k: k.__name__)
def test_kernels_are_modules_of_one_function_of_pointers(kernel: object) -> None:
    text = module(next(k for k in KERNELS if k is kernel))
    (function,) = parse_module(binding.normalise(text)).functions
    assert [str(a.type) for a in function.arguments] == ["ptr"] * 4


def test_images() -> None:
    given, out = _outputs("box_blur")
    assert np.array_equal(out[:64], sum(p for row in _window(given[0], 3) for p in row) // 9)
    for name, weights in (("gaussian3x3", (1, 2, 1)), ("gaussian5x5", (1, 4, 6, 4, 1))):
        given, out = _outputs(name)
        n = len(weights)
        total = sum(
            weights[y] * weights[x] * _window(given[0], n)[y][x] for y in range(n) for x in range(n)
        )
        scale = sum(weights) ** 2
        assert np.array_equal(out[:64], (total + scale // 2) // scale)
    given, out = _outputs("sobel")
    p = _window(given[0], 3)
    down = abs(sum(w * (p[2][x] - p[0][x]) for x, w in enumerate((1, 2, 1))))
    along = abs(sum(w * (p[y][2] - p[y][0]) for y, w in enumerate((1, 2, 1))))
    assert np.array_equal(out[:64], np.minimum(down + along, 255))


def test_bytes_and_samples() -> None:
    given, out = _outputs("alpha_blend")
    a, b, m = (g[:64].astype(np.int64) for g in given[:3])
    assert np.array_equal(out[:64], (a * m + b * (255 - m) + 127) // 255)
    given, out = _outputs("quantised_add")
    a, b = (g[:64].astype(np.int64) for g in given[:2])
    assert np.array_equal(
        out[:64], np.clip(((a - 13) * 12345 + (b - 200) * 9876 + (1 << 13) >> 14) + 7, 0, 255)
    )
    given, out = _outputs("audio_mix")
    a, b = (g.view(np.int16)[:32].astype(np.int64) for g in given[:2])
    mixed = (a * 26214 + (1 << 14) >> 15) + (b * 19661 + (1 << 14) >> 15)
    assert np.array_equal(out.view(np.int16)[:32], np.clip(mixed, -(1 << 15), (1 << 15) - 1))
    given, out = _outputs("conv3x3")
    weights = given[1].view(np.int8)[:9].astype(np.int64).reshape(3, 3)
    total = sum(weights[y][x] * _window(given[0], 3)[y][x] for y in range(3) for x in range(3))
    assert np.array_equal(out[:64], np.clip(total + 32 >> 6, 0, 255))


@pytest.mark.parametrize(
    ("name", "left", "right"),
    [("matmul_i16", np.int16, np.int16), ("matmul_u8i8", np.uint8, np.int8)],
)
def test_products_of_matrices(name: str, left: type, right: type) -> None:
    given, out = _outputs(name)
    a = given[0].view(left)[: 4 * 64].reshape(4, 64).astype(np.int64)
    b = given[1].view(right)[: 64 * 32].reshape(64, 32).astype(np.int64)
    assert np.array_equal(out.view(np.int32)[: 4 * 32].reshape(4, 32), (a @ b).astype(np.int32))


def test_files_are_written_and_run(tmp_path: Path) -> None:
    assert main([str(tmp_path)]) == 0
    assert len(list(tmp_path.glob("*.ll"))) == len(KERNELS)
    text = (tmp_path / "alpha_blend.ll").read_text()
    found = once(Task(text, text, "alpha_blend"), 0, 1)
    assert isinstance(found, Once) and found.ratio > 0
    with pytest.raises(SystemExit):
        main([])


@pytest.mark.parametrize("offset", [0, 128, 4096 - 128])
def test_buffers_lie_where_they_are_asked_to(offset: int) -> None:
    buffer = Buffer(b"abc", 4096, offset)
    assert buffer.address % 4096 == offset
    assert buffer.read() == b"abc"
