"""Pictures and short videos for encoders: gradients, noise, edges, of sizes that are no multiple of
anything.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

Pixels = NDArray[np.uint8]  # height, width, channels

SIZES: Final = ((1, 1), (17, 5), (64, 64), (227, 149), (640, 97))  # width, height
_KINDS: Final = ("gradient", "noise", "edges")
_FRAMES: Final = 4


def pictures(seed: int = 1) -> dict[str, Pixels]:
    """Return pictures of four channels by name."""
    made = np.random.default_rng(seed)
    return {f"{kind}-{w}x{h}": _picture(kind, w, h, made) for kind in _KINDS for w, h in SIZES}


def _picture(kind: str, width: int, height: int, made: np.random.Generator) -> Pixels:
    y, x = np.mgrid[0:height, 0:width]
    if kind == "noise":
        return made.integers(0, 256, (height, width, 4), dtype=np.uint8)
    if kind == "gradient":
        planes = [
            x * 255 // max(1, width - 1),
            y * 255 // max(1, height - 1),
            (x + y) % 256,
            255 - x % 256,
        ]
    else:  # discs and stripes on a slope, with a little noise
        disc = (x - width // 2) ** 2 + (y - height // 3) ** 2 < (min(width, height) // 3) ** 2
        planes = [
            disc * 200 + x % 32,
            (x // 7 + y // 3) % 2 * 255,
            disc * 90 + made.integers(0, 9, x.shape),
            255 - disc * 255,
        ]
    return np.stack([np.clip(p, 0, 255) for p in planes], axis=-1).astype(np.uint8)


def scene(width: int, height: int, seed: int = 1) -> Pixels:
    """Return a picture as large as a camera's, of four channels: slopes, shapes and edges with the
    noise of a sensor.
    """
    made = np.random.default_rng(seed)
    base = _picture("edges", width, height, made).astype(np.int16)
    y, x = np.mgrid[0:height, 0:width]
    waves = 40 * np.sin(x / 23.0) * np.cos(y / 31.0)
    noise = made.normal(0, 4, base.shape)
    whole: Pixels = np.clip(base // 2 + 60 + waves[..., None] + noise, 0, 255).astype(np.uint8)
    return whole


def ppm(picture: Pixels) -> bytes:
    """Return the colours as a portable pixmap."""
    height, width, _ = picture.shape
    return b"P6\n%d %d\n255\n" % (width, height) + picture[:, :, :3].tobytes()


def pam(picture: Pixels) -> bytes:
    """Return colours and alpha as a portable arbitrary map."""
    height, width, _ = picture.shape
    head = b"P7\nWIDTH %d\nHEIGHT %d\nDEPTH 4\nMAXVAL 255\nTUPLTYPE RGB_ALPHA\nENDHDR\n"
    return head % (width, height) + picture.tobytes()


def y4m(picture: Pixels) -> bytes:
    """Return a video of 4:2:0 in which the picture moves; colours stand for brightness and its
    differences.
    """
    height, width, _ = picture.shape
    frames = [np.roll(picture, (k, 3 * k), (0, 1)) for k in range(_FRAMES)]
    planes = b"".join(
        b"FRAME\n" + f[:, :, 0].tobytes() + f[::2, ::2, 1].tobytes() + f[::2, ::2, 2].tobytes()
        for f in frames
    )
    return b"YUV4MPEG2 W%d H%d F25:1 Ip A1:1 C420jpeg\n" % (width, height) + planes
