"""A house in which everything has happened once: every kind of event, every way in which money moves.

It is small enough to audit in a moment, so tests can change one thing in it and see which checks notice.
"""

from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory

from highcardflush.fairness import player_commitment
from highcardflush.game.actions import ClearWagers, DrawDynamic, Fold, Lock, Raise, RollDice, TimeOut, Void, VoidHand
from highcardflush.house import commands as c
from highcardflush.house.files import write_whole
from highcardflush.house.office.epoch import begin_after_restore
from highcardflush.house.office.founding import change_key
from highcardflush.house.secret import Secret
from highcardflush.house.table.due import REVEAL_SECONDS
from support.data.tables import table as rulebook_of
from support.places.floor import DEALER_HAND, KEY, NOTHING, SEVEN, SUITED, Floor, digest, dollars

STRAIGHT_7 = SEVEN[1]
STRAIGHT_6 = "2c3c4c5c6c7c Kh"
OTHER_7 = "5s6s7s8s9sTsJs"
OTHER_6 = "3d4d5d6d7d8d As"
BOBS_SEED = bytes(range(16))
DYNAMIC = "galaxy-v7 | progressive PT-PRG-HCF-D03 |"


def everything(floor: Floor) -> Floor:
    """Fill an empty house. At the end a round is live, a win is pending and this floor lacks the house's new key."""
    for part in (
        people, shared_meter, levels, bonus, made_good, envy, dynamic, put_back, virtual, two_people, server_account,
        new_key,
    ):  # fmt: skip
        part(floor)
    return floor


def people(floor: Floor) -> None:
    floor.staff()
    floor.players("ann", "bob", "cyd", cents=10_000_00)
    floor.do("office", c.AddPerson("max", "dealer"), "admin")
    floor.do("office", c.ChangeRole("max", "supervisor", "promoted"), "admin")
    floor.do("office", c.Disable("max", "on leave"), "admin")
    floor.do("office", c.Enable("max", "back"), "admin")
    floor.do("office", c.Audited(heads=digest("heads"), findings=0), "amy")
    floor.do("office", c.Disable("amy", "gone"), "admin")
    floor.do("cage", c.CashOut("bob", 12_34), "cal")
    floor.refused("cage", c.CashOut("bob", 99_999_99), "cal")
    floor.refused("cage", c.BuyIn("bob", 100), "ann")


def play(
    floor: Floor,
    stream: str,
    bets: Mapping[int, Mapping[str, int]],
    hands: Mapping[int, str],
    decisions: Mapping[int, int | None] | None = None,
    *,
    settle: bool = True,
) -> None:
    """Play a round at a physical table: wagers, hands, and for each seat its Raise, or None for a fold."""
    floor.do(stream, c.OpenRound(), "dan")
    for seat, wagers in bets.items():
        floor.bet(stream, seat, "dan", **wagers)
    floor.deal_by_hand(stream, hands)
    for seat, raise_cents in (decisions or {}).items():
        floor.do(stream, Fold(seat) if raise_cents is None else Raise(seat, raise_cents), "dan")
    if settle:
        floor.do(stream, c.SettleRound(), "dan")


