"""Gaming days, and the reports that they order: what was played, by whom, and what the odds say of it."""

import csv
import io
from collections import Counter, defaultdict
from collections.abc import Iterator
from datetime import date, datetime
from fractions import Fraction
from functools import partial
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from msgspec import Struct
from msgspec.structs import asdict

from highcardflush.errors import HouseError, NotPermitted, TextError
from highcardflush.game.actions import Fold, Lock, TimeOut
from highcardflush.house import bots, reports
from highcardflush.house import commands as c
from highcardflush.house.audit import audit
from highcardflush.house.floor_settings import FloorSettings
from highcardflush.house.office.epoch import begin_after_restore
from highcardflush.house.reports.reading import MICROSECONDS, ONE_DAY, day_at, day_of, first_since, read_day
from highcardflush.house.reports.takings import Memo, TablePlay
from highcardflush.odds import hold
from support.places.floor import OXFORD, SEVEN, Floor

VIENNA = FloorSettings(zone="Europe/Vienna", day_starts="06:00")
DAY = 24 * 3600 * MICROSECONDS


def moment(text: str, zone: str = "Europe/Vienna") -> float:
    return datetime.fromisoformat(text).replace(tzinfo=ZoneInfo(zone)).timestamp()


def test_a_gaming_day_begins_at_its_hour_and_not_at_midnight() -> None:
    assert day_at(VIENNA, moment("2026-11-17T05:59:59")).day == "2026-11-16"
    assert day_at(VIENNA, moment("2026-11-17T06:00:00")).day == "2026-11-17"
    assert day_at(VIENNA, moment("2026-11-18T03:00:00")).day == "2026-11-17"
    assert day_at(FloorSettings(), moment("2026-11-17T05:59:59", "UTC")).day == "2026-11-16"


def test_days_follow_each_other_without_a_gap_though_clocks_are_set() -> None:
    days = [day_of(VIENNA, date(2026, month, day)) for month, day in ((3, 27), (3, 28), (3, 29), (10, 24), (10, 25))]
    assert [(day.end - day.start) / DAY * 24 for day in days] == [24, 23, 24, 25, 24]
    assert days[0].end == days[1].start


def test_a_day_is_asked_for_by_its_date() -> None:
    assert read_day(VIENNA, None, moment("2026-11-17T12:00:00")).day == "2026-11-17"
    assert read_day(VIENNA, "2026-01-02", 0).start == moment("2026-01-02T06:00:00") * MICROSECONDS
    for text in ("yesterday", "2026-13-01", "1500-01-01", "9999-12-31", ""):
        with pytest.raises(TextError):
            read_day(VIENNA, text, 0)


def test_the_first_event_since_a_moment_is_found(floor: Floor) -> None:
    for number in range(40):
        floor.wait(number % 3)
        floor.do("office", c.AddPerson(f"p{number}", "player"))
    ats = [at for (at,) in floor.read("SELECT at FROM events WHERE stream = 'office' ORDER BY seq")]
    for at in {*ats, ats[0] - 1, ats[-1] + 1}:
        expected = next((seq for seq, event_at in enumerate(ats, 1) if event_at >= at), len(ats) + 1)
        assert floor.house.store.snapshot(partial(first_since, stream="office", at=at)) == expected


def play_round(floor: Floor) -> None:
    """Ann and Gus bet; she folds, he does not decide in time."""
    floor.deal_cards("table/two", {1: {"ante": 500, "flush": 100, "progressive": 100}, 2: {"ante": 1500}})
    floor.do("table/two", Fold(1), "ann")
    floor.wait(60)
    floor.do("table/two", TimeOut(2), "house")
    floor.do("table/two", c.SettleRound(), "house")


def bots_play(floor: Floor, rounds: int, run: str) -> None:
    bots.seat_bots(floor.house, "one", 3, run)
    list(bots.play(floor.house, ["one"], rounds, run))
    bots.send_away(floor.house, "one", run)


