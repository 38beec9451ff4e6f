"""The page of a round in a real browser: it is played again, its proof is checked, its values are the command's."""

import json
import re
from collections.abc import Callable, Iterator
from fractions import Fraction
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace
from playwright.sync_api import Page, Route, expect

from highcardflush.cli import run
from highcardflush.notation.proof import parse_proofs, verify_proof
from highcardflush.web.messages.parts import encode
from highcardflush.web.messages.rounds import Record, replay_steps
from notation.test_proof import published
from support.data.tables import table as felt
from support.places.browser import DESK, PHONE, PLAIN_CALLS, Site, Visits, give_time, own_site
from support.places.serving import Player
from support.walkers.rounds import walk
from web.test_steps import FELTS, by_hand, record_of

TABLE = "oxford"
SEED = "5eed5eed5eed5eed"
NOBODY = "/api/v1/me"
"""The request that answers 401 to anybody who is not signed in."""


class ThreeSeats:
    """A round of three seats at a server: the first raises, the second folds, the third raises."""

    def __init__(self, site: Site) -> None:
        self.site = site
        self.players = [Player(site.address) for _ in range(3)]
        first = self.players[0]
        for seat, player in enumerate(self.players, 1):
            player.sit(seat)
        self.number = first.until("betting")["round"]["number"]
        self.path = f"/round/{TABLE}/{self.number}"
        first.do(type="NameSeed", seed=SEED)
        for player in self.players:
            player.do(type="PlaceWagers", wagers={"ante": 2500, "flush": 500})
        for player in self.players:
            you = player.until("dealt", "acting")["you"]
            raises = next(option for option in you["legal"] if option["type"] == "Raise")
            amount = raises.get("amounts_cents", [raises.get("minimum_cents")])[0]
            player.do(**({"type": "Fold"} if player.seat == 2 else {"type": "Raise", "amount_cents": amount}))
        first.until_over(self.number)

    def get(self, path: str = "") -> Any:
        return self.site.get(f"/rounds/{TABLE}/{self.number}{path}")


site = own_site(PLAIN_CALLS, give_time)


@pytest.fixture(scope="module")
def finished_round(site: Site) -> Iterator[ThreeSeats]:
    finished_round = ThreeSeats(site)
    yield finished_round
    for player in finished_round.players:
        player.close()


@pytest.fixture
def visits(visits: Visits) -> Visits:
    visits.announce(NOBODY)
    return visits


def open_page(page: Page, path: str) -> Page:
    """Open a page and wait until its proof is checked."""
    page.goto(path)
    expect(page.locator(".verdict[data-state]")).to_be_visible()
    return page


def verdict(page: Page) -> str | None:
    return page.locator(".verdict").get_attribute("data-state")


def steps_of(page: Page) -> int:
    return int(page.locator(".count").inner_text().rpartition(" ")[2])


