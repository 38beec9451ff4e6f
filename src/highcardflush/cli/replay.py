"""`hcf replay` replays rounds written in the round notation; `hcf verify` verifies published records."""

import shutil
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import click

from highcardflush.cli.files import finder, read_text
from highcardflush.cli.options import json_option
from highcardflush.cli.output import hanging, is_json, plural, print_json
from highcardflush.errors import HcfError
from highcardflush.formats.json import picked, plain, with_notice
from highcardflush.money import say_cents, say_micros
from highcardflush.notation.proof import Proof, parse_each_proof, require_own_commitment, verify_proof
from highcardflush.notation.record import format_round
from highcardflush.notation.replay import Replay
from highcardflush.notation.replay import replay as replay_round
from highcardflush.notation.rounds import Round, parse_each
from highcardflush.notation.statements import Expect, ExpectMeter, UseRulebook
from highcardflush.rulebook import quoted
from highcardflush.words import say, say_rulebook


@click.command()
@click.argument("files", nargs=-1, required=True, metavar="FILE...", type=click.Path())
@json_option
@click.option("--write", is_flag=True, help="Print each round in canonical form, with all results.")
def replay(files: tuple[str, ...], write: bool) -> int:
    """Replay rounds written in the round notation and compare their results.

    FILE is a text file of rounds; - is standard input. Each round that is refused or differs is reported. If there are
    any, the exit status is 1.
    """
    results: list[dict[str, Any]] = []
    errors: list[HcfError] = []
    verdicts: Counter[str] = Counter()
    texts = 0
    for file in files:
        for round_, result, wrong in _replay_file(file):
            for error in wrong:
                click.echo(f"hcf: {error}", err=True)
            errors += wrong
            text = ""
            if write and round_ and result:
                use = next((use for use in round_.statements if isinstance(use, UseRulebook)), UseRulebook(""))
                text = format_round(result.rulebook, result.state, name=use.name, with_hash=bool(use.hash))
            if is_json():
                results.append(_as_data(file, round_, result, wrong) | ({"text": text} if text else {}))
            elif text:
                click.echo("\n" * (texts > 0) + text, nl=False)
                texts += 1
            elif round_ is not None and not write:
                verdict = _verdict(round_, result, wrong)
                verdicts[verdict] += 1
                if result is not None:
                    click.echo(_as_text(file, round_, result, verdict))
    if verdicts:
        click.echo(", ".join(f"{plural(count, 'round')} {verdict}" for verdict, count in verdicts.items()))
    if is_json():
        first = {"error": errors[0].as_dict()} if errors else {}
        print_json({"rounds": results, "errors": [error.as_dict() for error in errors], **first})
    return 1 if errors else 0


def _replay_file(file: str) -> Iterator[tuple[Round | None, Replay | None, Sequence[HcfError]]]:
    try:
        rounds = parse_each(read_text(file), file)
    except HcfError as error:
        yield None, None, [error]
        return
    for each in rounds:
        try:
            result = replay_round(each, file, finder(Path(file).parent))
        except HcfError as error:
            errors: Sequence[HcfError] = each.errors or (error, *error.others)
            yield each, None, [one if one.file else one.at(file, each.first_line) for one in errors]
        else:
            yield each, result, result.differences


def _verdict(round_: Round, result: Replay | None, errors: Sequence[HcfError]) -> str:
    if result is None:
        return "refused"
    if errors:
        return "differing"
    compared = any(isinstance(each, (Expect, ExpectMeter)) for each in round_.statements)
    return "agreeing" if compared else "without results to compare"


def _as_text(file: str, round_: Round, game: Replay, verdict: str) -> str:
    state, width = game.state, min(shutil.get_terminal_size((100, 24)).columns, 100)
    assert state.settlement is not None
    lines = [f"{file}:{round_.first_line}: {say_rulebook(game.rulebook)}, {state.phase}, {verdict}"]
    for result in state.settlement.results:
        net = ("+" if result.net_cents >= 0 else "") + say_cents(result.net_cents)
        lines.append(hanging(f"  seat {result.seat}  {result.wager:<14} {net:>11}  ", say(result.reason), width))
    for name, meter in state.settlement.meters.items():
        lines.append(f"  meter {name} {say_micros(meter.amount_micros)}, reserve {say_micros(meter.reserve_micros)}")
    if notice := game.rulebook.bonus_notice:
        lines.append(hanging("  ", quoted(notice), width))
    return "\n".join(lines)


