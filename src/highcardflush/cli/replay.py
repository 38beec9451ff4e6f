"""`hcf replay`: play rounds of the notation through the engine and compare."""

from __future__ import annotations

import textwrap
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from highcardflush.errors import HcfError
    from highcardflush.game.notation import Round
    from highcardflush.game.replay import Played


@click.command()
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@click.option("--json", "as_json", is_flag=True, help="The results as data.")
@click.option("--write", is_flag=True, help="Print the canonical text with all results.")
def replay(files: tuple[str, ...], as_json: bool, write: bool) -> int:
    """Replay rounds written in the round notation and compare their results.

    FILE is a text file of rounds, - for standard input. Every bad round is reported; the exit status is then 1.
    """
    from highcardflush.cli.output import print_json

    results: list[dict[str, Any]] = []
    errors: list[HcfError] = []
    verdicts: dict[str, int] = {}
    texts = 0
    for file in files:
        for found, played, wrong in _replay_file(file):
            for error in wrong:
                click.echo(f"hcf: {error}", err=True)
            errors += wrong
            if as_json:
                text = {"text": _canonical(found, played)} if write and played is not None else {}
                results.append(_as_data(file, found, played, wrong) | text)
            elif played is not None and write:
                click.echo("\n" * (texts > 0) + _canonical(found, played), nl=False)
                texts += 1
            elif found is not None and not write:
                said = _verdict(found, played, wrong)
                verdicts[said] = verdicts.get(said, 0) + 1
                if played is not None:
                    click.echo(_as_text(file, found, played, said))
    if verdicts:
        click.echo(", ".join(f"{count} round{'s' * (count != 1)} {said}" for said, count in verdicts.items()))
    if as_json:
        first = {"error": errors[0].as_dict()} if errors else {}
        print_json({"rounds": results, "errors": [error.as_dict() for error in errors], **first})
    return 1 if errors else 0


def _replay_file(file: str) -> list[tuple[Round | None, Played | None, list[HcfError]]]:
    """Every round of a file: its text, how it played, and what was wrong with it."""
    from highcardflush.cli.files import finder, read_text
    from highcardflush.errors import HcfError
    from highcardflush.game.notation import parse_all
    from highcardflush.game.replay import replay as replay_round

    found: list[tuple[Round | None, Played | None, list[HcfError]]] = []
    try:
        rounds = parse_all(read_text(file), file)
    except HcfError as error:
        return [(None, None, [error])]
    for each in rounds:
        try:
            played = replay_round(each, file, finder(Path(file).parent))
            found.append((each, played, list(played.differences)))
        except HcfError as error:
            wrong: list[HcfError] = list(each.errors) or [error, *error.others]
            found.append((each, None, [one if one.file else one.at(file, each.number) for one in wrong]))
    return found


def _canonical(found: Round | None, played: Played) -> str:
    from highcardflush.game.notation import UseRulebook
    from highcardflush.game.record import write_round

    uses = [line.statement for line in found.lines if isinstance(line.statement, UseRulebook)] if found else []
    name, with_hash = (uses[0].name, bool(uses[0].hash)) if uses else ("", False)
    return write_round(played.rulebook, played.state, name=name, with_hash=with_hash)


def _verdict(found: Round, played: Played | None, wrong: list[HcfError]) -> str:
    """How a round's expected results compare."""
    from highcardflush.game.notation import Expect, ExpectMeter

    if played is None:
        return "refused"
    if wrong:
        return "differing"
    compared = any(isinstance(line.statement, (Expect, ExpectMeter)) for line in found.lines)
    return "agreeing" if compared else "without results to compare"


def _as_text(file: str, found: Round | None, played: Played, verdict: str) -> str:
    import shutil

    from highcardflush.money import say_cents, say_micros

    state, width = played.state, min(shutil.get_terminal_size((100, 24)).columns, 100)
    assert state.settlement is not None
    lines = [f"{file}:{found.number if found else 1}: {played.rulebook.name}, {state.phase}, {verdict}"]
    for result in state.settlement.results:
        net = ("+" if result.net_cents >= 0 else "") + say_cents(result.net_cents)
        head = f"  seat {result.seat}  {result.wager:<14} {net:>11}  "
        lines += textwrap.wrap(result.reason, width, initial_indent=head, subsequent_indent=" " * len(head)) or [head]
    for name, meter in state.settlement.meters.items():
        lines.append(f"  meter {name} {say_micros(meter.amount_micros)}, reserve {say_micros(meter.reserve_micros)}")
    return "\n".join(lines)


def _as_data(file: str, found: Round | None, played: Played | None, wrong: list[HcfError]) -> dict[str, Any]:
    data: dict[str, Any] = {"file": file, "line": found.number if found else 1, "ok": not wrong}
    if played is not None and played.state.settlement is not None:
        state, settlement = played.state, played.state.settlement
        data |= {
            "rulebook": state.rulebook,
            "version": state.version,
            "sha256": state.sha256,
            "phase": state.phase,
            "results": [
                {field: getattr(result, field) for field in result.__struct_fields__} for result in settlement.results
            ],
            "net_cents": {
                str(seat.number): sum(r.net_cents for r in settlement.results if r.seat == seat.number)
                for seat in state.seats
            },
            "meters": {
                name: {"amount_micros": meter.amount_micros, "reserve_micros": meter.reserve_micros}
                for name, meter in settlement.meters.items()
            },
        }
    return data | {"errors": [error.as_dict() for error in wrong]}
