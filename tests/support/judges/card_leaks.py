"""A floor with people in every role, and a check of everything that its server sends: frames, responses, log lines.

Rounds are played in laps, one round at each table at a time: bets, cards, decisions, settlement. Everything that is
sent is searched for cards that its reader may not know yet, in every form. Only the rules determine here what a reader
may know: their own hand, cards laid face up, the dealer's hand at the showdown and, for the dealer of a physical table,
who keys in the hands, all of its hands.

One table has the same public course each round, with other cards. Each round, a spectator must receive the same bytes
except for event and round numbers and the commitment, and players must receive the same number of bytes.
"""

import asyncio
import base64
import json
import logging
import re
from collections import defaultdict
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Iterable, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from functools import lru_cache
from itertools import count
from random import Random

import httpx
from litestar.routes import HTTPRoute

from highcardflush.cards import DECK_SIZE, HAND_SIZE, SUITS, Card, Hand, format_card
from highcardflush.game import actions as a
from highcardflush.game import legal_actions
from highcardflush.game.legal import FoldOption, RaiseOption
from highcardflush.house import codec
from highcardflush.house import commands as c
from highcardflush.house.accounts import credentials, sessions
from highcardflush.house.accounts.credentials import Credentials
from highcardflush.house.accounts.sessions import Session
from highcardflush.house.commands import Command
from highcardflush.house.store.protocol import Transaction
from highcardflush.house.submit import Committed
from highcardflush.house.table.state import Round, Table
from highcardflush.web.server.access import Who
from highcardflush.web.server.logs import JsonLines
from highcardflush.web.server.rate_limits import Limits
from support.places.floor import STAFF, Floor
from support.places.live import ENDLESS, Live, Message, Socket, living
from support.places.postgres import PATIENCE_SECONDS
from support.walkers.rounds import decision, some_wagers

CARD = re.compile(rb"(?<![A-Za-z0-9\\])(?:[2-9TJQKA][cdhs]){1,7}(?![A-Za-z0-9])")
"""Words made only of cards."""


def forms_of_bytes(secret: bytes) -> list[bytes]:
    """Return the bytes raw, in hex and in base64 at every alignment."""
    forms = [secret, secret.hex().encode(), secret.hex().upper().encode()]
    for shift in range(3):
        # the first and the last characters depend on the bytes next to the secret
        code_text = base64.b64encode(bytes(shift) + secret)[4 if shift else 0 : -4]
        forms += [code_text, code_text.replace(b"+", b"-").replace(b"/", b"_")]
    return forms


def forms_of_hand(hand: Hand) -> list[bytes]:
    """Return the forms of a hand: any three adjacent cards as text, its number, and a list of cards."""
    cards = list(hand)
    texts = [format_card(card) for card in cards]
    forms = [str(hand), "".join(texts), str(int(hand)), f"{int(hand):x}"]
    for words in (texts, [text.upper() for text in texts]):
        for join in ("", " ", ",", '","', '", "'):
            forms += [join.join(words[i : i + 3]) for i in range(5)]
    for order in (cards, cards[::-1]):
        forms += [join.join(map(str, order[i : i + 5])) for join in (",", ", ") for i in range(3)]
    numbers = [int(hand).to_bytes(8, end) for end in ("little", "big")]
    return [*(text.encode() for text in forms), *numbers, bytes(cards), str(hand).encode("utf-16-le")]


def forms_of_deck(deck: tuple[int, ...]) -> list[bytes]:
    """Return fragments of a deck in its order, as numbers and as cards."""
    forms = [bytes(deck[:8])]
    for i in range(0, len(deck) - 5, 5):
        numbers, texts = [str(card) for card in deck[i : i + 6]], [format_card(card) for card in deck[i : i + 4]]
        forms += [join.join(numbers).encode() for join in (",", ", ", " ")]
        forms += [join.join(texts).encode() for join in ("", " ", ",", '","', '", "')]
    return forms


