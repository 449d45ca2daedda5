"""Which versions do the work: results are the same bits only where these are the same."""

import platform
from functools import cache
from importlib.metadata import PackageNotFoundError, version

import client
from client.core.primitives.refusal import Refusal

ABSENT = "absent"
# Draws come from numpy, reports in Parquet files from pyarrow, and tasks travel by distributed.
_PACKAGES = ("numpy", "pyarrow", "distributed")


@cache
def own_versions() -> dict[str, str]:
    """Return the versions of this process by name."""
    return {
        "candor": client.__version__,
        "python": ".".join(platform.python_version_tuple()[:2]),
        **{name: _version(name) for name in _PACKAGES},
    }


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return ABSENT


def check_versions(who: str, found: dict[str, str], wanted: dict[str, str]) -> None:
    """Raise if somebody has another version than is wanted."""
    for name, own in wanted.items():
        got = found.get(name, ABSENT)
        if got != own:
            raise Refusal("other_versions", who, name=name, got=got, own=own)
