"""The one list of migrations; each topic adds its own, in the order of `schema/__init__.py`."""

from sqlite_utils import Migrations

migrations = Migrations("candor")
