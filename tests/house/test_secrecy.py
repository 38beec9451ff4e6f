"""Nothing of a live round can be read from the database files or any log: no card, no seed, no deck, nor the house key.

Rounds are played phase by phase. After each phase everything that the databases and this process have written is
searched for what the round hides, in every form that the product has for it. When the round is over its seed and its
hands must be found in the same places by the same search, so that it is known to bite.
"""

import base64
import hmac
import json
import logging
import os
import pickle
import re
import traceback
from collections.abc import Callable, Iterator
from copy import deepcopy
from pathlib import Path
from typing import Any

import msgspec
import psycopg
import pytest

from highcardflush.cards import Hand, format_card
from highcardflush.errors import HcfError
from highcardflush.fairness import player_commitment
from highcardflush.game.actions import Action, DealHand, Fold, Lock, PlaceWagers, Raise, VoidHand
from highcardflush.game.decisions import basic_decision
from highcardflush.game.view import seen_by_all
from highcardflush.house import Answer, codec
from highcardflush.house import commands as c
from highcardflush.house.commands import Command
from highcardflush.house.secret import Secret
from highcardflush.house.store.schema import rights
from highcardflush.house.submit import Request
from highcardflush.house.table import play
from highcardflush.house.table.state import Round
from support.judges.card_leaks import CARD, forms_of_bytes, forms_of_deck, forms_of_hand
from support.places import postgres
from support.places.floor import KEY, LOSER, SEVEN, Floor, event_json, open_live, open_new_floor
from support.places.postgres import TEMPLATE, running_server

LOGGING = (
    "log_statement=all",
    "log_parameter_max_length=-1",
    "log_parameter_max_length_on_error=-1",
    "log_min_duration_statement=0",
    "log_min_error_statement=debug5",
)
"""Settings with which PostgreSQL logs every statement with its values."""
ATLANTIC = "south | flush flush, straight-flush straight-flush, progressive galaxy-v7/PT-BJS-HCF-SF-09 5 |"
"""A rulebook in which cards are kept, discarded and exposed, with a jackpot."""
PAGE = 8192
PLAYERS = {1: "pat", 2: "quin", 3: "rae"}
HANDS = {1: SEVEN[0], 2: "As9s Kh5h Jd6d 3c", 3: "KsQs AhJh 9d7d 2c", 0: "TsJs 9h8h7h 5d4c"}
"""Hands that the dealer of the physical table keys in, by seat; 0 is the dealer."""


# --- what is hidden ------------------------------------------------------------------------------


def forms_of_refusal(refusal: HcfError) -> list[bytes]:
    """Return the forms of a refusal that names cards: its words and its texts on the wire."""
    forms = [str(refusal), *(f'"{key}":"{text}"' for key, text in refusal.as_dict().items() if key != "code")]
    return [text.encode() for text in forms if CARD.search(text.encode())]


def hidden(floor: Floor, table: str) -> dict[str, list[bytes]]:
    """Return the texts that nobody may read while this round is live."""
    round_ = floor.house.table(table).require_playable_round()
    secrets = {"house key": forms_of_bytes(KEY)}
    secrets["digest key"] = forms_of_bytes(hmac.digest(KEY, b"highcardflush request", "sha256"))
    for stream in (f"table/{table}", "meter/mega"):
        secrets[f"key of {stream}"] = forms_of_bytes(
            hmac.digest(KEY, f"highcardflush seal {stream}".encode(), "sha256")
        )
    if round_.seed is not None:
        secrets["seed"] = forms_of_bytes(round_.seed)
        secrets["deck"] = forms_of_deck(round_.deck())
    for number, hand in round_.state.hands.items():
        secrets[f"hand {number}"] = forms_of_hand(hand)
    return secrets


# --- where it is searched ------------------------------------------------------------------------


