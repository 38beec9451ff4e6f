"""The handlers for a round until it ends. They check the actor, let the engine take the step, and append the event.

Players contribute to the randomness of a round. A player either names a seed openly, or commits to a seed before the
lock and reveals it afterwards. A seed that is not revealed in time is left out, as the round's record shows.
"""

import secrets
from importlib.metadata import version
from typing import Any

from msgspec.structs import replace

from highcardflush.cards import HAND_SIZE
from highcardflush.errors import BetClosed, NotPermitted, RulebookError, TooMuch
from highcardflush.fairness import commitment, draw_dynamic, player_commitment, roll_dice
from highcardflush.game import actions as a
from highcardflush.game import events as e
from highcardflush.house import commands as c
from highcardflush.house import events as ev
from highcardflush.house.books.event import WALLET, Transfer
from highcardflush.house.books.postings import post, post_wagers
from highcardflush.house.books.reader import read_wallet
from highcardflush.house.cage import require_room
from highcardflush.house.events import ShownMeter
from highcardflush.house.meter import linked
from highcardflush.house.store.protocol import FORMAT
from highcardflush.house.table.apply import begin
from highcardflush.house.table.context import Context, Handled, record
from highcardflush.house.table.due import REVEAL_SECONDS, seconds_left
from highcardflush.house.table.seats import require_active_player, require_own_seat, require_state
from highcardflush.house.table.state import Round, Table, act, after_opening, after_play, configured, remember
from highcardflush.money import MOST_CENTS, MOST_WALLET_MICROS, say_cents
from highcardflush.rulebook.wagers import PROGRESSIVE
from highcardflush.words import refuse, say_wager

ENGINE = version("highcardflush")
SEEDS_PER_SEAT = 3
"""Maximum number of seeds given at one seat in a round. If a player leaves, the next may give another seed."""


def open_round(ctx: Context, table: Table, command: c.OpenRound) -> Handled:
    if table.round is not None:
        raise refuse("round-open", table=table.name)
    require_state(table, "open")
    if table.leaving:
        raise refuse("seat-leaving", seat=min(table.leaving))
    seed = None if table.config.physical else secrets.token_bytes(32)
    body, round_ = _begin(table, seed, *_meters_shown(ctx, table))
    if body.closed is not None and round_.rulebook.progressive_only:
        wager = say_wager(round_.rulebook, PROGRESSIVE)
        raise refuse("only-bet-closed", BetClosed, wager=wager, why=body.closed)
    secret = ev.SealedSeed(seed.hex()) if seed else None
    event = ctx.writer.append(table.head, table.stream, body, number=body.round, secret=secret)
    return after_opening(table, event, round_), event


def _begin(
    table: Table, seed: bytes | None, displays: dict[str, ShownMeter], settings: dict[str, str], closed: str | None
) -> tuple[ev.RoundOpened, Round]:
    """Open a round. If the parameters of its meters cannot be combined, the round accepts no progressive bets."""
    lifted = {"mandatory": "none"} if table.config.rulebook.settings.mandatory == "progressive" else {}
    while True:
        round_settings = {**settings, **lifted} if closed is not None else settings
        try:
            rulebook = configured(table.config.rulebook, round_settings)
            body = ev.RoundOpened(
                round=table.rounds + 1,
                engine=ENGINE,
                format=FORMAT,
                config=table.config_seq,
                commitment=commitment(seed) if seed else None,
                rulebook=ev.RulebookId(rulebook.name, rulebook.version, rulebook.sha256, rulebook.table_hash),
                settings=round_settings,
                meters=displays,
                closed=closed,
                seats=table.seats,
                warned=tuple(sorted(table.warned)),
                dealers=tuple(sorted(table.dealers)),
                consents=table.consents,
            )
            return body, begin(table.config, body, seed)
        except RulebookError as error:
            if not settings:
                raise
            settings, closed = {}, f"its meters cannot be combined: {error}"


def _meters_shown(ctx: Context, table: Table) -> tuple[dict[str, ShownMeter], dict[str, str], str | None]:
    """Return the meters' displays, the settings that they override, and, if a meter is closed, the reason."""
    config, displays, settings, closed = table.config, {}, {}, None
    names = {str(level): name for level, name in config.meters.items()}
    for level, plan in sorted(config.rulebook.plans.items(), key=lambda pair: names[pair[0]]):
        meter = ctx.known_meter(names[level])
        ctx.writer.guard_head(meter.stream, meter.head)
        reading = ctx.cache.show_meter(ctx.writer.tx, meter)  # The display may be slightly out of date.
        display = reading.display
        displays[level] = ShownMeter(meter.name, meter.head.seq, display.amount_micros, display.reserve_micros)
        settings.update(linked.settings(meter, plan))
        closed = closed or linked.why_closed(meter) or linked.why_unfit(meter, reading)
    return displays, settings, closed


