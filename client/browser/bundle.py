"""The respondent's page and its one script: static bytes, the same for every survey and visitor."""

import base64
import hashlib
import re
from dataclasses import dataclass
from functools import cache
from html import escape
from importlib.resources import files
from importlib.resources.abc import Traversable
from posixpath import dirname, join, normpath
from string import Template

from client.core.translation import DEFAULT
from client.wording.catalogue import TEXTS, Wording
from client.wording.languages import INTERFACE

BROWSER = files("client") / "browser"
ENTRY = "page/start.js"
HEAD = """// Made of Candor's modules in client/browser, where comments explain them.
const modules = {};
"""
CONVENTIONS = (
    'import only as in `import { one, two } from "./other.js";`, and export only a function, '
    "class or const where it stands, both at the start of a line; call nothing `modules`"
)
_IMPORT = re.compile(r'^import \{\s*([\w\s,]+?),?\s*\} from "(\.[^"]*)";\n', re.MULTILINE)
# Comments stand on lines of their own: the modules keep them, the script is smaller without.
COMMENT = re.compile(r"^[ \t]*(?:/\*.*?\*/|//[^\n]*)\n", re.MULTILINE | re.DOTALL)
_OTHER = re.compile(r"\b(import|export|modules)\b")
_EXPORT = re.compile(
    r"^export (?=(?:(?:async )?function|class|const) (?:(\w+)|\[([\w, ]+)\]))", re.MULTILINE
)


class BrokenConvention(ValueError):
    """A module that cannot become a part of the script, and why."""


@cache
def script() -> str:
    """The script that every respondent gets."""
    return HEAD + "".join(parts(BROWSER, ENTRY).values())


def parts(folder: Traversable, entry: str) -> dict[str, str]:
    """Every module that the entry needs, by name, each after those that it imports."""
    modules: dict[str, _Module] = {}

    def add(name: str, above: tuple[str, ...]) -> None:
        if name in above:
            raise BrokenConvention(f"modules import each other: {' -> '.join([*above, name])}")
        if name not in modules:
            module = _Module(folder, name)
            for target in module.imports:
                add(target, (*above, name))
            module.require_names(modules)
            modules[name] = module

    add(entry, ())
    return {name: module.part(waits=name == entry) for name, module in modules.items()}


class _Module:
    """One module, read by its conventions."""

    def __init__(self, folder: Traversable, name: str) -> None:
        self.name = name
        try:
            source = COMMENT.sub("", (folder / name).read_text("utf-8"))
        except (OSError, ValueError) as error:
            raise BrokenConvention(f"{name}: {error}") from None
        imports, exports = _IMPORT.findall(source), _EXPORT.findall(source)
        # Which names from where; `as` gives a name of one's own.
        self.imports = {
            normpath(join(dirname(name), target)): re.split(r",\s*", names)
            for names, target in imports
        }
        self.exports = [one for names in exports for one in re.findall(r"\w+", "".join(names))]
        self._body = _EXPORT.sub("", _IMPORT.sub("", source))
        other = _OTHER.search(self._body)
        if other is not None:
            raise BrokenConvention(f"{name}: `{other[1]}` stands where it must not; {CONVENTIONS}")

    def require_names(self, modules: "dict[str, _Module]") -> None:
        """A name that is not there would be undefined in the script, and no error."""
        for target, names in self.imports.items():
            for name in names:
                if name.partition(" as ")[0] not in modules[target].exports:
                    raise BrokenConvention(f"{self.name}: {target} does not export `{name}`")

    def part(self, waits: bool) -> str:
        """The statement that fills this module's place in the table."""
        imports = "".join(
            f'const {{ {", ".join(names).replace(" as ", ": ")} }} = modules["{target}"];\n'
            for target, names in self.imports.items()
        )
        exports = f"return {{ {', '.join(self.exports)} }};\n" if self.exports else ""
        # Only the entry may wait for something while it is read: nothing comes after it.
        before, function = ("await ", "async () =>") if waits else ("", "() =>")
        body = f"{imports}{self._body}{exports}"
        return f'modules["{self.name}"] = {before}({function} {{\n{body}}})();\n'


_TEST_MARK = '  <aside class="test-mark" aria-label="{mark}"><strong>{mark}</strong> {note}</aside>'
# In the order of the cascade.
STYLES = ("base", "survey", "report", "results", "screens")
TYPES = {
    "css": "text/css",
    "js": "text/javascript",
    "json": "application/json",
    "svg": "image/svg+xml",
}


@dataclass(frozen=True)
class File:
    """What an address holds for ever: the address is the content's hash."""

    content: bytes
    suffix: str

    @property
    def type(self) -> str:
        return TYPES[self.suffix]

    @property
    def name(self) -> str:
        return f"{hashlib.sha256(self.content).hexdigest()}.{self.suffix}"

    @property
    def address(self) -> str:
        return f"/client/{self.name}"

    @property
    def integrity(self) -> str:
        return integrity(self.content)


def integrity(content: bytes) -> str:
    """A hash as browsers write it, in pages and in policies."""
    return f"sha256-{base64.b64encode(hashlib.sha256(content).digest()).decode()}"


@cache
def style() -> str:
    """The one stylesheet. It is part of every page, so that the first answer can be painted."""
    return "\n".join((BROWSER / "style" / f"{part}.css").read_text("utf-8") for part in STYLES)


@cache
def script_file() -> File:
    return File(script().encode(), "js")


@cache
def catalogue(language: str) -> File:
    """The texts in one language."""
    return File((TEXTS / f"{language}.json").read_bytes(), "json")


@cache
def icon() -> File:
    return File((BROWSER / "icon.svg").read_bytes(), "svg")


@cache
def served_files() -> dict[str, File]:
    """Every file that a page asks for, by its address."""
    catalogues = (catalogue(language) for language in INTERFACE)
    return {file.address: file for file in (script_file(), icon(), *catalogues)}


@cache
def survey_page(language: str = DEFAULT, test: bool = False) -> bytes:
    """The page itself, with all that its first picture needs; `test` marks that of a draft."""
    wording = Wording(language)

    def say(key: str) -> str:
        return escape(wording.say(key))

    page = Template((BROWSER / "survey.html").read_text("utf-8")).substitute(
        language=language,
        direction=wording.direction,
        script=script_file().address,
        integrity=script_file().integrity,
        catalogues="\n".join(_catalogue_link(other, other == language) for other in INTERFACE),
        icon=icon().address,
        style=style(),
        mark=_TEST_MARK.format(mark=say("test.mark"), note=say("test.note")) if test else "",
        loading=say("loading"),
        noscript_heading=say("noscript.heading"),
        noscript_text=say("noscript.text"),
    )
    return page.encode()


def _catalogue_link(language: str, wanted: bool) -> str:
    """Where the script finds the texts of a language; those of the page's own are asked for now."""
    relation = 'rel="preload" as="fetch" crossorigin' if wanted else 'rel="alternate"'
    return f'  <link {relation} hreflang="{language}" href="{catalogue(language).address}">'
