"""Equivalence classes of instructions (AutoLLVM operations): how they are formed, and the
dictionary of all targets.

A class is one formula over operands and integer parameters: widths, lane counts, offsets, strides,
extract positions, literals.  :mod:`equiv_classes.dictionary` reads the shipped text; the other
modules make it.  From an instruction to its class: :mod:`~equiv_classes.lanes` (normal forms,
predication taken off), :mod:`~equiv_classes.skeleton` (numbers taken out),
:mod:`~equiv_classes.form` (loop nests), :mod:`~equiv_classes.similarity` (classes),
:mod:`~equiv_classes.relations` (parameters), :mod:`~equiv_classes.prove` (every member equals its
class).
"""
