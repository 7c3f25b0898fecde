"""Write the table of prices and the forms of instructions:
``python -m bench.costs.hvx FOLDER hvx_q6_map.json``, where FOLDER has LLVM's
``HexagonDepInstrInfo.td`` and ``HexagonDepIICHVX.td``.

An instruction takes a slot of a packet and units of the vector coprocessor, as LLVM's itineraries
have it; a packet costs one cycle.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from isel.cost.ports import Usage, port_bound
from isel.cost.prices import Price, Prices
from isel.cost.writer import write_prices
from isel.spec.instruction import Instruction
from isel.spec.sem import read_entries
from semantics.digest import sources
from semantics.hvx import costs
from semantics.hvx.asm import PACKET, read_line
from semantics.hvx.importer.run import read_listing
from semantics.hvx.importer.spec import with_constants

PORTS: Final = (
    "slot0",
    "slot1",
    "slot2",
    "slot3",
    "xlane",
    "shift",
    "mpy0",
    "mpy1",
    "load",
    "store",
)
_UNITS: Final[Mapping[str, tuple[tuple[str, ...], int]]] = {
    **{f"SLOT{k}": ((f"slot{k}",), 1) for k in range(4)},
    "CVI_XLANE": (("xlane",), 1),
    "CVI_SHIFT": (("shift",), 1),
    "CVI_MPY0": (("mpy0",), 1),
    "CVI_MPY1": (("mpy1",), 1),
    "CVI_LD": (("load",), 1),
    "CVI_ST": (("store",), 1),
    "CVI_XLSHF": (("xlane", "shift"), 2),
    "CVI_MPY01": (("mpy0", "mpy1"), 2),
    "CVI_ALL": (("xlane", "shift", "mpy0", "mpy1"), 4),
    "CVI_ALL_NOMEM": (("xlane", "shift", "mpy0", "mpy1"), 4),
}
_DEFINED: Final = re.compile(
    r'^def V6_(?P<name>\w+) : HInst<\n\(outs[^\n]*\n\(ins[^\n]*\n"(?P<text>[^"]*)",\n'
    r"(?P<tc>\w+), Type\w+>",
    re.MULTILINE,
)
_ITINERARY: Final = re.compile(
    r"InstrItinData <(?P<tc>\w+), /\*[^*]*\*/\s*\[(?P<stages>.*?)\], \[", re.DOTALL
)
_STAGE: Final = re.compile(r"InstrStage<1, \[(?P<units>[^\]]*)\]")
_LETTERS: Final = {"V": "v", "Q": "q", "R": "r", "P": "p", "M": "r"}


def main(arguments: Sequence[str]) -> int:
    """Write ``hexagonv66.tsv`` and ``forms.tsv``."""
    folder, listing = map(Path, arguments)
    stages = _stages((folder / "HexagonDepIICHVX.td").read_text())
    rows: dict[str, Price] = {PACKET: Price(1, 0, 1.0, ())}
    for m in _DEFINED.finditer((folder / "HexagonDepInstrInfo.td").read_text()):
        usages = stages.get(m["tc"])
        form = _form(m["text"])
        if usages is not None and form is not None and not form.endswith(" -"):
            rows.setdefault(form, _price(usages))
    slots = {"scalar -": "0123", "load -": "01", "store -": "01", "jump -": "23"}
    for form, names in slots.items():
        rows[form] = _price((Usage(sum(1 << int(n) for n in names), 1.0),))
    for kind in ("v", "w"):  # zeros are a difference of a register with itself
        rows.setdefault(f"move {kind}=#", rows[{"v": "vxor v=v,v", "w": "vsub w.w=w.w,w.w"}[kind]])
    prices = Prices("hexagonv66", 1, PORTS, rows, "")
    here = Path(costs.__file__).parent
    notes = [
        "from LLVM's itineraries of hexagonv66, by python -m bench.costs.hvx",
        "packets are counted; an instruction in one takes its slot and units",
    ]
    (here / "hexagonv66.tsv").write_text(write_prices(prices, notes))
    (here.parent / "forms.tsv").write_text(_forms(listing, rows))
    return 0


def _forms(listing: Path, rows: Mapping[str, Price]) -> str:
    """Return the forms of all entries: their own assembly."""
    entries, _, _ = read_listing(listing.read_bytes(), str(listing))
    found = ["# what each instruction is in assembly: python -m bench.costs.hvx"]
    for e in (x for entry in entries for x in with_constants(entry)):
        form = _form(e.assembly)
        if e.builtin in ("V6_hi", "V6_lo", "V6_vassignp"):
            found.append(e.name)  # a part of a pair, or the pair
        elif form in rows:
            found.append(f"{e.name}\t{form}")
        else:
            sys.stderr.write(f"no price: {e.name}: {form} of {e.assembly}\n")
    for name, text in sources("hvx"):
        for i in read_entries(text, name, check=False).instructions if "views" in name else ():
            form = _of_view(i)
            found.append(f"{i.name}\t{form}")
            if form not in rows:
                sys.stderr.write(f"no price: {i.name}: {form}\n")
    return "\n".join(found) + "\n"


def _of_view(i: Instruction) -> str:
    """Return the form of an instruction of the views: its mnemonic, and the kinds of registers."""
    compared = i.mnemonic.startswith("vcmp")
    view = f".{i.name.rpartition('_')[2]}" if compared else ""
    given = ",".join("q" if o.width == 1 else f"v{view}" for o in i.operands)
    return f"{i.mnemonic} {'q' if i.width == 1 else 'v'}={given}"


def _form(text: str) -> str | None:
    """Return the form of an instruction as manuals and LLVM's tables write it."""
    plain = text.replace("$", "")

    def register(m: re.Match[str]) -> str:
        letter = _LETTERS[m["kind"]]
        paired = len(m["names"]) == 2 and letter in "vr"
        return f"{letter}1:0" if paired else f"{letter}0"

    plain = re.sub(r"\b(?P<kind>[VQRPM])(?P<names>[a-z]{1,2})\d*(?:in)?\b", register, plain)
    plain = re.sub(r"#?#\s*(?:[us]\d+|Ii)", "#1", plain)
    form = read_line(plain).operation.form
    return form if " " in form else None


def _stages(text: str) -> dict[str, tuple[Usage, ...]]:
    """Return what each class of HexagonV66's vector itineraries uses."""
    begin = text.index("class DepHVXItinV66")
    part = text[begin : text.find("\nclass ", begin + 1)]
    found: dict[str, tuple[Usage, ...]] = {}
    for m in _ITINERARY.finditer(part):
        usages: list[Usage] = []
        for stage in _STAGE.finditer(m["stages"]):
            units = [_UNITS[u.strip()] for u in stage["units"].split(",") if u.strip() in _UNITS]
            if units:
                ports = {p for names, _ in units for p in names}
                mask = sum(1 << PORTS.index(p) for p in ports)
                usages.append(Usage(mask, float(min(n for _, n in units))))
        found[m["tc"]] = tuple(usages)
    return found


def _price(usages: tuple[Usage, ...]) -> Price:
    return Price(0, 0, round(port_bound(usages), 4), usages)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