PLAYERS = {1: "ann", 2: "bob", 3: "cyd"}
LOOKS_ON = "sol"
DEALER, STRANGE = "dan", "dia"
"""A dealer who is assigned to the physical table, and one who is not."""
ROLES = {
    **dict.fromkeys([*PLAYERS.values(), LOOKS_ON], "player"),
    **{name: STAFF[name] for name in (DEALER, "sue", "cal", "amy")},
    STRANGE: "dealer",
    "admin": "administrator",
}
FELT, COURSE = "felt", "course"
LIMITS = "ante-minimum 5, ante-maximum 500"
TABLES = {
    "oxford": f"oxford | | {LIMITS}",
    "atlantic": f"atlantic-city | | {LIMITS}",
    "meadows": f"meadows | | {LIMITS}",
    "washington": f"washington | flush PT-FLT-HCF-FB-07, straight-flush PT-FLT-HCF-SF-10 | dealing dice, {LIMITS}",
    "galaxy": f"galaxy-v7 | progressive PT-BJS-HCF-SF-07, FLUSH | {LIMITS}",
    COURSE: f"atlantic-city | | {LIMITS}",
    FELT: f"atlantic-city | | {LIMITS}",
}
ANTE = {"ante": 1000}
HIDES = ("dealt", "acting", "showdown")
NUMBERS = re.compile(rb'"(seq|number|round|at_ms|ends_in_ms)":\d+|"commitment":"[0-9a-f]+"|"seed":"[0-9a-f]+"')
"""Fields that differ between two rounds with the same course."""
MOMENT = re.compile(rb'"[a-z_]*(?:at|ms)": ?\d+')
PUBLIC = re.compile(rb'"(?:commitment|seed)": ?"[0-9a-f]+"')
"""Random bytes that are public. The number of a hand of low clubs has four digits: 941b may occur by chance."""
LONG = 8
"""Length in bytes from which a secret does not occur by chance."""
ENDLESS_PATHS = ("/live",)
"""Suffixes of paths whose responses never end: those of a wall display."""
ALIKE = tuple(f"/api/v1/{name}" for name in ("rulebooks", "odds", "openapi", "asyncapi"))
"""Paths whose answers depend on no table, so one person may call them for all."""
DAY = 86_400_000_000
KEYS = count(1)
DECKS: dict[object, tuple[bytes, ...]] = {}
KEPT = 50
"""Number of a table's latest events that may still be sent."""


def texts(cards: Iterable[Card]) -> set[str]:
    return {format_card(card) for card in cards}


def cards_in(data: bytes) -> set[str]:
    return {card.decode() for word in CARD.findall(data) for card in re.findall(rb"[2-9TJQKA][cdhs]", word)}


def may_know(table: Table, person: str) -> set[str]:
    """Return the cards of a table's round that a person may know: all of them once it is over."""
    round_ = table.round
    if round_ is None:
        return texts(range(DECK_SIZE))
    state, role = round_.state, ROLES[person]
    if table.config.physical and (role == "supervisor" or person == DEALER):
        return {card for hand in state.hands.values() for card in texts(hand)}
    known_cards = {card for seat in state.seats if seat.decision for card in texts(seat.decision.expose)}
    for seat, hand in state.hands.items():
        if (seat == 0 and state.phase == "showdown") or round_.seats.get(seat) == person:
            known_cards |= texts(hand)
    return known_cards


@lru_cache(512)
def numbers_of_hand(hand: Hand) -> tuple[bytes, ...]:
    return tuple(form for form in forms_of_hand(hand) if not CARD.search(form))


def numbers_of_deck(round_: Round) -> tuple[bytes, ...]:
    if round_.seed is None:
        return ()
    key = round_.seed, *sorted(round_.player_seeds.items())
    if key not in DECKS:
        deck = forms_of_deck(round_.deck())
        DECKS[key] = (*forms_of_bytes(round_.seed), *(form for form in deck if not CARD.search(form)))
    return DECKS[key]


def hidden_forms(table: Table, known_cards: set[str]) -> list[bytes]:
    """Return everything that a live round hides from a viewer who knows these cards, in every form."""
    if table.round is None:
        return []
    forms = list(numbers_of_deck(table.round))
    for hand in table.round.state.hands.values():
        if not texts(hand) <= known_cards:
            forms += [str(hand).encode(), str(hand).replace(" ", "").encode(), *numbers_of_hand(hand)]
    return forms


