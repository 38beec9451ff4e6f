"""The rounds: every one that is over is played again from its events, to the same bytes, and its chance is proven.

The engine is the rules; what is checked here is that the books hold a round that the rules allow, told as it was,
and that deck, dice and Dynamic Pays came from the seed that was committed to before anybody bet. A round needs its
own events only, and what its `open` says of the table.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from msgspec import Struct

from highcardflush import structs
from highcardflush.errors import HcfError
from highcardflush.fairness import verify
from highcardflush.game import open_round
from highcardflush.house.audit import seeds
from highcardflush.house.audit.books import Event
from highcardflush.house.audit.findings import MALFORMED, Finding, Note, differs, say, unreadable
from highcardflush.house.audit.postings import SEALED, accounts_of
from highcardflush.house.audit.replay import Replay, Unsealed, check_step, same_text
from highcardflush.house.audit.wire import METERS, Config, Rulebooks, read_config, read_parts
from highcardflush.money import MICROS_PER_CENT, WHOLE_BP, say_micros
from highcardflush.notation import format_round
from highcardflush.rulebook.load import as_printed, content_hash, is_changed
from highcardflush.words import say_rulebook

BESIDE = ("sit", "leave", "warn", "seed", "commit-seed", "reveal-seed", "assign", "unassign", "consent", "switch")
"""What may happen at a table beside the round."""
LAID = ("hits", "reseed", "display-returns", "seed", "rate", "reserve-rate")
"""What a meter lays over the settings of its tables."""


class Table(Struct):
    """A table as far as its stream has been read, and what its rounds are judged by."""

    rulebooks: Rulebooks
    losses: list[int]
    """The office's events that replaced a lost key, by their numbers."""
    covered: Counter[str]
    config: Config | None = None
    rounds: int = 0
    events: list[Event] = []
    """Those of the round that is live."""
    warned: frozenset[int] = frozenset()
    """Seats whose players were warned since they sat down."""
    warned_before: frozenset[int] = frozenset()
    """Those when the round was opened."""


def end(table: Table) -> None:
    table.covered["live rounds"] += any(event.kind == "open" for event in table.events)


def follow(table: Table, event: Event) -> Iterator[Finding]:
    if event.kind in ("create", "change"):
        table.config = read_config(event)
        yield from _rulebook(event, table.config)
        return
    if event.kind == "open":
        table.rounds, table.events, table.warned_before = table.rounds + 1, [], table.warned
    table.events.append(event)
    if event.kind in ("settle", "void"):
        table.covered["rounds"] += 1
        events, table.events = table.events, []
        if table.config is not None:
            yield from _round(table, table.config, events)
    table.warned = _warned(table.warned, event)


def _warned(warned: frozenset[int], event: Event) -> frozenset[int]:
    """The seats whose players were warned since they sat down, after one more event."""
    if event.kind not in ("sit", "leave", "warn"):
        return warned
    seat = {event.body["seat"]}
    return warned | seat if event.kind == "warn" else warned - seat


def _rulebook(event: Event, config: Config) -> Iterator[Finding]:
    """The rulebook is what its own hashes say, and has the limits that it must post."""
    book = config.rulebook
    yield from differs(event.where, "the hash of the table's rules", book.table_hash, content_hash(book))
    yield from differs(event.where, "the hash of the rulebook", book.sha256, content_hash(as_printed(book)))
    if is_changed(book):
        yield Note(event.where, "the rules of the table", say_rulebook(book), "what was released so")
    ante = book.settings.limits_on("ante")
    if book.posted_limits and None in (ante.minimum, ante.maximum):
        yield Finding(event.where, "the table's limits", f"{ante.minimum} to {ante.maximum}", "both, as posted")


# --- one round -----------------------------------------------------------------------------------


def _round(table: Table, config: Config, events: list[Event]) -> Iterator[Finding]:
    first, last = events[0], events[-1]
    if first.kind != "open":
        yield Finding(last.where, f"a {last.kind} without a round", "no open before it", "a round that was opened")
        return
    yield from differs(last.where, "number of the round", last.body["round"], table.rounds)
    yield from _head(table, config, first)
    replay = _begin(table, first, last)
    book = replay.rulebook
    read = tuple(first.body["rulebook"].get(key) for key in ("name", "version", "sha256", "table"))
    expected = (book.name, book.version, book.sha256, book.table_hash)
    yield from differs(first.where, "rulebook: name, version and hashes", read, expected)
    lost = last.body.get("lost", False)
    yield from _sealed(events, replay, lost=lost)
    yield from seeds.check(events, table.covered, physical=config.physical)
    for event in events[1:]:
        replay.warned = _warned(replay.warned, event)
        if event.kind in BESIDE or (lost and event.kind in ("deal", "take-back", *SEALED)):
            continue
        try:
            yield from check_step(config, replay, event)
        except MALFORMED as error:
            yield unreadable(event, error)
            return
        table.covered["events"] += 1
    record = format_round(replay.rulebook, replay.state, with_hash=True)
    yield from same_text(last, "the record of the round", str(last.body["record"]).encode(), record.encode())
    if config.physical and last.kind == "settle":
        yield from _second(config, events, replay)
    if lost:
        yield from _lost(table, config, first, last)
    else:
        yield from _proof(table, config, first, last, replay)


