"""What is claimed of speed, cost and quality, measured."""

import logging

logging.getLogger("werkzeug").setLevel(logging.ERROR)
