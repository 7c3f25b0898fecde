"""What the house looks like in numbers, by room: ``make house`` prints them, ``make check`` holds
them to ``limits.tsv``.
"""