def _as_data(file: str, round_: Round | None, result: Replay | None, errors: Sequence[HcfError]) -> dict[str, Any]:
    data: dict[str, Any] = {"file": file, "line": round_.first_line if round_ else 1, "ok": not errors}
    if result is not None and result.state.settlement is not None:
        state, settlement = result.state, result.state.settlement
        data |= {
            **picked(state, "rulebook", "version", "sha256", "phase"),
            "results": plain(settlement.results),
            "net_cents": {
                str(seat.number): sum(r.net_cents for r in settlement.results if r.seat == seat.number)
                for seat in state.seats
            },
            "meters": settlement.meters,
            **with_notice(result.rulebook.bonus_notice),
        }
    return data | {"errors": [error.as_dict() for error in errors]}


CHANCE = {
    "as-committed": "cards from the committed seed and the seats' seeds, results by the rules",
    "by-hand": "cards dealt by hand, results by the rules",
    "seed-lost": "its seed was never revealed",
}
SEEDS = {
    "named": "sent openly",
    "none": "none",
    "revealed": "committed and revealed",
    "left-out": "committed but not revealed, so left out",
    "committed": "committed, but nothing was drawn",
}
NOT_PROVED = (
    "that you saw the commitment before you bet (compare it with the one you noted), or that nobody chose a seed for"
    " its effect. A house with a seat of its own can choose the last seed sent openly, and can decide whether to reveal"
    " a seed that it committed to."
)
RULES = {
    "packaged": "the packaged rulebook",
    "released-before": "the packaged rulebook of an earlier release",
    "own": "the record's own rules, not a packaged rulebook",
}


@click.command()
@click.argument("files", nargs=-1, required=True, type=click.Path())
@json_option
def verify(files: tuple[str, ...]) -> int:
    """Verify rounds from their published records; - is standard input.

    Records come from `hcf house proof` and `hcf play --record`. The round's seed must match its commitment. Cards, dice
    and Dynamic Pays must follow from this seed and the seats' seeds, and the results from the rules. No two rounds may
    have the same commitment. Rules with the name of a packaged rulebook must be a released version of it.
    """
    rows: list[dict[str, Any]] = []
    used: dict[str, Proof] = {}
    for file in files:
        try:
            proofs: Iterable[Proof | HcfError] = parse_each_proof(read_text(file), file)
        except HcfError as error:
            proofs = [error]
        for proof in proofs:
            row = {"file": file, **_verified(proof, file, used)}
            rows.append(row)
            if not row["verified"]:
                click.echo(f"hcf: {row.pop('said')}", err=True)
            if not is_json() and row["table"] is not None:
                click.echo(_line(row))
    if is_json():
        print_json({"rounds": rows})
    elif any(row.get("chance") == "as-committed" for row in rows):
        click.echo(hanging("not proved: ", NOT_PROVED))
    return 0 if all(row["verified"] for row in rows) else 1


def _verified(proof: Proof | HcfError, file: str, used: dict[str, Proof]) -> dict[str, Any]:
    """Verify one proof and return its row for the report. `used` maps each earlier commitment to its proof."""
    row = {key: getattr(proof, key, None) for key in ("line", "table", "round")}
    try:
        if isinstance(proof, HcfError):
            raise proof
        verified = verify_proof(proof, file, finder(Path(file).parent))
        require_own_commitment(proof, used, file)
    except HcfError as error:
        return {**row, "verified": False, "error": error.as_dict(), "said": str(error)}
    chance = "by-hand" if verified.by_hand else "seed-lost" if verified.lost else "as-committed"
    rulebook = picked(verified.replay.rulebook, "name", "version", "sha256") | {"rules": verified.rules}
    seeds = {"commitment": verified.proof.commitment, "seats": {str(seat): use for seat, use in verified.seats.items()}}
    phase = verified.replay.state.phase
    return {**row, "verified": True, "chance": chance, "phase": phase, **seeds, "rulebook": rulebook}


def _line(row: dict[str, Any]) -> str:
    name = f"table {row['table']} round {row['round']}"
    if not row["verified"]:
        return f"{name}: DOES NOT MATCH its proof"
    book = row["rulebook"]
    rules = f"{book['name']}, version {book['version']}, @{book['sha256']}: {RULES[book['rules']]}"
    lines = [hanging(f"{name}: ", f"{row['phase']}, {CHANCE[row['chance']]}"), hanging("    rules of ", rules)]
    if row["chance"] == "as-committed":
        seats = ", ".join(f"seat {seat} {SEEDS[use]}" for seat, use in row["seats"].items())
        lines += [f"    commitment {row['commitment']}", hanging("    seeds: ", seats or "none from any seat")]
    return "\n".join(lines)
