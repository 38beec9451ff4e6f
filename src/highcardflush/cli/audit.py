"""`hcf audit`: checks that the books are consistent and still contain the chain heads exported earlier."""

import sys
from pathlib import Path
from typing import Any

import click
import msgspec

from highcardflush.cli.files import check_new, read_bytes, read_key, write_new
from highcardflush.cli.house.send import Done, house_at, send
from highcardflush.cli.options import db_option, json_option, number_option
from highcardflush.cli.output import grid, is_json, plural, print_json, progress_line, put
from highcardflush.errors import HcfError
from highcardflush.formats.json import plain
from highcardflush.house.audit.driver import LAST, Report
from highcardflush.house.audit.heads import Heads, new_key, parse_heads, verify
from highcardflush.house.audit.heads import sign as sign_heads
from highcardflush.house.auditing import audit_database, report_data
from highcardflush.house.books.reader import OFFICE
from highcardflush.house.commands import Audited
from highcardflush.house.permissions import read_role, require
from highcardflush.house.store.address import default_url
from highcardflush.money import say_cents
from highcardflush.odds.hold import JUDGED, Hold

MOST_JOBS = 256
NO_DIGEST = "0" * 64
"""Placeholder for the digest, used to check the auditor's permission before the audit."""
SHOWN = 20
"""Maximum number of printed findings per check. --json prints more."""


@click.command()
@db_option
@click.option("--since", metavar="FILE", help="Chain heads exported earlier; check only newer events.")
@click.option("--heads", metavar="FILE", help="Chain heads exported earlier; their events must still exist.")
@click.option("--public-key", metavar="FILE", help="Refuse --since or --heads that are not signed with this key.")
@click.option("--export-heads", metavar="FILE", help="Write the chain heads to a new file if nothing is wrong.")
@click.option("--sign", metavar="FILE", help="Sign the exported heads with this private key.")
@number_option("--jobs", 1, MOST_JOBS, "Number of reading processes.", default=1)
@click.option("--as", "actor", metavar="NAME", help="Record the audit in the books under this auditor's name.")
@click.option("--new-signing-key", metavar="FILE", help="Only create a key pair, FILE and FILE.pub.")
@json_option
def audit(
    url: str | None, since: str | None, heads: str | None, public_key: str | None, export_heads: str | None,
    sign: str | None, jobs: int, actor: str | None, new_signing_key: str | None,
) -> int:  # fmt: skip
    """Audit the books: hash chains, money, meters, approvals, every round with its proof, and the hold.

    The audit needs no house key and shares no code with the part that writes the books. It writes nothing, unless --as
    names an auditor. If anything is wrong, the exit status is 1.
    """
    if new_signing_key:
        return _make_key(Path(new_signing_key))
    _check_options(since, heads, public_key, export_heads, sign)
    url, file = url or default_url(), heads or since
    earlier = _read_heads(file, public_key) if file else None
    if actor is not None:
        _require_auditor(url, actor)
    base = {"since": earlier} if since else {"earlier": earlier}
    report = audit_database(url, _progress, **base, jobs=jobs)
    exported = _export(report, export_heads, sign) if export_heads else None
    recorded = _record(url, actor, report) if actor is not None else None
    if is_json():
        _print_json(report, earlier, exported, recorded)
    else:
        _print(report, earlier, public_key is not None)
        if export_heads:
            failed = "heads were not exported, because something is wrong"
            click.echo(f"heads written to {export_heads}" if exported else failed)
        if recorded:
            click.echo(f"audit recorded by {recorded.actor}: office {recorded.answer.seq}")
    return 1 if report.wrong else 0


def _check_options(
    since: str | None, heads: str | None, public_key: str | None, export_heads: str | None, sign: str | None
) -> None:
    if sign and not export_heads:
        raise click.UsageError("--sign needs --export-heads.")
    if public_key and not (heads or since):
        raise click.UsageError("--public-key needs --since or --heads.")
    if heads and since:
        raise click.UsageError("--since checks the heads too. Leave out --heads.")
    if export_heads:
        check_new(export_heads)


