"""The commands backup and restore-backup."""

from pathlib import Path

import click

from client.console.printing import json_option, print_json
from client.core.primitives.refusal import require
from server.commands.data_option import data_option
from server.commands.folder import print_verification
from server.data_folder import DataFolder, new_key
from server.key_file import (
    LOST,
    LOST_TICKET_KEYS,
    TICKET_KEYS,
    KeptKeys,
    key_file_of,
    read_key_file,
    write_key_file,
)
from server.lifecycle.ticket_keys import key_faults, put_keys_back
from server.signing.keys import SigningKeys
from server.store.backup import back_up, bring_back


@click.command("backup")
@click.argument("file", type=click.Path(path_type=Path))
@data_option
@click.option("--with-keys", is_flag=True, help="Also write the keys, to FILE.keys.")
@json_option
def backup_command(file: Path, folder: DataFolder, with_keys: bool, as_json: bool) -> None:
    """Copy the database to a new file while the server runs, and verify the copy.

    Without the keys, a restored server knows no personal link that was sent, and signs no ticket.
    Whoever has both files can make tickets, log in as any researcher and rewrite the audit log:
    keep FILE.keys somewhere else. Both are for your eyes only (mode 600). The server deletes the
    keys of a survey when it gives no more tickets; delete FILE.keys then, too.

    Copies are not deleted on a survey's deletion date: deleting them is up to you. Tests of drafts
    are not copied.

    \b
    Examples:
      candor backup monday.db
      candor backup monday.db --with-keys
    """
    keys = key_file_of(file)
    require(not (with_keys and keys.exists()), "file_exists.backup", "file", target=keys)
    # Before the copy: a damaged key leaves none behind.
    own = _keys_of(folder) if with_keys else KeptKeys()
    found = back_up(folder.require_database(), file, folder.log_key)
    if with_keys:
        write_key_file(keys, own)
    if not as_json:
        click.echo(f"Copied {folder.database} to {file}")
        if with_keys:
            click.echo(f"Copied the keys to {keys}: keep it somewhere else")
    print_verification(found, as_json)


@click.command("restore-backup")
@click.argument("file", type=click.Path(path_type=Path))
@data_option
@click.option(
    "--keys",
    "key_file",
    type=click.Path(path_type=Path),
    help="The file of the keys; by default FILE.keys, if it is there.",
)
@json_option
def restore_backup_command(
    file: Path, folder: DataFolder, key_file: Path | None, as_json: bool
) -> None:
    """Bring a backup and its keys back into a new data folder, and verify it.

    The folder must be empty or not exist, and a backup in which anything differs is refused. The
    command says what is lost without the keys. Reports that came after the backup are missing, and
    personal links that were begun since can be begun again.

    \b
    Examples:
      candor restore-backup monday.db --data candor-data
      candor restore-backup monday.db --keys safe/monday.db.keys
    """
    beside = key_file_of(file)
    source = key_file or (beside if beside.exists() else None)
    keys = KeptKeys() if source is None else read_key_file(source)
    # One with a database may have a server; one with keys only would mix them with these.
    require(folder.is_empty, "folder_not_empty", "data", path=folder.path)
    log_key = keys.folder.get("log.key") or new_key()
    with folder.lock():
        found = bring_back(file, folder.database, bytes.fromhex(log_key), "log.key" in keys.folder)
        # A backup that was refused leaves nothing behind.
        folder.put_keys({**keys.folder, "log.key": log_key})
        put_keys_back(folder.database, folder.ticket_keys, keys.tickets)
    lost = {name: loss for name, loss in LOST.items() if name not in keys.folder}
    if key_faults(folder.database, folder.ticket_keys):
        lost[TICKET_KEYS] = LOST_TICKET_KEYS
    names = [*keys.folder, *([TICKET_KEYS] if keys.tickets else [])]
    if as_json:
        print_json({"surveys": found.surveys, "keys": sorted(names), "lost": lost})
        return
    click.echo(f"Brought {file} back to {folder.path}{' with its keys' if names else ''}")
    click.echo("Reports that came after the backup are missing; links begun since work again.")
    for name, loss in lost.items():
        click.echo(f"Without {name}: {loss}.")
    print_verification(found, as_json=False)


def _keys_of(folder: DataFolder) -> KeptKeys:
    return KeptKeys(folder.keys, SigningKeys(folder.ticket_keys).read_all())
