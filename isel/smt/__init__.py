"""Solvers behind one question and one answer type; bitwuzla and z3 are each imported in one
module here.
"""
