"""The libraries: how each is configured without its own SIMD code, built, tested and used."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from bench.real.pictures import Pixels, pam, ppm, y4m

Words = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Codec:
    """An encoder and the decoders of what it makes; `{in}` and `{out}` stand for files, programs
    are paths in a build.
    """

    suffix: str
    picture: Callable[[Pixels], bytes]
    encode: tuple[Words, ...]
    decode: tuple[Words, ...]


@dataclass(frozen=True, slots=True)
class Use:
    """What a user runs, timed from start to end: `prepare` makes `{coded}` of the picture `{in}`
    where it is not empty, then `words` is what counts.
    """

    name: str
    picture: Callable[[Pixels], bytes]
    prepare: Words
    words: Words


@dataclass(frozen=True, slots=True)
class Library:
    """A library by its Debian source package.

    `configure` has `{src}`, `{flags}` and, where the build system has a word for it, `{launcher}`
    (nothing without one); elsewhere $CC has the launcher before the compiler.  `test` is nothing
    where no test runs from the sources alone.  `uses` are timed end to end.
    """

    name: str
    source: str
    configure: Words
    build: Words
    test: Words
    codecs: tuple[Codec, ...]
    uses: tuple[Use, ...] = ()


def _each(program: str, variants: str, *rest: str) -> tuple[Words, ...]:
    """Return a command line for each line of flags."""
    return tuple((program, *line.split(), *rest) for line in variants.strip("\n").split("\n"))


_VPX_QUIET: Final = ("--quiet", "--ivf", "--disable-warning-prompt")
_X264_QUIET: Final = ("--quiet", "--demuxer", "y4m")

WEBP: Final = Library(
    "webp",
    "libwebp",
    configure=(
        "{src}/configure",
        "CFLAGS={flags}",
        *("--disable-sse2", "--disable-sse4.1", "--disable-shared", "--disable-threading"),
        *(
            "--disable-gl",
            "--disable-sdl",
            "--disable-png",
            "--disable-jpeg",
            "--disable-tiff",
            "--disable-gif",
        ),
        "--disable-dependency-tracking",
    ),
    build=("make",),
    test=(),
    codecs=(
        Codec(
            "webp",
            pam,
            _each(
                "examples/cwebp",
                """
-q 75
-q 20 -m 6 -af -segments 4
-q 90 -sharp_yuv -alpha_q 50
-q 60 -resize 51 33 -pre 4 -noalpha
-lossless -m 5
-near_lossless 40 -exact
""",
                "-quiet",
                *("{in}", "-o", "{out}"),
            ),
            _each(
                "examples/dwebp",
                """
-pam
-ppm -nofancy
-yuv -nofilter
-pam -scale 40 61
-bmp -dither 60 -alpha_dither
""",
                *("-quiet", "{in}", "-o", "{out}"),
            ),
        ),
    ),
    uses=(
        Use("cwebp", ppm, (), ("examples/cwebp", "-quiet", "-q", "75", "{in}", "-o", "{out}")),
        Use(
            "dwebp",
            ppm,
            ("examples/cwebp", "-quiet", "-q", "75", "{in}", "-o", "{coded}"),
            ("examples/dwebp", "-quiet", "-ppm", "{coded}", "-o", "{out}"),
        ),
    ),
)

JPEG: Final = Library(
    "jpeg",
    "libjpeg-turbo",
    configure=(
        *(
            "cmake",
            "-S",
            "{src}",
            "-B",
            ".",
            "-DWITH_SIMD=0",
            "-DENABLE_SHARED=0",
            "-DCMAKE_BUILD_TYPE=Release",
        ),
        *(
            "-DCMAKE_C_FLAGS={flags}",
            "-DCMAKE_C_FLAGS_RELEASE=",
            "-DCMAKE_C_COMPILER_LAUNCHER={launcher}",
        ),
    ),
    build=("cmake", "--build", "."),
    test=("ctest", "--output-on-failure"),
    codecs=(
        Codec(
            "jpg",
            ppm,
            _each(
                "cjpeg-static",
                """
-quality 75
-quality 90 -sample 1x1 -dct fast
-quality 50 -sample 2x1 -progressive
-quality 30 -smooth 40 -optimize
-quality 80 -grayscale -arithmetic
-rgb -quality 60 -dct float
""",
                *("-outfile", "{out}", "{in}"),
            ),
            _each(
                "djpeg-static",
                """
