"""``isel serve``: one page on this machine, in which code is tried."""
