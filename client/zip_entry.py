"""Entries of zips that depend on nothing but their content: no time, no machine."""

from zipfile import ZIP_DEFLATED, ZipInfo

# The oldest day that a zip knows: when a file was written is nobody's business.
LONG_AGO = (1980, 1, 1, 0, 0, 0)


def plain_entry(name: str) -> ZipInfo:
    entry = ZipInfo(name, LONG_AGO)
    entry.compress_type = ZIP_DEFLATED
    # Made on Unix, readable by all: otherwise it would depend on the machine.
    entry.create_system = 3
    entry.external_attr = 0o644 << 16
    return entry
