"""Sums of products: 20 C loops and 10 pipelines, compared with numpy, then timed or priced."""