class Place:
    """A house, and everything that it has written."""

    def __init__(self, floor: Floor, files: Callable[[], dict[str, bytes]], log: pytest.LogCaptureFixture) -> None:
        self.floor = floor
        self._files = files
        self._log = log
        self.answers: list[Answer] = []
        self.refusals: list[HcfError] = []
        self._seen: set[bytes] = set()
        self.news()  # what was written before the first round hides nothing

    def do(self, stream: str, command: Command | Action, actor: str) -> Answer:
        """Send every second command in a group, with another command that is refused."""
        number = len(self.answers)
        if number % 2:
            answer = self.floor.do(stream, command, actor)
        else:
            group = [Request(stream, command, actor, f"{key} {number}") for key in ("secret", "no")]
            group.append(Request("cage", c.CashOut("pat", 9_000_000_00), "cal", f"much {number}"))
            first, again, much = self.floor.house.submit_many(group)
            assert isinstance(first, Answer), first
            assert isinstance(much, HcfError)
            self.refusals += [much, *([again] if isinstance(again, HcfError) else [])]
            answer = first
        self.answers.append(answer)
        return answer

    def refuse(self, stream: str, command: Command | Action, actor: str, message: str) -> None:
        with pytest.raises(HcfError, match=message) as error_info:
            self.floor.do(stream, command, actor)
        self.refusals.append(error_info.value)

    def rows(self) -> bytes:
        """Return every value of every table. Compressed values are unpacked, because anybody could unpack them."""
        rows = [row for name in rights() for row in self.floor.read(f"SELECT * FROM {name}")]
        values = [value for row in rows for value in row if value is not None]
        return b"\n".join(value if isinstance(value, bytes) else str(value).encode() for value in values)

    def written(self) -> dict[str, bytes]:
        messages = [f"{record.getMessage()} {record.args!r} {record.exc_info!r}" for record in self._log.records]
        return {**self._files(), "rows": self.rows(), "this process": "\n".join(messages).encode()}

    def news(self) -> dict[str, bytes]:
        """Return the pages that are new since the last call, with their neighbours, so that nothing is cut in two."""
        messages = {}
        for name, content in self.written().items():
            pages = [content[i : i + PAGE] for i in range(0, len(content), PAGE)]
            new = [page not in self._seen for page in pages]
            near = [any(new[max(0, i - 1) : i + 2]) for i in range(len(pages))]
            messages[name] = b"".join(page for page, is_near in zip(pages, near, strict=True) if is_near)
            self._seen.update(pages)
        return messages

    def find(self, secrets: dict[str, list[bytes]], outputs: dict[str, bytes]) -> list[str]:
        """List the secrets and the places that contain them."""
        return [
            f"{secret} as {form[:40]!r} in {name}"
            for secret, forms in secrets.items()
            for form in forms
            for name, content in outputs.items()
            if form in content
        ]

    def check(self, table: str) -> dict[str, list[bytes]]:
        """Nothing of the live round is to be found; what was searched for."""
        secrets = hidden(self.floor, table)
        for number, refusal in enumerate(self.refusals):
            secrets[f"refusal {number}"] = forms_of_refusal(refusal)
        assert self.find(secrets, self.news()) == []
        assert [match for match in map(CARD.search, self.live_texts(table)) if match] == []
        return secrets

    def live_texts(self, table: str) -> list[bytes]:
        """Return the clear text of the events of the live round: no card may be named in it."""
        rows = self.floor.read(
            "SELECT actor, kind, key, body FROM events WHERE stream = ? AND kind NOT IN ('create', 'change')"
            " AND seq >= (SELECT MAX(seq) FROM events WHERE stream = ? AND kind = 'open')",
            *[f"table/{table}"] * 2,
        )
        return [str(value).encode() for row in rows for value in row]


@pytest.fixture(scope="module")
def talking_server() -> Iterator[postgres.Server]:
    with running_server(*LOGGING) as server:
        yield server


@pytest.fixture(params=["sqlite", "postgresql"])
def place(request: pytest.FixtureRequest, caplog: pytest.LogCaptureFixture) -> Iterator[Place]:
    """A house with its staff, three players, a meter and two tables, virtual and physical."""
    caplog.set_level(logging.DEBUG)
    if request.param == "sqlite":
        url: str = request.getfixturevalue("sqlite_url")
        files = sqlite_files(Path(url.removeprefix("sqlite:///")).parent)
    else:
        server: postgres.Server = request.getfixturevalue("talking_server")
        url = postgres.fresh_database(server, TEMPLATE)
        files = postgres_files(server)
    with open_new_floor(url) as floor:
        floor.players(*PLAYERS.values())
        floor.meter(paytable="galaxy-v7/PT-BJS-HCF-SF-09", base_cents=500)
        for table, physical in (("virtual", False), ("physical", True)):
            floor.table(table, ATLANTIC, physical=physical, seats=PLAYERS)
        yield Place(floor, files, caplog)


