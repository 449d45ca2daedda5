"""Vectors of languages: the best match, the writing direction, plurals and numbers."""

from collections.abc import Iterator
from decimal import Decimal

from client.core.primitives.values import decimal_text
from client.wording.catalogue import Wording, plural_category
from client.wording.languages import INTERFACE, best, direction
from tests.vectors.tapes import Vector

COUNTS = [*range(201), 999, 1_000, 1_001, 10_000, 100_002, 1_000_000, 1_000_011, 3_000_000]
FIGURES = ["0", "1", "-1", "0.5", "-0.25", "1980", "12345.678901", "-1000000"]
CHOICES: list[tuple[list[str], list[str]]] = [
    ([], ["en", "de"]),
    (["de"], []),
    (["de"], ["en", "de"]),
    (["DE"], ["en", "de"]),
    (["de-AT"], ["en", "de"]),
    (["de_AT"], ["en", "de"]),
    (["fr", "de"], ["en", "de"]),
    (["fr"], ["en", "de"]),
    (["*"], ["en", "de"]),
    (["", "-", "en"], ["en", "de"]),
    (["pt"], ["en", "pt-BR"]),
    (["pt-PT"], ["en", "pt-BR"]),
    (["zh-Hant-TW"], ["zh-Hans", "zh-Hant"]),
    (["zh-TW"], ["zh-Hans", "zh-Hant"]),
    (["en-GB", "de"], ["de", "en-US", "en"]),
    (["es-419", "en"], ["en", "es"]),
    (["constructor", "__proto__", "ar-EG"], ["en", "ar"]),
]
DIRECTIONS = ["en", "ar", "ar-EG", "he", "fa", "ur-PK", "uz", "uz-Arab", "az-Arab-IR", "ar-Latn"]


def language_vectors() -> Iterator[Vector]:
    for position, (wanted, available) in enumerate(CHOICES):
        found = best(wanted, available)
        name = f"best_{position}_{'_'.join(wanted)}"
        yield {"name": name, "wanted": wanted, "available": available, "best": found}
    for language in DIRECTIONS:
        yield {
            "name": f"direction_{language}",
            "language": language,
            "direction": direction(language),
        }
    for language in INTERFACE:
        categories = [plural_category(language, count) for count in COUNTS]
        yield {
            "name": f"plurals_{language}",
            "language": language,
            "counts": COUNTS,
            "categories": categories,
        }
        wording = Wording(language)
        yield {
            "name": f"numbers_{language}",
            "language": language,
            "counts": COUNTS,
            "written": [wording.number(count) for count in COUNTS],
        }
        yield {
            "name": f"decimals_{language}",
            "language": language,
            "figures": [decimal_text(Decimal(figure)) for figure in FIGURES],
            "written": [wording.decimal(Decimal(figure)) for figure in FIGURES],
        }
