"""A house for random tests, and random commands for it: most of them fit its present state, some do not."""

from collections.abc import Callable
from random import Random

from highcardflush.cards import DECK_SIZE, HAND_SIZE, Hand
from highcardflush.fairness import player_commitment
from highcardflush.game import actions as a
from highcardflush.game import legal_actions
from highcardflush.game.legal import ClearOption, WagerOption
from highcardflush.game.state import State
from highcardflush.house import House
from highcardflush.house import commands as c
from highcardflush.house.bots import in_play
from highcardflush.house.office import changes
from highcardflush.house.table.due import REVEAL_SECONDS, command_due
from highcardflush.house.table.state import Round, Table
from support.places.floor import AT_ONCE, JACKPOT, STAFF, Floor, digest, dollars
from support.walkers.rounds import decision, some_wagers

CommandBy = tuple[c.Command | a.Action, str]
"""A command and its actor."""
Wait = Callable[[float], object]
"""A function that lets this many seconds pass, if the test can."""

PLAYERS = ("ann", "bob", "cyd", "eve")
SERVER, GUEST = "srv", "gus"
SUPERVISORS = tuple(name for name, role in STAFF.items() if role == "supervisor")
METERS = ("mega", "fast", "grand", "mini")
TABLES = ("virtual", "dynamic", "felt", "levels", "plain", "jackpot")
STRAIGHTS = ("2h3h4h5h6h7h8h", "5s6s7s8s9sTsJs", "2c3c4c5c6c7c Kh", "4c5c6c7c8c Kh Ad", "AsKsQs 2h 4h 6c 8c")
KEPT = {player_commitment(bytes([n]) * 16): (bytes([n]) * 16).hex() for n in range(2)}
"""Seeds of which only the hash is public at first."""


def set_up(floor: Floor) -> None:
    floor.staff()
    floor.players(*PLAYERS, cents=2_000_00)
    floor.do("office", c.AddPerson("ada", "administrator"))
    floor.do("office", c.AddPerson(SERVER, "server"))
    floor.do("office", c.AddPerson(GUEST, "player", "guest"), SERVER)
    floor.do("cage", c.BuyIn(GUEST, 2_000_00), SERVER)
    floor.meter(seed_micros=dollars(10_000), limit_micros=dollars(10_000.50), second_above_micros=dollars(10_000))
    floor.meter("fast", "galaxy-v7/PT-PRG-HCF-D01a", seed_micros=dollars(50), hits="in-turn")
    levels: dict[c.Level, str] = {"level-1": "grand", "level-2": "mini"}
    for level, name in levels.items():
        options = {"seed_micros": dollars(100), "reserve_rate_bp": 0, "limit_micros": dollars(101)}
        floor.meter(name, "galaxy-v7/PT-PRG-HCF-MLP-01", level=level, **options)
    mega = "galaxy-v7 | progressive PT-BJS-HCF-SF-07, FLUSH |"
    floor.table("virtual", mega, physical=False)
    floor.table("felt", mega, second_above_micros=dollars(500))
    floor.table("jackpot", JACKPOT)
    floor.table("dynamic", "galaxy-v7 | progressive PT-PRG-HCF-D01a |", {"progressive": "fast"}, physical=False)
    floor.table("levels", "galaxy-v7 | progressive PT-PRG-HCF-MLP-01 |", levels)
    floor.table("plain", "atlantic-city | |", physical=False)


def some_command(house: House, rng: Random, wait: Wait) -> tuple[str, c.Command | a.Action, str]:
    """Return a stream, a command that somebody might send there now, and the actor."""
    kind = rng.random()
    if kind < 0.07:
        amount = rng.choice((100, 50_00, 500_00))
        money = (c.BuyIn, c.CashOut)[rng.randrange(2)](rng.choice(PLAYERS), amount)
        return ("cage", money, "cal") if rng.random() < 0.9 else ("cage", c.BuyIn(GUEST, amount), SERVER)
    if kind < 0.1:
        return "office", *office_command(house, rng)
    if kind < 0.18:
        meter = rng.choice(METERS)
        command = meter_command(house, meter, rng)
        voter = rng.choice((*SUPERVISORS * 3, SERVER)) if isinstance(command, c.Vote) else rng.choice(SUPERVISORS)
        return f"meter/{meter}", command, "admin" if isinstance(command, c.ChangeMeter) else voter
    table = house.table(rng.choice(TABLES))
    request, actor = table_command(table, rng, wait)
    if rng.random() < 0.05:
        actor = rng.choice((*PLAYERS, *STAFF, "admin"))
    return table.stream, request, actor


