"""Permissions at a table: consent of the owner, assigned dealers, two people for a great win, genuine rules."""

from collections.abc import Iterator
from contextlib import closing

import pytest
from msgspec.structs import replace

from highcardflush.cards import Hand
from highcardflush.errors import HouseError, NeedsSecond, NotFound, NotPermitted
from highcardflush.game.actions import ClearWagers, DealHand, Fold, Lock, PlaceWagers, Raise
from highcardflush.game.legal import WagerOption
from highcardflush.house import commands as c
from highcardflush.house.audit import audit
from highcardflush.house.reports import table_row
from highcardflush.house.table.due import next_command
from highcardflush.house.table.told import TableSwitched
from highcardflush.house.table.view import told, you
from highcardflush.rulebook import Rulebook, configure, packaged
from highcardflush.rulebook.load import content_hash, is_changed, parse_offer
from highcardflush.words import say_rulebook
from house.test_people import audit_findings, body, by, more
from support.faults.tamper import Forger
from support.places.floor import AT_ONCE, DEALER_HAND, SEVEN, SIX, Floor, digest, dollars, event_json, findings

TOKEN, OTHER = "ab" * 16, "cd" * 16
FLUSH = "galaxy-v7 | FLUSH |"


@pytest.fixture
def floor(floor: Floor) -> Iterator[Floor]:
    floor.players("ann", "bob")
    floor.do("office", c.AddPerson("dia", "dealer"))
    yield floor
    floor.check()


def test_a_dealer_seats_a_player_only_with_a_token_of_that_player(floor: Floor) -> None:
    table, other = floor.table("one", FLUSH), floor.table("two", FLUSH)
    floor.do(table, c.Consent(digest(TOKEN)), "ann")
    for stream, command in (
        (table, c.Sit(1, "ann")),
        (table, c.Sit(1, "ann", OTHER)),
        (table, c.Sit(1, "bob", TOKEN)),
        (other, c.Sit(1, "ann", TOKEN)),
    ):
        for actor in ("dan", "sue"):
            assert isinstance(floor.refused(stream, command, actor), NotPermitted)
    assert TOKEN not in str(floor.events(table))
    assert event_json(floor.do(table, c.Sit(1, "ann", TOKEN), "dan"))["consent"] == digest(TOKEN)
    floor.do(table, c.OpenRound(), "dan")
    floor.bet(table, 1, ante=500)
    assert floor.wallet("ann") == 995_00


@pytest.mark.parametrize(
    "between",
    [
        [(c.Sit(1, "ann", TOKEN), "dan"), (c.OpenRound(), "dan"), (c.Leave(1), "ann")],
        [(c.Sit(2), "ann"), (c.Leave(2), "ann")],
        [(c.Consent(digest(OTHER)), "ann")],
        [(c.Consent(), "ann")],
    ],
    ids=["used", "sat alone", "replaced", "withdrawn"],
)
def test_a_token_seats_once_and_no_more_when_it_was_replaced_or_withdrawn(
    floor: Floor, between: list[tuple[c.Command, str]]
) -> None:
    table = floor.table("one", FLUSH)
    assert isinstance(floor.refused(table, c.Consent(), "ann"), HouseError)
    floor.do(table, c.Consent(digest(TOKEN)), "ann")
    for command, actor in between:
        floor.do(table, command, actor)
    assert isinstance(floor.refused(table, c.Sit(1, "ann", TOKEN), "dan"), NotPermitted)


def test_at_a_virtual_table_everybody_sits_down_alone(floor: Floor) -> None:
    virtual = floor.table("virtual", FLUSH, physical=False)
    assert isinstance(floor.refused(virtual, c.Consent(digest(TOKEN)), "ann"), HouseError)


