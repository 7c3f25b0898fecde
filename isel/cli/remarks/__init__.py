"""What builds left to read: findings of a module, as SARIF, as lines of a compiler, and a build's
page.
"""