class Ear:
    """Checks everything that leaves the server."""

    def __init__(self, live: Live) -> None:
        self._live = live
        self._at: dict[tuple[str, int], Table] = {}
        """State of each table after each event, keyed by table and event number."""
        self.opened: dict[str, int] = {}
        """Number of the event that opened the round, keyed by table."""
        self._scanned: set[tuple[bytes, frozenset[str]]] = set()
        self._forms: dict[tuple[str, int, frozenset[str]], list[bytes]] = {}
        self._lengths: dict[tuple[str, int, str], dict[str, int]] = defaultdict(dict)
        self.more: dict[str, set[int]] = defaultdict(set)
        """Extra bytes in each kind of frame for those who hold cards, compared with those who only watch."""
        self.courses: dict[tuple[str, ...], set[bytes | int]] = defaultdict(set)
        """Messages at each step of the course: their text or only their length."""
        self.wrong: list[str] = []
        self.frames = self.responses = self.lines = self.names_shown = 0
        live.floor.house.on_committed(self._committed)

    def _committed(self, commits: Sequence[Committed]) -> None:
        for commit in commits:
            if commit.table is not None:
                self._at[commit.table.name, commit.event.seq] = commit.table
                if commit.event.kind == "open":
                    self.opened[commit.table.name] = commit.event.seq

    def findings(self) -> list[str]:
        unlike = [f"{kind}: longer by {sorted(sizes)}" for kind, sizes in self.more.items() if len(sizes) > 1]
        apart = [
            f"{step}: {sorted(readers, key=str)[:2]}" for step, readers in self.courses.items() if len(readers) > 1
        ]
        return self.wrong + unlike + apart

    def forget(self) -> None:
        newest = {name: table.head.seq for name, table in self._live.services.context.tables.items()}
        self._at = {(name, seq): table for (name, seq), table in self._at.items() if seq > newest[name] - KEPT}
        self._scanned.clear()
        self._forms.clear()
        DECKS.clear()
        self._lengths.clear()

    # --- frames

    def frame(self, who: Who, text: bytes, data: Message, sent_cards: Iterable[str]) -> None:
        """Check a frame sent to a person; `sent` are the cards that this person named in the request."""
        self.frames += 1
        if data["type"] in ("told", "table"):
            self._of_table(who, text, data)
        else:
            known_cards = set(sent_cards)
            if data["type"] == "refused":  # a refusal may name the player's own cards
                known_cards |= {card for table in self._now() for card in may_know(table, who.person) if table.round}
            self._strict(f"{data['type']} to {who.person}", text, known_cards, self._now())

    def _of_table(self, who: Who, text: bytes, data: Message) -> None:
        table = self._at.get((data["table"], data["seq"]))
        if table is None:  # the event is older than this ear
            [(_, table)] = self._live.floor.house.tables_since(data["table"], data["seq"] - 1, 1)
        known_cards, round_ = may_know(table, who.person), table.round
        if round_ is not None:
            self._strict(f"{table.name} {data['seq']} {data['type']} to {who.person}", text, known_cards, [table])
        if round_ is None or round_.state.phase not in HIDES:
            return
        holds = who.person in round_.seats.values() or (table.config.physical and who.role in ("dealer", "supervisor"))
        reader = "dealer" if holds and who.role != "player" else "player" if holds else "others"
        if who.person == STRANGE:
            reader = "others"
        key = table.name, data["seq"], data["type"]
        self._lengths[key][reader] = len(text)
        if reader != "others" and self._lengths[key].get("others") is not None:
            self.more[f"{data['type']} {data.get('kind')}"].add(len(text) - self._lengths[key]["others"])
        if table.name == COURSE and round_.state.phase != "showdown":
            plain = NUMBERS.sub(b"", text)
            heard_text = plain if reader == "others" else len(plain)
            self.courses[data["type"], who.person, *_public(round_)].add(heard_text)

    # --- responses, logs and commits

    def response(self, person: str, path: str, answer: httpx.Response, strict: Table | None) -> None:
        """Check a response; with `strict` it may hold nothing but that table's live round."""
        self.responses += 1
        text = b"\n".join([*(value for _, value in answer.headers.raw), answer.content])
        where = f"{path} to {person}: {answer.status_code}"
        if answer.status_code >= 500 and path != "/health":  # a real clock contradicts the test's clock there
            self.wrong.append(where)
        if strict is not None:
            self._strict(where, text, may_know(strict, person), self._now())
            return
        for table in self._now():
            self._search(where, text, table, may_know(table, person))

    def line(self, text: str) -> None:
        """Check a line of the log, which may not name a card."""
        self.lines += 1
        self._strict("log", text.encode(), set(), self._now())

    def _now(self) -> list[Table]:
        return list(self._live.floor.house.cache.tables.values())

    def _strict(self, where: str, text: bytes, known_cards: set[str], tables: Iterable[Table]) -> None:
        key = text, frozenset(known_cards)
        if key in self._scanned:
            return
        self._scanned.add(key)
        cards_named = cards_in(text)
        self.names_shown += bool(cards_named)
        if leaks := cards_named - known_cards:
            self.wrong.append(f"{where}: cards {sorted(leaks)}")
        for table in tables:
            self._search(where, text, table, known_cards)

    def _search(self, where: str, text: bytes, table: Table, known_cards: set[str]) -> None:
        key = table.name, table.head.seq, frozenset(known_cards)
        if key not in self._forms:
            self._forms[key] = hidden_forms(table, known_cards)
        leaks = [form for form in self._forms[key] if form in text]
        if not leaks:
            return
        text = MOMENT.sub(b"", text)  # a timestamp may contain the number of a hand, as 1800000009232 does
        for form in leaks:
            rest = text if len(form) >= LONG else PUBLIC.sub(b"", text)
            if (at := rest.find(form)) >= 0:
                self.wrong.append(f"{where}: {form!r} in {rest[max(0, at - 40) : at + len(form) + 40]!r}")


