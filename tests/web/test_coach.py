"""The coach at a live table: decisions and side bets; and the caller's own rounds, statement, grades and break."""

import re
from collections.abc import Iterator
from fractions import Fraction
from random import Random
from typing import Any

import pytest
from httpx import ASGITransport, AsyncClient

from highcardflush.cards import Hand
from highcardflush.coach.advice import Spot, advise
from highcardflush.coach.session import account, side_bet_value
from highcardflush.figures import odds
from highcardflush.formats.json import plain
from highcardflush.game.actions import Fold
from highcardflush.game.state import Decision, Seat
from highcardflush.house import commands as c
from highcardflush.house import reports
from highcardflush.house.accounts import sessions
from highcardflush.jackpot import Meter
from highcardflush.odds.progressive import progressive_odds
from highcardflush.rulebook import PACKAGED, packaged
from highcardflush.web.messages.coach import Advice, MistakeMade
from highcardflush.web.messages.parts import encode
from highcardflush.web.routes import coach
from highcardflush.web.server.access import Who
from support.judges.documented_shapes import path_of, require_answer
from support.places.floor import OXFORD, Floor, dollars
from support.places.live import Live, Socket

TABLE = "table/one"
WAGERS = {"ante": 1000, "flush": 500, "straight-flush": 500}


@pytest.fixture
def floor(file_floor: Floor) -> Iterator[Floor]:
    file_floor.table("one", OXFORD, physical=False)
    file_floor.meter("mega", base_cents=500)
    file_floor.table("two", "galaxy-v7 | progressive PT-BJS-HCF-SF-07 5 | ante-minimum 5", physical=False)
    yield file_floor
    file_floor.check()


async def call(live: Live, who: Who, path: str, body: Any = None) -> tuple[int, Any]:
    """Call as a program of a person; a call with a body is a POST."""
    _, token = await live.services.sessions.make_token(who, "coach", 1)
    method = "GET" if body is None else "POST"
    async with AsyncClient(transport=ASGITransport(live.app), base_url="http://127.0.0.1") as client:
        headers = {"Authorization": f"Bearer {token}", "X-HCF": "1"}
        answer = await client.request(method, f"/api/v1{path}", headers=headers, json=body)
    require_answer(method, path_of(f"/api/v1{path}"), answer)
    return answer.status_code, answer.json()


async def read(live: Live, who: Who, path: str) -> Any:
    status, body = await call(live, who, path)
    assert status == 200, body
    return body


async def seated(live: Live) -> Socket:
    socket = await live.seated()
    await socket.event("open")
    return socket


async def dealt(socket: Socket, wagers: dict[str, int] = WAGERS) -> Hand:
    assert (await socket.do(TABLE, {"type": "PlaceWagers", "seat": 1, "wagers": wagers}))["type"] == "done"
    return Hand.parse((await socket.event("deal"))["view"]["seats"][0]["hand"]["seen"])


async def decided(socket: Socket, **decision: Any) -> None:
    assert (await socket.do(TABLE, {"seat": 1, **decision}))["type"] == "done"
    await socket.event("settle")


async def again(live: Live, socket: Socket) -> None:
    live.pass_by(6)
    await socket.event("open")


async def test_the_coach_tells_each_decision_and_why(live: Live) -> None:
    ann = await seated(live)
    status, body = await call(live, ann.who, "/tables/one/advice")
    assert (status, body["error"]["message"]) == (422, "You have no decision to make now.")
    hand = await dealt(ann, {"ante": 1000})
    body = await read(live, ann.who, "/tables/one/advice")
    fold, *every = body["options"]
    raises = [each for each in every if each["keep"] == every[0]["keep"]]  # the best flush; others come after it
    figures = plain(odds.hand_figures(packaged("oxford"), hand, Hand(0)))
    assert fold["antes_exact"] == figures["fold"]
    assert (fold["type"], fold["value_cents"], fold["value_cents_exact"]) == ("Fold", -1000.0, "-1000/1")
    assert {f"{each['amount_cents'] / 1000:g}": each["antes_exact"] for each in raises} == figures["raise"]
    assert all(each["bar"] == {name: figures[name] for name in each["bar"]} for each in raises)
    best = max(body["options"], key=lambda each: Fraction(each["value_cents_exact"]))
    assert body["best"] == best
    advice = advise(Spot(packaged("oxford"), {"ante": 1000}, hand))
    assert Fraction(best["value_cents_exact"]) == advice.best.value
    assert (best["cost_cents"], best["severity"]) == (0, "best")
    for each in body["options"]:
        assert each["cost_cents"] == pytest.approx(best["value_cents"] - each["value_cents"])
    assert body["why"][0]["code"] == "coach-rule"
    assert body["why"][0]["text"].startswith("The simple rule (raise with 10-8-6 or better) says ")
    assert body["asked"] is None


