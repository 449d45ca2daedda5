"""A comparison of groups as plain numbers to draw: each group's figure, and the differences."""

from estimators.compare.figures import SHARE
from estimators.compare.result import Comparison
from estimators.plots.panels import ForestPanel, ForestRow


def forest_panel(found: Comparison, title: str) -> ForestPanel:
    """Return what a forest plot of the comparison shows."""
    options = {row.option for row in found.groups}
    several = len(options) > 1

    def named(option: str, name: str) -> str:
        # The group comes first: of a long label the end is cut.
        return f"{name}: {option}" if several else name

    return ForestPanel(
        title=" ".join([title, *(f"({option})" for option in options if option and not several)]),
        groups=tuple(
            ForestRow(named(row.option, row.group), row.value, row.low, row.high, row.group)
            for row in found.groups
        ),
        differences=tuple(
            ForestRow(
                named(row.option, f"{row.group} − {row.reference}"),
                row.difference,
                row.low,
                row.high,
            )
            for row in found.differences
        ),
        unit=None if found.quantity == SHARE else found.unit,
        confidence=found.confidence,
    )