@pytest.mark.parametrize("size", [PHONE, DESK])
def test_a_round_is_replayed_to_its_end(visits: Visits, finished_round: ThreeSeats, size: tuple[int, int]) -> None:
    page = open_page(visits(size=size), finished_round.path)
    steps = finished_round.get("/steps")["steps"]
    count = page.locator(".count")
    expect(count).to_have_text(f"Step {len(steps)} of {len(steps)}")
    page.locator(".to-first").click()
    for at, step in enumerate(steps, 1):
        expect(count).to_have_text(f"Step {at} of {len(steps)}")
        card_count = page.locator(".place .card, .dealer-place .card").count()
        hands = [seat["hand"] for seat in step["view"]["seats"]] + [step["view"]["dealer"]]
        assert card_count == sum(hand["cards"] for hand in hands if hand)
        if at < len(steps):
            page.locator(".to-next").click()
    expect(page).to_have_url(re.compile(f"{finished_round.path}$"))
    results = finished_round.get()["results"]
    nets = {seat: sum(each["net_cents"] for each in results if each["seat"] == seat) for seat in (1, 2, 3)}
    for seat, cents in nets.items():
        net = page.locator(f".place[data-seat='{seat}'] .net").inner_text()
        assert round(float(re.sub("[^0-9.]", "", net)) * 100) == abs(cents)
    expect(page.locator(".place.folded")).to_have_count(1)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_a_round_is_replayed_by_keys_and_slider(visits: Visits, finished_round: ThreeSeats) -> None:
    """A shared link opens the step that is shown."""
    page = open_page(visits(), finished_round.path)
    count, of = page.locator(".count"), len(finished_round.get("/steps")["steps"])
    page.keyboard.press("ArrowLeft")
    expect(count).to_have_text(f"Step {of - 1} of {of}")
    page.locator(".replayer input").focus()
    page.keyboard.press("Home")
    expect(count).to_have_text(f"Step 1 of {of}")
    page.keyboard.press("ArrowRight")
    expect(count).to_have_text(f"Step 2 of {of}")
    expect(page).to_have_url(re.compile("#2$"))
    page.reload()
    expect(count).to_have_text(f"Step 2 of {of}")
    page.locator(".to-play").focus()
    page.keyboard.press("End")
    expect(count).to_have_text(f"Step {of} of {of}")


@pytest.mark.parametrize("row", FELTS)
def test_every_kind_of_round_has_its_page(visits: Visits, row: str) -> None:
    """The rounds have dice, Dynamic Pays, levels, void hands, cards face up, or only a jackpot, or are void."""
    rulebook, rng = felt(row), Random(row)
    proofs = [by_hand(rulebook, [*walk(rulebook, rng)][-1]) for _ in range(3)]
    if "progressive-only" not in row:
        proofs += [published(rulebook), published(rulebook, void=True)]
    page = visits()
    for proof in proofs:
        answer(page, rulebook, proof)
        open_page(page, "/round/one/17")
        assert verdict(page) == "good", page.locator(".check.bad").all_inner_texts()
        page.locator(".to-first").click()
        for _ in range(steps_of(page) - 1):
            page.locator(".to-next").click()
        expect(page.locator(".to-next")).to_have_attribute("aria-disabled", "true")


@pytest.mark.clause("W5a")
def test_a_bonus_jackpot_never_passes_for_a_progressive(visits: Visits) -> None:
    """Every step shows its name and its notice. Only the notation contains the code of the wager."""
    rulebook = felt("washington | progressive PT-BJS-HCF-SF-01 5 | jackpot bonus, seed 10000")
    page = visits()
    answer(page, rulebook, published(rulebook))
    open_page(page, "/round/one/17")
    assert verdict(page) == "good"
    expect(page.locator(".settled [data-wager='progressive'] th").first).to_have_text("Bonus Jackpot")
    page.locator(".to-first").click()
    for _ in range(steps_of(page)):
        notice = page.locator(".replayer .notice")
        expect(notice).to_have_text(rulebook.notice)
        expect(page.locator(".around .meter")).to_contain_text("Bonus Jackpot")
        texts = [text.split() for text in page.locator(".replayer, .results, .decisions, .proof").all_inner_texts()]
        plain = " ".join(" ".join(words) for words in texts).replace(" ".join(rulebook.notice.split()), "")
        assert "progressive" not in plain.lower()
        page.keyboard.press("ArrowRight")
    expect(page.locator(".to-next")).to_have_attribute("aria-disabled", "true")


def answer(page: Page, rulebook: Any, proof: str) -> None:
    """Let the page have a round that was never played here."""
    record = record_of(rulebook, proof)
    settlement = verify_proof(next(parse_proofs(proof))).replay.state.settlement
    assert settlement is not None
    whole = Record.of(replace(record, results=settlement.results))
    table = {"round": {"number": 18}, "phase": "betting"}
    answers = {"rounds/one/17": whole, "rounds/one/17/steps": replay_steps(record, {}), "tables/one": table}
    for path, data in answers.items():
        page.unroute(f"**/api/v1/{path}")
        page.route(f"**/api/v1/{path}", answering(encode(data)))