async def test_a_decision_that_is_thought_of_is_graded(live: Live) -> None:
    ann = await seated(live)
    hand = await dealt(ann, {"ante": 1000})
    advice = advise(Spot(packaged("oxford"), {"ante": 1000}, hand))
    for query, decision in (("type=Fold", Decision()), ("type=Raise&amount_cents=1000", Decision(1000))):
        choice = (await read(live, ann.who, f"/tables/one/advice?{query}"))["asked"]
        loss = advice.best.value - advice.value(Decision(decision.raise_cents, advice.flushes[0].keep))
        assert choice["cost_cents"] == pytest.approx(float(loss))
        assert [mistake["cost_cents"] for mistake in choice["mistakes"]] == ([choice["cost_cents"]] if loss else [])
        assert (choice["severity"] == "best") == (not loss)
    assert (await read(live, ann.who, "/tables/one/advice?type=Raise&amount_cents=7"))["asked"] is None
    assert (await call(live, ann.who, "/tables/one/advice?type=Raise&amount_cents=-1"))[0] == 400


def test_exposed_cards_are_part_of_a_decision() -> None:
    wagers = {"ante": 1000, "straight-flush": 500}
    advice = advise(Spot(packaged("atlantic-city"), wagers, Hand.parse("Qs8s7s 8d7d6d Ac")))
    seat = Seat(1, wagers, advice.spot.hand)
    worth_hidden = coach.asked_worth(advice, seat, coach.Considered("Raise", 1000, "s", Hand(0)))
    worth = coach.asked_worth(advice, seat, coach.Considered("Raise", 1000, "s", Hand.parse("8d7d6d")))
    assert worth_hidden is not None
    assert worth is not None
    assert (worth_hidden.mistakes, worth_hidden.severity) == ([MistakeMade("hidden", 4000.0)], "blunder")
    assert (worth.mistakes, worth.severity) == ([], "best")


@pytest.mark.parametrize("name", PACKAGED)
def test_every_answer_about_a_hand_has_room(name: str) -> None:
    """Every answer has the same length: the longest one leaves a third of it free."""
    random, book, longest = Random(5), packaged(name), 0
    for _ in range(150):
        cards = random.sample(range(52), 7 + random.choice((0, 9)))
        advice = advise(Spot(book, {"ante": 123_500}, Hand.of(cards[:7]), Hand.of(cards[7:])))
        seat = Seat(1, advice.spot.wagers, advice.spot.hand)
        worth = coach.asked_worth(advice, seat, coach.Considered("Fold", 0, None, Hand(0)))
        longest = max(longest, len(encode(Advice.of(1, advice, worth))))
    assert longest < coach.BYTES * 2 / 3


async def test_a_side_bet_has_its_current_worth(live: Live) -> None:
    bets = {bet["wager"]: bet for bet in (await read(live, await live.guest(), "/tables/one/bets"))["bets"]}
    book = live.floor.house.table("one").config.rulebook
    for wager, bet in bets.items():
        assert Fraction(bet["value_cents_exact"]) == side_bet_value(book, wager, bet["stake_cents"], {})
        assert Fraction(bet["edge_exact"]) == -Fraction(bet["value_cents_exact"]) / bet["stake_cents"]
        assert (bet["in_your_favour"], bet["meters"]) == (False, [])
    assert bets.keys() == {"flush", "straight-flush"}


async def test_a_meter_above_its_break_even_is_in_the_players_favour(live: Live) -> None:
    ann = await live.guest()
    book = live.floor.house.table("two").config.rulebook

    async def bet() -> Any:
        (bet_data,) = (await read(live, ann, "/tables/two/bets"))["bets"]
        return bet_data

    low = await bet()
    (meter,) = low["meters"]
    assert (low["stake_cents"], low["in_your_favour"], meter["amount_micros"]) == (500, False, dollars(1000))
    assert side_bet_value(book, "progressive", 500, {"progressive": Meter(meter["break_even_micros"])}) >= 0
    (meter_odds,) = progressive_odds(book).meters
    assert meter["break_even_micros"] == pytest.approx(float(meter_odds.break_even) * 1e6, abs=1)
    assert meter["break_even_micros"] > meter["amount_micros"]


