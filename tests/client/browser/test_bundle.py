"""The one script: only comments and space are removed, and no broken convention goes unnoticed."""

from pathlib import Path

import pytest

from client.browser.bundle import (
    BROWSER,
    COMMENT,
    ENTRY,
    HEAD,
    BrokenConvention,
    parts,
    script,
    smaller,
)
from tests.browser.node import SCRIPTS

MODULES = sorted(SCRIPTS.rglob("*.js"))


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(SCRIPTS)))
def test_only_comments_and_the_space_around_lines_are_left_out_of_a_module(path: Path) -> None:
    source = path.read_text("utf-8")
    for comment in COMMENT.finditer(source):
        lines = comment[0].strip().split("\n")
        assert all(line.lstrip().startswith(("/*", "*", "//")) for line in lines)
        # After an odd number of backquotes it would be inside a text.
        assert COMMENT.sub("", source[: comment.start()]).count("`") % 2 == 0
    lines = COMMENT.sub("", source).splitlines()
    assert smaller(source).splitlines() == [line.lstrip() for line in lines if line.strip()]


def test_the_script_is_the_modules_in_an_order_in_which_they_can_run() -> None:
    made = parts(BROWSER, ENTRY)
    assert script() == HEAD + "".join(made.values())
    assert list(made)[-1] == ENTRY
    assert len(made) == len(MODULES)
    for position, part in enumerate(made.values()):
        for later in list(made)[position:]:
            assert f'= modules["{later}"]' not in part


def module(folder: Path, name: str, source: str) -> None:
    path = folder / name
    path.parent.mkdir(exist_ok=True)
    path.write_text(source)


def test_a_module_becomes_a_function_that_gives_its_exports_to_the_table(tmp_path: Path) -> None:
    module(
        tmp_path, "sub/a.js", "/** A. */\n\nexport const [ONE, TWO] = [1, 2];\nconst hidden = 3;\n"
    )
    module(
        tmp_path,
        "entry.js",
        'import {\n  ONE as uno,\n  TWO,\n} from "./sub/a.js";\n\n// Why.\nawait uno;\n',
    )
    assert parts(tmp_path, "entry.js") == {
        "sub/a.js": 'modules["sub/a.js"] = (() => {\n'
        "const [ONE, TWO] = [1, 2];\nconst hidden = 3;\nreturn { ONE, TWO };\n})();\n",
        "entry.js": 'modules["entry.js"] = await (async () => {\n'
        'const { ONE: uno, TWO } = modules["sub/a.js"];\nawait uno;\n})();\n',
    }


BROKEN = {
    "everything at once": ('import * as a from "./a.js";\n', "`import` stands where it must not"),
    "a default": ('import a from "./a.js";\n', "`import` stands where it must not"),
    "not from here": ('import { one } from "a";\n', "`import` stands where it must not"),
    "later": ('const a = await import("./a.js");\n', "`import` stands where it must not"),
    "where it is": ("const here = import.meta.url;\n", "`import` stands where it must not"),
    "on one line": ('a(); import { one } from "./a.js";\n', "`import` stands where it must not"),
    "a long text": ("const one = `first\n  second`;\n", "a text in backticks goes over lines"),
    "a default export": ("export default 1;\n", "`export` stands where it must not"),
    "a list": ("const one = 1;\nexport { one };\n", "`export` stands where it must not"),
    "a variable": ("export let one = 1;\n", "`export` stands where it must not"),
    "the table": ("const modules = [];\n", "`modules` stands where it must not"),
    "in a text": ('const a = "import";\n', "`import` stands where it must not"),
    "a name": ('import { two } from "./a.js";\n', "a.js does not export `two`"),
    "a file": ('import { two } from "./b.js";\n', "b.js: .*No such file"),
    "a circle": ('import { two } from "./c.js";\n', "entry.js -> c.js -> entry.js"),
}


@pytest.mark.parametrize("fault", BROKEN)
def test_a_module_that_breaks_a_convention_is_refused_by_name(tmp_path: Path, fault: str) -> None:
    source, message = BROKEN[fault]
    module(tmp_path, "a.js", "export const one = 1;\n")
    module(tmp_path, "c.js", 'import { three } from "./entry.js";\n')
    module(tmp_path, "entry.js", source)
    with pytest.raises(BrokenConvention, match=message) as refused:
        parts(tmp_path, "entry.js")
    assert "entry.js" in str(refused.value) or fault == "a file"


def test_words_in_comments_break_no_convention(tmp_path: Path) -> None:
    module(tmp_path, "entry.js", "// import modules\n/* export */\nconst a = 1;\n")
    assert parts(tmp_path, "entry.js").keys() == {"entry.js"}
