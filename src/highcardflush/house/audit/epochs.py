"""Checks the row of the table `house`, rounds that were opened before a new epoch, and seed commitments.

After a restore, or after the books have lost acknowledged events, the cards of a live round may be known. Such a round
can only be voided, and every wager is returned. If a seed were used twice, it would be known before the second round.
"""

import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import pairwise

from highcardflush.house import events as ev
from highcardflush.house.audit.books import Books, Event, Moment
from highcardflush.house.audit.findings import Finding, differs, dollars, guarded
from highcardflush.house.audit.follower import Follower
from highcardflush.house.audit.office import Office


def follow_office(office: Office, event: Event) -> Iterator[Finding]:
    """Judge one office event, and add it to the state of the office."""
    match event.body:
        case ev.HouseFounded() as body:
            office.keys.append(body.key_id)
        case ev.KeyReplaced() as body:
            office.keys.append(body.key_id)
            office.losses += [event.seq] * body.lost
        case ev.EpochBegun(cause=cause) as body:
            office.epochs.append(event.seq)
            if cause == "restore":
                yield from differs(
                    event.where, "the role that began the epoch after a restore", event.role, "administrator"
                )
                yield from differs(event.where, "the recorded loss", body.lost, None)
                return
            yield from differs(event.where, "the actor who began the epoch after a loss", event.actor, "house")
            if body.lost is None:
                yield Finding(event.where, "the recorded loss", "nothing", "a stream and its numbers")


def check_house(moment: Moment, office: Office) -> Iterator[Finding]:
    last = moment.end("office")
    newest, expected = [tuple(row[:2]) for row in moment.house], [(office.epochs[-1], last)] if last else []
    revisions = [(row[3],) for row in moment.house]
    yield from differs("house", "epoch and newest office event", newest, expected)
    yield from differs("house", "revision of the schema", revisions, moment.revisions if last else [])
    yield from differs("house", "house key", [row[2] for row in moment.house], office.keys[-1:])


class Epochs(Follower):
    check = "epochs"

    def follow(self, event: Event) -> Iterator[Finding]:
        opening = event if event.kind == "open" else self.table.opening
        if event.kind == "open":
            assert isinstance(event.body, ev.RoundOpened)
            if event.body.commitment is not None:
                digest = hashlib.sha256(event.body.commitment.encode()).digest()
                self.part.commitments.append(int.from_bytes(digest[:8], "big"))
        if opening is None:
            return
        epoch = next((each for each in self.house.office.epochs if opening.office < each <= event.office), None)
        if epoch and event.kind == "void":
            staked = Counter[str]()
            for source, target, micros in (move for each in (*self.table.round, event) for move in each.transfers()):
                staked[source] += micros
                staked[target] -= micros
            for account in sorted(account for account in staked if account.startswith(("wallet/", "chips/"))):
                what = f"the wagers that a voided round did not return to {account}"
                yield from differs(event.where, what, staked[account], 0, dollars)
        elif epoch and ev.kind_of(event.stream, event.kind) not in ev.IN_STALE_ROUND:
            what = f"a round opened before the epoch that began at office event {epoch}"
            yield Finding(event.where, what, event.kind, "a void, because its cards may be known")


def check_commitments(books: Books, moment: Moment, digests: Iterable[int]) -> Iterator[Finding]:
    """Find seed commitments that were used twice. If two short digests are equal, read all openings again."""
    if all(one != other for one, other in pairwise(sorted(digests))):
        return
    first: dict[str, str] = {}
    for stream in moment.names("table/"):
        for event in books.events(stream, end=moment.end(stream)):
            if event.kind == "open":
                yield from guarded(event, _commitment(first, event))


def _commitment(first: dict[str, str], event: Event) -> Iterator[Finding]:
    if isinstance(event.body, ev.RoundOpened) and (commitment := event.body.commitment) is not None:
        if commitment in first:
            yield Finding(event.where, "the commitment", f"the commitment of {first[commitment]}", "an unused one")
        first.setdefault(commitment, event.where)
