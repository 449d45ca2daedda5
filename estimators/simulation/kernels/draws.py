"""The coins, uniform numbers and subsets of math 0.4 on arrays, from words no wider than needed."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from estimators.simulation.kernels.source import Flags, Integers, Source

Narrow = NDArray[Any]

# The C library returns the memory of freed arrays to the system and asks for it again page by page,
# which takes longer than filling it. Freeing one large array teaches it to keep that much.
np.empty(2**24, dtype=np.uint8)
# Uniform numbers are drawn from bytes unless more than this many byte values would be rejected.
WASTED_BYTES = 8
# One word serves two draws unless more than this many of the 2^16 words would decide neither.
UNDECIDED_WORDS = 2**12


def words(count: int, dtype: type[np.unsignedinteger[Any]], source: Source) -> Narrow:
    """Draw `count` uniform words of this type, cut from the generator's 64-bit words."""
    drawn = source.bit_generator.random_raw(-(-count * dtype().itemsize // 8))
    return drawn.view(dtype)[:count]


def coins(threshold: int, n: int, source: Source) -> Flags:
    """Flip n biased coins, each heads with probability threshold / 2^32 exactly.

    Conceptually a 32-bit word is compared with the threshold. Its first byte decides unless it
    equals the threshold's first byte: only for such a tie, one in 256, are the other bytes drawn.
    """
    return lower(words(n, np.uint8, source), threshold, source)


def lower(digits: Narrow, threshold: int, source: Source) -> Flags:
    """Return whether the 32-bit word that begins with these digits is below the threshold."""
    bits = 8 * digits.itemsize
    first, rest = divmod(threshold, 2 ** (32 - bits))
    heads: Flags = digits < digits.dtype.type(first)
    ties = np.flatnonzero(digits == digits.dtype.type(first))
    # Only the first bits of these words are compared with the rest of the threshold.
    heads[ties] = words(len(ties), np.uint32, source) < np.uint32(rest << bits)
    return heads


def near_or_far(threshold: int, near: int, far: int, n: int, source: Source) -> Narrow:
    """Draw n numbers: below `near` with probability threshold / 2^32, else one of the next `far`.

    One 16-bit word decides both if equally many words stand for each near number and equally many
    for each far one. A word that is left over becomes the beginning of a longer one.
    """
    first = threshold >> 16
    near_words, far_words = first // near, (2**16 - 1 - first) // far
    end = far * far_words
    decided = end + near * near_words
    if min(near_words, far_words) == 0 or 2**16 - decided > UNDECIDED_WORDS:
        return _near_or_far_of(coins(threshold, n, source), near, far, source)
    drawn = words(n, np.uint16, source)
    inside = (drawn - end) // near_words if near > 1 else np.uint16(0)
    numbers = select(drawn < end, drawn // far_words + near, inside)
    # Counted from the end of the far words, these are the first digits on both sides of a tie.
    left_over = np.flatnonzero(drawn >= decided)
    keep = lower(drawn[left_over] - np.uint16(end), threshold, source)
    numbers[left_over] = _near_or_far_of(keep, near, far, source)
    return numbers


def _near_or_far_of(keep: Flags, near: int, far: int, source: Source) -> Narrow:
    """Draw such numbers where near or far is already decided."""
    inside = below(near, len(keep), source).astype(np.uint16)
    outside = below(far, len(keep), source).astype(np.uint16)
    outside += near
    return select(keep, inside, outside)


def below(bound: int, n: int, source: Source) -> Narrow:
    """Draw n numbers, uniform on 0 .. bound - 1, in the narrowest type."""
    if bound == 1:
        return np.zeros(n, dtype=np.uint8)
    return below_each(np.array([bound]), n, source).ravel()


def below_each(bounds: Integers, n: int, source: Source) -> Narrow:
    """Draw a row of n numbers from 0 .. bound - 1 for every bound, more than 1 and below 2^16.

    Their type also holds the bounds themselves, so callers may add one.
    """
    column = bounds[:, np.newaxis]
    wasteful = bounds.max() > 255 or (2**8 % bounds).max() > WASTED_BYTES
    drawn, left_over = _share_out(column, n, np.uint16 if wasteful else np.uint8, source)
    numbers = drawn.astype(np.min_scalar_type(bounds.max()), copy=False)
    while len(left_over):
        # Hardly any of the wider words is left over again.
        drawn, again = _share_out(column[left_over // n], 1, np.uint32, source)
        numbers.ravel()[left_over] = drawn.ravel()
        left_over = left_over[again]
    return numbers


def _share_out(
    bounds: Integers, n: int, dtype: type[np.unsignedinteger[Any]], source: Source
) -> tuple[Narrow, Integers]:
    """Draw n words for each bound; return the numbers and the places of words left over.

    Each number below a bound stands for equally many words; a word left over stands for none.
    """
    shares, rest = np.divmod(np.iinfo(dtype).max + 1, bounds)
    drawn = words(bounds.size * n, dtype, source).reshape(bounds.size, n)
    drawn //= shares.astype(dtype)
    if not rest.any():
        return drawn, np.zeros(0, dtype=np.int64)
    return drawn, np.flatnonzero(drawn >= bounds.astype(dtype))


def select(flags: Flags, chosen: Narrow, other: Narrow | np.uint16) -> Narrow:
    """Return `chosen` where the flag is set and `other` elsewhere, without a branch per respondent.

    Both have the same unsigned type, in which a negative difference wraps around and back.
    """
    difference = chosen - other
    difference *= flags
    difference += other
    return difference


def subsets(size: int, chosen: int, n: int, source: Source) -> Narrow:
    """Draw n uniform `chosen`-subsets of 0 .. size - 1, one per column, unordered."""
    lasts = np.arange(size - chosen, size)
    if chosen == size:
        return np.repeat(lasts.astype(np.min_scalar_type(size))[:, np.newaxis], n, axis=1)
    picked = below_each(lasts + 1, n, source)
    # Comparing with all earlier picks is faster than a table of taken items: memory stays local.
    equal = np.empty(picked.shape, dtype=np.bool_)
    for step, last in enumerate(lasts.astype(picked.dtype)):
        np.equal(picked[:step], picked[step], out=equal[:step])
        repeated = np.logical_or.reduce(equal[:step])
        # No earlier pick could be as high as the last number, so it is free.
        np.maximum(picked[step], repeated * last, out=picked[step])
    return picked


def members(flags: Flags, rows: Integers, items: Narrow) -> Flags:
    """Return whether the flags of these rows are set at the items, one column of items per row."""
    found: Flags = np.take(flags.ravel(), rows * flags.shape[1] + items)
    return found