def _public(round_: Round) -> tuple[str, ...]:
    decisions = [str(seat.decision.raise_cents) if seat.decision else "" for seat in round_.state.seats]
    return round_.state.phase, *decisions


class Tapped(Socket):
    """A socket that passes its messages to the ear and can have several requests in flight."""

    def __init__(self, live: Live, who: Who, ear: Ear) -> None:
        super().__init__(live, who)
        self._ear = ear
        self._asked: dict[str, tuple[set[str], asyncio.Future[Message]]] = {}
        """Unanswered requests, keyed by request key: the cards that they name, and the future of their answer."""

    async def _take(self, message: Message) -> None:
        text = message.get("text")
        if text is None:
            await super()._take(message)
            return
        data = json.loads(text)
        cards_named, waits = self._asked.pop(data.get("key"), (set(), None))
        try:
            self._ear.frame(self.who, text.encode(), data, cards_named)
        except Exception as error:
            self._ear.wrong.append(f"{text[:100]}: {error!r}")
        if waits is not None:
            waits.set_result(data)
        elif data["type"] == "hello":
            await super()._take(message)

    async def ask(self, table: str, command: Command | a.Action) -> Message:
        data = {"type": type(command).__name__, **json.loads(codec.encode(command))}
        if data.get("keep") is not None:
            data["keep"] = SUITS[data["keep"]]
        key, waits = f"{self.who.person} {next(KEYS)}", asyncio.get_running_loop().create_future()
        self._asked[key] = cards_in(json.dumps(data).encode()), waits
        self.say({"type": "do", "key": key, "stream": f"table/{table}", "command": data})
        async with asyncio.timeout(PATIENCE_SECONDS):
            answer: Message = await waits
        return answer


