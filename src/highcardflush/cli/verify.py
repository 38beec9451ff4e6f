"""`hcf verify`: check published records of rounds, from nothing but themselves."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from highcardflush.cli.files import finder, read_text
from highcardflush.cli.options import json_option
from highcardflush.cli.output import hanging, print_json
from highcardflush.errors import HcfError
from highcardflush.formats.json import picked
from highcardflush.notation.proof import Proof, Verification, parse_each_proof, require_own_commitment, verify_proof

CHANCE = {
    "as committed": "cards from the seed committed to and the seats' seeds, results by the rules",
    "by hand": "cards dealt by hand, results by the rules",
    "seed lost": "void, its seed was never revealed",
}
SEEDS = {
    "named": "named in the open",
    "none": "none",
    "revealed": "committed and revealed",
    "left out": "committed and did not reveal: left out",
    "committed": "committed, nothing was drawn",
}
NOT_PROVED = (
    "that you could see the commitment before you bet: compare it with what you noted. That nobody chose: a house with"
    " a seat of its own can choose the last seed named in the open, and whether to reveal a seed it committed to."
)
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

    Records come from `hcf house proof` and `hcf play --record`. The seed must match its commitment; cards, dice and
    Dynamic Pays must follow from it and the seats' seeds, and the results from the rules. No two rounds may have the
    same commitment. Rules under the name of a packaged rulebook must be a released version of it.
    """
    rows: list[dict[str, Any]] = []
    used: dict[str, Proof] = {}
    for file in files:
        for proof in _proofs(file):
            row = {"file": file, **_verified(proof, file, used)}
            rows.append(row)
            if not row["verified"]:
                click.echo(f"hcf: {row.pop('said')}", err=True)
            if not as_json and row["table"] is not None:
                click.echo(_line(row))
    if as_json:
        print_json({"rounds": rows})
    elif any(row.get("chance") == "as committed" for row in rows):
        click.echo(hanging("not proved: ", NOT_PROVED))
    return 0 if all(row["verified"] for row in rows) else 1


def _proofs(file: str) -> Iterator[Proof | HcfError]:
    """Yield the proofs of a file, or why it cannot be read."""
    try:
        text = read_text(file)
    except HcfError as error:
        yield error
    else:
        yield from parse_each_proof(text, file)


def _verified(proof: Proof | HcfError, file: str, used: dict[str, Proof]) -> dict[str, Any]:
    """Verify one proof and return its row of the report. `used` has the earlier rounds, by commitment."""
    row = {key: getattr(proof, key, None) for key in ("line", "table", "round")}
    try:
        if isinstance(proof, HcfError):
            raise proof
        verified = verify_proof(proof, file, finder(Path(file).parent))
        require_own_commitment(proof, used, file)
        return {**row, **_result(verified)}
    except HcfError as error:
        return {**row, "verified": False, "error": error.as_dict(), "said": str(error)}


def _result(verified: Verification) -> dict[str, Any]:
    chance = "by hand" if verified.by_hand else "seed lost" if verified.lost else "as committed"
    rulebook = picked(verified.replay.rulebook, "name", "version", "sha256") | {"rules": verified.rules}
    seeds = {"commitment": verified.proof.commitment, "seats": {str(seat): use for seat, use in verified.seats.items()}}
    return {"verified": True, "chance": chance, "phase": verified.replay.state.phase, **seeds, "rulebook": rulebook}


def _line(row: dict[str, Any]) -> str:
    name = f"table {row['table']} round {row['round']}"
    if not row["verified"]:
        return f"{name}: NOT as its proof says"
    book = row["rulebook"]
    rules = f"{book['name']}, version {book['version']}, @{book['sha256']}: {RULES[book['rules']]}"
    lines = [hanging(f"{name}: ", f"{row['phase']}, {CHANCE[row['chance']]}"), hanging("    rules of ", rules)]
    if row["chance"] == "as committed":
        seats = ", ".join(f"seat {seat} {SEEDS[use]}" for seat, use in row["seats"].items())
        lines += [f"    commitment {row['commitment']}", hanging("    seeds: ", seats or "no seat gave any")]
    return "\n".join(lines)
