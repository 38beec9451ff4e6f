"""`hcf house new-key`: what is left to do when the house key is gone."""

from __future__ import annotations

import click

from highcardflush.cli.house.send import reason_option
from highcardflush.cli.options import db_option, json_option
from highcardflush.cli.output import tell
from highcardflush.errors import SealError
from highcardflush.house.founding import replace_lost_key
from highcardflush.house.keyfile import key_file
from highcardflush.house.store.address import default_url


@click.command("new-key")
@reason_option
@click.option("--as", "actor", default="admin", show_default=True, metavar="NAME", help="The administrator who asks.")
@db_option
@json_option
def new_key(reason: str, actor: str, url: str | None, as_json: bool) -> None:
    """Replace a house key that is lost.

    What live rounds have sealed cannot be opened any more: void them. The file of the lost key must not be there.
    """
    place = url or default_url()
    path = key_file(place)
    if path.exists():
        expected = "no file: only a key that is lost is replaced"
        raise SealError("house key", read="a file that is there", expected=expected, file=str(path))
    key_id = replace_lost_key(place, path, actor, reason)
    words = f"house key {key_id} in {path}: void the rounds that were live"
    tell({"key_id": key_id, "file": str(path)}, words, as_json=as_json)
