"""`hcf replay`: play rounds of the notation through the engine and compare."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import click

from highcardflush.cli.files import finder, read_text
from highcardflush.cli.options import json_option
from highcardflush.cli.output import fields, hanging, plural, print_json, with_notice
from highcardflush.errors import HcfError
from highcardflush.money import say_cents, say_micros
from highcardflush.notation.record import format_round
from highcardflush.notation.replay import Replay
from highcardflush.notation.replay import replay as replay_round
from highcardflush.notation.rounds import Round, parse_each
from highcardflush.notation.statements import Expect, ExpectMeter, UseRulebook
from highcardflush.rulebook.model import quoted
from highcardflush.words import say, say_rulebook


@click.command()
@click.argument("files", nargs=-1, required=True, metavar="FILE...", type=click.Path())
@json_option
@click.option("--write", is_flag=True, help="Print the canonical text with all results.")
def replay(files: tuple[str, ...], as_json: bool, write: bool) -> int:
    """Replay rounds written in the round notation and compare their results.

    FILE is a text file of rounds, - for standard input. Every bad round is reported; the exit status is then 1.
    """
    results: list[dict[str, Any]] = []
    errors: list[HcfError] = []
    verdicts: dict[str, int] = {}
    texts = 0
    for file in files:
        for round_, played, wrong in _replay_file(file):
            for error in wrong:
                click.echo(f"hcf: {error}", err=True)
            errors += wrong
            if as_json:
                text = {"text": _canonical(round_, played)} if write and played is not None else {}
                results.append(_as_data(file, round_, played, wrong) | text)
            elif played is not None and write:
                click.echo("\n" * (texts > 0) + _canonical(round_, played), nl=False)
                texts += 1
            elif round_ is not None and not write:
                said = _verdict(round_, played, wrong)
                verdicts[said] = verdicts.get(said, 0) + 1
                if played is not None:
                    click.echo(_as_text(file, round_, played, said))
    if verdicts:
        click.echo(", ".join(f"{plural(count, 'round')} {said}" for said, count in verdicts.items()))
    if as_json:
        first = {"error": errors[0].as_dict()} if errors else {}
        print_json({"rounds": results, "errors": [error.as_dict() for error in errors], **first})
    return 1 if errors else 0


def _replay_file(file: str) -> list[tuple[Round | None, Replay | None, list[HcfError]]]:
    """Every round of a file: its text, how it played, and what was wrong with it."""
    replayed: list[tuple[Round | None, Replay | None, list[HcfError]]] = []
    try:
        rounds = parse_each(read_text(file), file)
    except HcfError as error:
        return [(None, None, [error])]
    for each in rounds:
        try:
            played = replay_round(each, file, finder(Path(file).parent))
            replayed.append((each, played, list(played.differences)))
        except HcfError as error:
            wrong: list[HcfError] = list(each.errors) or [error, *error.others]
            replayed.append((each, None, [one if one.file else one.at(file, each.first_line) for one in wrong]))
    return replayed


def _canonical(round_: Round | None, played: Replay) -> str:
    uses = [use for use in round_.statements if isinstance(use, UseRulebook)] if round_ else []
    name, with_hash = (uses[0].name, bool(uses[0].hash)) if uses else ("", False)
    return format_round(played.rulebook, played.state, name=name, with_hash=with_hash)


def _verdict(round_: Round, played: Replay | None, wrong: list[HcfError]) -> str:
    """How a round's expected results compare."""
    if played is None:
        return "refused"
    if wrong:
        return "differing"
    compared = any(isinstance(each, (Expect, ExpectMeter)) for each in round_.statements)
    return "agreeing" if compared else "without results to compare"


def _as_text(file: str, round_: Round | None, played: Replay, verdict: str) -> str:
    state, width = played.state, min(shutil.get_terminal_size((100, 24)).columns, 100)
    assert state.settlement is not None
    lines = [f"{file}:{round_.first_line if round_ else 1}: {say_rulebook(played.rulebook)}, {state.phase}, {verdict}"]
    for result in state.settlement.results:
        net = ("+" if result.net_cents >= 0 else "") + say_cents(result.net_cents)
        head = f"  seat {result.seat}  {result.wager:<14} {net:>11}  "
        lines.append(hanging(head, say(result.reason), width))
    for name, meter in state.settlement.meters.items():
        lines.append(f"  meter {name} {say_micros(meter.amount_micros)}, reserve {say_micros(meter.reserve_micros)}")
    if notice := played.rulebook.bonus_notice:
        lines.append(hanging("  ", quoted(notice), width))
    return "\n".join(lines)


def _as_data(file: str, round_: Round | None, played: Replay | None, wrong: list[HcfError]) -> dict[str, Any]:
    data: dict[str, Any] = {"file": file, "line": round_.first_line if round_ else 1, "ok": not wrong}
    if played is not None and played.state.settlement is not None:
        state, settlement = played.state, played.state.settlement
        data |= {
            **{key: getattr(state, key) for key in ("rulebook", "version", "sha256", "phase")},
            "results": fields(settlement.results),
            "net_cents": {
                str(seat.number): sum(r.net_cents for r in settlement.results if r.seat == seat.number)
                for seat in state.seats
            },
            "meters": settlement.meters,
            **with_notice(played.rulebook.bonus_notice),
        }
    return data | {"errors": [error.as_dict() for error in wrong]}
