"""Machine code as text: reading, pricing, and the gate that compares it."""
