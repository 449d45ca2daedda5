"""A data folder in a bad place or state gets a sentence, and nothing in it is lost."""

import os
import stat
from contextlib import closing
from pathlib import Path

import pytest
from click.testing import CliRunner

from client.core.primitives.refusal import Refusal
from server.cli import main
from server.data_folder import DataFolder
from server.serving import running_services
from server.store.database import Database
from server.store.researchers import accounts


def run(*given: str) -> str:
    result = CliRunner().invoke(main, list(given))
    assert result.exit_code == 2, result.output
    assert "Traceback" not in result.output
    assert len(result.output.splitlines()) == 1
    return result.output


@pytest.mark.parametrize("command", [["serve"], ["researcher", "list"], ["log"], ["verify"]])
def test_a_folder_in_which_nothing_can_be_written_gets_a_sentence(command: list[str]) -> None:
    # Not even root can make a file there.
    assert "/proc/self" in run(*command, "--data", "/proc/self")


@pytest.mark.parametrize("content", ["", "00ff", "x" * 64, "ab" * 33])
@pytest.mark.parametrize("name", ["secret.key", "session.key", "operator.key"])
def test_a_damaged_key_is_refused_and_not_replaced(
    folder: DataFolder, name: str, content: str
) -> None:
    with running_services(folder):
        pass
    key = folder.path / name
    key.write_text(content)
    with (
        pytest.raises(Refusal, match="is damaged; put it back from a copy"),
        running_services(folder),
    ):
        pass
    assert key.read_text() == content


def test_the_database_and_its_log_are_their_owners_alone_in_any_folder(tmp_path: Path) -> None:
    tmp_path.chmod(0o777)
    path = tmp_path / "candor.db"
    path.touch(mode=0o666)
    path.chmod(0o666)
    before = os.umask(0)
    try:
        with closing(Database(path, log_key=b"k")) as database:
            database.write(accounts.add, "ana", "hash")
            modes = {file.name: stat.S_IMODE(file.stat().st_mode) for file in tmp_path.iterdir()}
    finally:
        os.umask(before)
    assert modes == dict.fromkeys(("candor.db", "candor.db-wal", "candor.db-shm"), 0o600)


def test_damaged_tests_do_not_keep_the_surveys_down(folder: DataFolder) -> None:
    folder.create()
    damaged = b"this is no database " * 500
    folder.drafts.write_bytes(damaged)
    with running_services(folder) as services:
        assert services.drafts.reader.execute("SELECT count(*) FROM surveys").fetchone() == (0,)
    (aside,) = folder.path.glob("drafts-damaged-*.db")
    assert aside.read_bytes() == damaged
    # The real surveys are not set aside.
    folder.database.write_bytes(damaged)
    with pytest.raises(Refusal, match="cannot be used"), running_services(folder):
        pass
    assert folder.database.read_bytes() == damaged
