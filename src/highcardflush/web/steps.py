"""Replay a round that is over, with all cards open, and value every decision by what its seat could see."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from msgspec import UNSET
from msgspec.structs import replace

from highcardflush.coach.advice import advise, spot_of
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
from highcardflush.web.messages import rounds as messages
from highcardflush.web.messages.facts import facts
from highcardflush.web.messages.library import side_bets
from highcardflush.web.messages.rounds import Steps, Weighed
from highcardflush.web.messages.tables import View


def replay_steps(record: RoundRecord, decided: Mapping[int, bool]) -> Steps:
    """Replay a record; `decided` has the seats in the order of their decisions, and whether each timed out."""
    proof = next(parse_proofs(record.proof))
    played = replay(_in_order(round_of(proof), decided), find=finder_of(proof))
    books = list(_rulebooks(played.rulebook))
    late = frozenset(seat for seat, timed_out in decided.items() if timed_out)
    return Steps(
        table=record.table,
        number=record.number,
        you=None,
        bonus=played.rulebook.bonus_jackpot,
        base_cents=offer.base if (offer := played.rulebook.offer(PROGRESSIVE)) is not None else None,
        steps=[_step(played.rulebook, step, late) for step in played.steps],
        rules={book.name: to_json(as_printed(book)) for book in books},
        side_bets=side_bets(*books),
    )


def _in_order(text: Round, seats: Iterable[int]) -> Round:
    """Put the decisions of a round into this order of seats; a record lists them by seat number."""
    order = {seat: place for place, seat in enumerate(seats)}
    lines = list(text.numbered)
    places = [place for place, (_, statement) in enumerate(lines) if isinstance(statement, DoDecision)]
    decisions = sorted((lines[place] for place in places), key=lambda line: _place(line[1], order))
    for place, line in zip(places, decisions, strict=True):
        lines[place] = line
    numbers, statements = zip(*lines, strict=True)
    return replace(text, statements=statements, lines=numbers)


def _place(statement: object, order: Mapping[int, int]) -> int:
    assert isinstance(statement, DoDecision)
    return order.get(statement.action.seat, len(order))


def _rulebooks(played: Rulebook) -> Iterator[Rulebook]:
    """Yield the rulebook of the round and those from which its table takes pay tables."""
    yield played
    owners = {offer.paytable.partition("/")[0] for offer in played.offers if "/" in offer.paytable}
    yield from (packaged(name) for name in sorted(owners - {played.name}))


def _step(rulebook: Rulebook, step: Step, late: frozenset[int]) -> messages.Step:
    return messages.Step(
        kind=OF_ACTION[type(step.action)].event_kind.name,
        told=facts([_timed(fact, late) for fact in step.told], {}),
        view=View.of(open_view(rulebook, step.after)),
        weighed=_weighed(rulebook, step, step.action.seat) if isinstance(step.action, (a.Fold, a.Raise)) else UNSET,
    )


def _timed(fact: Event, late: frozenset[int]) -> Event:
    """Mark a decision that the clock made, because a record does not say so."""
    return replace(fact, timed_out=True) if isinstance(fact, (Folded, Raised)) and fact.seat in late else fact


def _weighed(rulebook: Rulebook, step: Step, seat: int) -> Weighed:
    decision = step.after.seat(seat).decision
    assert decision is not None
    return Weighed.of(seat, advise(spot_of(rulebook, view(rulebook, step.before, seat), seat)), decision)
