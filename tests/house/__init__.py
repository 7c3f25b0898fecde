"""Does a change of the code change what is written? ``tests/house.tsv`` has hashes of the text, the
verdicts and the report of some hundred modules, ``python -m tests.house`` says which are others.
"""