def office_command(house: House, rng: Random) -> CommandBy:
    new = f"guest-{rng.randrange(1000)}"
    proposals: list[tuple[str, c.AnyChange]] = [
        ("office", c.AddPerson(new, "player")),
        ("meter/mega", c.ChangeMeter("reseed_micros", dollars(rng.randrange(1, 100)), "a test")),
        ("table/plain", c.ChangeTable(house.table("plain").config.rulebook)),
    ]
    administrators = ("admin", "ada")
    commands: list[CommandBy] = [
        (c.AddPerson(new, "player", "guest"), SERVER),
        (c.StartShift(), rng.choice(tuple(STAFF))),
        (c.EndShift(), rng.choice(tuple(STAFF))),
        (c.Acknowledge(f"alert {rng.randrange(100)}", "a test"), rng.choice(SUPERVISORS)),
        (c.ProposeChange(*rng.choice(proposals), "a test"), rng.choice(administrators)),
    ]
    for waits in house.store.snapshot(changes.waiting)[:3]:
        commands.append((c.DecideChange(waits.change, rng.random() < 0.8, "a test"), rng.choice(administrators)))
    return rng.choice(commands)


def meter_command(house: House, name: str, rng: Random) -> c.Command:
    state, reading = house.meter(name)
    waiting = [number for number, case in state.cases.items() if case.outcome == "waiting"]
    proposal_numbers = [number for number, correction in state.corrections.items() if correction.outcome == "waiting"]
    choices: list[c.Command] = [
        c.PauseMeter("a test"),
        c.ResumeMeter("a test"),
        c.ResumeMeter("a test"),
        c.CheckMeter(),
        c.Checkpoint(),
        c.ChangeMeter("limit_micros", reading.display.amount_micros + rng.randrange(1_000000), "a test"),
        c.ChangeMeter("limit_micros", None, "a test"),
        c.ChangeMeter("hits", rng.choice(("share", "each", "in-turn")), "a test"),
        c.ChangeMeter("rate_bp", rng.randrange(100, 2500), "a test"),
        c.ChangeMeter("reserve_rate_bp", rng.choice((0, 500)), "a test"),
        c.ChangeMeter("reseed_micros", dollars(rng.randrange(1, 100)), "a test"),
        c.ChangeMeter("server_approves", rng.random() < 0.5, "a test"),
        c.Propose("a test", rng.choice((-1, 1)) * rng.randrange(1, 3_000000), rng.randrange(-500, 500)),
    ]
    choices += [c.Vote(number, rng.random() < 0.7, "a test") for number in waiting] * 3
    choices += [c.Decide(number, rng.random() < 0.7, "a test") for number in proposal_numbers] * 2
    return rng.choice(choices)


def table_command(table: Table, rng: Random, wait: Wait) -> CommandBy:
    round_, dealer = table.round, "dan"
    if rng.random() < (0.5 if round_ and (round_.lost or round_.stale) else 0.025):
        return a.Void("other", "a test"), rng.choice(SUPERVISORS)
    if len(table.seats) < 2 or rng.random() < 0.03:
        return seating(table, rng)
    if dealer not in table.dealers or rng.random() < 0.02:
        return rng.choice((c.Assign(dealer), c.Unassign(dealer))), "sid"
    if rng.random() < 0.02:
        return c.Warn(rng.randint(1, 6), "a test"), "sue"
    if round_ is not None and round_.state.seats and rng.random() < 0.03:
        seat = rng.choice(round_.state.seats).number
        return c.Leave(seat, after_hand=True), owner(table, seat, rng)
    if table.leaving - in_play(table):
        return c.Leave(min(table.leaving - in_play(table))), runner(table, rng)
    if round_ is None and rng.random() < 0.1:
        seat = rng.choice(list(table.seats))
        return c.Skip(seat), owner(table, seat, rng)
    if round_ is None and rng.random() < 0.2:
        seat = rng.choice(list(table.seats))
        return c.Leave(seat), owner(table, seat, rng) if rng.random() < 0.8 else SERVER
    return round_command(table, round_, rng, wait) if round_ else (c.OpenRound(), runner(table, rng))


