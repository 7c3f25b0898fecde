"""Loads whose elements are spread over more than they fill: parts of them are read again."""

from __future__ import annotations

from frontends.llvm.linked.binding import normalise
from frontends.llvm.text.parse import parse_module
from frontends.llvm.windows.places import places
from frontends.llvm.windows.scene import Limits, Scene
from semantics import target_named


def test_a_load_that_is_spread_is_read_in_parts_again() -> None:
    body = """  %a = load <24 x i8>, ptr %p, align 1
  %x = xor <24 x i8> %a, splat (i8 3)
  %y = mul <24 x i8> %x, %a
  %s = add <24 x i8> %y, %x
  store <24 x i8> %s, ptr %o, align 1
  ret void
"""
    module = parse_module(normalise(f"define void @f(ptr %p, ptr %o) {{\n{body}}}\n"))
    scene = Scene(module, module.functions[0], target_named("x86"))
    (place,) = places(scene, Limits())
    given = place.sites[0].inputs
    for bits, offsets in ((256, [8]), (192, []), (384, []), (200, [])):
        made = [x.made for x in scene.regions.shared(given, 256, bits) if x.made is not None]
        assert [(m.offset, m.count) for m in made] == [(k, 16) for k in offsets]
    assert not any(x.made for x in scene.regions.shared(given, 512, 256))
