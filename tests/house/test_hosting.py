"""The files for hosting: judged by their own tools, and the image's steps run in a plain folder."""

import os
import re
import shlex
import shutil
import subprocess
import sys
import sysconfig
import tomllib
import urllib.request
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.support.process import ROOT

DOCKERFILE = (ROOT / "Dockerfile").read_text()
COMPOSE: dict[str, Any] = yaml.safe_load((ROOT / "compose.yaml").read_text())
HOSTING = ROOT / "docs" / "hosting"


def instructions(name: str) -> list[str]:
    """Return what follows the name of an instruction, for each of them, in order."""
    joined = DOCKERFILE.replace("\\\n", " ")
    return [line[len(name) + 1 :] for line in joined.splitlines() if line.startswith(f"{name} ")]


def words(value: str) -> list[str]:
    """Return the words of an instruction that is written as a list."""
    found = yaml.safe_load(value)
    assert isinstance(found, list)
    return found


def test_a_linter_finds_nothing_in_the_dockerfile() -> None:
    linter = Path(sys.executable).with_name("hadolint")
    done = subprocess.run([linter, ROOT / "Dockerfile"], capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (0, "")


def allowed() -> list[str]:
    """Return what the build may copy."""
    lines = (ROOT / ".dockerignore").read_text().splitlines()
    assert "*" in lines
    return [line[1:] for line in lines if line.startswith("!")]


def test_the_build_gets_all_that_the_wheel_is_made_of_and_nothing_else() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    packages = {
        name.rstrip("*") for name in project["tool"]["setuptools"]["packages"]["find"]["include"]
    }
    linked = {
        os.readlink(path).split("/")[-1]
        for path in (ROOT / "server").iterdir()
        if path.is_symlink()
    }
    files = {"requirements.txt", "pyproject.toml", "README.md", "LICENSE", "candor.py"}
    assert set(allowed()) == packages | linked | files


@pytest.fixture(scope="module")
def image(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder as the image's file system, made by the steps of the Dockerfile."""
    root = tmp_path_factory.mktemp("image")
    source = root / "src"
    source.mkdir()
    for name in allowed():
        path = ROOT / name
        if path.is_dir():
            unread = shutil.ignore_patterns("__pycache__")
            shutil.copytree(path, source / name, symlinks=True, ignore=unread)
        else:
            shutil.copy(path, source)
    for step in instructions("RUN"):
        for command in step.split("&&"):
            _run(root, command.strip())
    return root


def _run(root: Path, command: str) -> None:
    program, *arguments = shlex.split(re.sub(r"(?<!\S)/(?=opt|data)", f"{root}/", command))
    if program == "useradd":
        return
    if "requirements.txt" in arguments:
        # The test of the wheel installs these from the registry; here the tests' own will do.
        site = next((root / "opt/candor/lib").glob("python*")) / "site-packages"
        (site / "tests.pth").write_text(sysconfig.get_path("purelib"))
        return
    if program == "install":
        arguments = [argument for argument in arguments if argument not in ("-o", "candor")]
    programs = {"python": sys.executable}
    subprocess.run([programs.get(program, program), *arguments], cwd=root / "src", check=True)


def test_the_image_serves_and_its_health_check_agrees(image: Path) -> None:
    programs = image / "opt/candor/bin"
    settings = dict(pair.split("=", 1) for pair in instructions("ENV")[0].split())
    assert (settings["CANDOR_DATA"], instructions("VOLUME")) == ("/data", ["/data"])
    environment = {"PATH": f"{programs}:{os.environ['PATH']}", "CANDOR_DATA": str(image / "data")}
    (entry,), command = words(instructions("ENTRYPOINT")[0]), words(instructions("CMD")[0])
    port = instructions("EXPOSE")[0]
    assert command[command.index("--port") + 1] == port
    # On a port that is free here, and for this machine only.
    at = [str(programs / entry), "serve", "--host", "127.0.0.1", "--port", "0"]
    server = subprocess.Popen(
        at, cwd=image, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    try:
        assert server.stdout is not None
        address = next(
            found[0] for line in server.stdout if (found := re.findall(r"http://[\d.:]+", line))
        )
        with urllib.request.urlopen(f"{address}/healthz", timeout=60) as answer:
            assert answer.status == 200
        (check,) = re.findall(r"CMD (\[.*?\])\s*ENTRYPOINT", DOCKERFILE, re.DOTALL)
        there = [word.replace(f"http://127.0.0.1:{port}", address) for word in words(check)]
        assert any(address in word for word in there)
        assert subprocess.run([programs / there[0], *there[1:]], cwd=image).returncode == 0
    finally:
        server.terminate()
        server.wait()
    # The health check of a server that is gone fails.
    gone = subprocess.run([programs / there[0], *there[1:]], cwd=image, stderr=subprocess.DEVNULL)
    assert gone.returncode != 0


def test_compose_runs_the_image_behind_a_proxy_and_publishes_only_the_proxy() -> None:
    candor, caddy = COMPOSE["services"]["candor"], COMPOSE["services"]["caddy"]
    port = instructions("EXPOSE")[0]
    assert "ports" not in candor
    assert candor["command"][: len(words(instructions("CMD")[0]))] == words(instructions("CMD")[0])
    assert candor["volumes"] == ["candor-data:/data"]
    assert f"reverse_proxy candor:{port}" in (HOSTING / "Caddyfile").read_text()
    mounted = [volume.split(":")[0] for volume in caddy["volumes"] if volume.startswith("./")]
    assert [ROOT / path for path in mounted] == [HOSTING / "Caddyfile"]


@pytest.mark.parametrize("name", ["Caddyfile", "nginx.conf"])
def test_no_proxy_writes_who_asked(name: str) -> None:
    text = (HOSTING / name).read_text()
    told = re.sub(r"#.*", "", text)
    assert not re.search(r"\blog\b(?!\s*off)", told.replace("access_log off", ""))
    assert not re.search(r"X-Real-IP|proxy_add_x_forwarded_for", told)
    assert "access_log off" in told or name == "Caddyfile"
