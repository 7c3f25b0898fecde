"""Machine code as text: compiling, pricing, and the gate that compares it."""