def answering(body: bytes) -> Callable[[Route], None]:
    return lambda route: route.fulfill(body=body, content_type="application/json")


def test_the_proof_is_verified_in_the_page(visits: Visits, finished_round: ThreeSeats) -> None:
    page = open_page(visits(), finished_round.path)
    assert verdict(page) == "good"
    checks = [row.get_attribute("data-check") for row in page.locator(".check").all()]
    assert checks == ["head", "record", "rules", "commitment", "player-seeds", "deck", "hands", "results"]
    expect(page.locator(".check.good")).to_have_count(len(checks))
    expect(page.locator(".check[data-check='player-seeds']")).to_contain_text(SEED)
    expect(page.locator(".short-verdict")).to_have_attribute("data-state", "good")


def other(digit: str) -> str:
    return "1" if digit != "1" else "2"


FORGED = {
    "commitment": (r"(# seed )(.)", lambda match: match[1] + other(match[2])),
    "hands": (r"(# player-seed 1 )(.)", lambda match: match[1] + other(match[2])),
    "head": (r"(# round oxford )(\d+)", lambda match: f"{match[1]}{int(match[2]) + 1}"),
    "record": (r"(= 1 ante .)(\d+)", lambda match: f"{match[1]}{int(match[2]) + 1}"),
}


def forged_page(page: Page, finished_round: ThreeSeats, forge: Callable[[Any], None]) -> Page:
    def answer_forged(route: Route) -> None:
        response = route.fetch()
        record = response.json()
        forge(record)
        route.fulfill(response=response, json=record)

    page.route(f"**/api/v1/rounds/{TABLE}/{finished_round.number}", answer_forged)
    return open_page(page, finished_round.path)


@pytest.mark.parametrize("step", FORGED)
def test_a_forged_proof_is_refused_at_its_step(visits: Visits, finished_round: ThreeSeats, step: str) -> None:
    pattern, change = FORGED[step]

    def forge(record: Any) -> None:
        record["proof"] = re.sub(pattern, change, record["proof"], count=1)

    page = forged_page(visits(), finished_round, forge)
    assert verdict(page) == "bad"
    assert page.locator(".check.bad").first.get_attribute("data-check") == step
    expect(page.locator(".short-verdict")).to_have_attribute("data-state", "bad")


def test_a_result_that_is_forged_everywhere_is_refused(visits: Visits, finished_round: ThreeSeats) -> None:
    """The result is forged in the proof, the notation and the results, but it does not follow from the cards."""

    def forge(record: Any) -> None:
        for name in ("proof", "notation"):
            record[name] = record[name].replace("= 2 ante -25", "= 2 ante +25")
        for result in record["results"]:
            if (result["seat"], result["wager"]) == (2, "ante"):
                result["net_cents"] = 2500

    page = forged_page(visits(), finished_round, forge)
    assert page.locator(".check.bad").first.get_attribute("data-check") == "results"


def test_the_values_are_those_of_the_command(
    visits: Visits, finished_round: ThreeSeats, capsys: pytest.CaptureFixture[str]
) -> None:
    page = open_page(visits(), finished_round.path)
    expect(page.locator(".worth")).to_have_count(3)
    hands = {
        seat["number"]: seat["hand"]["seen"] for seat in finished_round.get("/steps")["steps"][-1]["view"]["seats"]
    }
    for seat, hand in hands.items():
        assert run(["odds", "hand", hand, "--rulebook", TABLE, "--json"]) == 0
        odds = json.loads(capsys.readouterr().out)
        rows = page.locator(f".worth[data-seat='{seat}'] tbody tr").all()
        cells = [(row.get_attribute("data-choice"), row.get_attribute("data-exact") or "") for row in rows]
        values = [(choice, Fraction(value) / 2500) for choice, value in cells]
        assert values[0] == ("fold", Fraction(odds["fold"]))
        best_flush = values[1 : 1 + len(odds["raise"])]
        assert best_flush == [(times, Fraction(value)) for times, value in odds["raise"].items()]
        best_choice = page.locator(f".worth[data-seat='{seat}'] tr.best").get_attribute("data-choice")
        assert best_choice == ("fold" if odds["best"] == "fold" else f"{odds['raised']:g}")


