"""What the importers of all vendors share: exact integers, variables, simplification, lanes of
results, formulas of lanes, the ``.sem`` text and its check.
"""
