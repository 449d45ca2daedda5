"""The formulas of analyse.py and covariance.py; checks first that Python and numpy fit."""

import sys

if sys.version_info < (3, 11):  # noqa: UP036 - these scripts run wherever the zip is unpacked
    sys.exit(f"This needs Python 3.11 or newer; you have {sys.version.split()[0]}.")
try:
    import numpy  # noqa: F401
except ImportError:
    sys.exit("This needs numpy, and nothing else: python -m pip install numpy")
