"""``isel batch``: many modules, each a task that any process or machine does alike, with what
became of each beside its output.

A task is bytes in and bytes out (:mod:`.task`); what is known of it from an earlier run is found by
a hash of both and of the tool (:mod:`.record`), so a batch can be killed and taken up at any time.
"""
