"""What must agree across streams: balances and wallets, what tables moved into meters, links, commitments, keys."""

from __future__ import annotations

from array import array
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping

from msgspec import Struct, field

from highcardflush.house.audit import chain, epochs, hold, ledger, meters, wallets
from highcardflush.house.audit.books import Books
from highcardflush.house.audit.counting import Meter
from highcardflush.house.audit.heads import Heads
from highcardflush.house.audit.linked import Links
from highcardflush.house.audit.moment import Moment
from highcardflush.house.audit.part import Checked
from highcardflush.house.audit.streams import Part
from highcardflush.house.audit.sums import Flow
from highcardflush.house.audit.wallets import Before

Progress = Callable[[str, int, int], None]
"""Told what is read, how many of it were, and how many there are; at the end with `LAST`."""


class Totals(Struct):
    """All streams together."""

    balances: Counter[str] = field(default_factory=Counter)
    wallets: Counter[str] = field(default_factory=Counter)
    """How many events moved each since the audit began."""
    counter: dict[str, tuple[int, int]] = {}
    streams: dict[str, int] = {}
    """What each stream has moved to the house."""
    movers: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    """The streams that moved each account."""
    flows: dict[tuple[str, str], Flow] = {}
    """By meter and stream."""
    in_play: dict[str, int] = {}
    links: Links = {}
    commitments: array[int] = field(default_factory=lambda: array("Q"))
    strays: set[tuple[str, int, int]] = set()
    hold: dict[str, hold.Hold] = field(default_factory=hold.empty)


def total(since: Heads | None, parts: Mapping[str, Part]) -> Totals:
    found = Totals(Counter(since.accounts) if since else Counter())
    for stream, part in parts.items():
        for account, micros in part.sums.balances.items():
            found.balances[account] += micros
            found.movers[account].add(stream)
        found.wallets.update(part.sums.wallets)
        found.counter |= part.sums.counter
        found.streams[stream] = part.house_micros
        found.flows |= {(meter, stream): flow for meter, flow in part.sums.flows.items()}
        found.in_play |= part.in_play
        for meter, links in part.links.items():
            found.links.setdefault(meter, {}).update(links)
        found.commitments += part.commitments
        found.strays.update(part.strays)
        hold.join(found.hold, part.hold)
    return found


def check(
    books: Books, moment: Moment, since: Heads | None, found: Totals, counted: Mapping[str, Meter],
    done: Mapping[str, Checked], progress: Progress,
) -> None:  # fmt: skip
    done["chain"].take(chain.check_rows(moment, found.strays))
    if since is None:
        done["chain"].take(chain.check_keys(books, lambda read: progress("keys", read, max(read, moment.events))))
    money, before = done["ledger"], _before(since)
    money.covered.update({"accounts": len(found.balances), "wallets": len(moment.wallets)})
    money.take(ledger.check_accounts(found.balances, found.in_play))
    money.take(ledger.check_streams(moment.streams, found.streams, found.balances))
    money.take(wallets.check(books, moment, before, found.balances, found.wallets, found.counter, progress))
    done["meters"].covered["meters"] += len(counted)
    for meter in counted.values():
        done["meters"].take(meters.end(meter, found.balances, found.movers, found.links))
    done["meters"].take(meters.check_flows(moment, found.flows))
    done["epochs"].take(epochs.check_commitments(books, moment, found.commitments))
    done["hold"].take(hold.notes(found.hold))


def _before(since: Heads | None) -> Before:
    if since is None:
        return Before()
    return Before(since.wallets, {head.stream: head.seq for head in since.streams})
