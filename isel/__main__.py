"""``python -m isel`` is ``isel``."""

from isel.cli import main

raise SystemExit(main())
