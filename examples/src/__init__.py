"""What the demonstration's modules are made of: C loops, a Halide pipeline and two windows."""