@pytest.mark.parametrize("changes", [{"coach": False}, {"coach_except": ("one",)}], ids=["nowhere", "elsewhere"])
async def test_a_disabled_coach_prices_nothing(live: Live, changes: dict[str, Any]) -> None:
    ann = await live.guest()
    live.floor.do("office", c.SetFloor(changes, "a contest"))
    await live.until(lambda: not live.services.context.floor.coaches("one"))
    assert (await call(live, ann, "/tables/one/bets"))[0] == 403
    assert (await call(live, ann, "/tables/one/advice"))[0] == 403


async def test_a_session_adds_up_and_names_what_was_given_away(live: Live) -> None:
    ann, spots = await seated(live), []
    book = live.floor.house.table("one").config.rulebook
    for _ in range(4):
        hand = await dealt(ann)
        meters = live.floor.house.table("one").require_playable_round().state.meters
        await decided(ann, type="Fold")
        (result,) = (await read(live, ann.who, "/me/rounds?last=1"))["rounds"]
        spots.append((Spot(book, WAGERS, hand, meters=meters), Decision(), result["net_cents"]))
        await again(live, ann)
    session, whole = await read(live, ann.who, "/me/session"), account(spots)
    assert [row["number"] for row in session["rounds"]] == [1, 2, 3, 4]
    assert session["net_cents"] == whole.net_cents == sum(net for _, _, net in spots)
    for key, value in (("expected", whole.expected), ("cost", whole.cost), ("luck", whole.luck)):
        assert session[f"{key}_cents"] == pytest.approx(float(value)), key
    assert session["z"] == pytest.approx(whole.z)
    assert session["net_cents"] == pytest.approx(
        session["expected_cents"] - session["cost_cents"] + session["luck_cents"]
    )
    assert session["luck"]["code"] == "coach-luck-early"
    for row, (spot, decision, _) in zip(session["rounds"], spots, strict=True):
        mistakes = advise(spot).mistakes(decision)
        assert [mistake["kind"] for mistake in row["mistakes"]] == [mistake.kind for mistake in mistakes]
        assert (row["severity"] == "best") == (not mistakes)
        assert row["low_cents"] < row["line_cents"] < row["high_cents"]
    assert session["rounds"][-1]["result_cents"] == session["net_cents"]
    assert session["rounds"][-1]["line_cents"] == pytest.approx(session["expected_cents"])
    third = session["rounds"][2]["at_ms"]
    later = await read(live, ann.who, f"/me/session?since_ms={third}")
    assert ([row["number"] for row in later["rounds"]], later["since_ms"]) == ([3, 4], third)
    assert later["rounds"][0]["result_cents"] == later["rounds"][0]["net_cents"]


async def test_rounds_and_statement_are_the_callers_own(live: Live) -> None:
    ann, bob = await seated(live), await live.guest()
    for _ in range(3):
        await dealt(ann, {"ante": 1000})
        await decided(ann, type="Fold")
        await again(live, ann)
    rounds = await read(live, ann.who, "/me/rounds")
    assert [(each["table"], each["number"], each["net_cents"]) for each in rounds["rounds"]] == [
        ("one", number, -1000) for number in (1, 2, 3)
    ]
    assert rounds["rounds"][0]["results"][0]["reason"]["code"] == "fold"
    page = await read(live, ann.who, "/me/statement")
    assert page["agrees"]
    assert page["balance_cents"] == live.floor.wallet(ann.who.person)
    assert [line["what"]["code"] for line in page["lines"]][-2:] == ["wagers", "settle"]
    assert page["lines"][-2]["what"]["values"] == {"ante": 1000}
    assert page["lines"][-2]["amount_cents"] == -1000
    entries = [(each["what"]["code"], each["round"], each["net_cents"]) for each in page["entries"]]
    assert entries == [("buy-in", None, 1_000_000), *(("round", number, -1000) for number in (1, 2, 3))]
    assert page["entries"][-1]["what"]["text"] == "Round 3 at table one"
    assert page["entries"][-1]["balance_cents"] == page["balance_cents"]
    assert (await read(live, bob, "/me/rounds")) == {"rounds": [], "before": None}
    assert [line["what"]["code"] for line in (await read(live, bob, "/me/statement"))["lines"]] == ["buy-in"]
    assert (await read(live, bob, "/me/session"))["rounds"] == []


async def test_all_rounds_are_found_page_by_page(live: Live) -> None:
    ann = await seated(live)
    for _ in range(5):
        await dealt(ann, {"ante": 1000})
        await decided(ann, type="Fold")
        await again(live, ann)
    numbers: list[int] = []
    path = "/me/rounds?last=2"
    while path:
        page = await read(live, ann.who, path)
        numbers = [each["number"] for each in page["rounds"]] + numbers
        path = f"/me/rounds?last=2&before={page['before']}" if page["before"] else ""
    assert numbers == [1, 2, 3, 4, 5]
    lines, path = 0, "/me/statement?last=3"
    nets: list[int] = []
    while path:
        listing = await read(live, ann.who, path)
        assert listing["agrees"]
        lines += len(listing["lines"])
        nets = [entry["net_cents"] for entry in listing["entries"]] + nets
        path = f"/me/statement?last=3&before={listing['before']}" if listing["before"] else ""
    assert lines == 1 + 5 * 2
    assert nets == [1_000_000] + [-1000] * 5