def test_consents_and_dealers_outlive_the_process(floor: Floor) -> None:
    """Another process reads a table from its last opening on."""
    table = floor.table("one", FLUSH)
    floor.do(table, c.Consent(digest(TOKEN)), "ann")
    floor.do(table, c.Assign("dia"), "sue")
    floor.do(table, c.OpenRound(), "dan")
    floor.do(table, c.Unassign("dan"), "admin")
    other = floor.again()
    assert isinstance(other.refused(table, Lock(), "dan"), NotPermitted)
    other.do(table, c.Sit(1, "ann", TOKEN), "dia")
    assert floor.house.table("one").dealers == other.house.table("one").dealers == {"dia"}
    assert floor.house.table("one").consents == other.house.table("one").consents == {}


def test_nobody_bets_for_a_player_who_is_disabled(floor: Floor) -> None:
    table = floor.table("one", FLUSH, seats={1: "ann"})
    floor.do(table, c.OpenRound(), "dan")
    floor.bet(table, 1, ante=500)
    disable_answer = floor.do("office", c.Disable("ann", "by request"))
    assert isinstance(floor.refused(table, PlaceWagers(1, {"ante": 1000}), "dan"), NotPermitted)
    with closing(Forger(floor.url)) as forger, forger.at_night():
        forger.change(forger.event(table, "wagers"), office=disable_answer.seq)
        assert "table/one 4: the player of this wagers: read ann, expected an active player" in findings(forger)
    floor.do(table, ClearWagers(1), "dan")


def test_a_dealer_acts_only_where_assigned(floor: Floor) -> None:
    felt, screen = floor.table("felt", FLUSH), floor.table("screen", FLUSH, physical=False, seats={1: "ann"})
    for stream in (felt, screen):
        assert isinstance(floor.refused(stream, c.OpenRound(), "dia"), NotPermitted)
    assert isinstance(floor.refused(felt, c.OpenRound(), "house"), NotPermitted)
    floor.do(screen, c.OpenRound(), "house")
    floor.do(felt, c.Assign("dia"), "sue")
    floor.do(felt, c.OpenRound(), "dia")
    assert table_row(floor.house, "felt", "admin").dealers == ["dan", "dia"]
    floor.do(felt, c.Unassign("dia"), "admin")
    assert isinstance(floor.refused(felt, Lock(), "dia"), NotPermitted)
    assert table_row(floor.house, "felt", "admin").dealers == ["dan"]
    floor.do(felt, c.Sit(2), "sid")


def test_only_dealers_are_assigned(floor: Floor) -> None:
    table = floor.table("one", FLUSH)
    for name in ("ann", "sue", "nobody"):
        assert isinstance(floor.refused(table, c.Assign(name), "admin"), NotFound)
        command = c.CreateTable(packaged("galaxy-v7"), dealers=(name,))
        assert isinstance(floor.refused("table/two", command, "admin"), NotFound)
    assert floor.refused(table, c.Assign("dan"), "admin").reason == "dealer-assigned"
    assert floor.refused(table, c.Unassign("dia"), "admin").reason == "dealer-not-assigned"
    for actor in ("dan", "ann", "cal", "amy"):
        assert isinstance(floor.refused(table, c.Assign("dia"), actor), NotPermitted)


def great_win(floor: Floor, stream: str, keys_in: str = "dan") -> None:
    """Play up to the settlement with a seven-card flush on a bet that pays it 300 to 1."""
    floor.do(stream, c.OpenRound(), "dan")
    floor.bet(stream, 1, ante=500, flush=100_00)
    floor.do(stream, Lock(), "dan")
    for seat, cards in ((1, SEVEN[1]), (0, DEALER_HAND)):
        floor.do(stream, DealHand(seat, Hand.parse(cards)), keys_in)
    floor.do(stream, Raise(1, 500), "dan")


def test_a_great_win_is_settled_by_a_supervisor_who_keyed_in_nothing(floor: Floor) -> None:
    table = floor.table("one", FLUSH, seats={1: "ann"})
    great_win(floor, table)
    assert floor.refused(table, c.SettleRound(), "dan").code == "needs-second"
    floor.do(table, c.SettleRound(), "sue")
    assert floor.wallet("ann") > 10_000_00
    great_win(floor, table, keys_in="sue")
    for actor in ("sue", "dan"):
        assert isinstance(floor.refused(table, c.SettleRound(), actor), NeedsSecond)
    floor.do(table, c.SettleRound(), "sam")


