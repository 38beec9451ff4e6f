"""`hcf house new-key`: what is left to do when the house key is gone."""

from __future__ import annotations

import click

from highcardflush.cli.house.options import as_json_option, db_option


@click.command("new-key")
@click.option("--reason", required=True, metavar="TEXT", help="Why; it stays in the books.")
@click.option("--as", "actor", default="admin", show_default=True, metavar="NAME", help="The administrator who asks.")
@db_option
@as_json_option
def new_key(reason: str, actor: str, url: str | None, as_json: bool) -> None:
    """Replace a house key that is lost.

    What live rounds have sealed cannot be opened any more: void them. The file of the lost key must not be there.
    """
    from highcardflush.cli.output import print_json
    from highcardflush.errors import SealError
    from highcardflush.house.database import default_url
    from highcardflush.house.keyfile import key_file
    from highcardflush.house.opening import replace_lost_key

    place = url or default_url()
    path = key_file(place)
    if path.exists():
        expected = "no file: only a key that is lost is replaced"
        raise SealError("house key", read="a file that is there", expected=expected, file=str(path))
    key_id = replace_lost_key(place, path, actor, reason)
    if as_json:
        print_json({"key_id": key_id, "file": str(path)})
    else:
        click.echo(f"house key {key_id} in {path}: void the rounds that were live")
