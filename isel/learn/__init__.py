"""Rules that the tool finds by itself: terms that are equal wherever they are evaluated, made
general, proved, and written as books.
"""
