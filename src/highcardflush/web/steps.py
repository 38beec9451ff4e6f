"""A round that is over, step by step: every action with what it told and the round after it, all cards open, and of
every decision what each choice was worth to who made it, knowing what that seat could see."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from msgspec.structs import replace

from highcardflush.coach import advise, spot_of
from highcardflush.game import actions as a
from highcardflush.game.events import Event, Folded, Raised
from highcardflush.game.view import open_view, view
from highcardflush.house.events import OF_ACTION
from highcardflush.house.proofs import RoundRecord
from highcardflush.notation.proof import finder_of, parse_proofs, round_of
from highcardflush.notation.replay import Step, replay
from highcardflush.notation.rounds import Round
from highcardflush.notation.statements import DoDecision
from highcardflush.rulebook.load import as_printed, packaged, to_json
from highcardflush.rulebook.model import Rulebook
from highcardflush.rulebook.wagers import PROGRESSIVE
from highcardflush.web import wire
from highcardflush.web.side_bets import side_bets_data
from highcardflush.web.worth import advice_data, mistaken_data


def steps_data(record: RoundRecord, decided: Mapping[int, bool]) -> wire.Data:
    """The steps of a round, its decisions in the order in which they were made, and the rules that it was played by."""
    proof = next(parse_proofs(record.proof))
    played = replay(_in_order(round_of(proof), decided), find=finder_of(proof))
    books = list(_rulebooks(played.rulebook))
    late = frozenset(seat for seat, timed_out in decided.items() if timed_out)
    return {
        "bonus": played.rulebook.bonus_jackpot,
        "base_cents": offer.base if (offer := played.rulebook.offer(PROGRESSIVE)) is not None else None,
        "steps": [_step(played.rulebook, step, late) for step in played.steps],
        "rules": {book.name: to_json(as_printed(book)) for book in books},
        "side_bets": side_bets_data(*books),
    }


def _in_order(text: Round, seats: Iterable[int]) -> Round:
    """The same round with its decisions in this order: a record has them by seats."""
    order = {seat: place for place, seat in enumerate(seats)}
    lines = list(text.numbered)
    places = [place for place, (_, statement) in enumerate(lines) if isinstance(statement, DoDecision)]
    made = sorted((lines[place] for place in places), key=lambda line: _place(line[1], order))
    for place, line in zip(places, made, strict=True):
        lines[place] = line
    numbers, statements = zip(*lines, strict=True)
    return replace(text, statements=statements, lines=numbers)


def _place(statement: object, order: Mapping[int, int]) -> int:
    assert isinstance(statement, DoDecision)
    return order.get(statement.action.seat, len(order))


def _rulebooks(played: Rulebook) -> Iterator[Rulebook]:
    """The rulebook of the round, and those whose pay tables its table has taken."""
    yield played
    owners = {offer.paytable.partition("/")[0] for offer in played.offers if "/" in offer.paytable}
    yield from (packaged(name) for name in sorted(owners - {played.name}))


def _step(rulebook: Rulebook, step: Step, late: frozenset[int]) -> wire.Data:
    data = {
        "kind": OF_ACTION[type(step.action)].event_kind.name,
        "told": wire.told_data([_timed(fact, late) for fact in step.told], {}),
        "view": wire.view_data(open_view(rulebook, step.after)),
    }
    if isinstance(step.action, (a.Fold, a.Raise)):
        data["weighed"] = _weighed(rulebook, step, step.action.seat)
    return data


def _timed(fact: Event, late: frozenset[int]) -> Event:
    """What was told of a decision, with whether the clock has made it: a record does not say so."""
    return replace(fact, timed_out=True) if isinstance(fact, (Folded, Raised)) and fact.seat in late else fact


# --- what a decision was worth -------------------------------------------------------------------


def _weighed(rulebook: Rulebook, step: Step, seat: int) -> wire.Data:
    found = advise(spot_of(rulebook, view(rulebook, step.before, seat), seat))
    made = step.after.seat(seat).decision
    assert made is not None
    return {
        "seat": seat,
        "ante_cents": found.spot.wagers["ante"],
        "hand": found.spot.hand,
        "seen": found.spot.seen,
        **advice_data(found, made),
        "made": mistaken_data(found, made),
    }
