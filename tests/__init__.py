"""One file per feature; vectors are shared by Python and JavaScript."""

from hypothesis import settings

# No seconds decide anything here, and everybody's run tries the same examples.
settings.register_profile("candor", deadline=None, derandomize=True)
settings.load_profile("candor")