def shared_meter(floor: Floor) -> None:
    """Play at two physical tables on one meter with a reserve: a percentage, two winners, votes, a correction."""
    mega = floor.meter(seed_micros=dollars(10_000), limit_micros=dollars(10_000.50), second_above_micros=dollars(1000))
    row = "galaxy-v7 | progressive PT-BJS-HCF-SF-07, FLUSH, STRAIGHT | cap-player 900"
    one = floor.table("one", row, seats={1: "ann", 2: None, 5: "bob"})
    two = floor.table("two", row, seats={3: "cyd"})
    bets = {
        1: {"ante": 1000, "flush": 500, "progressive": 100},
        2: {"ante": 500, "straight-flush": 500, "progressive": 100},
        5: {"ante": 2500, "flush": 200, "straight-flush": 100, "progressive": 100},
    }
    play(floor, one, bets, {1: SUITED, 2: NOTHING, 5: STRAIGHT_6, 0: DEALER_HAND}, {1: 1000, 2: None, 5: 7500})
    floor.do(mega, c.ChangeMeter("rate_bp", 2000, "less"), "admin")
    floor.do(mega, c.ChangeMeter("limit_micros", 20_000_000000, "more room"), "admin")
    floor.open_round("two", 3, ante=500)
    floor.bet(two, 3, "dan", ante=700)
    floor.do(two, ClearWagers(3), "dan")
    floor.bet(two, 3, "dan", ante=500, progressive=100)
    floor.do(two, Lock(), "dan")
    play(floor, one, bets, {1: STRAIGHT_7, 2: OTHER_7, 5: NOTHING, 0: DEALER_HAND}, {1: 1000, 2: 500, 5: None})
    floor.do(two, Void("other", "a spilled drink"), "sue")
    floor.do(mega, c.Vote(2, True), "sue")
    floor.do(mega, c.Vote(2, False, "not seen"), "sam")
    floor.do(mega, c.Vote(2, True), "sid")
    floor.return_win(3)
    floor.do(mega, c.Propose("a miscount", -3_000000, 1_500000), "sue")
    floor.do(mega, c.Decide(1, True), "sam")
    floor.do(mega, c.Propose("another", 1_000000), "sue")
    floor.do(mega, c.Decide(2, False, "no"), "sid")
    floor.do(mega, c.PauseMeter("a new display"), "sue")
    floor.wait(60)
    play(floor, two, {3: {"ante": 500}}, {3: NOTHING, 0: DEALER_HAND}, {3: None})
    floor.wait(60)
    floor.do(mega, c.ResumeMeter("it hangs"), "sue")
    floor.do(mega, c.Checkpoint(), "sue")
    floor.do(mega, c.CheckMeter(), "sam")
    # Voiding a hand and returning its wagers reverses its contribution.
    play(floor, two, {3: {"ante": 500, "progressive": 100}}, {3: NOTHING, 0: SEVEN[3]}, settle=False)
    for seat in (0, 3):
        floor.do(two, c.TakeBack(seat, "misread"), "sid")
    floor.key_in(two, {3: SUITED, 0: DEALER_HAND})
    floor.do(two, c.Warn(3, "showed the cards"), "sue")
    floor.do(two, VoidHand(3, "return", "other", "showed the cards"), "sue")
    floor.do(two, c.SettleRound(), "dan")
    floor.do(two, c.ChangeTable(rulebook_of("galaxy-v7 | FLUSH |"), True, {}), "admin")
    play(floor, two, {3: {"ante": 500, "flush": 100}}, {3: SUITED, 0: DEALER_HAND}, {3: 500}, settle=False)
    floor.do(two, VoidHand(3, "forfeit", "other", "showed them again"), "sid")
    floor.do(two, c.SettleRound(), "sue")
    floor.do(two, c.Leave(3), "dan")


def levels(floor: Floor) -> None:
    """Win two levels, one after the other, while a change of policy is pending on one of them."""
    paytable, options = "galaxy-v7/PT-PRG-HCF-MLP-01", {"hits": "in-turn", "base_cents": 200}
    floor.meter(
        "high", paytable, **options, level="level-1", seed_micros=5_000_000000, rate_bp=700, reserve_rate_bp=300
    )
    floor.meter("low", paytable, **options, level="level-2", seed_micros=900_000000, rate_bp=900, reserve_rate_bp=600)
    floor.do("meter/low", c.ChangeMeter("hits", "each", "as in the other house"), "admin")
    floor.do("meter/low", c.ChangeMeter("reseed_micros", 800_000000, "smaller"), "admin")
    floor.do("meter/high", c.ChangeMeter("second_above_micros", 1_000_000000, "more care"), "admin")
    row = "galaxy-v7 | progressive PT-PRG-HCF-MLP-01 2 | play progressive-only"
    seats = {1: "ann", 2: None, 4: "cyd", 6: None}
    table = floor.table("levels", row, {"level-1": "high", "level-2": "low"}, seats=seats)
    bets = {seat: {"progressive": 200} for seat in (1, 2, 4, 6)}
    play(floor, table, bets, {1: STRAIGHT_6, 4: OTHER_6, 6: STRAIGHT_7})
    floor.do("meter/low", c.Vote(1, True), "sue")
    floor.do("meter/high", c.Vote(1, True), "sue")


def bonus(floor: Floor) -> None:
    """Play for a bonus jackpot. The display falls by what the house pays; a refused win and the operator restore it."""
    paytable = "washington/PT-BJS-HCF-SF-03"
    floor.meter("bonus", paytable=paytable, seed_micros=2_500_000000, rate_bp=0, reserve_rate_bp=0, bonus=True)
    row = "washington | progressive PT-BJS-HCF-SF-03 | jackpot bonus, seed 2500, dealing dice"
    table = floor.table("bonus", row, {"progressive": "bonus"}, seats={1: "ann"})
    for win in (1, 2):
        floor.lock("bonus", 1, ante=500)
        floor.do(table, RollDice((1, 2, 3), clockwise=win == 1), "dan")
        folds(floor, "bonus", STRAIGHT_7)
        if win == 1:
            floor.do("meter/bonus", c.Vote(win, True), "sue")
        else:
            floor.return_win(win, "bonus")
        floor.do("meter/bonus", c.SetDisplay(3_000_000000, "a new season"), "sue")
    floor.do("meter/bonus", c.Checkpoint(), "sue")


