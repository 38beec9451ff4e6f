"""The rounds: every one that is over is played again from its events, to the same bytes, and its chance is proven.

The engine is the rules; what is checked here is that the books hold a round that the rules allow, told as it was,
and that deck, dice and Dynamic Pays came from the seed that was committed to before anybody bet. A round needs its
own events only, so a table's stream is read once, a round at a time.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import msgspec

from highcardflush import structs
from highcardflush.errors import HcfError
from highcardflush.fairness import verify
from highcardflush.game import open_round
from highcardflush.house.audit import seeds
from highcardflush.house.audit.books import Books, Event
from highcardflush.house.audit.findings import (
    MALFORMED,
    Covered,
    Finding,
    Note,
    differs,
    guarded,
    say,
    unreadable,
)
from highcardflush.house.audit.replay import SEALED, Config, Replay, Unsealed, check_step, first_difference
from highcardflush.house.audit.rules import Rulebooks
from highcardflush.house.audit.wire import read_meters, read_parts, read_rulebook
from highcardflush.money import MICROS_PER_CENT, WHOLE_BP, say_micros
from highcardflush.notation import format_round
from highcardflush.rulebook.load import as_printed, content_hash, is_changed
from highcardflush.rulebook.model import Rulebook
from highcardflush.words import say_rulebook

BESIDE = ("sit", "leave", "warn", "seed", "commit-seed", "reveal-seed", "assign", "unassign", "consent")
"""What may happen at a table beside the round."""


def check(books: Books, covered: Covered) -> Iterator[Finding]:
    rulebooks, losses = Rulebooks(books), _losses(books)
    for stream in books.streams("table/"):
        config: Config | None = None
        number, events = 0, list[Event]()
        warned = began = frozenset[int]()
        for event in books.events(stream):
            if event.kind in ("create", "change"):
                try:
                    config = _config(event)
                    yield from _rulebook(event, config)
                except MALFORMED as error:
                    yield unreadable(event, error)
                continue
            if event.kind == "open":
                number, events, began = number + 1, [], warned
            events.append(event)
            try:
                warned = _warned(warned, event)
            except MALFORMED as error:
                yield unreadable(event, error)
            if event.kind in ("settle", "void"):
                covered["rounds"] += 1
                if config is not None:
                    yield from guarded(event, _round(rulebooks, losses, number, config, events, began, covered))
                events = []
        covered["live rounds"] += any(event.kind == "open" for event in events)


def _losses(books: Books) -> list[int]:
    """The office's events that replaced a lost key, by their numbers."""
    found = []
    for event in books.events("office", "new-key"):
        with suppress(*MALFORMED):  # told where the office is read
            if event.body()["lost"] is True:
                found.append(event.seq)
    return found


def _warned(warned: frozenset[int], event: Event) -> frozenset[int]:
    """The seats whose players were warned since they sat down, after one more event."""
    if event.kind not in ("sit", "leave", "warn"):
        return warned
    seat = {event.body()["seat"]}
    return warned | seat if event.kind == "warn" else warned - seat


def _config(event: Event) -> Config:
    parts = read_parts(read_parts(event.text)["config"])
    plain = msgspec.json.decode
    return Config(
        event.seq,
        plain(parts["physical"]),
        plain(parts["meters"]),
        read_rulebook(parts["rulebook"]),
        plain(parts["second_above_micros"]),
    )


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


def _round(
    rulebooks: Rulebooks,
    losses: list[int],
    number: int,
    config: Config,
    events: list[Event],
    warned: frozenset[int],
    covered: Covered,
) -> Iterator[Finding]:
    first, last = events[0], events[-1]
    if first.kind != "open":
        yield Finding(last.where, f"a {last.kind} without a round", "no open before it", "a round that was opened")
        return
    begun, ended = first.body(), last.body()
    yield from _head(number, config, first, begun, last, ended)
    yield from differs(first.where, "seats that were warned", begun["warned"], sorted(warned))
    replay = _begin(rulebooks, first, last, warned)
    yield from _rules(first, begun, replay.rulebook)
    lost = ended.get("lost", False)
    yield from _sealed(events, last, replay, lost=lost)
    yield from seeds.check(events, ended, covered, physical=config.physical)
    for event in events[1:]:
        replay.warned = _warned(replay.warned, event)
        if event.kind in BESIDE or (lost and event.kind in ("deal", "take-back", *SEALED)):
            continue
        try:
            yield from check_step(config, replay, event)
        except MALFORMED as error:
            yield unreadable(event, error)
            return
        covered["events"] += 1
    yield from _record(last, ended, replay)
    if config.physical and last.kind == "settle":
        yield from _second(config, events, replay)
    if lost:
        yield from _lost(losses, config, events, ended, covered)
    else:
        yield from _proof(config, begun, last, ended, replay, covered)


