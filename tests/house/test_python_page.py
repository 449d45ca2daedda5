"""docs/python.md is true: every example on it runs and prints what it shows."""

import doctest
import re
import sys
from pathlib import Path

import pytest

import candor
from tests.support.process import ROOT

PAGE = (ROOT / "docs" / "python.md").read_text("utf-8")


def test_the_examples_on_the_page_do_what_they_show(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    monkeypatch.chdir(tmp_path)
    session = "".join(re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL))
    examples = doctest.DocTestParser().get_doctest(session, {}, "python.md", "python.md", 0)
    assert len(examples.examples) > 15
    printed: list[str] = []
    results = doctest.DocTestRunner().run(examples, out=printed.append)
    assert not results.failed, "".join(printed)


def test_the_page_lists_everything_that_a_data_set_offers() -> None:
    named = set(re.findall(r"`data\.(\w+)", PAGE))
    offered = {name for name in vars(candor.Data) if not name.startswith("_")} - {"frame"}
    assert named == offered


def test_without_pandas_rows_come_as_plain_columns(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "design.json").write_text(
        '{"format": 1, "questions": {"y": {"kind": "warner", "p": 0.75}}}'
    )
    (tmp_path / "d.csv").write_text("y,arm\n1,a\n0,b\n,b\n0,a\n1,b\n")
    data = candor.read(tmp_path / "d.csv", design=tmp_path / "design.json")
    assert list(data.reports.columns) == ["y", "arm"]
    monkeypatch.setitem(sys.modules, "pandas", None)
    assert data.reports == {"y": ["1", "0", None, "0", "1"], "arm": [*"abbab"]}
    assert data.scores()["y__1"].tolist()[:2] == pytest.approx([1.5, -0.5])
    assert [row["n"] for row in data.estimate(by="arm") if row["label"] == "1"] == [2, 2]
