"""Windows and the programs that the search finds for them, as text; ``make bless`` writes what is
found now.
"""
