"""`hcf verify`: published records of rounds, checked from nothing but themselves."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from highcardflush.cli.files import finder, read_text
from highcardflush.cli.options import json_option
from highcardflush.cli.output import hanging, print_json
from highcardflush.errors import HcfError
from highcardflush.notation.proof import Proof, Verification, parse_each_proof, verify_proof

CHANCE = {
    "as committed": "cards as committed before the bets, results by the rules",
    "by hand": "cards dealt by hand, results by the rules",
    "seed lost": "void, its seed was never revealed",
}
RULES = {
    "packaged": "the packaged rulebook",
    "released before": "the packaged rulebook of an earlier release",
    "own": "the record's own rules, no packaged rulebook",
}


@click.command()
@click.argument("files", nargs=-1, required=True, type=click.Path())
@json_option
def verify(files: tuple[str, ...], as_json: bool) -> int:
    """Verify rounds from their published records; - is standard input.

    Those are `hcf house proof` and the files of `hcf play --record`. The seed must be what was committed to before the
    players named theirs, cards, dice and Dynamic Pays what the seeds give, and the results what the rules give.
    Rules under the name of a packaged rulebook must be a released version of it.
    """
    rows: list[dict[str, Any]] = []
    for file in files:
        for proof in _proofs(file):
            row = {"file": file, **_verified(proof, file)}
            rows.append(row)
            if not row["verified"]:
                click.echo(f"hcf: {row.pop('said')}", err=True)
            if not as_json and row["table"] is not None:
                click.echo(_line(row))
    if as_json:
        print_json({"rounds": rows})
    return 0 if all(row["verified"] for row in rows) else 1


def _proofs(file: str) -> Iterator[Proof | HcfError]:
    """What a file has to verify, or why it cannot be read."""
    try:
        text = read_text(file)
    except HcfError as error:
        yield error
    else:
        yield from parse_each_proof(text, file)


def _verified(proof: Proof | HcfError, file: str) -> dict[str, Any]:
    """A row of the report; `said` is what a person reads of an error."""
    if isinstance(proof, HcfError):
        return {"line": proof.line, "table": None, "round": None, **_wrong(proof)}
    row = {"line": proof.line, "table": proof.table, "round": proof.round}
    try:
        return {**row, **_result(verify_proof(proof, file, finder(Path(file).parent)))}
    except HcfError as error:
        return {**row, **_wrong(error)}


def _wrong(error: HcfError) -> dict[str, Any]:
    return {"verified": False, "error": error.as_dict(), "said": str(error)}


def _result(verified: Verification) -> dict[str, Any]:
    chance = "by hand" if verified.by_hand else "seed lost" if verified.lost else "as committed"
    book = verified.replay.rulebook
    rulebook = {"name": book.name, "version": book.version, "sha256": book.sha256, "rules": verified.rules}
    return {"verified": True, "chance": chance, "phase": verified.replay.state.phase, "rulebook": rulebook}


def _line(row: dict[str, Any]) -> str:
    name = f"table {row['table']} round {row['round']}"
    if not row["verified"]:
        return f"{name}: NOT as its proof says"
    book = row["rulebook"]
    rules = f"{book['name']}, version {book['version']}, @{book['sha256']}: {RULES[book['rules']]}"
    return hanging(f"{name}: ", f"{row['phase']}, {CHANCE[row['chance']]}") + "\n" + hanging("    rules of ", rules)