def folds(floor: Floor, table: str, cards: str) -> None:
    floor.key_in(f"table/{table}", {1: cards, 0: DEALER_HAND})
    floor.do(f"table/{table}", Fold(1), "dan")
    floor.settle(table)


def made_good(floor: Floor) -> None:
    """Void a round after another table has won its contribution, for which the house makes up."""
    options = {"seed_micros": 40_000000, "reseed_micros": 10_000, "rate_bp": 5000, "reserve_rate_bp": 0}
    floor.meter("thin", paytable="galaxy-v7/PT-BJS-HCF-SF-08b", **options)
    for name in ("left", "right"):
        floor.table(name, "galaxy-v7 | progressive PT-BJS-HCF-SF-08b |", {"progressive": "thin"}, seats={1: None})
        floor.lock(name, 1, ante=500)
    folds(floor, "right", STRAIGHT_7)
    floor.void("left")


def envy(floor: Floor) -> None:
    """Pay every winner the full amount, and Envy Pays to the players who won nothing."""
    options = {"seed_micros": 5_000_000000, "rate_bp": 2700, "reserve_rate_bp": 0, "hits": "each"}
    floor.meter("envy", paytable="galaxy-v7/PT-BJS-HCF-SF-E04", **options)
    row = "galaxy-v7 | progressive PT-BJS-HCF-SF-E04 |"
    table = floor.table("envy", row, {"progressive": "envy"}, seats=dict.fromkeys((1, 2, 3)))
    bets = {seat: {"ante": 500, "progressive": 100} for seat in (1, 2, 3)}
    hands = {1: STRAIGHT_6, 2: STRAIGHT_7, 3: "As9s5s 9h Jh 4d 8d", 0: DEALER_HAND}
    play(floor, table, bets, hands, {1: None, 2: 1500, 3: 500})
    floor.do("meter/envy", c.Vote(2, True), "sue")
    floor.return_win(1, "envy")


def dynamic(floor: Floor) -> None:
    floor.meter("dyn", paytable="galaxy-v7/PT-PRG-HCF-D03", seed_micros=2_000_000000, rate_bp=1000, reserve_rate_bp=0)
    table = floor.table("keyed", DYNAMIC, {"progressive": "dyn"}, seats={1: None})
    floor.lock("keyed", 1, ante=500)
    floor.do(table, DrawDynamic((("5-card", 150),)), "dan")
    folds(floor, "keyed", SUITED)


def put_back(floor: Floor) -> None:
    """Restore a backup, and void a round that was live in it."""
    table = floor.table("old", "galaxy-v7 | FLUSH |", seats={1: "cyd"})
    floor.do(table, c.OpenRound(), "dan")
    floor.bet(table, 1, "dan", ante=500)
    begin_after_restore(floor.url, "admin", "a drill", floor.clock)
    floor.do(table, Void("other", "put back"), "sue")


def new_key(floor: Floor) -> None:
    with TemporaryDirectory() as folder:
        path = Path(folder, "house.key")
        write_whole(path, Secret(KEY.hex().encode()), 0o600)
        change_key(floor.url, path, "admin", "once a year", clock=floor.clock)


def virtual(floor: Floor) -> None:
    """Play at a virtual table, with every kind of player seed, dice, a draw and a clock, up to an unfinished round."""
    seats = {1: "ann", 6: "bob"}
    row = "washington | flush PT-FLT-HCF-FB-01 | dealing dice, default-action basic-strategy"
    dice = floor.table("dice", row, physical=False, seats=seats)
    dynamic = floor.table("dynamic", DYNAMIC, {"progressive": "dyn"}, physical=False, seats=seats)
    for number in range(3):
        floor.do(dice, c.OpenRound(), "house")
        floor.do(dice, c.NameSeed(1, "00ff"), "ann")
        floor.bet(dice, 1, "ann", ante=1000, flush=500)
        floor.bet(dice, 6, "bob", ante=500)
        if number < 2:
            floor.do(dice, c.CommitSeed(6, player_commitment(BOBS_SEED)), "bob")
        if number == 1:
            floor.do(dice, c.Sit(3), "cyd")
            floor.do(dice, c.Leave(3), "cyd")
        floor.do(dice, Lock(), "house")
        if number == 0:
            floor.do(dice, c.RevealSeed(6, BOBS_SEED.hex()), "bob")
        if number == 1:
            floor.wait(REVEAL_SECONDS)
        floor.do(dice, c.Roll(clockwise=True), "house")
        floor.do(dice, c.DealCards(), "house")
        floor.do(dice, Fold(1), "ann")
        if number == 2:
            floor.do(dice, Void("other", "the lights went out"), "sid")
            continue
        floor.wait(60)
        floor.do(dice, TimeOut(6), "house")
        floor.do(dice, c.SettleRound(), "house")
    for number in range(2):
        floor.do(dynamic, c.OpenRound(), "house")
        for seat, player in seats.items():
            floor.bet(dynamic, seat, player, ante=1000, progressive=100)
        for command in (Lock(), c.Draw(), c.DealCards()):
            floor.do(dynamic, command, "house")
        floor.do(dynamic, Raise(1, 1000), "ann")
        if number == 0:
            floor.do(dynamic, Raise(6, 1000), "bob")
            floor.do(dynamic, c.SettleRound(), "house")


