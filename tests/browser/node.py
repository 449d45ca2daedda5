"""Runs the page's scripts in the Node that Playwright ships, so none has to be installed."""

import json
import subprocess
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

from playwright._impl._driver import compute_driver_executable

SCRIPTS = Path(__file__).parent.parent.parent / "client" / "browser"
RUNNER = Path(__file__).parent / "run_vectors.mjs"
TEXTS = SCRIPTS / "texts"

PROGRAM = """
import { createInterface } from "node:readline";
const module = await import(process.argv[1]);
for await (const line of createInterface({ input: process.stdin })) {
  const { call, input } = JSON.parse(line);
  process.stdout.write(`${JSON.stringify(await module[call](...input))}\\n`);
}
"""


class Node:
    """A Node that runs and has loaded a module; `call` may be used any number of times."""

    def __init__(self, module: Path = RUNNER) -> None:
        node = str(compute_driver_executable()[0])
        self._process = subprocess.Popen(
            [node, "--input-type=module", "--eval", PROGRAM, module.as_uri()],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )

    def call(self, name: str, *input: Any) -> Any:
        """Return the result of an exported function, over JSON."""
        process = self._process
        assert process.stdin
        assert process.stdout
        assert process.stderr
        # Unless it ended: then it says why.
        with suppress(BrokenPipeError):
            process.stdin.write(json.dumps({"call": name, "input": input}).encode() + b"\n")
            process.stdin.flush()
        result = process.stdout.readline()
        assert result, process.stderr.read().decode()
        return json.loads(result)

    def close(self) -> None:
        self._process.kill()
        self._process.communicate()


def in_node(call: str, *input: Any, module: Path = RUNNER) -> Any:
    """Return the result of an exported function of a module, over JSON."""
    with closing(Node(module)) as node:
        return node.call(call, *input)