def _second(config: Config, events: list[Event], replay: Replay) -> Iterator[Finding]:
    """A great win that somebody keyed in was settled by a supervisor who did not; 100 % wins have their votes."""
    last, settlement = events[-1], replay.state.settlement
    assert settlement is not None
    votes: dict[int, int] = {}
    for move in (move for moves in settlement.moves.values() for move in moves if move.percent_bp == WHOLE_BP):
        votes[move.seat] = votes.get(move.seat, 0) + move.player_cents
    for result in settlement.results:
        micros = (result.paid_cents - min(result.meter_cents, votes.get(result.seat, 0))) * MICROS_PER_CENT
        keyed = {event.actor for event in events if event.kind in ("hand", "take-back")}
        if micros > config.second_above_micros and (last.role != "supervisor" or last.actor in keyed):
            expected = "a supervisor who keyed in no hand of the round"
            what = f"who settled a win of {say_micros(micros)} of seat {result.seat}"
            yield Finding(last.where, what, f"{last.actor} as {last.role}", expected)


def _head(
    number: int, config: Config, first: Event, begun: dict[str, Any], last: Event, ended: dict[str, Any]
) -> Iterator[Finding]:
    yield from differs(first.where, "number of the round", begun["round"], number)
    yield from differs(last.where, "number of the round", ended["round"], number)
    yield from differs(first.where, "configuration", begun["config"], config.seq)
    meters = {level: shown["meter"] for level, shown in begun["meters"].items()}
    yield from differs(first.where, "meters of the round", meters, config.meters)
    if (begun["commitment"] is None) != config.physical:
        expected = "none: the cards are real" if config.physical else "the hash of a seed"
        yield Finding(first.where, "commitment", say(begun["commitment"]), expected)


def _begin(rulebooks: Rulebooks, first: Event, last: Event, warned: frozenset[int]) -> Replay:
    """The round as it was opened, under the rules that were in force."""
    begun, ended = first.body(), last.body()
    rulebook = rulebooks.of(first)
    opened = structs.decode(read_parts(last.text)["unsealed"], list[Unsealed])
    named = tuple(bytes.fromhex(ended["player_seeds"][seat]) for seat in sorted(ended["player_seeds"], key=int))
    seed = bytes.fromhex(ended["seed"]) if ended["seed"] is not None else None
    state = open_round(rulebook, read_meters(begun["meters"]))
    return Replay(rulebook, state, {each.seq: each for each in opened}, seed, named, warned)


def _rules(first: Event, begun: dict[str, Any], rulebook: Rulebook) -> Iterator[Finding]:
    expected = (rulebook.name, rulebook.version, rulebook.sha256, rulebook.table_hash)
    read = tuple(begun["rulebook"].get(key) for key in ("name", "version", "sha256", "table"))
    yield from differs(first.where, "rulebook: name, version and hashes", read, expected)


def _sealed(events: list[Event], last: Event, replay: Replay, *, lost: bool) -> Iterator[Finding]:
    """What was sealed lies open, each event once, and nothing else does; nothing at all where the key was lost."""
    sealed = [event.seq for event in events if event.kind in SEALED and not lost]
    yield from differs(last.where, "the events that were unsealed", list(replay.unsealed), sealed)
    for event in events:
        if (event.sealed is not None) != (event.kind in SEALED or (event.kind == "open" and _virtual(event))):
            read = "sealed" if event.sealed is not None else "in the clear"
            yield Finding(event.where, f"the seal of this {event.kind}", read, "the other")
        elif event.kind in SEALED and set(event.body()) != {"seat"}:
            yield Finding(event.where, f"what this {event.kind} tells", ", ".join(event.body()), "its seat alone")


def _virtual(event: Event) -> bool:
    return event.body()["commitment"] is not None


def _record(last: Event, ended: dict[str, Any], replay: Replay) -> Iterator[Finding]:
    expected = format_round(replay.rulebook, replay.state, with_hash=True)
    if ended["record"] != expected:
        read, right = first_difference(str(ended["record"]).encode(), expected.encode())
        yield Finding(last.where, "the record of the round", read, right)


def _proof(
    config: Config, begun: dict[str, Any], last: Event, ended: dict[str, Any], replay: Replay, covered: Covered
) -> Iterator[Finding]:
    """Commitment, dice and Dynamic Pays from the seeds; the deck was dealt from them above."""
    if config.physical:
        yield from differs(last.where, "seed", ended["seed"], None)
        return
    if replay.seed is None:
        yield Finding(last.where, "the seed of the round", "nothing", "what was committed to")
        return
    covered["proofs"] += 1
    state = replay.state
    try:
        verify(
            replay.seed,
            begun["commitment"],
            replay.player_seeds,
            dice=state.dice,
            dynamic=state.dynamic,
            table=replay.rulebook.paytable("progressive"),
        )
    except HcfError as error:
        yield Finding(last.where, f"the proof: {error.message}", say(error.read), say(error.expected))


def _lost(
    losses: list[int], config: Config, events: list[Event], ended: dict[str, Any], covered: Covered
) -> Iterator[Finding]:
    """A round that could not be opened again: void, after the office had to replace a lost key, and counted."""
    first, last = events[0], events[-1]
    yield from differs(last.where, "how a round ends whose key was lost", last.kind, "void")
    yield from differs(last.where, "the seed of a round whose key was lost", ended["seed"], None)
    if not any(first.office < number <= last.office for number in losses):
        expected = "a new-key for a lost one since its open"
        yield Finding(last.where, "the key of the round was lost", "no loss in the office", expected)
    if not config.physical:
        covered["commitments never revealed"] += 1
        yield Note(last.where, "a commitment that was never revealed", "a void round without its seed", "its seed")