def query(floor: Floor, before_s: float = 0, **more: Any) -> reports.DayQuery:
    """Return a query for now, or for some time ago."""
    return reports.DayQuery(floor.clock() - before_s, **more)


@pytest.fixture
def busy_floor(floor: Floor) -> Iterator[Floor]:
    """Two tables on one meter: bots play at one, somebody and a guest at the other, yesterday and today."""
    floor.do("office", c.AddPerson("srv", "server"))
    floor.do("office", c.AddPerson("gus", "player", "guest"), "srv")
    floor.do("cage", c.BuyIn("gus", 1_000_00), "srv")
    floor.players("ann")
    floor.meter()
    for name in ("one", "two"):
        floor.table(name, "galaxy-v7 | FLUSH, progressive PT-BJS-HCF-SF-07 |", physical=False)
    floor.do("table/two", c.Sit(1), "ann")
    floor.do("table/two", c.Sit(2), "gus")
    for _ in range(2):
        play_round(floor)
    bots_play(floor, 5, "yesterday")
    floor.wait(86_400)
    play_round(floor)
    bots_play(floor, 3, "today")
    yield floor
    floor.check()


def test_all_days_together_are_what_the_audit_counts(busy_floor: Floor) -> None:
    """Wager by wager, of everybody; and the kinds add up to it."""
    sums: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    for day in (query(busy_floor), query(busy_floor, 86_400)):
        for row in reports.day_holds(busy_floor.house, "amy", day).rows:
            of = "all" if row.of == "all" else "kinds"
            sums[of, row.wager].update(
                bets=row.bets, stakes=row.stakes_cents, held=row.held_cents, expected=row.expected_cents
            )
    for row in (row for row in audit(busy_floor.house.store).hold if row.bets):
        row_sums = sums["all", row.wager]
        assert (row_sums["bets"], row_sums["stakes"], row_sums["held"]) == (row.bets, row.stakes_cents, row.held_cents)
        assert abs(row_sums["expected"] - row.expected_cents) <= 5  # whole cents of each
        kinds = sums["kinds", row.wager]
        assert [kinds[key] for key in ("bets", "stakes", "held")] == [
            row_sums[key] for key in ("bets", "stakes", "held")
        ]


def test_a_round_belongs_to_those_who_played_it(busy_floor: Floor) -> None:
    """Ann takes the seat of Gus after the last round, before another opens."""
    busy_floor.do("table/two", c.Leave(2), "gus")
    busy_floor.do("table/two", c.Leave(1), "ann")
    busy_floor.do("table/two", c.Sit(2), "ann")
    rows = {row.player: row for row in reports.day_players(busy_floor.house, "amy", query(busy_floor)).rows}
    assert [(rows[name].rounds, rows[name].handle_cents) for name in ("ann", "gus")] == [(1, 700), (1, 1500)]


def test_a_floor_view_tells_people_guests_and_bots_apart(busy_floor: Floor) -> None:
    one, two = reports.day_floor(busy_floor.house, "sue", query(busy_floor)).rows
    assert (one.table, two.table) == ("one", "two")
    assert asdict(two.seated) == {"people": 1, "guests": 1, "bots": 0}
    assert (one.rounds, two.rounds, two.rounds_an_hour) == (3, 1, 1)
    assert (one.people.handle_cents, one.guests.handle_cents, one.bots.rounds) == (0, 0, 3)
    assert (two.people.handle_cents, two.guests.hands, two.bots.hands) == (700, 1, 0)
    assert two.all.handle_cents == two.people.handle_cents + two.guests.handle_cents
    assert two.all.held_cents == two.people.held_cents + two.guests.held_cents
    assert one.all.expected_hold is not None
    assert not one.all.judged  # a few rounds show nothing
    after = reports.day_floor(busy_floor.house, "sue", query(busy_floor, after="one", first=5))
    assert [row.table for row in after.rows] == ["two"]


