"""The page's one script, made of the modules in `browser/`: the same text wherever it is made.

Every module becomes a function that runs once, after those that it imports, and gives its exports
to a table. Nothing is renamed or rewritten, and only comments are left out: whoever reads what a
server serves reads the modules. That takes conventions, and a module that breaks one is refused.
"""

import re
from functools import cache
from pathlib import Path
from posixpath import dirname, join, normpath

from client.javascript import code_only, without_comments

BROWSER = Path(__file__).parent / "browser"
ENTRY = "page/start.js"
HEAD = """// Made of Candor's modules in client/browser, where comments explain them.
const modules = {};
"""
CONVENTIONS = (
    'import only as in `import { one, two } from "./other.js";`, export only a function, class or '
    "const where it stands, both at the start of a line, and call nothing `modules`"
)
_IMPORT = re.compile(r'^import \{\s*([\w\s,]+?),?\s*\} from "(\.[^"]*)";\n', re.MULTILINE)
_EXPORT = re.compile(
    r"^export (?=(?:(?:async )?function|class|const) (?:(\w+)|\[([\w, ]+)\]))", re.MULTILINE
)


class BrokenConvention(ValueError):
    """A module that cannot become a part of the script, and why."""


@cache
def script() -> str:
    """The script that every respondent gets."""
    return HEAD + "".join(parts(BROWSER, ENTRY).values())


def parts(folder: Path, entry: str) -> dict[str, str]:
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

    def __init__(self, folder: Path, name: str) -> None:
        self.name = name
        try:
            source = without_comments((folder / name).read_text("utf-8"))
        except (OSError, ValueError) as error:
            raise BrokenConvention(f"{name}: {error}") from None
        imports, exports = _IMPORT.findall(source), _EXPORT.findall(source)
        found = {"import": len(imports), "export": len(exports), "modules": 0}
        for word, times in found.items():
            # Not counting texts: what stands there only looks like code.
            if len(re.findall(rf"\b{word}\b", code_only(source))) != times:
                raise BrokenConvention(f"{name}: `{word}` stands where it must not; {CONVENTIONS}")
        # Which names from where; `as` gives a name of one's own.
        self.imports = {
            normpath(join(dirname(name), target)): re.split(r",\s*", names)
            for names, target in imports
        }
        self.exports = [one for names in exports for one in re.findall(r"\w+", "".join(names))]
        self._body = _EXPORT.sub("", _IMPORT.sub("", source))

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
