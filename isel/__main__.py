"""``python -m isel``."""

import sys

from isel.cli import main

if __name__ == "__main__":
    sys.exit(main())
