"""`python -m audit.cli`: the same as `pitwatch`, for a second process of this very install."""

import sys

from audit.cli.main import main

if __name__ == "__main__":
    sys.exit(main())
