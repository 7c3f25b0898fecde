"""What makes the shipped price tables: llvm-mca asked for every form, and what corrects it."""
