"""Checksums of reports that get another id or another group. A wrong one stays wrong."""

from server.surveys.records import Published


def binding(published: Published) -> dict[str, str]:
    """Return the values that `rebound` needs, for the reports of one version."""
    return {"fingerprint": f"{published.survey.fingerprint}\n", "line": "\n"}


def rebound(new_id: str, new_group: str) -> str:
    """Return the expression for the checksum of a row of `reports` with a new id and group."""
    right, new = _bound("id", "in_group"), _bound(new_id, new_group)
    return f"CASE checksum WHEN {right} THEN {new} ELSE checksum END"


def _bound(id: str, group: str) -> str:
    # As bytes, because a flipped bit may have broken the text; it must not keep a survey open.
    end = f"CASE {group} WHEN '' THEN '' ELSE :line || {group} END"
    return f"sha256(CAST(:fingerprint || {id} || :line || randomized || {end} AS BLOB))"
