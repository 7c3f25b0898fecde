"""Front ends: program text in, windows out; programs in, text out."""
