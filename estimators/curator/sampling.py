"""Exact samplers from words: Bernoulli(exp(-x)) and discrete Laplace noise, integers only.

Floating-point noise gives answers away through its last bits. Here every probability is exactly the
stated one (Canonne, Kamath and Steinke 2020, algorithms 1 and 2).
"""

from fractions import Fraction

from client.core.primitives.words import WORD_RANGE, Words, below


def uniform(words: Words, bound: int) -> int:
    """Draw from 0 .. bound - 1, even if the bound needs several words."""
    if bound <= WORD_RANGE:
        return below(words, bound)
    count = -(-bound.bit_length() // 32)
    whole = WORD_RANGE**count
    limit = whole - whole % bound
    while True:
        drawn = 0
        for _ in range(count):
            drawn = drawn * WORD_RANGE + words.word()
        if drawn < limit:
            return drawn % bound


def bernoulli(words: Words, chance: Fraction) -> bool:
    """Return True with exactly this probability, a fraction from 0 to 1."""
    return uniform(words, chance.denominator) < chance.numerator


def bernoulli_exp(words: Words, x: Fraction) -> bool:
    """Return True with probability exp(-x), for x of at least 0."""
    if x < 0:
        raise ValueError(f"x must be at least 0, got {x}")
    for _ in range(int(x)):
        if not _bernoulli_exp_below_one(words, Fraction(1)):
            return False
    return _bernoulli_exp_below_one(words, x % 1)


def _bernoulli_exp_below_one(words: Words, x: Fraction) -> bool:
    """Return True with probability exp(-x), for x from 0 to 1.

    The alternating series of exp(-x), term by term: stop at step k with probability 1 - x/k.
    """
    step = 1
    while bernoulli(words, x / step):
        step += 1
    return step % 2 == 1


def discrete_laplace(words: Words, rate: Fraction) -> int:
    """Draw an integer z with probability proportional to exp(-rate |z|), for a rate above 0."""
    if rate <= 0:
        raise ValueError(f"rate must be above 0, got {rate}")
    while True:
        size = _geometric(words, rate)
        negative = uniform(words, 2) == 1
        # Zero has one sign only, or it would be twice as likely.
        if size or not negative:
            return -size if negative else size


def _geometric(words: Words, rate: Fraction) -> int:
    """Draw y = 0, 1, .. with probability proportional to exp(-rate y).

    A geometric variable of rate 1/denominator, made of a remainder and a quotient, is divided by
    the numerator.
    """
    while True:
        remainder = uniform(words, rate.denominator)
        if bernoulli_exp(words, Fraction(remainder, rate.denominator)):
            break
    quotient = 0
    while bernoulli_exp(words, Fraction(1)):
        quotient += 1
    return (remainder + rate.denominator * quotient) // rate.numerator
