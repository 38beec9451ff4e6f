"""`hcf verify`: published records of rounds, checked from nothing but themselves."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from highcardflush.cli.files import finder, read_text
from highcardflush.cli.options import json_option
from highcardflush.cli.output import print_json
from highcardflush.errors import HcfError
from highcardflush.notation.proof import Verification, parse_proofs, verify_proof


@click.command()
@click.argument("files", nargs=-1, required=True, type=click.Path())
@json_option
def verify(files: tuple[str, ...], as_json: bool) -> int:
    """Verify rounds from their published records (`hcf house proof`); - is standard input.

    The seed must be what was committed to before the players named theirs, cards, dice and Dynamic Pays what the seeds
    give, and the results what the rules give.
    """
    rows: list[dict[str, Any]] = []
    for file in files:
        for proof in parse_proofs(read_text(file), file):
            row: dict[str, Any] = {"file": file, "line": proof.line, "table": proof.table, "round": proof.round}
            try:
                rows.append({**row, **_result(verify_proof(proof, file, finder(Path(file).parent)))})
            except HcfError as error:
                rows.append({**row, "verified": False, "error": error.as_dict()})
                click.echo(f"hcf: {error}", err=True)
            if not as_json:
                click.echo(_line(rows[-1]))
    if as_json:
        print_json({"rounds": rows})
    return 0 if all(row["verified"] for row in rows) else 1


def _result(verified: Verification) -> dict[str, Any]:
    chance = "by hand" if verified.by_hand else "seed lost" if verified.lost else "as committed"
    return {"verified": True, "chance": chance, "phase": verified.replay.state.phase}


def _line(row: dict[str, Any]) -> str:
    name = f"table {row['table']} round {row['round']}"
    if not row["verified"]:
        return f"{name}: NOT as its proof says"
    words = {
        "as committed": "cards as committed before the bets, results by the rules",
        "by hand": "cards dealt by hand, results by the rules",
        "seed lost": "void, its seed was never revealed",
    }
    return f"{name}: {row['phase']}, {words[row['chance']]}"
