"""Flask: sees reports, never answers."""

import os

# Before anything imports numpy. The server has a thread for every request, so threads of the linear
# algebra would only wait for each other: with all cores busy, they take twenty times as long.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
