"""Equivalence classes of instructions (AutoLLVM operations): how they are formed, and the dictionary of all targets.

Instructions whose lanes compute one formula belong together, whatever their registers and layouts.
So far a class is one canonical lane function (:mod:`equiv_classes.lanes`); widths and constants become
parameters where the dictionary is generated.
"""
