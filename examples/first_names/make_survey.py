"""Write the survey of 10,000 invented first names: four syllables by the digits of a number."""

import sys

FIRST = ("Ba", "De", "Fi", "Go", "Hu", "Ja", "Ke", "Li", "Mo", "Nu")
MIDDLE = ("la", "me", "ni", "ro", "su", "ta", "ve", "wi", "xo", "zu")
LAST = ("bel", "dan", "fin", "gor", "hal", "kas", "lyn", "mir", "nel", "ris")


def invented_name(number: int) -> str:
    """Number 0 is Balalabel, number 9,999 Nuzuzuris."""
    a, b, c, d = (number // 10**place % 10 for place in (3, 2, 1, 0))
    return FIRST[a] + MIDDLE[b] + MIDDLE[c] + LAST[d]


def main() -> None:
    names = ", ".join(invented_name(number) for number in range(10_000))
    sys.stdout.write(
        "slug: first-names\n"
        "title: First names\n"
        "delete_on: 2099-12-31\n"
        "questions:\n"
        "  - id: name\n"
        "    kind: one_of\n"
        "    prompt: What is your first name?\n"
        '    epsilon: "0.1"\n'
        f"    options: [{names}]\n"
    )


if __name__ == "__main__":
    main()