def test_one_s_own_seat_is_marked(visits: Visits, finished_round: ThreeSeats) -> None:
    page = visits()
    open_page(page, finished_round.path)
    expect(page.locator(".own")).to_have_count(0)
    page.context.add_cookies([finished_round.players[2].cookie])
    open_page(page, finished_round.path)
    own = page.locator(".own")
    assert [each.get_attribute("data-seat") for each in own.all()] == ["3", "3", "3"]
    for part in (".place", ".settled [data-seat]", ".worth"):  # in one order everywhere
        seats = page.locator(part).evaluate_all("seats => seats.map((seat) => seat.dataset.seat)")
        assert seats == ["3", "1", "2"]


@pytest.mark.parametrize("size", [DESK, PHONE], ids=["desk", "phone"])
def test_the_buttons_of_a_replay_never_move(visits: Visits, finished_round: ThreeSeats, size: tuple[int, int]) -> None:
    page = visits(size=size)
    open_page(page, finished_round.path)
    top = "() => document.querySelector('.controls').getBoundingClientRect().top + scrollY"
    below = "() => document.querySelector('.results').getBoundingClientRect().top + scrollY"
    page.get_by_role("button", name="To the first step").click()
    page.evaluate("scrollTo(0, document.body.scrollHeight)")  # the buttons are in their own place, not at the edge
    places = {(page.evaluate(top), page.evaluate(below))}
    for _ in range(steps_of(page) - 1):
        page.locator(".to-next").evaluate("button => button.click()")
        page.evaluate("scrollTo(0, document.body.scrollHeight)")
        places.add((page.evaluate(top), page.evaluate(below)))
    assert len(places) == 1


def test_a_round_has_its_title_and_leads_back_to_its_table(visits: Visits, finished_round: ThreeSeats) -> None:
    page = visits()
    open_page(page, finished_round.path)
    assert page.title() == f"Round {finished_round.number} at Oxford · High Card Flush"
    page.get_by_role("navigation", name="Back").get_by_role("link", name="Back to Oxford").click()
    page.wait_for_url("**/table/oxford")


def test_every_wager_has_its_reason_and_the_text_can_be_taken_along(visits: Visits, finished_round: ThreeSeats) -> None:
    page = visits()
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    open_page(page, finished_round.path)
    record = finished_round.get()
    for result in record["results"]:
        seat = page.locator(f".settled [data-seat='{result['seat']}']")
        expect(seat.locator(f"[data-wager='{result['wager']}']")).to_be_visible()
    expect(page.locator(".settled .why").first).not_to_be_empty()
    expect(page.locator("pre.notation")).to_have_text(record["notation"])
    for times, name in enumerate(("notation", "proof"), 1):
        page.get_by_role("button", name=f"Copy the {name}").click()
        expect(page.get_by_text("Copied.", exact=True)).to_have_count(times)
        assert page.evaluate("navigator.clipboard.readText()") == record[name]
    page.locator(".share").click()
    expect(page.get_by_text("Address copied.")).to_be_visible()
    assert page.evaluate("navigator.clipboard.readText()") == finished_round.site.address + finished_round.path


def test_a_round_that_is_not_over_has_no_page_yet(visits: Visits, finished_round: ThreeSeats) -> None:
    visits.announce("404")
    page = visits(f"/round/{TABLE}/{finished_round.number + 500}")
    expect(page.get_by_role("main").get_by_role("link", name="Back to Oxford")).to_be_visible()
