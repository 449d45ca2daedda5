"""Kills, power cuts, full disks and flipped bits: nothing acknowledged is lost."""

from tests.torture.durability import asking_kills, backups, histories, kills, power_cuts, races
from tests.torture.durability.damage import bit_flips
from tests.torture.durability.faults import disk_faults
from tests.torture.row import Row

ROWS: tuple[Row, ...] = (
    kills.ROW,
    asking_kills.ROW,
    power_cuts.ROW,
    races.CLOSE_RACES,
    races.SAME_REPORT,
    histories.ROW,
    disk_faults.ROW,
    bit_flips.ROW,
    backups.ROW,
)
