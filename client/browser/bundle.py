"""Build the respondent's page and its one script: static bytes, the same for everybody."""

import base64
import hashlib
import json
import re
from dataclasses import dataclass
from functools import cache
from html import escape
from importlib.resources import files
from importlib.resources.abc import Traversable
from posixpath import dirname, join, normpath
from string import Template

from client.core.translation import DEFAULT
from client.wording.catalogue import TEXTS, Wording, read_texts
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
# Comments have lines of their own: modules keep them, and the smaller script leaves them out, with
# all indentation and empty lines.
COMMENT = re.compile(r"^[ \t]*(?:/\*.*?\*/|//[^\n]*)\n", re.MULTILINE | re.DOTALL)
INDENT = re.compile(r"^\s+", re.MULTILINE)
_OTHER = re.compile(r"\b(import|export|modules)\b")
_EXPORT = re.compile(
    r"^export (?=(?:(?:async )?function|class|const) (?:(\w+)|\[([\w, ]+)\]))", re.MULTILINE
)


class BrokenConvention(ValueError):
    """Raised if a module cannot become part of the script, with the reason."""


@cache
def script() -> str:
    """Return the script that every respondent gets."""
    return HEAD + "".join(parts(BROWSER, ENTRY).values())


def smaller(source: str) -> str:
    """Return a module or a stylesheet without comments, indentation and empty lines."""
    return INDENT.sub("", COMMENT.sub("", source))


def parts(folder: Traversable, entry: str) -> dict[str, str]:
    """Return every module that the entry needs, by name, each after those that it imports."""
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
    """One module, parsed by its conventions."""

    def __init__(self, folder: Traversable, name: str) -> None:
        self.name = name
        try:
            source = smaller((folder / name).read_text("utf-8"))
        except (OSError, ValueError) as error:
            raise BrokenConvention(f"{name}: {error}") from None
        imports, exports = _IMPORT.findall(source), _EXPORT.findall(source)
        # The imported names by module; `as` renames one.
        self.imports = {
            normpath(join(dirname(name), target)): re.split(r",\s*", names)
            for names, target in imports
        }
        self.exports = [one for names in exports for one in re.findall(r"\w+", "".join(names))]
        self._body = _EXPORT.sub("", _IMPORT.sub("", source))
        if any(line.count("`") % 2 for line in source.split("\n")):
            raise BrokenConvention(f"{name}: a text in backticks goes over lines")
        other = _OTHER.search(self._body)
        if other is not None:
            raise BrokenConvention(f"{name}: `{other[1]}` stands where it must not; {CONVENTIONS}")

    def require_names(self, modules: "dict[str, _Module]") -> None:
        """Raise if an imported name is not exported; in the script it would just be undefined."""
        for target, names in self.imports.items():
            for name in names:
                if name.partition(" as ")[0] not in modules[target].exports:
                    raise BrokenConvention(f"{self.name}: {target} does not export `{name}`")

    def part(self, waits: bool) -> str:
        """Return the statement that puts this module into the table."""
        imports = "".join(
            f'const {{ {", ".join(names).replace(" as ", ": ")} }} = modules["{target}"];\n'
            for target, names in self.imports.items()
        )
        exports = f"return {{ {', '.join(self.exports)} }};\n" if self.exports else ""
        # Only the entry may await something at its top level, because nothing comes after it.
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
    """A file that never changes, because its address is the hash of its content."""

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
    """Return a hash in the form that browsers use in pages and policies."""
    return f"sha256-{base64.b64encode(hashlib.sha256(content).digest()).decode()}"


@cache
def style() -> str:
    """Return the one stylesheet, which is part of every page so that it can be painted at once."""
    return "".join(
        smaller((BROWSER / "style" / f"{part}.css").read_text("utf-8")) for part in STYLES
    )


@cache
def script_file() -> File:
    return File(script().encode(), "js")


@cache
def catalogue(language: str) -> File:
    """Return the page's texts in one language; others are for the terminal only."""
    texts = read_texts(TEXTS, language)
    page = {key: text for key, text in texts.items() if not key.startswith("terminal.")}
    return File(json.dumps(page, ensure_ascii=False, separators=(",", ":")).encode(), "json")


@cache
def icon() -> File:
    return File((BROWSER / "icon.svg").read_bytes(), "svg")


@cache
def served_files() -> dict[str, File]:
    """Return every file that a page asks for, by its address."""
    catalogues = (catalogue(language) for language in INTERFACE)
    return {file.address: file for file in (script_file(), icon(), *catalogues)}


@cache
def survey_page(language: str = DEFAULT, test: bool = False) -> bytes:
    """Return the page with all that its first paint needs; `test` marks it as a draft's."""
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
    """Return the link to a language's texts; those of the page's own language are preloaded."""
    relation = 'rel="preload" as="fetch" crossorigin' if wanted else 'rel="alternate"'
    return f'  <link {relation} hreflang="{language}" href="{catalogue(language).address}">'