def seating(table: Table, rng: Random) -> CommandBy:
    """Seat a player in person, or at a physical table with chips or a token, perhaps used or somebody else's."""
    player, seat = rng.choice(PLAYERS), rng.randint(1, 6)
    token = player.encode().hex().zfill(32)
    if not table.config.physical:
        return c.Sit(seat), player if rng.random() < 0.9 else GUEST
    return rng.choice(
        (
            (c.Sit(seat), "dan"),
            (c.Sit(seat), player),
            (c.Consent(digest(token)), player),
            (c.Consent(), player),
            (c.Sit(seat, player, token), "dan"),
            (c.Sit(seat, next(iter(table.consents), player), token), "dan"),
        )
    )


def round_command(table: Table, round_: Round, rng: Random, wait: Wait) -> CommandBy:
    state, dealer = round_.state, runner(table, rng)
    if round_.keyed and rng.random() < 0.1:
        return c.TakeBack(rng.choice(round_.keyed).seat, "misread"), "sue"
    if state.phase == "betting" and rng.random() < 0.75:
        seat = rng.choice(list(table.seats))
        commitment = c.CommitSeed(seat, rng.choice(list(KEPT)))
        seeds = (c.NameSeed(seat, rng.randbytes(3).hex()), commitment, commitment)
        wagers = a.PlaceWagers(seat, some_wagers(round_.rulebook, state, seat, rng))
        command = rng.choice((*[wagers] * 8, a.ClearWagers(seat), rng.choice(seeds)))
        return command, owner(table, seat, rng)
    if state.phase not in ("betting", "locked") and rng.random() < 0.05 and state.seats:
        seat = rng.choice(state.seats).number
        return a.VoidHand(seat, rng.choice(("return", "forfeit")), "other", "a test"), "sue"
    if state.phase in ("dealt", "acting") and state.undecided:
        seat = rng.choice(state.undecided)
        options = [
            option
            for option in legal_actions(round_.rulebook, state, seat)
            if not isinstance(option, (WagerOption, ClearOption))
        ]
        if options and rng.random() < 0.9:
            return decision(seat, rng.choice(options), rng), owner(table, seat, rng)
        wait(40)
        return a.TimeOut(seat), dealer
    if round_.awaited and rng.random() < 0.8:
        seat = rng.choice(round_.awaited)
        return c.RevealSeed(seat, KEPT[rng.choice((round_.commitments[seat], *KEPT))]), owner(table, seat, rng)
    if round_.awaited:
        wait(rng.choice((0, REVEAL_SECONDS)))
        return c.DealCards(), dealer
    missing = [seat.number for seat in state.seats if seat.hand is None]
    missing += [0] * (state.dealer is None and not round_.rulebook.progressive_only)
    if table.config.physical and state.phase != "betting" and missing:
        return keyed_in(rng.choice(missing), state, rng), dealer
    return command_due(table, 0, AT_ONCE) or c.SettleRound(), rng.choice((dealer, "sam"))


def runner(table: Table, rng: Random) -> str:
    """Return the person who runs the clocks: the dealer, or the `server` account at a virtual table."""
    return SERVER if not table.config.physical and rng.random() < 0.3 else "dan"


def keyed_in(seat: int, state: State, rng: Random) -> a.Action:
    """Return a hand from the remaining cards, often a winning one."""
    used_cards = [card for hand in state.hands.values() for card in hand]
    deck_left = [card for card in range(DECK_SIZE) if card not in used_cards]
    straight = Hand.parse(rng.choice(STRAIGHTS))
    wins = seat and rng.random() < 0.4 and all(card in deck_left for card in straight)
    return a.DealHand(seat, straight if wins else Hand.of(rng.sample(deck_left, HAND_SIZE)))


def owner(table: Table, seat: int, rng: Random) -> str:
    """Return the player in a seat, or the dealer at a physical table."""
    by_dealer = table.config.physical and rng.random() < 0.5
    return "dan" if by_dealer else table.seats[seat] or "dan"