@pytest.mark.parametrize(("above", "needs"), [(100, True), (99.99, True), (101, False)])
def test_a_percentage_of_a_meter_counts_too(floor: Floor, above: float, needs: bool) -> None:
    floor.meter()
    floor.table("one", seats={1: "ann"}, second_above_micros=dollars(above))
    floor.stage("one", {1: SIX[0]})
    if needs:
        assert isinstance(floor.refused("table/one", c.SettleRound(), "dan"), NeedsSecond)
        floor.do("table/one", c.SettleRound(), "sue")
    else:
        floor.settle("one")
    floor.check("mega")


def test_a_whole_meter_has_its_votes(floor: Floor) -> None:
    floor.meter()
    floor.table("one", seats={1: "ann"}, second_above_micros=dollars(10))
    floor.play("one", {1: SEVEN[0]})
    floor.do("meter/mega", c.Vote(1, True), "sue")
    floor.check("mega")


def test_a_virtual_table_needs_nobody(floor: Floor) -> None:
    table = floor.table("one", FLUSH, physical=False, seats={1: "ann"}, second_above_micros=0)
    floor.deal_cards(table, {1: {"ante": 500, "flush": 100}})
    floor.do(table, Raise(1, 500), "ann")
    floor.do(table, c.SettleRound(), "house")


OFFERS = (parse_offer("flush", "washington/PT-FLT-HCF-FB-01"),)


def forged(rulebook: Rulebook, key: str) -> Rulebook:
    """Return the rulebook with another pay in one table and unchanged hashes."""
    table = rulebook.paytables[key]
    lines = (replace(table.lines[0], pay=table.lines[0].pay * 2), *table.lines[1:])
    return replace(rulebook, paytables={**rulebook.paytables, key: replace(table, lines=lines)})


def rehashed(rulebook: Rulebook) -> Rulebook:
    """Return the rulebook with the hashes of its content, as if it had never been configured."""
    digest = content_hash(rulebook)
    return replace(rulebook, sha256=digest, table_hash=digest)


def notes(floor: Floor) -> list[str]:
    report = audit(floor.house.store)
    return [str(note) for check in report.checks for note in check.notes]


def test_hashes_that_are_not_the_content_s_are_refused(floor: Floor) -> None:
    floor.table("one", FLUSH)
    genuine = packaged("washington")
    false = forged(genuine, "PT-FLT-HCF-FB-01")
    half = replace(false, table_hash=content_hash(false))
    for rules in (false, half):
        for stream, command in (("table/two", c.CreateTable(rules)), ("table/one", c.ChangeTable(rules, True))):
            assert floor.refused(stream, command, "admin").reason == "rulebook-hash"


def test_other_rules_under_a_packaged_name_are_told(floor: Floor) -> None:
    rules = rehashed(forged(packaged("washington"), "PT-FLT-HCF-FB-01"))
    floor.do("table/one", c.CreateTable(configure(rules, [parse_offer("flush", "PT-FLT-HCF-FB-01")]), True))
    assert is_changed(floor.house.table("one").config.rulebook)
    name = "washington, changed by the house"
    assert table_row(floor.house, "one", "admin").rulebook == name
    floor.do("table/one", c.OpenRound(), "sue")
    assert floor.view("one", "ann").rulebook == name
    assert notes(floor) == [
        f"table/one 1: the rules of the table: read {name}, expected the rules that were released under this name"
    ]


def test_a_false_pay_table_that_is_borrowed_is_told(floor: Floor) -> None:
    """The rulebook is the genuine one to its hash; the pay table that the table borrows is not."""
    own_book = configure(packaged("galaxy-v7"), OFFERS)
    rules = forged(own_book, "washington/PT-FLT-HCF-FB-01")
    rules = replace(rules, table_hash=content_hash(rules))
    assert rules.sha256 == packaged("galaxy-v7").sha256
    floor.do("table/one", c.CreateTable(rules, True))
    assert table_row(floor.house, "one", "admin").rulebook == "galaxy-v7, changed by the house"
    assert len(notes(floor)) == 1