def sqlite_files(folder: Path) -> Callable[[], dict[str, bytes]]:
    def read() -> dict[str, bytes]:
        contents = {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}
        assert {"house.db", "house.db-wal", "house.db-shm"} <= set(contents)
        return contents

    return read


def postgres_files(server: postgres.Server) -> Callable[[], dict[str, bytes]]:
    """Return a function that reads what has changed in the cluster since now: all its files, and its log."""
    before = {path: path.stat().st_mtime_ns for path in server.folder.rglob("*") if path.is_file()}
    start = (server.folder / "log").stat().st_size

    def read() -> dict[str, bytes]:
        with psycopg.connect(server.url("postgres"), autocommit=True) as connection:
            connection.execute("CHECKPOINT")  # from shared memory to the files
        contents = {}
        for path in server.folder.rglob("*"):
            if path.is_file() and before.get(path) != path.stat().st_mtime_ns:
                content = path.read_bytes()
                contents[str(path.relative_to(server.folder))] = (
                    content[start:] if path.name == "log" else squeezed(content)
                )
        assert any("pg_wal" in name for name in contents)
        assert any("base" in name for name in contents)
        return contents

    return read


def squeezed(content: bytes) -> bytes:
    """Return the content without its empty pages, which are most of these files."""
    pages = [content[i : i + PAGE] for i in range(0, len(content), PAGE)]
    return b"".join(page for page in pages if page.strip(b"\0"))


# --- the search bites ----------------------------------------------------------------------------


@pytest.mark.parametrize("around", [b"", b"a", b"ab", b"abc"])
def test_the_search_finds_what_is_hidden_in_any_form(around: bytes) -> None:
    secret = bytes(range(100, 132))
    for planted in (
        secret,
        secret.hex().encode(),
        secret.hex().upper().encode(),
        base64.b64encode(around + secret + b"xyz"),
        base64.urlsafe_b64encode(around + secret),
    ):
        assert any(form in around + planted for form in forms_of_bytes(secret))
    hand = Hand.parse(LOSER)
    for text in (
        str(hand),
        codec.encode([format_card(card) for card in hand]),
        codec.encode(sorted(hand)),
        str(int(hand)),
    ):
        assert any(form in text.encode() for form in forms_of_hand(hand))
    deck = tuple(range(51, -1, -1))
    for text in (codec.encode(deck), repr(deck), " ".join(map(format_card, deck)), "".join(map(format_card, deck))):
        assert any(form in text.encode() for form in forms_of_deck(deck))


@pytest.mark.parametrize(
    ("texts", "has_card"),
    [
        (["As", '"As"', "read Kh, expected", "AsKs", "(9c)", "As9s Kh5h"], True),
        (["table/a", "3c9f", "a9cd", "\\x3c", "x2d7", "Asks", "2025-06-07"], False),
    ],
)
def test_a_card_in_a_text_is_noticed(texts: list[str], has_card: bool) -> None:
    assert [text for text in texts if bool(CARD.search(text.encode())) != has_card] == []


# --- live rounds ---------------------------------------------------------------------------------


def bet(place: Place, table: str, *, has_secrets: bool = True) -> None:
    place.do(f"table/{table}", c.OpenRound(), "dan")
    if has_secrets:
        place.check(table)
    wagers = {"ante": 500, "flush": 500, "straight-flush": 500, "progressive": 500}
    for seat, player in PLAYERS.items():
        place.do(f"table/{table}", PlaceWagers(seat, wagers), player)
    if table == "virtual":
        place.do("table/virtual", c.NameSeed(2, "c0ffee"), "quin")
    place.do(f"table/{table}", Lock(), "dan")
    if has_secrets:
        place.check(table)


def decide(place: Place, table: str, seat: int) -> None:
    round_ = place.floor.house.table(table).require_playable_round()
    player, hands = PLAYERS[seat], round_.state.hands
    other = next(iter(hands[next(number for number in hands if number != seat)]))
    place.refuse(f"table/{table}", Fold(seat, Hand.of([other])), player, "cards from the seat's own hand")
    place.refuse(f"table/{table}", Raise(seat, 5), player, "raise with a [2-7]-card flush")
    place.do(f"table/{table}", basic_decision(round_.rulebook, round_.state.seat(seat)), player)


