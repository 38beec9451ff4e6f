"""The approvals: whoever did something was allowed to, then; and what takes two people was done by two.

People and roles come from the office's stream alone. A win is decided by the votes on it, counted anew here: paid
once, and only after enough approvals; returned after two refusals; nobody twice. A correction is proposed by one
and approved by another.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from msgspec import Struct, field

from highcardflush.house.audit import changes
from highcardflush.house.audit.books import Books, Event
from highcardflush.house.audit.changes import Changes
from highcardflush.house.audit.findings import Finding, differs, guarded, reasoned
from highcardflush.house.audit.people import FOLLOWS, MAY, OWN, People

REASONED = ("change", "propose", "reject", "pause", "resume", "display")
"""What of a meter is not done without a reason; nor is a vote against a win."""


STATES = ("open", "paused", "closed")
SHUT = {"paused": ("open", "wagers"), "closed": ("open", "wagers", "sit")}
"""What does not happen at a table that is not open."""
FREES = (("leave", "supervisor"), ("leave", "server"))
"""Who frees a seat that was abandoned."""


class Seats(Struct):
    """What matters of a table to who may act there."""

    physical: bool = False
    players: dict[int, str | None] = {}
    dealers: set[str] = set()
    """Who is assigned to it."""
    consents: dict[str, str | None] = {}
    """The hash of the token by which a player may be seated, until it is used; none: it was withdrawn."""
    staked: set[int] = set()
    """Seats with wagers in the live round."""
    state: str = "open"
    """How it was switched since the last opening: before one it is always open."""


class Case(Struct):
    """A pending win and what was said about it."""

    needed: int
    """How many approvals it takes, by the rule in force when it was won."""
    dealers: set[str]
    """Who keyed in a hand of its round or settled it: none of them may vote, but for the server."""
    virtual: bool
    """Whether its cards came from a seed."""
    server: str = ""
    """The server that has approved it."""
    outcome: str = "waiting"
    approved: list[str] = []
    refused: list[str] = []


class Decisions(Struct):
    """What a meter's supervisors have to decide."""

    books: Books
    second_above: int = 0
    server_approves: bool = False
    wins: int = 0
    cases: dict[int, Case] = {}
    corrections: dict[int, str | None] = {}
    """Who proposed each, None once it is decided."""


class Stream(Struct):
    """A stream as far as it has been read, and who acts in it."""

    kind: str
    people: People
    changes: Changes
    decisions: Decisions
    covered: Counter[str]
    seats: Seats = field(default_factory=Seats)


def follow(stream: Stream, event: Event) -> Iterator[Finding]:
    kind, people = stream.kind, stream.people
    stream.covered["commands"] += event.key is not None
    yield from guarded(event, _actor(people, kind, event))
    yield from guarded(event, changes.follow(stream.changes, event))
    if kind == "cage":
        yield from guarded(event, _counter(people, event))
    elif kind == "table":
        yield from guarded(event, _seat(people, stream.seats, event))
    elif kind == "meter":
        stream.covered["decisions"] += event.kind in ("vote", "propose", "approve", "reject")
        yield from guarded(event, _decision(stream.decisions, event))


def _actor(people: People, stream: str, event: Event) -> Iterator[Finding]:
    """The actor had the role, and the role may do this."""
    person, who = people.get(event.actor), f"{event.actor} as {event.role}"
    if person is None:
        yield Finding(event.where, f"who did this {event.kind}", who, "a person of the office")
    elif not person.was(event.role, event.office):
        read, spans = f"{event.role} at office {event.office}", "; ".join(map(str, person.spans))
        yield Finding(event.where, f"the role in which {event.actor} did this {event.kind}", read, spans or "none then")
    follows = stream == "meter" and event.key is None and not changes.carries_out(event)
    may = FOLLOWS if follows else MAY.get(stream, {})
    if event.kind not in may.get(event.role, ()):
        holders = [role for role, kinds in may.items() if event.kind in kinds]
        yield Finding(event.where, f"who may do a {event.kind}", who, " or ".join(holders) or "nobody")


def _counter(people: People, event: Event) -> Iterator[Finding]:
    """The money of people and of bots goes over a counter of their own kind, that of guests comes from the server
    (no more than it may give: `wallets.py`)."""
    name = event.body["player"]
    player, cashier = people.get(name), people.get(event.actor)
    if player is None or cashier is None:
        return
    serves = "guest" if event.role == "server" else cashier.kind
    if serves != player.kind:
        read = f"{event.actor} as {event.role}, who serves a {serves}"
        yield Finding(event.where, f"who served {name}, a {player.kind}", read, f"who serves a {player.kind}")


# --- seats ---------------------------------------------------------------------------------------


