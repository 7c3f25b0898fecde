"""Our verifier on the tests of Alive2, which are read from a checkout and never copied
(``make alive2``).
"""