def over(place: Place, table: str, secrets: dict[str, list[bytes]]) -> None:
    """Settle the round; now what was hidden is there to be read, but the keys never."""
    place.do(f"table/{table}", c.SettleRound(), "sue")
    leaks = place.find(secrets, place.news())
    for secret in secrets:
        is_revealed = secret == "seed" or secret.startswith("hand")
        assert any(line.startswith(f"{secret} as") for line in leaks) == is_revealed, (secret, leaks)
    if "seed" in secrets:
        assert any(line.startswith("seed as") and line.endswith(" in rows") for line in leaks)
    # one of them may lie across two pages of a file, never all of them
    assert {line.rpartition(" in ")[2] for line in leaks} & {"log", "house.db-wal"}


@pytest.mark.clause("S16")
def test_a_live_round_of_a_virtual_table_cannot_be_read(place: Place, capfd: pytest.CaptureFixture[str]) -> None:
    bet(place, "virtual")
    place.do("table/virtual", c.DealCards(), "dan")
    place.check("virtual")
    decide(place, "virtual", 1)
    place.check("virtual")
    place.floor.house.reopen()  # the round is read again from its seals
    decide(place, "virtual", 2)
    for _ in range(2):  # nothing of the first is kept
        place.floor.refused("table/virtual", Fold(1), "pat", "twice")
    place.do("table/virtual", VoidHand(3, "forfeit", "other", "talked"), "sue")
    assert place.floor.house.table("virtual").require_playable_round().state.phase == "showdown"
    over(place, "virtual", place.check("virtual"))
    assert capfd.readouterr() == ("", "")


