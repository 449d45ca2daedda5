"""Languages as XLSForm names them in headings: `German (de)`."""

import re

from client.languages import CODE

_NAMES = {
    **{"am": "Amharic", "ar": "Arabic", "bn": "Bengali", "cs": "Czech", "da": "Danish"},
    **{"de": "German", "el": "Greek", "en": "English", "es": "Spanish", "fa": "Persian"},
    **{"fi": "Finnish", "fr": "French", "he": "Hebrew", "hi": "Hindi", "hu": "Hungarian"},
    **{"id": "Indonesian", "it": "Italian", "ja": "Japanese", "ko": "Korean", "ku": "Kurdish"},
    **{"my": "Burmese", "ne": "Nepali", "nl": "Dutch", "no": "Norwegian", "pl": "Polish"},
    **{"ps": "Pashto", "pt": "Portuguese", "ro": "Romanian", "ru": "Russian", "so": "Somali"},
    **{"sv": "Swedish", "sw": "Swahili", "ta": "Tamil", "th": "Thai", "tr": "Turkish"},
    **{"uk": "Ukrainian", "ur": "Urdu", "vi": "Vietnamese", "zh": "Chinese"},
}
_CODES = {name.lower(): code for code, name in _NAMES.items()}
_WITH_CODE = re.compile(r".*\(\s*([A-Za-z0-9-]+)\s*\)")


def language_name(code: str) -> str:
    """A language as headings name it."""
    return f"{_NAMES.get(code, code)} ({code})"


def language_code(name: str) -> str | None:
    """The code of `German (de)`, `de` or `German`."""
    with_code = _WITH_CODE.fullmatch(name.strip())
    plain = with_code[1] if with_code else name.strip()
    return plain if CODE.fullmatch(plain) else _CODES.get(plain.lower())