@pytest.mark.parametrize("report", reports.DAY_REPORTS)
def test_a_day_of_no_books_is_refused(busy_floor: Floor, report: str) -> None:
    """The day before the house was founded, and the one after today."""
    today = date.fromisoformat(reports.DAY_REPORTS[report](busy_floor.house, "amy", query(busy_floor)).day.day)
    first, after, before = (str(today + days * ONE_DAY) for days in (-1, 1, -2))
    assert reports.DAY_REPORTS[report](busy_floor.house, "amy", query(busy_floor, day=first)).rows
    for day in (before, after):
        with pytest.raises(HouseError, match=f"These books have the gaming days {first} to {today}"):
            reports.DAY_REPORTS[report](busy_floor.house, "amy", query(busy_floor, day=day))


def test_a_day_has_its_players_and_their_money(busy_floor: Floor) -> None:
    today = {row.player: row for row in reports.day_players(busy_floor.house, "amy", query(busy_floor)).rows}
    yesterday = {
        row.player: row for row in reports.day_players(busy_floor.house, "amy", query(busy_floor, 86_400)).rows
    }
    assert (today["ann"].kind, today["gus"].kind) == ("person", "guest")
    assert (today["ann"].rounds, today["ann"].bought_in_cents) == (1, 0)
    assert (yesterday["ann"].rounds, yesterday["ann"].bought_in_cents) == (2, 1_000_00)
    for player in ("ann", "gus"):
        net = today[player].net_cents + yesterday[player].net_cents
        assert busy_floor.house.wallet(player) == (1_000_00 + net) * 10_000
    assert {row.kind for name, row in today.items() if name.startswith("bot-")} == {"bot"}


def test_the_totals_of_a_day_are_those_of_its_players(busy_floor: Floor) -> None:
    for day in (query(busy_floor), query(busy_floor, 86_400)):
        players = reports.day_players(busy_floor.house, "amy", day).rows
        for row in reports.day_totals(busy_floor.house, "amy", day).rows:
            kind = {"people": "person", "guests": "guest", "bots": "bot"}.get(row.of)
            mine = [player for player in players if kind in (None, player.kind)]
            assert row.takings.handle_cents == sum(player.handle_cents for player in mine)
            assert row.takings.held_cents == -sum(player.net_cents for player in mine)
            assert row.bought_in_cents == sum(player.bought_in_cents for player in mine)
            assert row.players == sum(player.rounds > 0 for player in mine)


def test_the_feeds_of_all_days_add_up_to_the_meter(busy_floor: Floor) -> None:
    days = [
        reports.day_meters(busy_floor.house, "amy", day).rows[0]
        for day in (query(busy_floor), query(busy_floor, 86_400))
    ]
    fields = reports.meter_fields(busy_floor.house, "mega", "amy")
    assert sum(day.fed_micros for day in days) == fields.in_micros
    assert sum(day.reserve_fed_micros for day in days) == fields.reserve_in_micros
    assert days[0].display_micros == fields.display_micros
    assert (days[0].hits, days[0].wins) == (0, 0)


def test_a_hit_is_told_with_its_winner_and_what_became_of_it(floor: Floor) -> None:
    floor.players("ann")
    floor.meter()
    floor.table("felt", seats={1: "ann"})
    floor.play("felt", {1: SEVEN[0]})
    row = reports.day_meters(floor.house, "amy", query(floor)).rows[0]
    assert (row.hits, row.wins, row.paid_micros) == (1, 1, 0)
    assert row.won.people_micros > 0
    floor.do("meter/mega", c.Vote(1, approve=True), "sue")
    assert reports.day_meters(floor.house, "amy", query(floor)).rows[0].paid_micros == row.won.people_micros
    (felt,) = reports.day_floor(floor.house, "amy", query(floor)).rows
    assert felt.people.held_cents == 100  # what the meter paid was not the house's
    floor.check("mega")


