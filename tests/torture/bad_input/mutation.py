"""Changes to bytes, to JSON texts and to JSON trees, all drawn from seeded dice."""

import json
import random
import re
from collections.abc import Iterator, Sequence
from copy import deepcopy
from typing import Any

Tree = Any
Place = tuple[Any, Any]

# Pieces of JSON that belong nowhere, or only somewhere else.
PIECES: tuple[str, ...] = (
    *('"', "{", "}", "[", "]", ",", ":", "\\", "\\u0000", "\\ud83d", "\\ud83d\\ude00", "\n", "\t"),
    *(" ", "0", "-0", "-1", "1.0", "1e0", "NaN", "-Infinity", "01", "999999999999999", "true"),
    *("null", '""', '"__proto__":1,', '"":0,', "\\u001c", "\\u0085", "\u3000", "\ufeff", "\u2028"),
    *("é", "🙂", "\x7f", "0.5", "4294967296", "3139872686", "3139000000", "2147483648", "9" * 40),
    *("[" * 9, '{"a":' * 9, "9" * 5000, "/*", "'", "\\", "\r", "\x00", "\u202e"),
)
VALUES: tuple[Any, ...] = (
    *(None, True, False, 0, 1, 2, 3, -1, 5, 10, 31, 60, 200, 10_000, 20_001, 2**31, 2**32 - 1),
    *(10**15, 10**16, 1.0, 0.5, -0.0, 1e300, float("nan"), float("inf"), 2**32, 2**64, -(2**53)),
    *("", " ", "0", "1", "-1", "0.5", "01", "1e3", "x", "\x00", "\n", "\t", "\ud800", "\udc00a"),
    *("\ufeff", "\u2028", "\u3000", "\u202e", "é", "🙂", "true", "null", "__proto__", "toString"),
    *("constructor", "x" * 2001, "x" * 20_001, "🙂" * 1999, [], {}, [[]], [0], [1], [0, 1], [1, 0]),
    *([[0, 1]], {"": 0}, {"__proto__": None}, [[[[[[[[0]]]]]]]], ["a", "b"], ["a", "a"]),
)
_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[0-9]+|.', re.DOTALL)
_BYTES = [piece.encode("utf-8", errors="surrogatepass") for piece in PIECES]
_ENCODINGS = ("utf-16", "utf-16-le", "utf-32", "utf-8-sig", "latin-1", "utf-7")


def spoil_json(text: str, dice: random.Random, values: Sequence[Any] = VALUES) -> bytes:
    """Change the values of a JSON text, its tokens or its bytes; sometimes nothing."""
    way = dice.random()
    if way < 0.7:
        tree = json.loads(text)
        for _ in range(dice.choice((0, 1, 1, 1, 2, 3))):
            tree = spoil_tree(tree, dice, values)
        return write(tree, dice)
    if way < 0.9:
        for _ in range(dice.choice((1, 1, 1, 2, 3))):
            text = spoil_tokens(text, dice)
        return text.encode("utf-8", errors="surrogatepass")
    return spoil_bytes(text.encode(), dice, _BYTES)


def spoil_bytes(data: bytes, dice: random.Random, pieces: Sequence[bytes]) -> bytes:
    """Cut, double, overwrite or insert some bytes in a few places."""
    changed = bytearray(data)
    for _ in range(dice.choice((1, 1, 1, 2, 5))):
        start = dice.randrange(len(changed) + 1)
        stop = start + dice.choice((0, 1, 1, 2, 8, 40))
        piece = (b"", dice.randbytes(1), dice.choice(pieces), bytes(changed[start:stop]) * 2)
        changed[start:stop] = dice.choice(piece)
    return bytes(changed)


def spoil_tokens(text: str, dice: random.Random, pieces: Sequence[str] = PIECES) -> str:
    """Replace, repeat or remove one token of a JSON text, or put a piece into it."""
    tokens = _TOKEN.findall(text)
    if not tokens:
        return dice.choice(pieces)
    at, odd = dice.randrange(len(tokens)), dice.choice(pieces)
    half = len(tokens[at]) // 2
    tokens[at] = dice.choice(
        (
            odd,
            f'"{odd}"',
            dice.choice(tokens),
            "",
            odd + tokens[at],
            tokens[at] * 2,
            tokens[at][:half] + odd + tokens[at][half:],
            # A key with its value and the comma, so that the key appears twice.
            "".join(tokens[at : at + 4]) + tokens[at],
        )
    )
    return "".join(tokens)