def place_wagers(ctx: Context, table: Table, command: a.PlaceWagers | a.ClearWagers) -> Handled:
    round_, seat = table.require_playable_round(), command.seat
    require_own_seat(ctx, table, seat)
    before = next((s.wagers for s in round_.state.seats if s.number == seat), None)
    wagers = command.wagers if isinstance(command, a.PlaceWagers) else None
    if wagers is not None:
        require_state(table, "open")
    # A mandatory progressive's meters are not checked: the round was opened with them, and everyone must bet on them.
    required = round_.rulebook.settings.mandatory == "progressive"
    progressive_before, progressive = ((bets or {}).get(PROGRESSIVE, 0) for bets in (before, wagers))
    is_new = bool(progressive and not required and not progressive_before)
    more = {"meters": _require_open(ctx, table, round_)} if is_new else {}
    next_round, engine_events = act(round_, command)
    accounts = table.accounts()
    if wagers is not None:
        if (player := table.seats[seat]) not in (None, ctx.writer.actor):
            require_active_player(ctx, player)
        account = accounts.seat(seat)  # A wallet must have room for winnings, so a full wallet cannot bet.
        if not ctx.trusting:
            require_room(ctx.writer, account, 0)
        elif account.startswith(WALLET):
            ctx.writer.guard_room(account.removeprefix(WALLET), MOST_WALLET_MICROS)
        # The books must be able to hold the round's highest possible payout, because no settlement is ever refused.
        most = round_.rulebook.most_for_1
        cents = sum(most[wager] * cents for s in next_round.state.seats for wager, cents in s.wagers.items())
        if cents > MOST_CENTS:
            raise refuse("round-too-large", TooMuch, amount=say_cents(cents), most=say_cents(MOST_CENTS))
    # `Writer.finish` checks that the wallet's balance covers these transfers.
    transfers = post_wagers(accounts, seat, before, wagers)
    return _append(ctx, table, next_round, command, engine_events, transfers, **more)


def _require_open(ctx: Context, table: Table, round_: Round) -> dict[str, int]:
    """Refuse a new wager on a closed meter. Return the number of each meter's newest event."""
    heads = {}
    for name in sorted(set(table.config.meters.values())):
        meter = ctx.known_meter(name)
        ctx.writer.guard_head(f"meter/{name}", meter.head)
        why = f"{round_.closed}; this holds for the whole round" if round_.closed else linked.why_closed(meter)
        if why is not None:
            wager = say_wager(round_.rulebook, PROGRESSIVE)
            raise refuse("bet-closed", BetClosed, wager=wager, why=why)
        heads[name] = meter.head.seq
    return heads


def give_seed(ctx: Context, table: Table, command: c.NameSeed | c.CommitSeed) -> Handled:
    round_, seat = table.require_playable_round(), command.seat
    require_own_seat(ctx, table, seat)
    if round_.state.phase != "betting" or round_.seed is None:
        raise refuse("seed-too-late")
    if seat in round_.player_seeds or seat in round_.commitments:
        raise refuse("second-seed", seat=seat)
    if round_.seeds_given.get(seat, 0) >= SEEDS_PER_SEAT:
        raise refuse("too-many-seeds", seat=seat, most=SEEDS_PER_SEAT)
    if isinstance(command, c.NameSeed):
        return record(ctx, table, ev.SeedNamed(seat, command.seed))
    return record(ctx, table, ev.SeedCommitted(seat, command.commitment))


def reveal_seed(ctx: Context, table: Table, command: c.RevealSeed) -> Handled:
    round_, seat = table.require_playable_round(), command.seat
    require_own_seat(ctx, table, seat)
    if seat not in round_.awaited:
        if seat not in round_.commitments:
            raise refuse("seed-not-committed", seat=seat)
        if seat in round_.player_seeds:
            raise refuse("seed-revealed", seat=seat)
        if seat not in round_.commitments_in_play:
            raise refuse("seed-without-wager", seat=seat)
        raise refuse("seed-before-lock") if round_.state.phase == "betting" else refuse("seed-missed", seat=seat)
    sha256 = player_commitment(bytes.fromhex(command.seed))
    if sha256 != round_.commitments[seat]:
        raise refuse("seed-differs", seat=seat, sha256=sha256, committed=round_.commitments[seat])
    return record(ctx, table, ev.SeedRevealed(seat, command.seed))


def require_seeds(ctx: Context, round_: Round) -> None:
    """Refuse to draw anything while a player can still change the outcome."""
    if round_.state.phase == "betting":
        raise refuse("wagers-open")
    if round_.awaited and ctx.elapsed_s < REVEAL_SECONDS:
        seats = ", ".join(f"seat {seat}" for seat in round_.awaited)
        raise refuse("seeds-awaited", seats=seats, seconds=REVEAL_SECONDS)