-ppm
-ppm -dct fast -nosmooth
-bmp -scale 1/2
-ppm -scale 3/8
-gif -colors 64 -dither fs
-ppm -onepass -grayscale
""",
                *("-outfile", "{out}", "{in}"),
            ),
        ),
    ),
    uses=(
        Use("cjpeg", ppm, (), ("cjpeg-static", "-quality", "85", "-outfile", "{out}", "{in}")),
        Use(
            "djpeg",
            ppm,
            ("cjpeg-static", "-quality", "85", "-outfile", "{coded}", "{in}"),
            ("djpeg-static", "-ppm", "-outfile", "{out}", "{coded}"),
        ),
    ),
)

# In real time VP8's speeds above 0 depend on the clock, those below 0 do not.
VPX: Final = Library(
    "vpx",
    "libvpx",
    configure=(
        *(
            "{src}/configure",
            "--target=generic-gnu",
            "--extra-cflags={flags}",
            "--disable-docs",
            "--disable-webm-io",
        ),
        *(
            "--enable-unit-tests",
            "--disable-multithread",
            "--enable-vp9-postproc",
            "--enable-postproc",
        ),
    ),
    build=("make", "libvpx.a", "vpxenc", "vpxdec"),
    test=(
        "sh",
        "-c",
        "make -j2 test_libvpx && ./test_libvpx --gtest_filter='C/*-*Large*:*TestVector*'",
    ),
    codecs=(
        Codec(
            "ivf",
            y4m,
            _each(
                "vpxenc",
                """
--codec=vp8 --good --cpu-used=1
--codec=vp8 --rt --cpu-used=-6 --noise-sensitivity=3
--codec=vp9 --good --cpu-used=1 --auto-alt-ref=1 --lag-in-frames=3
--codec=vp9 --rt --cpu-used=7 --aq-mode=3
--codec=vp9 --lossless=1 --cpu-used=4
""",
                *("--quiet", "--ivf", "--disable-warning-prompt", "{in}", "-o", "{out}"),
            ),
            _each(
                "vpxdec",
                """
--i420
--i420 --postproc
--yv12 --scale --postproc
""",
                *("-o", "{out}", "{in}"),
            ),
        ),
    ),
    uses=(
        Use(
            "vpxenc vp8",
            y4m,
            (),
            ("vpxenc", "--codec=vp8", "--good", "--cpu-used=2", *_VPX_QUIET, "{in}", "-o", "{out}"),
        ),
        Use(
            "vpxenc vp9",
            y4m,
            (),
            ("vpxenc", "--codec=vp9", "--good", "--cpu-used=4", *_VPX_QUIET, "{in}", "-o", "{out}"),
        ),
        Use(
            "vpxdec vp9",
            y4m,
            (
                *("vpxenc", "--codec=vp9", "--rt", "--cpu-used=7"),
                *(*_VPX_QUIET, "{in}", "-o", "{coded}"),
            ),
            ("vpxdec", "--i420", "-o", "{out}", "{coded}"),
        ),
    ),
)

# Its configure switches clang's vectorisers off, which are half of the comparison; without
# assembler its one test program has nothing to hold against.
X264: Final = Library(
    "x264",
    "x264",
    configure=(
        "sh",
        "-c",
        """{src}/configure --disable-asm --disable-opencl --disable-avs --disable-ffms \\
        --disable-gpac --disable-lsmash --disable-lavf --disable-swscale --disable-thread \\
        --bit-depth=8 --extra-cflags='{flags}' && sed -i s/-fno-tree-vectorize// config.mak""",
    ),
    build=("make",),
    test=(),
    codecs=(
        Codec(
            "264",
            y4m,
            _each(
                "x264",
                """
--preset medium
--preset ultrafast --qp 30
--preset slow --tune psnr
--preset veryfast --crf 40 --interlaced
--preset fast --qp 0
""",
                *("--quiet", "--demuxer", "y4m", "{in}", "-o", "{out}"),
            ),
            (),
        ),
    ),
    uses=(
        Use("x264 medium", y4m, (), ("x264", *_X264_QUIET, "{in}", "-o", "{out}")),
        Use(
            "x264 ultrafast",
            y4m,
            (),
            ("x264", "--preset", "ultrafast", *_X264_QUIET, "{in}", "-o", "{out}"),
        ),
    ),
)

LIBRARIES: Final[Mapping[str, Library]] = {
    library.name: library for library in (WEBP, JPEG, VPX, X264)
}
