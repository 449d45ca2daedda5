"""Write shares for 10,000 names, the r-th of them in proportion to 1/r, in millionths."""


def shares(names: int = 10_000, parts: int = 10**6) -> list[int]:
    """Whole parts that add up; rounding leaves a few, which the first names get."""
    harmonic = sum(1 / rank for rank in range(1, names + 1))
    counts = [int(parts / (harmonic * rank)) for rank in range(1, names + 1)]
    left = parts - sum(counts)
    return [count + (rank < left) for rank, count in enumerate(counts)]


def main() -> None:
    print(",".join(f"{count / 10**6:.6f}".rstrip("0") or "0" for count in shares()))


if __name__ == "__main__":
    main()
