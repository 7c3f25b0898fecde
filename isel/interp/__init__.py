"""One interpreter of terms, parametric in an algebra: Python integers, numpy lanes, solver
terms.
"""
