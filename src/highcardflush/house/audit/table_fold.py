"""The state of a table as far as its stream has been read, which the followers of a table share."""

from __future__ import annotations

from msgspec import Struct

from highcardflush.house import events as ev
from highcardflush.house.audit.books import Event, body_of


class TableFold(Struct):
    """A table after some of its events. `take` adds an event."""

    config: ev.Config | None = None
    config_seq: int = 0
    seats: dict[int, str | None] = {}
    dealers: set[str] = set()
    consents: dict[str, str] = {}
    """The hash of each player's unused consent to be seated."""
    state: str = "open"
    warned: frozenset[int] = frozenset()
    """Seats whose players were warned since they sat down."""
    rounds: int = 0
    round: list[Event] = []
    """The events of the live round, from its `open` on."""
    owners: dict[int, str | None] = {}
    """The players of the live round: those of its `open`, and those who sat down before the lock."""
    locked: bool = False
    staked: set[int] = set()
    """Seats with wagers in the live round."""

    @property
    def opening(self) -> Event | None:
        return self.round[0] if self.round else None

    @property
    def physical(self) -> bool:
        return self.config is not None and self.config.physical

    def begin(self, opening: Event | None, config: Event | None) -> None:
        """Take over what a table was before an `open`, from that event and the table's configuration."""
        body = body_of(opening, ev.RoundOpened)
        if config is None or not isinstance(config.body, ev.TableCreated | ev.TableChanged):
            raise LookupError(f"no configuration {body.config}")
        self.config, self.config_seq = config.body.config, config.seq
        self.seats, self.dealers, self.consents = dict(body.seats), set(body.dealers), dict(body.consents)
        self.warned, self.rounds = frozenset(body.warned), body.round - 1

    def take(self, event: Event) -> None:
        match event.body:
            case ev.TableCreated() as body:
                self.config, self.config_seq, self.dealers = body.config, event.seq, set(body.dealers)
            case ev.TableChanged() as body:
                self.config, self.config_seq = body.config, event.seq
            case ev.DealerAssigned() as body:
                self.dealers.add(body.dealer)
            case ev.DealerUnassigned() as body:
                self.dealers.discard(body.dealer)
            case ev.ConsentGiven() as body:
                self.consents.pop(body.player, None)
                if body.token_sha256 is not None:
                    self.consents[body.player] = body.token_sha256
            case ev.SeatTaken() as body:
                self.seats[body.seat] = body.player
                self.warned -= {body.seat}
                if body.player is not None:
                    self.consents.pop(body.player, None)
                if not self.locked:
                    self.owners[body.seat] = body.player
            case ev.SeatLeft() as body:
                self.seats.pop(body.seat, None)
                self.warned -= {body.seat}
            case ev.TableSwitched() as body:
                self.state = body.state
            case ev.PlayerWarned() as body:
                self.warned |= {body.seat}
            case ev.RoundOpened() as body:
                self.rounds, self.owners, self.locked = self.rounds + 1, dict(body.seats), False
                self.round, self.staked = [event], set()
                return
            case ev.WagersPlaced() as body:
                self.staked.add(body.action.seat)
            case ev.WagersCleared() as body:
                self.staked.discard(body.action.seat)
            case ev.WagersLocked():
                self.locked = True
            case ev.RoundSettled() | ev.RoundVoided():
                self.round, self.staked = [], set()
                return
        if self.round:
            self.round.append(event)
