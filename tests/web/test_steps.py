"""A round that is over, step by step: all is open, and every decision is weighed by what its seat could see."""

import json
from fractions import Fraction
from random import Random
from typing import Any

import pytest

from highcardflush.cards import Hand, parse_cards
from highcardflush.figures.odds import hand_figures
from highcardflush.game.decisions import playable_flushes
from highcardflush.game.state import State
from highcardflush.house.proofs import RoundRecord
from highcardflush.notation import format_round
from highcardflush.notation.proof import format_proof
from highcardflush.rulebook import Rulebook
from highcardflush.rulebook.load import from_json
from highcardflush.web.messages.parts import API, Result, encode, suit
from highcardflush.web.messages.rounds import replay_steps
from notation.test_proof import TABLES, published
from support.data.tables import table as felt
from support.judges.documented_shapes import require_event
from support.places.live import LOCAL, Served
from support.walkers.rounds import walk

TABLE = "table/oxford"
FELTS = (
    *TABLES,
    "meadows | |",
    "galaxy-v7 | progressive PT-BJS-HCF-SF-07 | play progressive-only",
    "galaxy-v7 | progressive PT-BJS-HCF-SF-E04 5 |",
    "west | progressive galaxy-v7/PT-PRG-HCF-D01a | jackpot progressive",
    "washington | flush PT-FLT-HCF-FB-14, progressive PT-BJS-HCF-SF-03 | jackpot bonus, seed 2500, hits share",
)


def record_of(rulebook: Rulebook, proof: str) -> RoundRecord:
    return RoundRecord("one", 17, rulebook.name, rulebook.sha256, proof[proof.index("hcf 1") :], proof, ())


def steps_of(rulebook: Rulebook, proof: str, decisions: dict[int, bool] | None = None) -> Any:
    return json.loads(encode(replay_steps(record_of(rulebook, proof), decisions or {})))


def by_hand(rulebook: Rulebook, state: State) -> str:
    text = format_round(rulebook, state, with_hash=True)
    none: dict[int, str] = {}
    return format_proof(
        "one", 17, text, commitment=None, seed=None, player_seeds=none, player_commitments=none, rulebook=rulebook
    )


@pytest.mark.clause("S16")
@pytest.mark.parametrize("row", FELTS)
def test_every_round_can_be_told(row: str) -> None:
    """The steps of random rounds end as the round did, conform to the document, and name the rules."""
    rulebook, rng = felt(row), Random(row)
    for _ in range(20):
        state = [*walk(rulebook, rng)][-1]
        story = steps_of(rulebook, by_hand(rulebook, state))
        last = story["steps"][-1]["view"]
        assert last["phase"] == state.phase
        assert state.settlement is not None
        assert last["results"] == json.loads(encode([Result.of(each) for each in state.settlement.results]))
        for seat in last["seats"]:
            hand = state.seat(seat["number"]).hand
            assert seat["hand"] == (None if hand is None else {"cards": len(hand), "seen": str(hand)})
        for step in story["steps"]:
            require_event({"seq": 1, "at_ms": 1, "kind": step["kind"], "told": step["told"]})
        decisions = [seat for seat in state.seats if seat.decision is not None]
        assert len([step for step in story["steps"] if "weighed" in step]) == len(decisions)
        books = {name: from_json(text) for name, text in story["rules"].items()}
        assert books[rulebook.name].sha256 == rulebook.sha256
        assert all(offer.paytable.partition("/")[0] in books for offer in rulebook.offers if "/" in offer.paytable)


def test_decisions_are_told_in_the_order_in_which_they_were_made() -> None:
    rulebook = felt("oxford | |")
    proof = published(rulebook)
    first, second = (
        [fact for step in steps_of(rulebook, proof, decisions)["steps"] if "weighed" in step for fact in step["told"]][
            :2
        ]
        for decisions in ({4: True, 1: False}, {1: False, 4: False})
    )
    assert [(fact["seat"], fact["timed_out"]) for fact in first if "timed_out" in fact] == [(4, True), (1, False)]
    assert [(fact["seat"], fact["timed_out"]) for fact in second if "timed_out" in fact] == [(1, False), (4, False)]


@pytest.mark.parametrize("row", ["washington | |", "oxford | |", "galaxy-v7 | |", "meadows | |"])
def test_a_decision_is_worth_what_the_calculator_says(row: str) -> None:
    rulebook, rng, steps_met = felt(row), Random(row), 0
    while steps_met < 12:
        for step in steps_of(rulebook, by_hand(rulebook, [*walk(rulebook, rng, accidents=False)][-1]))["steps"]:
            if "weighed" not in step or step["weighed"]["seen"]:
                continue
            evaluation, steps_met = step["weighed"], steps_met + 1
            hand = Hand.parse(evaluation["hand"])
            figures = hand_figures(rulebook, hand, Hand(0))
            keep = suit(next(iter(playable_flushes(rulebook, hand))))
            values = {worth(evaluation, option) for option in evaluation["options"] if option.get("keep", keep) == keep}
            assert values <= {"Fold": figures.fold, **figures.raises}.items()
            assert {"Fold"} < {key for key, _ in values}
            assert worth(evaluation, evaluation["best"])[0] == (f"{figures.raised:g}" if figures.raised else "Fold")
            value_made, best = (Fraction(evaluation[key]["value_cents_exact"]) for key in ("made", "best"))
            assert Fraction(evaluation["made"]["cost_cents_exact"]) == best - value_made >= 0
            assert sum(mistake["cost_cents"] for mistake in evaluation["made"]["mistakes"]) == pytest.approx(
                float(best - value_made)
            )
            assert evaluation["why"][0]["code"] == "coach-rule"


def worth(evaluation: dict[str, Any], option: dict[str, Any]) -> tuple[str, Fraction]:
    ante = evaluation["ante_cents"]
    name = "Fold" if option["type"] == "Fold" else f"{option['amount_cents'] / ante:g}"
    return name, Fraction(option["value_cents_exact"]) / ante


@pytest.mark.clause("S16")
async def test_only_the_steps_of_a_finished_round_are_sent(server: Served) -> None:
    """They show every card, and the caller's seat."""
    who, token = await server.services.accounts.guest(LOCAL)
    socket = await server.seated("oxford", 2, who)
    number = (await socket.event("open"))["round"]["number"]
    await socket.do(TABLE, {"type": "PlaceWagers", "seat": 2, "wagers": {"ante": 500}})
    await socket.event("deal")
    path = f"{API}/rounds/oxford/{number}/steps"
    assert (await server.call("GET", path, token)).status_code == 404
    await socket.do(TABLE, {"type": "Fold", "seat": 2})
    await socket.event("settle")
    story = (await server.call("GET", path)).json()
    assert [step["kind"] for step in story["steps"]] == ["wagers", "lock", "hand", "hand", "fold", "settle"]
    view = story["steps"][-1]["view"]
    assert len(parse_cards(view["dealer"]["seen"] + view["seats"][0]["hand"]["seen"])) == 14
    assert (story["you"], (await server.call("GET", path, token)).json()["you"]) == (None, 2)
    assert (await server.call("GET", f"{API}/rounds/oxford/99/steps")).status_code == 404
    await socket.close()
