"""Runs the page's scripts in the Node that Playwright ships, so none has to be installed."""

import json
import subprocess
from pathlib import Path
from typing import Any

from playwright._impl._driver import compute_driver_executable

SCRIPTS = Path(__file__).parent.parent.parent / "client" / "browser"
RUNNER = Path(__file__).parent / "run_vectors.mjs"
TEXTS = SCRIPTS / "texts"

PROGRAM = """
import { readFileSync } from "node:fs";
const { runner, call, input } = JSON.parse(readFileSync(0, "utf-8"));
const module = await import(runner);
process.stdout.write(JSON.stringify(await module[call](...input)));
"""


def in_node(call: str, *input: Any, module: Path = RUNNER) -> Any:
    """The result of an exported function of a module, over JSON."""
    node = compute_driver_executable()[0]
    message = {"runner": module.as_uri(), "call": call, "input": input}
    run = subprocess.run(
        [str(node), "--input-type=module", "--eval", PROGRAM],
        input=json.dumps(message).encode(),
        capture_output=True,
        check=False,
    )
    assert run.returncode == 0, run.stderr.decode()
    return json.loads(run.stdout)