class Scene:
    def __init__(self, live: Live, ear: Ear, rng: Random, tables: Collection[str]) -> None:
        self.live, self.ear, self.rng, self.tables = live, ear, rng, tables
        self.sockets: dict[str, Tapped] = {}
        self.tokens: dict[str, str] = {}
        self.laps = 0

    @property
    def _looked_at(self) -> list[str]:
        """The tables that all people watch."""
        return [name for name in (COURSE, FELT) if name in self.tables]

    @property
    def rounds(self) -> int:
        return sum(table.rounds for table in self.live.services.context.tables.values())

    async def begin(self) -> None:
        now = int(self.live.services.context.clock() * 1e6)
        for person, role in ROLES.items():
            token = self.tokens[person] = f"{person}-{self.rng.randbytes(24).hex()}"
            session = Session(sessions.digest(token), person, "session", now, now + DAY, 0, "")

            def enter(tx: Transaction, session: Session = session) -> None:
                credentials.create(tx, Credentials(session.person, session.person, None, None, None, now))
                sessions.create(tx, session)

            await self.live.services.context.write(enter)
            who = Who(person, person, role, "person", session.digest, 0.0)  # type: ignore[arg-type]
            socket = self.sockets[person] = Tapped(self.live, who, self.ear)
            await socket.open()
            for name in self.tables:
                socket.say({"type": "watch", "table": name})

    # --- a lap

    async def lap(self, crawl: str | None = None) -> None:
        """Play a round at every table. Midway all people make every call whose path begins with `crawl`."""
        self.ear.forget()
        self.laps += 1
        await self._at_all(self._bet)
        await self._at_all(self._deal)
        for socket in self.sockets.values():
            for name in self._looked_at:
                socket.say({"type": "watch", "table": name})
        if crawl is not None and self.laps % 2:
            await self._crawl(crawl)
        await self._at_all(lambda name: self._decide(name, first=True))
        if crawl is not None and not self.laps % 2:
            await self._crawl(crawl)
        await self._at_all(lambda name: self._decide(name, first=False))

    async def _at_all(self, act: Callable[[str], Awaitable[None]]) -> None:
        await asyncio.gather(*(act(name) for name in self.tables))

    def _table(self, name: str) -> Table:
        return self.live.services.context.tables[name]

    async def _until(self, name: str, *phases: str, number: int | None = None) -> Round:
        """Return the round of this lap, or the one with this number, as soon as it is in one of the phases."""
        lap = number or self.laps
        async with asyncio.timeout(PATIENCE_SECONDS):
            while True:
                round_ = self._table(name).round
                if round_ is not None and round_.number == lap and round_.state.phase in phases:
                    return round_
                await asyncio.sleep(0.002)

    async def _bet(self, name: str) -> None:
        if name == FELT:
            await self._done(DEALER, name, c.OpenRound())
        round_ = await self._until(name, "betting")
        for seat, person in PLAYERS.items():
            if name == COURSE or seat == 1 or self.rng.random() < 0.7:
                wagers = ANTE if name == COURSE else some_wagers(round_.rulebook, round_.state, seat, self.rng)
                if name not in (COURSE, FELT) and self.rng.random() < 0.3:
                    await self.sockets[person].ask(name, c.NameSeed(seat, self.rng.randbytes(8).hex()))
                await self._done(person, name, a.PlaceWagers(seat, wagers))
            elif name != FELT:
                await self._done(person, name, c.Leave(seat))

    async def _deal(self, name: str) -> None:
        if name == FELT:
            await self._done(DEALER, name, a.Lock())
            deck = list(range(DECK_SIZE))
            self.rng.shuffle(deck)
            round_ = await self._until(name, "locked")
            for order, seat in enumerate([*(seat.number for seat in round_.state.seats), 0]):
                cards = deck[order * HAND_SIZE : (order + 1) * HAND_SIZE]
                await self._done(DEALER, name, a.DealHand(seat, Hand.of(cards)))
        await self._until(name, "dealt", "acting")

    async def _decide(self, name: str, *, first: bool) -> None:
        """Make the first decision, or all the others and the actions that follow them."""
        round_ = self._table(name).round
        undecided_seats = round_.state.undecided if round_ is not None and round_.number == self.laps else ()
        for seat in undecided_seats[:1] if first else undecided_seats:
            assert round_ is not None
            await self._try(name, round_, seat, PLAYERS[seat])
            options = legal_actions(round_.rulebook, round_.state, seat)
            option = self.rng.choice([each for each in options if isinstance(each, (FoldOption, RaiseOption))])
            command: a.Action = decision(seat, option, self.rng)
            if name == COURSE:
                least = next(each for each in options if isinstance(each, RaiseOption))
                command = a.Fold(seat) if seat == 2 else a.Raise(seat, least.amounts.minimum_cents, least.keep)
            await self._done(PLAYERS[seat], name, command)
        if first:
            return
        if name == FELT:
            await self._done("sue", name, c.SettleRound())  # a dealer who keyed in a hand must not settle a large win
            return
        for seat, person in PLAYERS.items():
            if person not in self._table(name).seats.values():
                await self._done(person, name, c.Sit(seat))
        await self._until(name, "betting", number=self.laps + 1)

    async def _try(self, name: str, round_: Round, seat: int, person: str) -> None:
        """Try commands that must be refused: a card that another hand may hold, another seat, a wrong amount."""
        if self.rng.random() < 0.2:
            card = self.rng.choice([card for card in range(DECK_SIZE) if card not in round_.state.hands[seat]])
            for command in (a.Fold(seat, Hand.of([card])), a.Fold(seat % 3 + 1), a.Raise(seat, 7)):
                assert (await self.sockets[person].ask(name, command))["type"] == "refused"

    async def _done(self, person: str, name: str, command: Command | a.Action) -> None:
        answer = await self.sockets[person].ask(name, command)
        assert answer["type"] == "done", (name, command, answer)

    # --- every call

    def _paths(self) -> dict[str, Table | None]:
        """Return the path of every read-only call, with the table if the answer holds nothing else."""
        paths: dict[str, Table | None] = {}
        for route in self.live.app.routes:
            if not isinstance(route, HTTPRoute) or "GET" not in route.methods:
                continue
            path = route.path_format
            if path.endswith(ENDLESS_PATHS):
                continue
            if "/tables/{name}" in path or "/rounds/{table}" in path:
                for name in self._looked_at:
                    table = self._table(name)
                    numbers_in_path = (
                        path.replace("{name}", name).replace("{table}", name).replace("{number}", str(table.rounds))
                    )
                    paths[numbers_in_path] = (
                        table if "/house/" not in path and path.endswith(("{name}", "/advice")) else None
                    )
                    if path.endswith("/events"):
                        paths[f"{numbers_in_path}?after={self.ear.opened[name] - 1}"] = table
            else:
                fills = {"name": "mega", "person": "ann", "number": "1"}
                paths[path.format_map(defaultdict(lambda: "mega", fills))] = None
        return paths

    async def _crawl(self, begin: str) -> None:
        transport = httpx.ASGITransport(self.live.app, raise_app_exceptions=False, client=("127.0.0.1", 1))
        async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1:8080") as client:
            paths = {path: strict for path, strict in self._paths().items() if path.startswith(begin)}
            for path, strict in paths.items():
                for person, token in self.tokens.items():
                    if path.startswith(ALIKE) and person != LOOKS_ON:
                        continue
                    answer = await client.get(path, headers={"Cookie": f"hcf-session={token}"})
                    self.ear.response(person, path, answer, strict)
                    if strict is not None and strict.name == COURSE:
                        step = ("GET", person, path.partition("?")[0], *_public(strict.require_playable_round()))
                        self.ear.courses[step].add(len(NUMBERS.sub(b"", answer.content)))


@asynccontextmanager
async def overheard(floor: Floor, seed: int, *tables: str) -> AsyncIterator[Scene]:
    names = tables or tuple(TABLES)
    floor.players(*PLAYERS.values(), LOOKS_ON, cents=10_000_000_00)
    floor.do("office", c.AddPerson(STRANGE, "dealer"))
    floor.meter()
    for name in names:
        floor.table(name, TABLES[name], physical=name == FELT, seats=PLAYERS)
    async with living(floor, ("pause_s", 0)) as live:
        live.services.context.limits = Limits(live.services.context.monotonic, ENDLESS)
        ear = Ear(live)
        with _logged(ear):
            scene = Scene(live, ear, Random(seed), names)
            await scene.begin()
            yield scene


@contextmanager
def _logged(ear: Ear) -> Iterator[None]:
    """Pass every log line to the ear as it is written."""
    handler, root = logging.Handler(logging.DEBUG), logging.getLogger()
    handler.setFormatter(JsonLines())
    handler.emit = lambda record: ear.line(handler.format(record))  # type: ignore[method-assign]
    level = root.level
    root.setLevel(logging.DEBUG)
    root.addHandler(handler)
    try:
        yield
    finally:
        root.removeHandler(handler)
        root.setLevel(level)