def test_a_seed_that_is_not_revealed_stays_with_its_player(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    """Tried too early and too late it is refused, and nobody has written it down; one that is revealed is found."""
    monkeypatch.setattr(play, "REVEAL_SECONDS", 0)
    secret_seed, open_seed = os.urandom(32), os.urandom(32)
    place.do("table/virtual", c.OpenRound(), "dan")
    for (seat, player), seed in zip(PLAYERS.items(), (secret_seed, open_seed), strict=False):
        place.do("table/virtual", PlaceWagers(seat, {"ante": 500}), player)
        place.do("table/virtual", c.CommitSeed(seat, player_commitment(seed)), player)
    place.refuse("table/virtual", c.RevealSeed(1, secret_seed.hex()), "pat", "after the lock")
    place.do("table/virtual", Lock(), "dan")
    place.refuse("table/virtual", c.RevealSeed(2, secret_seed.hex()), "quin", "The SHA-256 of this seed is")
    place.check("virtual")
    assert place.find({"shown": forms_of_bytes(open_seed)}, place.written()) == []
    place.do("table/virtual", c.RevealSeed(2, open_seed.hex()), "quin")
    place.do("table/virtual", c.DealCards(), "dan")
    place.refuse("table/virtual", c.RevealSeed(1, secret_seed.hex()), "pat", "has already drawn without the seed")
    place.floor.void("virtual")
    outputs = place.written()
    assert place.find({"kept": forms_of_bytes(secret_seed)}, outputs) == []
    assert place.find({"shown": forms_of_bytes(open_seed)}, {"rows": outputs["rows"]})


def test_a_live_round_of_a_physical_table_cannot_be_read(place: Place, capfd: pytest.CaptureFixture[str]) -> None:
    bet(place, "physical")
    for seat, cards in HANDS.items():
        place.do("table/physical", DealHand(seat, Hand.parse(cards)), "dan")
        if seat == 1:
            place.refuse("table/physical", DealHand(2, Hand.parse("8s Kh5h Jd6d 3c2c")), "dan", "already dealt to 1")
            place.check("physical")
    decide(place, "physical", 1)
    place.check("physical")
    decide(place, "physical", 2)
    decide(place, "physical", 3)
    assert place.floor.house.table("physical").require_playable_round().state.phase == "showdown"
    over(place, "physical", place.check("physical"))
    assert capfd.readouterr() == ("", "")


SUITED = ("AsKsQsJsTs9s8s", LOSER, "AsKs QhJh Td9d 8d", "AsKsQsJs Th9h8h", "AsKsQs Jd Th9h 8c")


def test_sealed_hands_have_equal_length_and_differ(file_floor: Floor) -> None:
    """An unpadded seal would tell the number of suits, by the blanks between them. No hand looks the same twice."""
    file_floor.meter()
    file_floor.table("a", seats={1: None})
    for hand in (*SUITED, LOSER):
        file_floor.play("a", {1: hand})
    seals = [seal_text for (seal_text,) in file_floor.read("SELECT sealed FROM events WHERE kind = 'hand'")]
    assert len(seals) == len({*seals}) == len(SUITED) + 1
    assert len({len(seal_text) for seal_text in seals}) == 1


# --- messages ------------------------------------------------------------------------------------


def cards_in(value: Any) -> set[str]:
    return {
        card.decode()
        for word in CARD.findall(codec.encode(value).encode())
        for card in re.findall(rb"[2-9TJQKA][cdhs]", word)
    }


def hidden_from(round_: Round, visible: set[str]) -> dict[str, list[bytes]]:
    """Return the hands of a round that are not visible, its seed and its deck."""
    secrets = {"seed": forms_of_bytes(round_.seed), "deck": forms_of_deck(round_.deck())} if round_.seed else {}
    hands = {number: hand for number, hand in round_.state.hands.items() if not texts(hand) & visible}
    return secrets | {f"hand {number}": forms_of_hand(hand) for number, hand in hands.items()}


def forms_in(secrets: dict[str, list[bytes]], value: Any) -> list[str]:
    text = codec.encode(value).encode()
    return [secret for secret, forms in secrets.items() for form in forms if form in text]


def texts(hand: Hand) -> set[str]:
    return {format_card(card) for card in hand}


@pytest.mark.clause("S16")
@pytest.mark.parametrize("table", ["virtual", "physical"])
def test_no_view_and_no_answer_gives_a_player_anothers_cards(
    file_floor: Floor, table: str, caplog: pytest.LogCaptureFixture
) -> None:
    file_floor.players(*PLAYERS.values(), "sol")
    file_floor.do("office", c.AddPerson("dia", "dealer"))  # who is not assigned here
    file_floor.meter(paytable="galaxy-v7/PT-BJS-HCF-SF-09", base_cents=500)
    file_floor.table(table, ATLANTIC, physical=table == "physical", seats=PLAYERS)
    place = Place(file_floor, dict, caplog)
    bet(place, table, has_secrets=False)
    if table == "virtual":
        place.do("table/virtual", c.DealCards(), "dan")
    else:
        for seat, cards in HANDS.items():
            place.do("table/physical", DealHand(seat, Hand.parse(cards)), "dan")
    see_only_their_own(place, table)
    for seat in PLAYERS:
        decide(place, table, seat)
        see_only_their_own(place, table)
    file_floor.do(f"table/{table}", c.SettleRound(), "sue")
    see_only_their_own(place, table)


def see_only_their_own(place: Place, table: str) -> None:
    """Check that viewers see only their own and exposed cards, the dealer's at the showdown, and hands keyed in."""
    live_table = place.floor.house.table(table)
    round_ = live_table.round or live_table.last
    assert round_ is not None
    state = round_.state
    exposed_cards = {card for seat in state.seats if seat.decision for card in texts(seat.decision.expose)}
    if state.phase == "settled":
        for seat in state.seats:
            exposed_cards |= texts(seen_by_all(round_.rulebook, state, seat))
    hand_texts = texts(state.hands[0]) if state.phase in ("showdown", "settled") else set()
    for actor in (*PLAYERS.values(), "sol", "dan", "dia", "sue", "amy", "a stranger"):
        view, messages = place.floor.house.view(table, actor), place.floor.house.events_since(table, 0, actor)
        own = {card for seat, player in PLAYERS.items() if player == actor for card in texts(state.hands[seat])}
        if table == "physical" and actor in ("dan", "sue"):
            own = {card for hand in state.hands.values() for card in texts(hand)}
        assert cards_in(view.view) == own | exposed_cards | hand_texts
        assert cards_in([event.told for event in messages]) == own | exposed_cards | hand_texts
        assert forms_in(hidden_from(round_, own | exposed_cards | hand_texts), [view, messages]) == []
    for answer in place.answers:
        assert cards_in(event_json(answer)) == set()


def test_a_player_who_changes_seats_while_bets_are_open_sees_the_hand_of_the_new_one(file_floor: Floor) -> None:
    file_floor.players("pat", "quin")
    file_floor.table("a", "galaxy-v7 | |", {}, physical=False, seats={1: "pat"})
    file_floor.do("table/a", c.OpenRound(), "dan")
    file_floor.do("table/a", c.Leave(1), "pat")
    file_floor.do("table/a", c.Sit(2), "pat")
    file_floor.do("table/a", PlaceWagers(2, {"ante": 500}), "pat")
    file_floor.do("table/a", Lock(), "dan")
    file_floor.do("table/a", c.DealCards(), "dan")
    assert cards_in(file_floor.house.view("a", "pat").view) == texts(
        file_floor.house.table("a").require_playable_round().state.hands[2]
    )
    assert cards_in(file_floor.house.view("a", "quin").view) == set()


def test_refusals_do_not_depend_on_the_cards_of_others(file_floor: Floor) -> None:
    """Exposing a card that is not in the hand is refused with the same words, wherever the card is."""
    file_floor.players(*PLAYERS.values())
    file_floor.table("a", "atlantic-city | |", {}, physical=False, seats=PLAYERS)
    file_floor.deal_cards("table/a", {seat: {"ante": 500} for seat in PLAYERS})
    own, message = file_floor.house.table("a").require_playable_round().state.hands[1], set()
    for card in range(0, 52, 2):
        if card not in own:
            with pytest.raises(HcfError) as error_info:
                file_floor.do("table/a", Fold(1, Hand.of([card])), "pat")
            message.add(str(error_info.value).replace(format_card(card), "?"))
    assert len(message) == 1
    for seat in (2, 3):
        with pytest.raises(HcfError, match="Only the player in seat"):
            file_floor.do("table/a", Raise(seat, 500), "pat")


# --- what is kept is not shown by any way of looking at it that nobody meant ----------------------

ENCODERS: list[Callable[[Any], Any]] = [
    codec.encode,
    msgspec.json.encode,
    msgspec.msgpack.encode,
    msgspec.to_builtins,
    json.dumps,
    pickle.dumps,
    deepcopy,
]


@pytest.fixture
def live(sqlite_url: str) -> Floor:
    return open_live(sqlite_url)


def leaks(floor: Floor, text: str) -> list[str]:
    """List the secrets of the round that a text shows."""
    secrets = hidden(floor, "one")
    secrets["seed"].append(repr(floor.house.table("one").require_playable_round().seed).encode())
    secrets["house key"].append(repr(KEY).encode())
    return [name for name, forms in secrets.items() if any(form in text.encode() for form in forms)]


def test_a_secret_compares_and_reveals_on_purpose() -> None:
    assert Secret(5) == Secret(5) != Secret(6)
    assert Secret(5) != 5
    assert Secret(5).reveal() == 5
    with pytest.raises(TypeError):
        hash(Secret(5))


@pytest.mark.parametrize("encode", ENCODERS)
def test_no_encoder_takes_a_table_with_a_live_round(live: Floor, encode: Callable[[Any], Any]) -> None:
    with pytest.raises(TypeError):
        encode(live.house.table("one"))


def test_nothing_prints_a_live_round(live: Floor, caplog: pytest.LogCaptureFixture) -> None:
    table = live.house.table("one")
    logging.getLogger("a server").warning("table %s of %r: %s", table, live.house, vars(live.house))
    outputs = [repr(table), f"{table} {table.round!s:>9}", str(msgspec.structs.asdict(table)), caplog.text]
    cache, seal = (vars(vars(live.house)[name]) for name in ("cache", "seal"))
    outputs += [repr(cache), repr(seal), *(repr(vars(key)) for key in seal["_keys"])]
    assert leaks(live, "\n".join(outputs)) == []
    assert "<secret>" in outputs[0]


def test_no_traceback_shows_a_live_round(live: Floor) -> None:
    """Nor that of a refusal, which went through the engine with all its cards at hand."""
    table, house = live.house.table("one"), live.house
    (refusal,) = house.submit_many([Request("table/one", Fold(1), "ann", "in a group")])
    assert isinstance(refusal, HcfError)
    output_texts = ["".join(traceback.TracebackException.from_exception(refusal, capture_locals=True).format())]
    for kind, seat in ((HcfError, 1), (AttributeError, None)):
        with pytest.raises(kind) as error_info:
            house.submit("table/one", Fold(1), "ann", "again") if seat else table.cards  # type: ignore[attr-defined]
        output_texts.append(
            "".join(traceback.TracebackException.from_exception(error_info.value, capture_locals=True).format())
        )
    assert "table = Table(" in output_texts[-1]
    assert leaks(live, "\n".join(output_texts)) == []


def test_the_search_of_what_is_shown_bites(live: Floor) -> None:
    round_ = live.house.table("one").require_playable_round()
    assert {"seed", "hand 1"} <= {*leaks(live, repr(round_.hidden.reveal()))}
