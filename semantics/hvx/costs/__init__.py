"""Prices of Hexagon's instructions: slots and units of a packet, shipped as text."""

from __future__ import annotations

from typing import Final

from semantics.costs.shipped import Shipped

TABLES: Final = ("hexagonv66",)
SHIPPED: Final = Shipped(__name__, TABLES, {}, "hexagonv66")
prices_for = SHIPPED.prices_for