def test_a_table_of_released_rules_is_called_by_their_name(floor: Floor) -> None:
    floor.table("one", "galaxy-v7 | FLUSH, STRAIGHT | raise-minimum 0.5x, cap-player 100")
    assert table_row(floor.house, "one", "admin").rulebook == "galaxy-v7"
    own = rehashed(replace(packaged("galaxy-v7"), name="mine", paytables={}))
    assert say_rulebook(own) == "mine"
    assert not notes(floor)


@pytest.fixture
def virtual(floor: Floor) -> str:
    return floor.table("one", FLUSH, physical=False)


def test_a_paused_table_finishes_its_round_and_opens_no_other(floor: Floor, virtual: str) -> None:
    floor.do(virtual, c.Sit(1), "ann")
    floor.do(virtual, c.OpenRound(), "house")
    floor.bet(virtual, 1, "ann", ante=500)
    floor.do(virtual, c.SwitchTable("paused", "a fire drill"), "sue")
    table = floor.house.table("one")
    assert told(table, "spectator") == (TableSwitched("paused", "a fire drill"),)
    floor.do(virtual, c.Sit(2), "bob")  # somebody may come and wait
    table = floor.house.table("one")
    assert not any(isinstance(option, WagerOption) for option in you(table, "bob").legal)  # type: ignore[union-attr]
    assert floor.refused(virtual, PlaceWagers(2, {"ante": 500}), "bob").values["state"] == "paused"
    floor.do(virtual, Lock(), "house")
    floor.do(virtual, c.DealCards(), "house")
    floor.do(virtual, Fold(1), "ann")
    floor.do(virtual, c.SettleRound(), "house")
    assert next_command(floor.house.table("one"), 100, AT_ONCE) is None
    assert floor.refused(virtual, c.OpenRound(), "house").values["state"] == "paused"
    floor.do(virtual, c.SwitchTable("open", "over"), "admin")
    floor.do(virtual, c.OpenRound(), "house")
    assert floor.house.table("one").state == "open"


def test_a_wager_may_be_taken_back_and_a_seat_left_while_nothing_new_begins(floor: Floor, virtual: str) -> None:
    floor.do(virtual, c.Sit(1), "ann")
    floor.do(virtual, c.OpenRound(), "house")
    floor.bet(virtual, 1, "ann", ante=500)
    floor.do(virtual, c.SwitchTable("closed", "the night is over"), "sue")
    assert floor.refused(virtual, c.Sit(2), "bob").values["state"] == "closed"
    floor.do(virtual, ClearWagers(1), "ann")
    floor.do(virtual, c.Leave(1), "ann")
    assert floor.again().house.table("one").state == "closed"
    assert table_row(floor.house, "one", "amy").state == "closed"


def test_supervisors_and_administrators_switch_a_table(floor: Floor, virtual: str) -> None:
    for actor in ("ann", "house", "cal", "amy"):
        assert isinstance(floor.refused(virtual, c.SwitchTable("paused", "a test"), actor), NotPermitted)
    assert str(floor.refused(virtual, c.SwitchTable("open", "a test"), "sue")) == "Table one is already open."


def test_a_round_opened_at_a_closed_table_is_found(floor: Floor, virtual: str) -> None:
    floor.do(virtual, c.Sit(1), "ann")
    floor.do(virtual, c.SwitchTable("closed", "a test"), "sue")
    floor.do(virtual, c.SwitchTable("open", "a test"), "sue")
    floor.do(virtual, c.OpenRound(), "house")
    shut = body(virtual, "switch", 0, "state", "paused")
    assert "the state of the table at this open: read paused, expected open" in audit_findings(floor, shut)
    assert "the permission for this switch" in audit_findings(floor, by(virtual, "switch", 0, "dan", "dealer"))
    close_seq = floor.house.table("one").head.seq - 2
    again = more(virtual, close_seq, {"state": "open", "reason": " "})
    assert "the new state of the table: read open, expected another state" in audit_findings(floor, again)
    assert "the reason for this switch" in audit_findings(floor, again)
