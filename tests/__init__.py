"""One file per feature; vectors are shared by Python and JavaScript."""

import os

from hypothesis import settings

# Before numpy is imported: in tables this small, threads of two workers wait for each other.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

# No seconds decide anything here, and everybody's run tries the same examples.
settings.register_profile("candor", deadline=None, derandomize=True, database=None)
settings.load_profile("candor")