def _seat(people: People, seats: Seats, event: Event) -> Iterator[Finding]:
    """A player acts for the own seat; others for a player only where the table is of wood; a dealer where assigned."""
    yield from _assigned(seats, event)
    yield from _switched(seats, event)
    if event.kind in ("create", "change"):
        seats.physical = event.body["config"]["physical"]
    if event.kind in ("open", "settle", "void"):
        seats.staked.clear()
    if event.kind == "warn" and event.body["seat"] not in seats.players:
        yield Finding(event.where, "who is warned", "nobody sits there", "a seat that is taken")
    if event.kind not in OWN:
        return
    body = event.body
    seat = (body if "seat" in body else body["action"])["seat"]
    owner = body["player"] if event.kind == "sit" else seats.players.get(seat)
    if event.role == "player":
        yield from differs(event.where, f"who acts for seat {seat}", event.actor, owner)
    elif not seats.physical and (event.kind, event.role) not in FREES:
        yield Finding(event.where, f"who acts for seat {seat}", f"{event.actor} as {event.role}", "the player")
    if event.kind in ("sit", "wagers") and owner is not None:
        person = people.get(owner)
        if person is None or not person.was("player", event.office):
            yield Finding(event.where, f"for whom this {event.kind} is", owner, "a player who is active")
    if event.kind == "sit":
        yield from _consented(seats, event)
        if seat in seats.players:
            yield Finding(event.where, f"seat {seat}", "a seat that is taken", "an empty seat")
        seats.players[seat] = body["player"]
    elif seat not in seats.players:
        yield Finding(event.where, f"seat {seat}", "nobody sits there", "a seat that is taken")
    elif event.kind in ("wagers", "clear"):
        (seats.staked.add if event.kind == "wagers" else seats.staked.discard)(seat)
    elif event.kind == "leave":
        if seat in seats.staked:
            yield Finding(event.where, f"who leaves seat {seat}", "wagers in play", "no wager")
        yield from differs(event.where, f"who leaves seat {seat}", body["player"], seats.players.pop(seat))


def _switched(seats: Seats, event: Event) -> Iterator[Finding]:
    """What was paused or closed opens no round and takes no wager; what was closed seats nobody."""
    if event.kind == "switch":
        yield from reasoned(event)
        if event.body["state"] == seats.state or event.body["state"] not in STATES:
            yield Finding(event.where, "the state of the table", str(event.body["state"]), "another of the three")
        seats.state = event.body["state"]
    elif event.kind in SHUT.get(seats.state, ()):
        yield Finding(event.where, f"this {event.kind}", f"at a table that is {seats.state}", "one that is open")


def _assigned(seats: Seats, event: Event) -> Iterator[Finding]:
    """A dealer acts where assigned, the house's own and servers at virtual tables; an `open` carries on who may."""
    if event.role == "server" and seats.physical:
        yield Finding(event.where, f"a server does this {event.kind}", "a physical table", "a virtual one")
    if event.role == "dealer" and event.actor not in seats.dealers and (seats.physical or event.actor != "house"):
        assigned = ", ".join(sorted(seats.dealers)) or "nobody"
        yield Finding(event.where, f"the dealer of this {event.kind}", event.actor, f"who is assigned: {assigned}")
    if event.kind == "create":
        seats.dealers = set(event.body["dealers"])
    elif event.kind in ("assign", "unassign"):
        dealer, comes = event.body["dealer"], event.kind == "assign"
        if (dealer in seats.dealers) == comes:
            yield Finding(event.where, f"the dealer of this {event.kind}", dealer, "another")
        (seats.dealers.add if comes else seats.dealers.discard)(dealer)
    elif event.kind == "consent":
        yield from differs(event.where, "whose consent it is", event.body["player"], event.actor)
        seats.consents[event.body["player"]] = event.body["token_sha256"]
    elif event.kind == "open":
        yield from differs(event.where, "the dealers of the table", event.body["dealers"], sorted(seats.dealers))
        unused = {player: token for player, token in seats.consents.items() if token is not None}
        yield from differs(event.where, "consents that were not used", event.body["consents"], unused)


def _consented(seats: Seats, event: Event) -> Iterator[Finding]:
    """Whose wallet is bet sat down in person, or by a token of the own making, once."""
    player, in_person = event.body["player"], event.role == "player"
    given = seats.consents.pop(player, None)
    if not in_person and given is None and player is not None:
        yield Finding(event.where, f"the seating of {player}", f"by {event.actor}", "the player's consent")
    yield from differs(event.where, f"the consent of {player}", event.body["consent"], None if in_person else given)


# --- wins and corrections ------------------------------------------------------------------------


