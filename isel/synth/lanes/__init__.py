"""The lane graph: for a lane value, every instruction that produces it."""
