"""A margin in words, the same in the planner and beside the questions that are being written."""

# No line ends between the sign and its figure.
_PLUS_MINUS = "±\N{NO-BREAK SPACE}"


def margin_words(margin: float, unit: str | None) -> str:
    """Of a share in percentage points, of a mean in its own unit, which may be none: ''."""
    if unit is None:
        return f"{_PLUS_MINUS}{100 * margin:.3g} percentage points"
    return f"{_PLUS_MINUS}{margin:.3g} {unit}".rstrip()
