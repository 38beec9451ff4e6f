"""What may be read of the house: a table, a round as somebody sees it, a meter, the proof of a round, who is what."""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from highcardflush.errors import NotFound, NotPermitted
from highcardflush.game.actions import DealHand
from highcardflush.game.state import State
from highcardflush.game.view import HandView, View, Viewer, view
from highcardflush.house import codec, permissions
from highcardflush.house.books.reader import read_head
from highcardflush.house.cache import Cache
from highcardflush.house.commands import Role
from highcardflush.house.epoch import in_epoch
from highcardflush.house.meter.count import Reading, count
from highcardflush.house.meter.state import MeterState
from highcardflush.house.permissions import read_role
from highcardflush.house.store.protocol import Store, Transaction
from highcardflush.house.table.apply import OpenBody
from highcardflush.house.table.seats import assigned
from highcardflush.house.table.state import Configured, Table, configured
from highcardflush.notation.proof import format_proof
from highcardflush.words import say_rulebook


class Reader:
    """The books, opened for reading."""

    def __init__(self, store: Store, cache: Cache) -> None:
        self.store = store
        self._cache = cache

    def table(self, name: str) -> Table:
        """A table as the books have it now."""
        return self.store.snapshot(lambda tx: self._read_table(tx, name))

    def _read_table(self, tx: Transaction, name: str) -> Table:
        table = self._cache.tables.get(name)
        # The cache may be behind the books, or ahead of them by what is being committed: that is not told yet.
        if table is None or read_head(tx, table.stream) != table.head:
            table = self._cache.read_table(tx, name)
        if table is None:
            raise NotFound("table", read=name, expected="a table that was created")
        return in_epoch(tx, table)

    def watched_s(self, table: Table) -> float:
        """For how long this process has known what the players of a table are asked: their time by its own clock."""
        return self._cache.watched_s(table)

    def view(self, name: str, actor: str) -> View | None:
        """The live round as this person may see it; None between rounds."""
        table = self.table(name)
        if table.round is None:
            return None
        round_ = table.round
        viewer: Viewer = next((number for number, player in round_.seats.items() if player == actor), "spectator")
        seen = replace(view(round_.rulebook, round_.state, viewer), rulebook=say_rulebook(round_.rulebook))
        return _keyed_in(seen, round_.state) if table.config.physical and self._keys_in(actor, table) else seen

    def _keys_in(self, actor: str, table: Table) -> bool:
        """Whether somebody keys in hands, and so must see what was keyed in."""
        try:
            role = self.role(actor)
        except NotPermitted:
            return False
        return DealHand in permissions.MAY[role] and (role != "dealer" or assigned(table, actor))

    def meter(self, name: str) -> tuple[MeterState, Reading]:
        """A meter and what it holds now."""

        def read(tx: Transaction) -> tuple[MeterState, Reading]:
            state = self._cache.newest_meter(tx, name, writes=False)
            return state, count(tx, state)

        return self.store.snapshot(read)

    def proof(self, name: str, number: int) -> str:
        """The published record of a round that is over, with all that is needed to verify it."""
        return self.store.snapshot(lambda tx: self._proof(tx, name, number))

    def _proof(self, tx: Transaction, name: str, number: int) -> str:
        stream = f"table/{name}"
        opens = "SELECT seq, body FROM events WHERE stream = ? AND kind = 'open' ORDER BY seq LIMIT 1 OFFSET ?"
        opened = tx.read(opens, stream, number - 1) if 0 < number < 2**63 else []
        ends = (
            "SELECT body FROM events WHERE stream = ? AND seq > ? AND kind IN ('settle', 'void') ORDER BY seq LIMIT 1"
        )
        ended = tx.read(ends, stream, opened[0][0]) if opened else []
        if not ended:
            raise NotFound(f"round of table {name}", read=str(number), expected="a round that is over")
        begun, over = codec.decode(opened[0][1], OpenBody), codec.decode(ended[0][0], _Ended)
        body = tx.read("SELECT body FROM events WHERE stream = ? AND seq = ?", stream, begun.config)[0][0]
        return format_proof(
            name,
            number,
            over.record,
            commitment=begun.commitment,
            seed=over.seed,
            player_seeds=over.player_seeds,
            player_commitments=over.commitments,
            rulebook=configured(codec.decode(body, Configured).config.rulebook, begun.settings),
        )

    def role(self, actor: str) -> Role:
        """What somebody is here; refused if nobody, or disabled."""
        return self.store.snapshot(lambda tx: read_role(tx, actor))


class _Ended(Struct, frozen=True):
    record: str
    seed: str | None
    player_seeds: dict[int, str]
    commitments: dict[int, str]


def _keyed_in(seen: View, state: State) -> View:
    """The same, with every hand open."""
    hands = {seat.number: seat.hand for seat in state.seats}
    seats = [
        replace(seat, hand=HandView(len(hand), hand)) if (hand := hands[seat.number]) is not None else seat
        for seat in seen.seats
    ]
    dealer = HandView(len(state.dealer), state.dealer) if state.dealer is not None else None
    return replace(seen, seats=tuple(seats), dealer=dealer)