TOKENS = ("0123456789abcdef" * 2, "fedcba9876543210" * 2)


def two_people(floor: Floor) -> None:
    """Seat a player by a token and change dealers. The person who keyed in a large win may not settle it."""
    table = floor.table("guard", "galaxy-v7 | FLUSH |")
    for token in TOKENS:
        floor.do(table, c.Consent(digest(token)), "ann")
    floor.refused(table, c.Sit(1, "ann", TOKENS[0]), "dan")
    floor.do(table, c.Consent(digest(TOKENS[0])), "bob")
    floor.do(table, c.Consent(), "bob")
    floor.do(table, c.Consent(digest(TOKENS[0])), "cyd")
    floor.do(table, c.Sit(1, "ann", TOKENS[1]), "dan")
    floor.do(table, c.Unassign("dan"), "sue")
    floor.do(table, c.OpenRound(), "sid")
    floor.do(table, c.Assign("dan"), "sam")
    floor.bet(table, 1, "dan", ante=500, flush=100_00)
    floor.deal_by_hand(table, {1: STRAIGHT_7, 0: DEALER_HAND})
    floor.do(table, Raise(1, 500), "dan")
    floor.refused(table, c.SettleRound(), "dan")
    floor.do(table, c.SettleRound(), "sid")
    floor.do(table, c.Leave(1), "ann")


def server_account(floor: Floor) -> None:
    """Play for a guest by a server account that frees the seat. Add a shift, an alert and a change by two people."""
    floor.do("office", c.AddPerson("srv", "server"))
    floor.do("office", c.AddPerson("gus", "player", "guest"), "srv")
    floor.do("cage", c.BuyIn("gus", 100_00), "srv")
    table = floor.table("lobby", "galaxy-v7 | FLUSH |", physical=False)
    floor.do(table, c.Sit(1), "gus")
    floor.do(table, c.OpenRound(), "srv")
    floor.bet(table, 1, "gus", ante=500)
    floor.do(table, Lock(), "srv")
    floor.do(table, c.DealCards(), "srv")
    floor.do(table, c.Leave(1, after_hand=True), "gus")
    floor.wait(60)
    floor.do(table, TimeOut(1), "srv")
    floor.do(table, c.SettleRound(), "srv")
    floor.do(table, c.Skip(1), "gus")
    floor.do(table, c.Leave(1, code="away"), "srv")
    rules = rulebook_of(f"{DYNAMIC} seats 1")
    floor.do("table/alone", c.CreateTable(rules, meters={"progressive": "dyn"}, alone=True), "srv")
    floor.do(table, c.SwitchTable("paused", "a test"), "sue")
    floor.do(table, c.SwitchTable("open", "a test"))
    floor.do("office", c.StartShift(), "dan")
    floor.do("office", c.EndShift(), "dan")
    floor.do("office", c.StartShift(), "sue")
    floor.do("office", c.Acknowledge("meter/mega closed 12", "a test"), "sue")
    floor.do("office", c.SetFloor({"zone": "Europe/Vienna", "coach_except": ("lobby",)}, "a test"))
    floor.do("office", c.AddPerson("ada", "administrator"))
    floor.do("office", c.RequireApproval(True, "policy"))
    rules = rulebook_of("oxford | | ante-minimum 1, ante-maximum 100")
    change = floor.do("office", c.ProposeChange(table, c.ChangeTable(rules), "a test")).seq
    floor.do("office", c.DecideChange(change, approve=True), "ada")
    change = floor.do("office", c.ProposeChange("office", c.RequireApproval(False, "enough"), "a test"), "ada").seq
    floor.do("office", c.DecideChange(change, approve=False, reason="not yet"))