async def test_a_live_round_is_not_graded(live: Live) -> None:
    ann = await seated(live)
    await dealt(ann)
    assert (await read(live, ann.who, "/me/session"))["rounds"] == []
    assert (await read(live, ann.who, "/me/rounds"))["rounds"] == []


def test_cards_face_up_at_a_decision_are_reconstructed(floor: Floor) -> None:
    """They follow from the order of the decisions, which is not the order of the seats."""
    floor.players("ann", "bob")
    floor.table("three", "atlantic-city | | ante-minimum 5", seats={1: "ann", 2: "bob"})
    cards = {1: "Ts8s6s 9d7d 9h8h", 2: "AcKcQc 2d3d 5h6h", 0: "Js9s Kd2c Jd4h3h"}
    wagers = {1: {"ante": 1000}, 2: {"ante": 1000, "straight-flush": 500}}
    floor.do("table/three", c.OpenRound(), "dan")
    for seat, cents in wagers.items():
        floor.bet("table/three", seat, "dan", **cents)
    floor.deal_by_hand("table/three", cards)
    floor.do("table/three", Fold(2, Hand.parse("AcKcQc")), "dan")
    floor.do("table/three", Fold(1), "dan")
    floor.do("table/three", c.SettleRound(), "dan")
    first, second = (reports.decision_in(floor.house, "three", 1, seat) for seat in (1, 2))
    assert first is not None
    assert second is not None
    assert (str(first[0].hand), str(first[0].seen), first[1]) == ("Ts8s6s 9h8h 9d7d", "AcKcQc", Decision())
    assert (str(second[0].seen), second[1].expose) == ("", Hand.parse("AcKcQc"))


async def test_a_break_is_kept(live: Live) -> None:
    ann = await seated(live)
    assert await read(live, ann.who, "/break") == {"until_ms": None}
    status, rest = await call(live, ann.who, "/break", {"minutes": 30})
    assert (status, rest["until_ms"]) == (200, pytest.approx(live.floor.clock() * 1000 + 30 * 60_000, abs=1000))
    refusal = await ann.do(TABLE, {"type": "PlaceWagers", "seat": 1, "wagers": {"ante": 1000}})
    assert refusal["error"]["code"] == "on-break"
    assert refusal["error"]["values"]["until_ms"] == rest["until_ms"]
    assert re.fullmatch(
        r"You cannot bet until your break ends on 20\d\d-\d\d-\d\d \d\d:\d\d UTC\.", refusal["error"]["message"]
    )
    assert (await read(live, ann.who, "/me"))["break_until_ms"] == rest["until_ms"]
    # nobody makes it shorter, and no other session ends it
    assert (await call(live, ann.who, "/break", {"minutes": 1}))[1] == rest
    await live.services.sessions.sign_out(ann.who.person)
    assert live.floor.read("SELECT kind FROM sessions") == [("break",)]


async def test_a_break_ends_by_itself(live: Live) -> None:
    ann = await seated(live)
    await call(live, ann.who, "/break", {"minutes": 1})
    for minutes in (0, 60 * 24 * 30 + 1):
        assert (await call(live, ann.who, "/break", {"minutes": minutes}))[0] == 400
    live.pass_by(61)
    assert await read(live, ann.who, "/break") == {"until_ms": None}
    assert (await ann.do(TABLE, {"type": "PlaceWagers", "seat": 1, "wagers": {"ante": 1000}}))["type"] == "done"


async def test_a_break_that_another_process_has_written_is_found(live: Live) -> None:
    ann = await seated(live)
    await call(live, ann.who, "/break", {"minutes": 1})
    now = int(live.floor.clock() * 1e6)
    live.floor.house.store.transact(lambda tx: sessions.take_break(tx, ann.who.person, now, now + 3_600_000_000))
    await live.services.breaks.load()
    assert await read(live, ann.who, "/break") == {"until_ms": (now + 3_600_000_000) // 1000}
    live.pass_by(61)
    refusal = await ann.do(TABLE, {"type": "PlaceWagers", "seat": 1, "wagers": {"ante": 1000}})
    assert refusal["error"]["code"] == "on-break"
