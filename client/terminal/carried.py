"""What a link may carry besides an invitation, like `client/browser/device/carried.js`."""

import re

from client.core.primitives.refusal import require

_KIOSK = "kiosk"
_PARAMETER = re.compile(r"([A-Za-z][A-Za-z0-9_-]{0,31})=([A-Za-z0-9._~-]{1,64})")


def take_carried(fragment: str) -> tuple[str, dict[str, str]]:
    """Split the parameters of a panel off a fragment; they are never sent to the server."""
    pinned, *parts = fragment.split(";")
    require(_KIOSK not in parts, "kiosk_in_terminal", "url")
    found = [_PARAMETER.fullmatch(part) for part in parts]
    others = [part for part in parts if "=" not in part]
    return ";".join([pinned, *others]), {pair[1]: pair[2] for pair in found if pair}