def lock(ctx: Context, table: Table, command: a.Lock) -> Handled:
    round_ = table.require_playable_round()
    return _act(ctx, table, command, player_seeds=round_.seeds_in_play, commitments=round_.commitments_in_play)


def roll(ctx: Context, table: Table, command: c.Roll) -> Handled:
    round_ = table.require_playable_round()
    require_seeds(ctx, round_)
    return _act(ctx, table, a.RollDice(roll_dice(*round_.chance()), command.clockwise))


def draw(ctx: Context, table: Table, command: c.Draw) -> Handled:
    round_ = table.require_playable_round()
    require_seeds(ctx, round_)
    paytable = round_.rulebook.paytable("progressive")
    if paytable is None or not paytable.dynamic_lines:
        raise refuse("no-dynamic")
    seed, player_seeds = round_.chance()
    return _act(ctx, table, a.DrawDynamic(draw_dynamic(seed, paytable, player_seeds)))


def key_in(ctx: Context, table: Table, command: a.RollDice | a.DrawDynamic | a.DealHand) -> Handled:
    if not table.config.physical:
        raise refuse("no-physical-chance", NotPermitted)
    if isinstance(command, a.DealHand) and len(command.hand) != HAND_SIZE:
        raise refuse("hand-size", size=HAND_SIZE, cards=len(command.hand))
    return _act(ctx, table, command)


def take_back(ctx: Context, table: Table, command: c.TakeBack) -> Handled:
    round_ = table.require_playable_round()
    if not round_.keyed:
        raise refuse("no-hand-to-take-back")
    if (last := round_.keyed[-1].seat) != command.seat:
        raise refuse("not-last-hand", hand=f"the hand of seat {last}" if last else "the dealer's hand")
    return record(ctx, table, ev.HandTakenBack(command.seat, command.reason))


def deal(ctx: Context, table: Table, command: c.DealCards) -> Handled:
    round_ = table.require_playable_round()
    require_seeds(ctx, round_)
    next_round, engine_events = act(round_, a.Deal(round_.deck()))
    event = ctx.writer.append(table.head, table.stream, ev.CardsDealt(ev.HiddenDeal()))
    return after_play(table, event, next_round, engine_events), event


def decide(ctx: Context, table: Table, command: a.Fold | a.Raise) -> Handled:
    require_own_seat(ctx, table, command.seat)
    return _act(ctx, table, command)


def time_out(ctx: Context, table: Table, command: a.TimeOut) -> Handled:
    round_ = table.require_playable_round()
    action = a.TimeOut(command.seat)
    next_round, engine_events = act(round_, action)
    if left_s := seconds_left(round_, ctx.elapsed_s):
        raise refuse("clock-running", seat=command.seat, seconds=left_s)
    transfers = post(table.accounts(), engine_events)
    # If the absent player's wallet cannot pay for the Raise, the hand folds.
    raised = [(move.source.removeprefix(WALLET), move.micros) for move in transfers if move.source.startswith(WALLET)]
    if any((read_wallet(ctx.writer.tx, player) or 0) < micros for player, micros in raised):
        return _act(ctx, table, a.TimeOut(command.seat, fold=True))
    return _append(ctx, table, next_round, action, engine_events, transfers)


def void_hand(ctx: Context, table: Table, command: a.VoidHand) -> Handled:
    action = replace(command, by=ctx.writer.actor)
    next_round, engine_events = act(table.require_playable_round(), action)
    if next_round.rulebook.reasons[action.reason].after_warning and action.seat not in table.warned:
        raise refuse("needs-warning", seat=action.seat, reason=action.reason)
    return _append(ctx, table, next_round, action, engine_events)


def _act(ctx: Context, table: Table, action: a.Action, **more: Any) -> Handled:
    next_round, engine_events = act(table.require_playable_round(), action)
    return _append(ctx, table, next_round, action, engine_events, post(table.accounts(), engine_events), **more)


def _append(
    ctx: Context, table: Table, next_round: Round, action: Any, engine_events: tuple[e.Event, ...],
    transfers: tuple[Transfer, ...] = (), **more: Any,
) -> Handled:  # fmt: skip
    kind: Any = ev.OF_ACTION[type(action)]
    secret = ev.SealedStep(action, engine_events) if kind.event_kind.sealed is not None else None
    body = kind(seat=action.seat) if secret is not None else kind(action=action, told=engine_events, **more)
    event = ctx.writer.append(table.head, table.stream, body, secret=secret, transfers=transfers)
    if secret is not None:
        next_round = remember(next_round, event.seq, action, engine_events)
    return after_play(table, event, next_round, engine_events), event
