"""`hcf house new-key`: change the house key, or replace a lost one."""

from __future__ import annotations

import click

from highcardflush.cli.house.send import admin_option, reason_option
from highcardflush.cli.options import db_option, json_option
from highcardflush.cli.output import tell
from highcardflush.house.office.founding import change_key
from highcardflush.house.store.address import default_url, key_file


@click.command("new-key")
@reason_option
@click.option("--lost", is_flag=True, help="The old key is gone; what it sealed stays sealed.")
@admin_option
@db_option
@json_option
def new_key(reason: str, lost: bool, actor: str, url: str | None, as_json: bool) -> None:
    """Change the house key, or replace one that is lost.

    The old key stays in the key file and opens what it has sealed, so live rounds go on. Restart other processes of the
    house with the new file. With --lost the old key is gone: live rounds can only be voided.
    """
    place = url or default_url()
    path = key_file(place)
    key_id = change_key(place, path, actor, reason, lost=lost)
    todo = "void the rounds that were live" if lost else "start other processes of the house again"
    tell({"key_id": key_id, "file": str(path), "lost": lost}, f"house key {key_id} in {path}: {todo}", as_json=as_json)