def _decision(decisions: Decisions, event: Event) -> Iterator[Finding]:
    body = event.body
    match event.kind:
        case "create":
            decisions.second_above = body["parameters"]["second_above_micros"]
            decisions.server_approves = body["parameters"]["server_approves"]
        case "change" if body["key"] == "second_above_micros":
            decisions.second_above = body["after"]
        case "change" if body["key"] == "server_approves":
            decisions.server_approves = body["after"]
        case "hit":
            yield from _hit(decisions, event)
        case "vote":
            yield from _vote(decisions, event)
        case "propose":
            number = len(decisions.corrections) + 1
            yield from differs(event.where, "number of the correction", body["correction"], number)
            decisions.corrections[body["correction"]] = event.actor
        case "approve" | "reject":
            yield from _decide(decisions, event)
    if event.kind in REASONED:
        yield from reasoned(event)


def _hit(decisions: Decisions, event: Event) -> Iterator[Finding]:
    for win in event.body["wins"]:
        decisions.wins += 1
        yield from differs(event.where, "number of the win", win["win"], decisions.wins)
        if win["pending"]:
            needed = 2 if win["micros"] > decisions.second_above else 1
            dealers, virtual = _dealers(decisions.books, event), _is_virtual(decisions.books, event)
            decisions.cases[win["win"]] = Case(needed, dealers, virtual)


def _dealers(books: Books, hit: Event) -> set[str]:
    """Who keyed in a hand of its round, took one back or settled it."""
    stream, settled = f"table/{hit.body['table']}", hit.body["seq"]
    rows = books.rows(
        "SELECT DISTINCT actor FROM events WHERE stream = ? AND seq <= ? AND kind IN ('hand', 'take-back', 'settle')"
        " AND seq > (SELECT MAX(seq) FROM events WHERE stream = ? AND kind = 'open' AND seq < ?)",
        stream, settled, stream, settled,
    )  # fmt: skip
    return {actor for (actor,) in rows}


def _is_virtual(books: Books, hit: Event) -> bool:
    """Whether the cards of its round came from a seed."""
    opening = books.last(f"table/{hit.body['table']}", "open", hit.body["seq"])
    return opening.body["commitment"] is not None


def _vote(decisions: Decisions, event: Event) -> Iterator[Finding]:
    body = event.body
    case, win = decisions.cases.get(body["win"]), f"win {body['win']}"
    if case is None or case.outcome != "waiting":
        stands = "no pending win of this meter" if case is None else f"a win that is {case.outcome}"
        yield Finding(event.where, f"a vote on {win}", stands, "a win that waits")
        return
    if event.actor in (*case.approved, *case.refused):
        yield Finding(event.where, f"a vote on {win}", f"a second one by {event.actor}", "another supervisor")
    if event.role == "server":
        yield from _server_vote(decisions, case, event)
    elif event.actor in case.dealers:
        yield Finding(event.where, f"a vote on {win}", f"{event.actor}, who dealt that round", "another supervisor")
    (case.approved if body["approve"] else case.refused).append(event.actor)
    if not body["approve"]:
        yield from reasoned(event)
    enough = len(set(case.approved)) >= case.needed
    case.outcome = "paid" if enough else "returned" if len(set(case.refused)) >= 2 else "waiting"
    yield from differs(event.where, f"the outcome of {win}", body["outcome"], case.outcome)


def _server_vote(decisions: Decisions, case: Case, event: Event) -> Iterator[Finding]:
    """A server approves where the meter lets it, what has a proof, as one voice; the proof is held in `rounds`."""
    what = f"the vote of {event.actor}, a server, on win {event.body['win']}"
    if not decisions.server_approves:
        yield Finding(event.where, what, "a meter that lets no server approve", "a supervisor")
    if not case.virtual:
        yield Finding(event.where, what, "cards that were dealt by hand", "a supervisor")
    if not event.body["approve"]:
        yield Finding(event.where, what, "a refusal", "a supervisor")
    if case.server:
        yield Finding(event.where, what, f"after that of {case.server}", "a supervisor")
    if case.refused:
        yield Finding(event.where, what, f"after the refusal of {case.refused[0]}", "a supervisor")
    case.server = event.actor


def _decide(decisions: Decisions, event: Event) -> Iterator[Finding]:
    number = event.body["correction"]
    proposer = decisions.corrections.get(number)
    if proposer is None:
        stands = "decided already" if number in decisions.corrections else "never proposed"
        yield Finding(event.where, f"{event.kind} of correction {number}", stands, "a correction that waits")
    elif proposer == event.actor:
        yield Finding(event.where, f"{event.kind} of correction {number}", f"by {proposer}, who proposed it", "another")
    if number in decisions.corrections:
        decisions.corrections[number] = None