def _require_auditor(url: str, actor: str) -> None:
    """Before the long audit begins, refuse a person who may not record audits."""
    with house_at(url) as house:
        require(house.store.snapshot(lambda tx: read_role(tx, actor)), Audited(heads=NO_DIGEST, findings=0))


def _export(report: Report, file: str, key: str | None) -> Heads | None:
    """Write the report's heads to a new file. If there is a key, sign them. If the books are wrong, export nothing."""
    if report.heads is None or report.wrong:
        return None
    heads = sign_heads(report.heads, read_key(key)) if key else report.heads
    write_new(Path(file), msgspec.json.format(msgspec.json.encode(heads), indent=2) + b"\n", 0o644)
    return heads


def _record(url: str, actor: str, report: Report) -> Done:
    assert report.heads is not None
    command = Audited(heads=report.heads.digest, findings=report.wrong, since=report.heads.since or None)
    with house_at(url) as house:
        return send(house, OFFICE, command, actor, None)


def _progress(what: str, done: int, total: int) -> None:
    if sys.stderr.isatty():
        progress_line(f"{done:,} of {total:,} {what}" if what != LAST else "")


def _read_heads(file: str, public_key: str | None) -> Heads:
    try:
        heads = parse_heads(read_bytes(file))
        if public_key:
            verify(heads, read_bytes(public_key))
    except HcfError as error:
        raise error.at(file) from None
    return heads


def _make_key(path: Path) -> int:
    private, public = new_key()
    write_new(path, private, 0o600)
    try:
        write_new(Path(f"{path}.pub"), public, 0o644)
    except HcfError:  # Write either both keys or neither.
        path.unlink()
        raise
    click.echo(f"private key in {path}: keep it away from the database\npublic key in {path}.pub")
    return 0


def _print(report: Report, earlier: Heads | None, signed: bool) -> None:
    table = grid("check", "covered", "result")
    for check in report.checks:
        covered = (plural(number, what.removesuffix("s")) for what, number in check.covered.items() if number)
        notes = f", {len(check.notes)} to note" if check.notes else ""
        result = f"{check.wrong:,} WRONG" if check.wrong else "ok"
        table.add_row(check.name, ", ".join(covered) or "nothing", result + notes)
    put(table)
    if earlier is not None and not signed:
        unchecked = "The heads' signature was not checked. Use --public-key to check it."
        put(unchecked if earlier.signature else "The heads are not signed.")
    _print_hold([row for row in report.hold if row.bets])
    for check in report.checks:
        for note in check.notes[:SHOWN]:
            put(f"note: {note}")
        for finding in check.findings[:SHOWN]:
            put(f"{check.name}: {finding}")
        if check.wrong > SHOWN:
            put(f"{check.name}: {check.wrong - SHOWN:,} more (--json)")
    wrong = report.wrong
    put(f"{plural(wrong, 'finding')}: the books are WRONG." if wrong else "Nothing is wrong.")


def _print_hold(rows: list[Hold]) -> None:
    table = grid("hold", ">rounds", ">bets", ">staked", ">held", ">by the odds", ">z")
    for row in rows:
        counts, cents = (row.rounds, row.bets), (row.stakes_cents, row.held_cents, round(row.expected_cents))
        z = f"{row.z:+.2f}" if row.enough else "few bets"
        table.add_row(row.wager, *(f"{count:,}" for count in counts), *map(say_cents, cents), z)
    if rows:
        put("", table)
    for odds in dict.fromkeys(JUDGED[row.wager] for row in rows):
        put(f"{', '.join(row.wager for row in rows if JUDGED[row.wager] == odds)}: {odds}")
    put()


def _print_json(report: Report, earlier: Heads | None, exported: Heads | None, recorded: Done | None) -> None:
    heads = {"checked": earlier, "exported": exported}
    data: dict[str, Any] = {**report_data(report), "heads": heads, "recorded": plain(recorded)}
    for finding in [finding for check in report.checks for finding in check.findings][:1]:
        error = HcfError(f"{finding.where}: {finding.what}", read=finding.read, expected=finding.expected)
        data["error"] = error.as_dict() | {"code": "audit"}
    print_json(data)