def spoil_tree(tree: Tree, dice: random.Random, values: Sequence[Any] = VALUES) -> Tree:
    """Change one place of a tree, which is changed itself; return the tree, or what replaced it."""
    places = list(_places(tree))
    if not places or dice.random() < 0.01:
        return _odd(dice, values)
    holder, key = dice.choice(places)
    dice.choice(_CHANGES)(holder, key, places, dice, values)
    return tree


def write(tree: Tree, dice: random.Random) -> bytes:
    """Write a tree as JSON: mostly in the canonical way, sometimes in another."""
    way = dice.random()
    canonical = way < 0.8
    text = json.dumps(
        tree,
        sort_keys=canonical or way < 0.9,
        separators=(",", ":") if canonical else dice.choice(((", ", ": "), ("\n,\t", " :\r"))),
        ensure_ascii=0.85 < way < 0.95,
    )
    if way > 0.98:
        return text.encode(dice.choice(_ENCODINGS), errors="replace")
    return text.encode("utf-8", errors="surrogatepass")


def _odd(dice: random.Random, values: Sequence[Any]) -> Any:
    """Return a copy of an odd value: the next change may change it."""
    return deepcopy(dice.choice(values))


def _places(tree: Tree) -> Iterator[Place]:
    """Yield the container and the key of every part of a tree."""
    if isinstance(tree, dict | list):
        for key, value in list(tree.items() if isinstance(tree, dict) else enumerate(tree)):
            yield tree, key
            yield from _places(value)


def _replace(holder: Any, key: Any, _: Any, dice: random.Random, values: Sequence[Any]) -> None:
    holder[key] = _odd(dice, values)


def _nudge(holder: Any, key: Any, places: Any, dice: random.Random, values: Sequence[Any]) -> None:
    """Change a number a little, or a text by one character."""
    value = holder[key]
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        _copy(holder, key, places, dice, values)
    elif isinstance(value, str):
        at = dice.randrange(len(value) + 1)
        odd = dice.choice(("", "0", "1", ".", "-", "_", "a", "Z", " ", "\n", "\x00", "é", "\ud800"))
        holder[key] = value[:at] + odd + value[at + dice.randrange(2) :]
    else:
        holder[key] = value + dice.choice((-1, 1, 2, -1_000_000, 1_000_000, 0.5))


def _convert(holder: Any, key: Any, _: Any, dice: random.Random, __: Sequence[Any]) -> None:
    """Give the same value another type."""
    value = holder[key]
    ways = (str(value), [value], {"a": value}, bool(value), not value, [[value]], repr(value))
    holder[key] = dice.choice(ways)


def _copy(
    holder: Any, key: Any, places: Sequence[Place], dice: random.Random, _: Sequence[Any]
) -> None:
    """Put another part of the tree here."""
    other, name = dice.choice(places)
    # A copy of its own: a tree that contains itself cannot be written.
    holder[key] = json.loads(json.dumps(other[name]))


def _remove(holder: Any, key: Any, *_: Any) -> None:
    del holder[key]


def _add(holder: Any, key: Any, _: Any, dice: random.Random, values: Sequence[Any]) -> None:
    """Put another item beside this one, or the same under another name."""
    if isinstance(holder, list):
        holder.insert(key, dice.choice((deepcopy(holder[key]), _odd(dice, values))))
    else:
        name = dice.choice(
            ("", "x", f"{key}x", key.upper(), "__proto__", "toString", "é", "\ud800")
        )
        holder[name] = dice.choice((deepcopy(holder[key]), _odd(dice, values)))


def _reorder(holder: Any, key: Any, *rest: Any) -> None:
    """Swap the items of a list; give the part of an object another name."""
    if isinstance(holder, list):
        holder.reverse()
    else:
        holder[f"{key}_"] = holder.pop(key)


_CHANGES = (_replace, _replace, _nudge, _nudge, _nudge, _convert, _copy, _remove, _add, _reorder)