def _second(config: Config, events: list[Event], replay: Replay) -> Iterator[Finding]:
    """A great win that somebody keyed in was settled by a supervisor who did not; 100 % wins have their votes."""
    last, settlement = events[-1], replay.state.settlement
    assert settlement is not None
    keyed = {event.actor for event in events if event.kind in ("hand", "take-back")}
    votes: Counter[int] = Counter()
    for move in (move for moves in settlement.moves.values() for move in moves if move.percent_bp == WHOLE_BP):
        votes[move.seat] += move.player_cents
    for result in settlement.results:
        micros = (result.paid_cents - min(result.meter_cents, votes[result.seat])) * MICROS_PER_CENT
        if micros > config.second_above_micros and (last.role != "supervisor" or last.actor in keyed):
            expected = "a supervisor who keyed in no hand of the round"
            what = f"who settled a win of {say_micros(micros)} of seat {result.seat}"
            yield Finding(last.where, what, f"{last.actor} as {last.role}", expected)


def _head(table: Table, config: Config, first: Event) -> Iterator[Finding]:
    """What an `open` says, against the table."""
    body = first.body
    yield from differs(first.where, "number of the round", body["round"], table.rounds)
    yield from differs(first.where, "configuration", body["config"], config.seq)
    yield from differs(first.where, "meters of the round", accounts_of(first).meters, config.meters)
    yield from differs(first.where, "seats that were warned", body["warned"], sorted(table.warned_before))
    yield from differs(first.where, "settings beside the meters'", sorted(_others(config, body)), [])
    if (body["commitment"] is None) != config.physical:
        expected = "none: the cards are real" if config.physical else "the hash of a seed"
        yield Finding(first.where, "commitment", say(body["commitment"]), expected)


def _others(config: Config, body: dict[str, Any]) -> set[str]:
    """Settings of a round that are not its meters', whose terms are held against them: the rest is the table's.

    One that takes no progressive bets does not require them.
    """
    levels = ("" if level == "progressive" else f"{level}-" for level in config.meters)
    others = set(body["settings"]) - {level + key for level in levels for key in LAID}
    lifted = body["closed"] is not None and config.rulebook.settings.mandatory == "progressive"
    return others - {"mandatory"} if lifted and body["settings"].get("mandatory") == "none" else others


def _begin(table: Table, first: Event, last: Event) -> Replay:
    """The round as it was opened, under the rules that were in force."""
    rulebook, ended = table.rulebooks.of(first), last.body
    opened = structs.decode(read_parts(last.text)["unsealed"], list[Unsealed])
    named = tuple(bytes.fromhex(ended["player_seeds"][seat]) for seat in sorted(ended["player_seeds"], key=int))
    seed = bytes.fromhex(ended["seed"]) if ended["seed"] is not None else None
    state = open_round(rulebook, structs.convert(first.body["meters"], METERS))
    return Replay(rulebook, state, {each.seq: each for each in opened}, seed, named, table.warned_before)


def _sealed(events: list[Event], replay: Replay, *, lost: bool) -> Iterator[Finding]:
    """What was sealed lies open, each event once, and nothing else does; nothing at all where the key was lost."""
    sealed = [event.seq for event in events if event.kind in SEALED and not lost]
    yield from differs(events[-1].where, "the events that were unsealed", list(replay.unsealed), sealed)
    for event in events:
        virtual = event.kind == "open" and event.body["commitment"] is not None
        if (event.sealed is not None) != (event.kind in SEALED or virtual):
            read = "sealed" if event.sealed is not None else "in the clear"
            yield Finding(event.where, f"the seal of this {event.kind}", read, "the other")
        elif event.kind in SEALED and set(event.body) != {"seat"}:
            yield Finding(event.where, f"what this {event.kind} tells", ", ".join(event.body), "its seat alone")


def _proof(table: Table, config: Config, first: Event, last: Event, replay: Replay) -> Iterator[Finding]:
    """Commitment, dice and Dynamic Pays from the seeds; the deck was dealt from them above."""
    if config.physical:
        yield from differs(last.where, "seed", last.body["seed"], None)
        return
    if replay.seed is None:
        yield Finding(last.where, "the seed of the round", "nothing", "what was committed to")
        return
    table.covered["proofs"] += 1
    state = replay.state
    try:
        verify(
            replay.seed,
            first.body["commitment"],
            replay.player_seeds,
            dice=state.dice,
            dynamic=state.dynamic,
            table=replay.rulebook.paytable("progressive"),
        )
    except HcfError as error:
        yield Finding(last.where, f"the proof: {error.message}", say(error.read), say(error.expected))


def _lost(table: Table, config: Config, first: Event, last: Event) -> Iterator[Finding]:
    """A round that could not be opened again: void, after the office had to replace a lost key, and counted."""
    yield from differs(last.where, "how a round ends whose key was lost", last.kind, "void")
    yield from differs(last.where, "the seed of a round whose key was lost", last.body["seed"], None)
    if not any(first.office < number <= last.office for number in table.losses):
        expected = "a new-key for a lost one since its open"
        yield Finding(last.where, "the key of the round was lost", "no loss in the office", expected)
    if not config.physical:
        table.covered["commitments never revealed"] += 1
        yield Note(last.where, "a commitment that was never revealed", "a void round without its seed", "its seed")
