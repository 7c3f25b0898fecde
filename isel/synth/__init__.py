"""Search: the lane graph, goals inverted through gather maps, CEGIS grammars, and the order
they run in.
"""