def test_a_round_counts_where_it_is_settled_whoever_sat_down_meanwhile(busy_floor: Floor) -> None:
    busy_floor.do("table/two", c.OpenRound(), "house")
    busy_floor.do("table/two", c.Leave(2), "gus")
    busy_floor.players("bob")
    busy_floor.do("table/two", c.Sit(2), "bob")
    busy_floor.bet("table/two", 2, "bob", ante=500)
    busy_floor.do("table/two", Lock(), "house")
    busy_floor.do("table/two", c.DealCards(), "house")
    busy_floor.wait(86_400)
    busy_floor.do("table/two", Fold(2), "bob")
    busy_floor.do("table/two", c.SettleRound(), "house")
    (row,) = reports.day_players(busy_floor.house, "amy", query(busy_floor)).rows
    assert (row.player, row.rounds, row.handle_cents, row.net_cents) == ("bob", 1, 500, -500)


def test_a_memo_saves_counting_a_round_twice(busy_floor: Floor) -> None:
    memo = reports.Memo()
    for _ in range(2):
        again = reports.day_floor(busy_floor.house, "amy", query(busy_floor, memo=memo))
        assert again.rows == reports.day_floor(busy_floor.house, "amy", query(busy_floor)).rows
        play_round(busy_floor)
    assert reports.day_floor(busy_floor.house, "amy", query(busy_floor, memo=memo)).rows[1].rounds == 3


def test_reports_are_refused_without_permission_to_read_the_books(busy_floor: Floor) -> None:
    for report in (*reports.DAY_REPORTS.values(), reports.open_alerts):
        for actor in ("ann", "dan", "cal", "srv"):
            with pytest.raises(NotPermitted):
                report(busy_floor.house, actor, query(busy_floor))


def test_rows_are_lines_too(busy_floor: Floor) -> None:
    report = reports.day_floor(busy_floor.house, "amy", query(busy_floor))
    lines = list(csv.DictReader(io.StringIO(reports.csv_text(report.rows))))
    assert [line["table"] for line in lines] == ["one", "two"]
    assert lines[1]["people_handle_cents"] == "700"
    assert lines[1]["seated_guests"] == "1"
    assert reports.csv_text([]) == "\r\n"


class Said(Struct):
    text: str


def test_a_line_has_no_formula() -> None:
    assert reports.csv_text([Said("=1+1"), Said("plain")]).splitlines() == ["text", "'=1+1", "plain"]


def test_open_alerts_have_lasting_names(floor: Floor) -> None:
    floor.table("one", "galaxy-v7 | FLUSH |", physical=False)
    floor.do("table/one", c.OpenRound(), "house")
    seq = floor.do("office", c.Audited("0" * 64, 3), "amy").seq
    begin_after_restore(floor.url, "admin", "a test", floor.clock)
    epoch = floor.events("office")[-1][0]
    alerts = [row.alert for row in reports.open_alerts(floor.house, "amy", query(floor)).rows]
    assert alerts == [f"office audited {seq}", f"office epoch {epoch}", "table/one stale 1"]
    floor.do("office", c.Acknowledge("table/one stale 1"), "sue")
    later = reports.open_alerts(floor.house, "amy", query(floor, -8 * 86_400))
    assert later.rows == ()  # alerts about past events are shown for a week


@pytest.mark.parametrize(("held_cents", "text"), [(90_000, "flush"), (-40_000, "ante flush")])
def test_a_hold_that_bad_play_explains_raises_no_alert(
    floor: Floor, monkeypatch: pytest.MonkeyPatch, held_cents: int, text: str
) -> None:
    floor.table("one", OXFORD, physical=False)
    play = TablePlay()
    odds = hold.Odds(Fraction(-3, 100), Fraction(1), Fraction(0))
    for row in (play.groups["all"].rows[wager] for wager in ("ante", "flush")):
        row.rounds, row.held_cents = 10_000, held_cents
        for _ in range(10_000):
            row.add(odds, 100)
    monkeypatch.setattr(Memo, "read", lambda *_: play)
    alerts = [row.alert for row in reports.open_alerts(floor.house, "amy", query(floor)).rows]
    assert [alert.rpartition(" ")[2] for alert in alerts] == text.split()
