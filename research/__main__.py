"""`python -m research`: the command line."""

import sys

from research.cli import main

sys.exit(main())
