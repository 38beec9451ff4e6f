"""Accounts: who comes in and how, what says who somebody is, and what each attack on them meets."""

import asyncio
import json
import logging
from base64 import b32decode
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from highcardflush.errors import HcfError, HouseError, NeedsSecond, NotFound, NotPermitted, StoreBusy, TooMany
from highcardflush.house import commands as c
from highcardflush.house.accounts import credentials, sessions
from highcardflush.house.books.seal import HouseKey, Seal
from highcardflush.house.secret import Secret
from highcardflush.web.accounts import codes, passwords, second_factor
from highcardflush.web.accounts import sessions as web_sessions
from highcardflush.web.accounts.codes import first_admin_code
from highcardflush.web.accounts.names import check_name, login_of
from highcardflush.web.accounts.passwords import COST, Hashing, check_password
from highcardflush.web.errors import BadLogin, Limited, NoSession
from highcardflush.web.live.connections import Connection, cannot_write
from highcardflush.web.server.access import Who
from support.places.accounts import CHEAP, OTHER, PASSWORD, REMOTE, Desk, open_desk
from support.places.floor import Floor
from support.places.live import until

HOUR = 3600.0
DAY = 24 * HOUR


async def refused(call: Any, kind: type[HcfError] = BadLogin) -> HcfError:
    with pytest.raises(kind) as error_info:
        await call
    return error_info.value


async def at_once(times: int, call: Callable[[], Awaitable[Any]]) -> tuple[list[Any], list[BaseException]]:
    """Return the results of simultaneous calls, and the errors of those that were refused."""
    outcomes = await asyncio.gather(*(call() for _ in range(times)), return_exceptions=True)
    errors = [one for one in outcomes if isinstance(one, BaseException)]
    return [one for one in outcomes if not isinstance(one, BaseException)], errors


# --- names and passwords -------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["Ann", "x", "José 2", "o'Neil", "Åse-Marie", "山田 たろう", "Ольга", "राम", "a" * 40])
def test_a_name_may_be_anybodys(name: str) -> None:
    assert check_name(f" {name} ") == name


ILLEGIBLE = (
    "", " ", "-ann", "ann-", "ann  b", "ann\n", "a" * 41, "ann\u202e", "ann\u200b", "<b>ann", "ann@x", "аnn",
    "é\u0301\u0301\u0301", "\x00", "ann\ud800",
)  # fmt: skip
HOUSE = ("House", "the house", "SERVER", "adm1n", "Admin 2", "h.o.u.s.e", "Supervis0r", "guest", "ａｄｍｉｎ", "d3aler")


@pytest.mark.parametrize("name", [*ILLEGIBLE, *HOUSE])
def test_a_name_that_cannot_be_read_or_is_like_the_house_is_refused(name: str) -> None:
    with pytest.raises(HouseError if name in HOUSE else HcfError, match="house" if name in HOUSE else "name"):
        check_name(name)


@given(st.text(max_size=50))
def test_a_name_is_one_text_however_it_is_written(text: str) -> None:
    try:
        name = check_name(text)
    except HcfError:
        return
    assert check_name(name) == name
    assert name.isprintable()
    assert login_of(name) == login_of(name.upper().lower()) or not name.isascii()
    assert login_of(login_of(name)) == login_of(name)


def test_the_list_of_common_passwords_has_more_than_three_thousand() -> None:
    assert len(passwords._common()) > 9_900


@pytest.mark.parametrize(
    ("text", "refusals"),
    [
        ("most common", ["password1", "12345678", "QWERTYUIOP", "iloveyou", "sunshine"]),
        (
            "too easy to guess",
            ["Jackpot2026", "highcardflush!", "casino-1234", "annabel99", "99Annabel", "Oxford12345"],
        ),
        ("8 to 256 characters", ["seven77", "x" * 257]),
    ],
)
def test_a_password_is_refused_and_not_repeated(text: str, refusals: list[str]) -> None:
    for password in refusals:
        with pytest.raises(HouseError, match=text) as error_info:
            check_password(password, "Annabel")
        assert password not in json.dumps(error_info.value.as_dict())


def test_a_password_is_long_and_of_any_signs() -> None:
    for good in ("wholly lower case", "🂡🂱🃁🃑🂢🂲🃂🃒", "tab\tand\nline", " " * 7 + "x", "x1" * 100):
        check_password(good, "ann")
    with pytest.raises(HouseError, match="12 to 256 characters"):
        check_password("elevensigns", "ann", staff=True)


def test_hashes_are_argon2id_of_the_advised_cost() -> None:
    assert (COST.type.name, COST.time_cost, COST.memory_cost, COST.parallelism) == ("ID", 2, 19_456, 1)


async def test_only_so_many_hashes_are_made_at_once_and_the_loop_goes_on() -> None:
    hashing = Hashing(CHEAP, at_once=2, waiting=3)
    hashes, errors = await at_once(50, lambda: hashing.make(PASSWORD))
    assert len(hashing._threads._threads) <= 2
    good = await hashing.make(PASSWORD)  # it takes more when those are done
    assert await hashing.check(PASSWORD, good)
    hashing.close()
    assert [type(one) for one in (*hashes, *errors)] == [Secret] * 5 + [StoreBusy] * 45


async def test_a_password_is_checked_exactly_as_typed() -> None:
    hashing = Hashing(CHEAP)
    password = " Pässword \ud800 " + "x" * 200
    hash_text = await hashing.make(password)
    for other in (password, password.strip(), password.lower(), password[:-1], password + "x", ""):
        assert await hashing.check(other, hash_text) == (other == password)
    for nothing in (None, Secret("no hash")):
        assert not await hashing.check(password, nothing)
    hashing.close()


# --- the second factor ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("at", "code"), [(59, "94287082"), (1111111109, "07081804"), (1234567890, "89005924"), (20000000000, "65353130")]
)
def test_codes_are_those_of_rfc_6238(at: int, code: str) -> None:
    assert second_factor.code_at(second_factor.Factor(Secret(b"12345678901234567890")), at // 30, 8) == code


def test_a_code_is_good_once_and_late_by_one_step_at_the_most() -> None:
    key, now = second_factor.make(), 1_800_000_000.0
    code = second_factor.code_at(key, int(now // 30))
    for later, good in ((-30, False), (0, True), (30, True), (60, False)):
        assert (second_factor.accept(key, code, now + later) is not None) == good
    accepted_step = second_factor.accept(key, f"{code[:3]} {code[3:]}", now)
    assert accepted_step is not None
    assert second_factor.accept(accepted_step, code, now) is None
    assert second_factor.accept(accepted_step, second_factor.code_at(key, int(now // 30) - 1), now) is None
    for wrong in ("", "000000" if code != "000000" else "000001", code + "0", "ａｂｃ", "\ud800"):
        assert second_factor.accept(key, wrong, now) is None


def test_a_second_factor_is_kept_sealed_for_one_person() -> None:
    keys, key = Seal(HouseKey(Secret(bytes(32)))), second_factor.make()
    box = second_factor.seal(key, keys, "sue")
    assert second_factor.unseal(box, keys, "sue") == key
    assert key.key.reveal() not in box.reveal().encode()
    for other, person in ((keys, "sam"), (Seal(HouseKey(Secret(bytes(31) + b"1"))), "sue")):
        with pytest.raises(HcfError, match="seal"):
            second_factor.unseal(box, other, person)


def test_an_authenticator_gets_an_address_with_the_key() -> None:
    address = second_factor.show(second_factor.make(), "sue b")
    assert address.uri == (
        f"otpauth://totp/High%20Card%20Flush%3Asue%20b?secret={address.key}&issuer=High%20Card%20Flush&digits=6&period=30"
    )


# --- coming in -----------------------------------------------------------------------------------


async def test_a_guest_comes_with_play_money_and_a_name(desk: Desk) -> None:
    who, token = await desk.accounts.guest(REMOTE)
    assert (who.role, who.kind, who.by, who.proved) == ("player", "guest", "session", 0)
    assert who.person.startswith("g-")
    assert who.name == f"Guest {who.person[2:8].upper()}"
    assert desk.floor.wallet(who.person) == c.GUEST_CENTS
    assert await desk.sessions.find(token) == who
    await refused(desk.accounts.login(who.name, "", REMOTE))


async def test_guests_are_bounded_in_number_and_may_be_switched_off(desk: Desk) -> None:
    desk.floor.do("office", c.SetFloor({"most_guests": 3}, "a small room"))
    came, _ = await at_once(10, lambda: desk.accounts.guest("127.0.0.1"))
    assert len(came) <= 3
    error = await refused(desk.accounts.guest(REMOTE), TooMany)
    assert (error.reason, error.values) == ("guests-full", {"most": 3})
    desk.floor.do("office", c.SetFloor({"guests": False}, "members only"))
    await refused(desk.accounts.guest(REMOTE), NotPermitted)
    who, _ = await desk.ann()
    assert (who.kind, desk.floor.house.wallet(who.person)) == ("person", 0)


async def test_a_guest_is_over_when_nothing_was_heard_for_a_day_and_makes_room(desk: Desk) -> None:
    who, token = await desk.accounts.guest(REMOTE)
    stays, _ = await desk.ann()
    desk.floor.wait(23 * HOUR)
    assert await desk.sessions.find(token)  # it counts as used
    desk.floor.wait(23 * HOUR)
    await desk.sessions.expire()
    assert await desk.rows("credentials") == 2
    desk.floor.wait(2 * HOUR)
    assert await desk.sessions.find(token) is None
    await desk.sessions.expire()
    assert await desk.read(lambda tx: credentials.display_names(tx, who.person, stays.person)) == {stays.person: "Ann"}
    assert await desk.read(credentials.count_guests) == 0
    assert await desk.rows("sessions") == 1


async def test_a_registered_name_is_taken_in_every_spelling(desk: Desk) -> None:
    who, token = await desk.ann()
    assert (who.name, who.kind, desk.floor.wallet(who.person)) == ("Ann", "guest", c.GUEST_CENTS)
    assert await desk.sessions.find(token) == who
    for other in ("Ann", "ANN", "ａｎｎ", " ann "):
        await refused(desk.accounts.register(other, PASSWORD, REMOTE), HouseError)
    await refused(desk.accounts.register("sue", PASSWORD, REMOTE), HouseError)  # an id of the staff
    people = len(await desk.read(lambda tx: tx.read("SELECT 1 FROM people")))
    came, errors = await at_once(5, lambda: desk.accounts.register("Bob", PASSWORD, "127.0.0.1"))
    assert len(came) == 1
    assert all(isinstance(error, HouseError) for error in errors), errors
    assert len(await desk.read(lambda tx: tx.read("SELECT 1 FROM people"))) > people


async def test_a_guest_who_registers_keeps_seat_and_money(desk: Desk) -> None:
    guest, old = await desk.accounts.guest(REMOTE)
    who, _ = await desk.accounts.register("Ann", PASSWORD, REMOTE, guest)
    assert (who.person, who.name) == (guest.person, "Ann")
    assert await desk.sessions.find(old) is None
    assert desk.connections.dropped == [guest.session]
    again, _ = await desk.accounts.login("ann", PASSWORD, REMOTE)
    assert again.person == guest.person
    other, _ = await desk.accounts.register("Bob", PASSWORD, REMOTE, who)  # no second name for the same wallet
    assert other.person != who.person


async def test_login_gives_a_new_session_and_ends_the_one_from_which_it_comes(desk: Desk) -> None:
    """Session fixation: a token that was there before a login is worth nothing after it."""
    _, first = await desk.ann()
    guest, planted_token = await desk.accounts.guest(REMOTE)
    who, token = await desk.accounts.login("ANN", PASSWORD, REMOTE, who=guest)
    assert len({first, planted_token, token}) == 3
    assert await desk.sessions.find(planted_token) is None
    assert (await desk.sessions.find(token)) == who
    assert guest.session in desk.connections.dropped


async def test_an_unknown_name_a_wrong_password_and_nobody_get_one_answer_for_the_same_work(desk: Desk) -> None:
    """Neither the words nor the work reveal which people exist. Work is counted instead of timed."""
    await desk.ann()
    guest, _ = await desk.accounts.guest(REMOTE)
    desk.floor.do("office", c.AddPerson("bo", "player", "bot"))
    await desk.staff("sue")
    messages = set()
    for name, password in (
        ("ann", OTHER), ("nobody at all", OTHER), (guest.name, OTHER), ("house", OTHER), ("server", OTHER), ("bo", ""),
        ("sue", OTHER), ("sue", PASSWORD), ("admin", OTHER), ("x" * 500, OTHER), ("ann\x00", OTHER), ("\ud800", OTHER),
    ):  # fmt: skip
        reads, hash_count = desk.reads, desk.accounts.hashing.done
        error = await refused(desk.accounts.login(name, password, "127.0.0.1"))
        messages.add((json.dumps(error.as_dict()), desk.reads - reads, desk.accounts.hashing.done - hash_count))
    assert len(messages) == 1
    assert {(reads, hash_count) for _, reads, hash_count in messages} == {(1, 1)}


def test_the_decoy_of_who_has_no_password_costs_what_a_hash_costs() -> None:
    """The parameters in a hash are the work: argon2 takes no shorter way for what does not fit."""
    hashing = Hashing()
    hash_text = COST.hash("x")
    assert hashing._decoy.reveal().split("$")[:4] == hash_text.split("$")[:4]
    assert [len(part) for part in hashing._decoy.reveal().split("$")] == [len(part) for part in hash_text.split("$")]
    hashing.close()


async def test_a_flood_of_logins_is_slowed_by_name_by_address_and_does_not_shut_out_the_owner(desk: Desk) -> None:
    await desk.ann()
    errors = [await refused(desk.accounts.login("ann", OTHER, "198.51.100.1"), NoSession) for _ in range(10)]
    assert all(isinstance(error, BadLogin) for error in errors)
    slow = await refused(desk.accounts.login("ann", PASSWORD, "198.51.100.1"), Limited)
    assert isinstance(slow, Limited)
    assert slow.seconds == pytest.approx(20)
    hash_count = desk.accounts.hashing.done
    for _ in range(100):
        await refused(desk.accounts.login("ann", OTHER, "198.51.100.1"), Limited)
    assert desk.accounts.hashing.done == hash_count  # and costs no hash
    for number in range(12):  # the owner, who knows the password, comes in from elsewhere as often as need be
        who, _ = await desk.accounts.login("ann", PASSWORD, REMOTE)
        assert who.name == "Ann", number
    names = [await refused(desk.accounts.login(f"no{number}", OTHER, "198.51.100.2"), HcfError) for number in range(60)]
    assert {type(error) for error in names[:39]} == {BadLogin}
    assert {type(error) for error in names[45:]} == {Limited}


async def test_a_password_is_hashed_anew_when_its_cost_has_changed(desk: Desk) -> None:
    who, _ = await desk.ann()
    before = await desk.read(lambda tx: credentials.find(tx, who.person))
    desk.accounts.hashing = Hashing(type(CHEAP)(time_cost=2, memory_cost=8, parallelism=1))
    await desk.accounts.login("ann", PASSWORD, REMOTE)
    after = await desk.read(lambda tx: credentials.find(tx, who.person))
    assert before is not None
    assert after is not None
    assert after.secret != before.secret
    await desk.accounts.login("ann", PASSWORD, REMOTE)


@pytest.mark.parametrize("person", ["house", "server", "bo"])
async def test_nobody_signs_in_as_a_program_of_the_house(desk: Desk, person: str) -> None:
    desk.floor.do("office", c.AddPerson("bo", "player", "bot"))
    await refused(desk.accounts.make_code(await desk.administrator(), person), NotFound)
    # Not even with credentials and a session that somebody has put into the database.
    secret = await desk.accounts.hashing.make(PASSWORD)
    token, now = web_sessions.make_token(), int(desk.clock() * 1e6)
    stored_person = credentials.Credentials(person, person, person, secret, None, 0)

    def forge(tx: Any) -> None:
        credentials.create(tx, stored_person)
        sessions.create(tx, sessions.Session(sessions.digest(token), person, "session", now, now + 10**9, now, ""))

    await desk.write(forge)
    await refused(desk.accounts.login(person, PASSWORD, REMOTE))
    assert await desk.sessions.find(token) is None


# --- who somebody is -----------------------------------------------------------------------------


async def test_a_session_ends_at_logout_for_good(desk: Desk) -> None:
    who, token = await desk.ann()
    await desk.sessions.find(token)
    await desk.sessions.logout(who)
    assert await desk.sessions.find(token) is None
    assert desk.connections.dropped == [who.session]
    await refused(desk.accounts.prove(who, PASSWORD), NoSession)
    assert await desk.sessions.over([who]) == {who.session}


async def test_a_session_ended_elsewhere_is_over_within_a_second(desk: Desk) -> None:
    who, token = await desk.ann()
    assert await desk.sessions.find(token)
    await desk.write(lambda tx: sessions.revoke(tx, who.session))
    desk.floor.wait(1)
    assert await desk.sessions.find(token) is None
    # a session that was read before it ended is not cached after it
    who, token = await desk.accounts.login("ann", PASSWORD, REMOTE)
    await asyncio.gather(desk.sessions.find(token), desk.sessions.logout(who))
    assert await desk.sessions.find(token) is None


async def test_disabling_and_role_changes_take_effect_at_once(desk: Desk) -> None:
    key = await desk.staff("sue")
    _, token = await desk.sign_in("sue", key)
    desk.floor.do("office", c.ChangeRole("sue", "dealer", "a new job"))
    desk.floor.wait(1)
    assert (await desk.who(token)).role == "dealer"
    desk.floor.do("office", c.Disable("sue", "left"))
    desk.floor.wait(1)
    assert await desk.sessions.find(token) is None
    await refused(desk.sign_in("sue", key))


async def test_a_session_ends_when_it_is_not_used_and_in_any_case(desk: Desk) -> None:
    await desk.ann()
    _, idle = await desk.accounts.login("ann", PASSWORD, REMOTE)
    _, used_token = await desk.accounts.login("ann", PASSWORD, REMOTE)
    for day in range(1, 31):
        desk.floor.wait(DAY)
        assert (await desk.sessions.find(used_token) is not None) == (day < 30), day
    assert await desk.sessions.find(idle) is None
    key = await desk.staff("sue")
    _, shift = await desk.sign_in("sue", key)
    for half_hours in range(1, 25):
        desk.floor.wait(HOUR / 2)
        assert (await desk.sessions.find(shift) is not None) == (half_hours < 24), half_hours
    _, idle = await desk.sign_in("sue", key)
    desk.floor.wait(HOUR + 1)
    assert await desk.sessions.find(idle) is None


async def test_a_seated_player_is_not_idle_but_an_abandoned_screen_is(desk: Desk) -> None:
    ann, _ = await desk.ann()
    guest, _ = await desk.accounts.guest(REMOTE)
    sue, _ = await desk.sign_in("sue", await desk.staff("sue"))
    program, token = await desk.sessions.make_token(ann, "bot", 1)
    bot = await desk.who(token, "token")
    for minutes in range(9, 26 * 60, 9):
        desk.floor.wait(9 * 60)
        over = await desk.sessions.over([ann, guest, sue, bot])
        assert (sue.session in over, program.digest in over) == (minutes >= 60, minutes >= 24 * 60)
        assert not over & {ann.session, guest.session}
    desk.floor.wait(6 * DAY - 2 * HOUR - 60)  # a minute before the week is over
    for _ in range(2):
        assert await desk.sessions.over([ann, guest]) == {guest.session}
        desk.floor.wait(6 * DAY)


async def test_sockets_of_what_has_ended_elsewhere_are_closed(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(web_sessions, "WATCH_S", dict.fromkeys(web_sessions.WATCH_S, 0.001))
    ann, _ = await desk.ann()
    bob, _ = await desk.accounts.register("Bob", PASSWORD, REMOTE)
    desk.connections.open = {Connection(who, lambda _: None, cannot_write) for who in (ann, bob)}
    await desk.write(lambda tx: sessions.revoke(tx, ann.session))
    running = asyncio.create_task(desk.sessions.run())
    await until(lambda: desk.connections.dropped)
    running.cancel()
    assert set(desk.connections.dropped) == {ann.session}


async def test_expired_sessions_are_deleted(desk: Desk) -> None:
    who, _ = await desk.ann()
    await desk.sessions.ticket(who)
    desk.floor.wait(31)
    await desk.sessions.expire()
    assert await desk.rows("sessions") == 1
    desk.floor.wait(31 * DAY)
    await desk.sessions.expire()
    assert await desk.rows("sessions") == 0
    await desk.accounts.login("ann", PASSWORD, REMOTE)


async def test_the_oldest_of_too_many_sessions_end(desk: Desk) -> None:
    _, oldest = await desk.ann()
    logins = [(await desk.accounts.login("ann", PASSWORD, REMOTE))[1] for _ in range(web_sessions.MOST_SESSIONS)]
    assert await desk.sessions.find(oldest) is None
    assert all([await desk.sessions.find(token) for token in logins])


@pytest.mark.parametrize("token", ["", "x", "x" * 10_000, "\ud800", "' OR 1=1 --", "../../etc"])
async def test_a_token_that_nobody_made_stands_for_nobody(desk: Desk, token: str) -> None:
    await desk.ann()
    assert await desk.sessions.find(token) is None
    assert await desk.sessions.find(token, "token") is None
    assert await desk.sessions.take_ticket(token) is None
    await refused(desk.accounts.use_code(token, PASSWORD, "127.0.0.1"))


async def test_nothing_in_the_database_lets_anybody_in(desk: Desk) -> None:
    """Reading the database gives nobody a token, a password or a key of a second factor."""
    who, token = await desk.ann()
    ticket, (_, program) = await desk.sessions.ticket(who), await desk.sessions.make_token(who, "bot")
    key = await desk.staff("sue")
    code = await desk.code_for("sam")
    rows = await desk.read(lambda tx: tx.read("SELECT * FROM sessions") + tx.read("SELECT * FROM credentials"))
    row_text = repr(rows)
    for secret in (token, ticket, program, code, codes.read_code(code), PASSWORD, key):
        assert secret not in row_text
    assert b32decode(key).hex() not in row_text
    for row in rows:
        for value in row:
            text = value.hex() if isinstance(value, bytes) else str(value)
            assert await desk.sessions.find(text) is None
            assert await desk.sessions.find(text, "token") is None
            assert await desk.sessions.take_ticket(text) is None


async def test_no_kind_of_token_is_good_as_another(desk: Desk) -> None:
    who, session = await desk.ann()
    (_, program), ticket = await desk.sessions.make_token(who, "bot"), await desk.sessions.ticket(who)
    for token in (program, ticket):
        assert await desk.sessions.find(token) is None
    for token in (session, ticket):
        assert await desk.sessions.find(token, "token") is None
    for token in (session, program):
        assert await desk.sessions.take_ticket(token) is None
        await refused(desk.accounts.use_code(token, PASSWORD, "127.0.0.1"))
    person = await desk.who(program, "token")
    assert (person.person, person.by, person.proved) == (who.person, "token", 0)
    assert await desk.sessions.find(program, "token") == person  # remembered as what it is
    assert await desk.sessions.find(program) is None


# --- tickets -------------------------------------------------------------------------------------


async def test_a_ticket_is_good_once_and_for_thirty_seconds(desk: Desk) -> None:
    who, _ = await desk.ann()
    ticket = await desk.sessions.ticket(who)
    assert await desk.sessions.take_ticket(ticket) == who
    assert await desk.sessions.take_ticket(ticket) is None  # replayed
    late = await desk.sessions.ticket(who)
    desk.floor.wait(31)
    assert await desk.sessions.take_ticket(late) is None
    contested_ticket = await desk.sessions.ticket(who)
    claims, errors = await at_once(8, lambda: desk.sessions.take_ticket(contested_ticket))
    assert (sum(one is not None for one in claims), errors) == (1, [])


async def test_a_ticket_dies_with_its_session(desk: Desk) -> None:
    """A stolen ticket is worthless once its owner has signed out or shown the password again."""
    who, _ = await desk.ann()
    ticket = await desk.sessions.ticket(who)
    await desk.sessions.logout(who)
    assert await desk.sessions.take_ticket(ticket) is None
    who, _ = await desk.accounts.login("ann", PASSWORD, REMOTE)
    ticket = await desk.sessions.ticket(who)
    await desk.accounts.prove(who, PASSWORD)
    assert await desk.sessions.take_ticket(ticket) is None


async def test_a_program_gets_tickets_by_its_token(desk: Desk) -> None:
    who, _ = await desk.ann()
    token_row, token = await desk.sessions.make_token(who, "bot")
    program = await desk.who(token, "token")
    assert await desk.sessions.take_ticket(await desk.sessions.ticket(program)) == program
    ticket = await desk.sessions.ticket(program)
    await desk.sessions.revoke(who, token_row.digest)
    assert await desk.sessions.take_ticket(ticket) is None


async def test_somebody_gets_sixty_tickets_and_then_one_a_second(desk: Desk) -> None:
    who, _ = await desk.ann()
    for _ in range(60):
        await desk.sessions.ticket(who)
    await refused(desk.sessions.ticket(who), Limited)
    desk.floor.wait(1)
    await desk.sessions.ticket(who)


# --- the own account -----------------------------------------------------------------------------


async def test_the_password_is_shown_again_and_the_token_is_another(desk: Desk) -> None:
    who, token = await desk.ann()
    desk.floor.wait(HOUR)
    await refused(desk.accounts.prove(who, OTHER))
    renewal = await desk.accounts.prove(who, PASSWORD)
    assert await desk.sessions.find(token) is None
    person = await desk.who(renewal)
    assert person.proved == pytest.approx(desk.clock(), abs=1)
    assert person.proved > who.proved
    assert desk.connections.dropped == [who.session]


async def test_guessing_the_password_in_a_stolen_session_is_slow(desk: Desk) -> None:
    who, _ = await desk.ann()
    for _ in range(10):
        await refused(desk.accounts.prove(who, OTHER))
    await refused(desk.accounts.prove(who, PASSWORD), Limited)
    await refused(desk.accounts.change_password(who, PASSWORD, OTHER), Limited)
    await refused(desk.accounts.erase(who, PASSWORD), Limited)


async def test_another_password_ends_all_else_that_is_signed_in(desk: Desk) -> None:
    who, token = await desk.ann()
    _, elsewhere = await desk.accounts.login("ann", PASSWORD, REMOTE)
    _, program = await desk.sessions.make_token(who, "bot")
    await refused(desk.accounts.change_password(who, OTHER, OTHER))
    await refused(desk.accounts.change_password(who, PASSWORD, "password1"), HouseError)
    renewal = await desk.accounts.change_password(who, PASSWORD, OTHER)
    for token_gone, kind in ((token, "session"), (elsewhere, "session"), (program, "token")):
        assert await desk.sessions.find(token_gone, kind) is None  # type: ignore[arg-type]
    assert await desk.sessions.find(renewal)
    assert who.person in desk.connections.dropped
    await refused(desk.accounts.login("ann", PASSWORD, REMOTE))
    await desk.accounts.login("ann", OTHER, REMOTE)


async def test_a_token_of_a_program_makes_nothing_and_changes_nothing(desk: Desk) -> None:
    who, _ = await desk.ann()
    _, token = await desk.sessions.make_token(who, "bot")
    program = await desk.who(token, "token")
    await refused(desk.sessions.make_token(program, "another"), NotPermitted)
    await refused(desk.accounts.prove(program, PASSWORD), NotPermitted)
    await refused(desk.accounts.change_password(program, PASSWORD, OTHER), NotPermitted)
    await refused(desk.accounts.erase(program, PASSWORD), NotPermitted)


async def test_tokens_are_listed_revoked_bounded_and_end(desk: Desk) -> None:
    who, token = await desk.ann()
    token_rows = [await desk.sessions.make_token(who, f"bot {number}", 1) for number in range(web_sessions.MOST_TOKENS)]
    desk.floor.wait(HOUR)
    await refused(desk.sessions.make_token(who, "one more"), HouseError)
    session_list = await desk.sessions.signed_in(who)
    assert [(one.kind, one.note) for one in session_list][:2] == [("session", ""), ("token", "bot 0")]
    other, _ = await desk.accounts.register("Bob", PASSWORD, REMOTE)
    await refused(desk.sessions.revoke(other, token_rows[0][0].digest), NotFound)  # a session of another person
    await desk.sessions.revoke(who, token_rows[0][0].digest)
    assert await desk.sessions.find(token_rows[0][1], "token") is None
    assert await desk.sessions.find(token_rows[1][1], "token")
    desk.floor.wait(DAY)
    assert await desk.sessions.find(token_rows[1][1], "token") is None
    assert await desk.sessions.find(token)


async def test_to_be_forgotten(desk: Desk) -> None:
    who, token = await desk.ann()
    await refused(desk.accounts.erase(who, OTHER))
    await refused(desk.accounts.erase(who))
    await desk.accounts.erase(who, PASSWORD)
    assert await desk.sessions.find(token) is None
    assert (await desk.rows("credentials"), await desk.rows("sessions")) == (0, 0)
    assert who.person in desk.connections.dropped
    assert desk.floor.wallet(who.person) == c.GUEST_CENTS  # the books stay
    assert "Ann" not in repr(await desk.read(lambda tx: tx.read("SELECT body FROM events")))
    again, _ = await desk.ann()  # the name is free
    assert again.person != who.person
    guest, _ = await desk.accounts.guest(REMOTE)
    await desk.accounts.erase(guest)
    sue, _ = await desk.sign_in("sue", await desk.staff("sue"))
    await refused(desk.accounts.erase(sue, PASSWORD), NotPermitted)


async def test_an_account_with_money_is_erased_only_after_cashing_out(desk: Desk) -> None:
    desk.floor.do("office", c.SetFloor({"guests": False}, "members only"))
    who, _ = await desk.ann()
    desk.floor.do("cage", c.BuyIn(who.person, 500), "cal")
    error = await refused(desk.accounts.erase(who, PASSWORD), HouseError)
    assert str(error) == "Your wallet still holds $5; cash out first."
    desk.floor.do("cage", c.CashOut(who.person, 500), "cal")
    await desk.accounts.erase(who, PASSWORD)


async def test_play_money_is_filled_up_for_who_has_little_left(desk: Desk) -> None:
    who, _ = await desk.accounts.guest(REMOTE)
    await refused(desk.accounts.refill(who), HouseError)
    stream = desk.floor.table("one", "oxford | | ante-minimum 1, ante-maximum 10000", physical=False)
    desk.floor.do(stream, c.Sit(1), who.person)
    desk.floor.do(stream, c.OpenRound(), "house")
    desk.floor.bet(stream, 1, who.person, ante=9_500_00)
    refills, _ = await at_once(4, lambda: desk.accounts.refill(who))
    assert refills == [None]
    assert desk.floor.wallet(who.person) == c.GUEST_CENTS
    sue, _ = await desk.sign_in("sue", await desk.staff("sue"))
    await refused(desk.accounts.refill(sue), NotPermitted)


# --- staff ---------------------------------------------------------------------------------------


async def test_staff_come_by_a_code_and_sign_in_with_a_second_factor(desk: Desk) -> None:
    code_row, code = await desk.accounts.make_code(await desk.administrator(), "sue")
    assert code_row.person == "sue"
    await refused(desk.accounts.use_code(code, "elevensigns", REMOTE), HouseError)  # and does not use up the code
    name, setup = await desk.accounts.use_code(code.lower().replace("-", " "), PASSWORD, REMOTE)
    assert name == "sue"
    assert setup is not None
    await refused(desk.accounts.use_code(code, OTHER, REMOTE))  # once
    for wrong in (None, "", "000000"):
        await refused(desk.accounts.login("sue", PASSWORD, REMOTE, wrong))
    now = desk.code(setup.key)
    await refused(desk.accounts.login("sue", OTHER, REMOTE, now))
    who, _ = await desk.accounts.login("sue", PASSWORD, REMOTE, now)
    assert (who.person, who.role) == ("sue", "supervisor")
    await refused(desk.accounts.login("sue", PASSWORD, REMOTE, now))  # a code that somebody has looked at
    await desk.sign_in("sue", setup.key)


async def test_guessing_the_second_factor_is_slow_and_tells_nothing(desk: Desk) -> None:
    """Somebody who knows the password gets the same answer as everybody, even when the guesses are used up."""
    key = await desk.staff("sue")
    desk.floor.wait(second_factor.STEP_S)
    wrong = next(code for code in ("111111", "222222", "333333") if code != desk.code(key))
    messages = {str(await refused(desk.accounts.login("sue", PASSWORD, f"198.51.100.{n}", wrong))) for n in range(10)}
    good = await refused(desk.accounts.login("sue", PASSWORD, REMOTE, desk.code(key)))
    assert messages == {str(good), str(await refused(desk.accounts.login("nobody", PASSWORD, REMOTE)))}
    desk.floor.wait(60)
    await desk.accounts.login("sue", PASSWORD, REMOTE, desk.code(key))


async def test_only_one_of_several_simultaneous_users_of_a_code_signs_in(desk: Desk) -> None:
    """A one-time code is used once, and so is a code of a second factor."""
    once = await desk.code_for("sue")
    setups, _ = await at_once(6, lambda: desk.accounts.use_code(once, PASSWORD, REMOTE))
    ((_, factor),) = setups
    desk.floor.wait(30)
    code = desk.code(factor.key)
    came, errors = await at_once(6, lambda: desk.accounts.login("sue", PASSWORD, REMOTE, code))
    assert len(came) == 1
    assert all(isinstance(error, BadLogin) for error in errors)


async def test_a_code_ends_after_a_day_and_with_the_next_one(desk: Desk) -> None:
    admin = await desk.administrator()
    _, first = await desk.accounts.make_code(admin, "sue")
    _, second = await desk.accounts.make_code(admin, "sue")
    await refused(desk.accounts.use_code(first, PASSWORD, REMOTE))
    desk.floor.wait(DAY + 1)
    await refused(desk.accounts.use_code(second, PASSWORD, REMOTE))


async def test_a_forgotten_password_is_mended_and_leaves_the_second_factor(desk: Desk) -> None:
    key = await desk.staff("sue")
    _, token = await desk.sign_in("sue", key)
    code = await desk.code_for("sue")
    name, setup = await desk.accounts.use_code(code, OTHER, REMOTE)
    assert (name, setup) == ("sue", None)
    assert await desk.sessions.find(token) is None
    desk.floor.wait(30)
    await refused(desk.accounts.login("sue", OTHER, REMOTE))
    await desk.accounts.login("sue", OTHER, REMOTE, desk.code(key))
    code = await desk.code_for("sue", new_factor=True)
    fresh = await desk.key_by(code, OTHER)
    desk.floor.wait(30)
    await refused(desk.accounts.login("sue", OTHER, REMOTE, desk.code(key)))
    await desk.accounts.login("sue", OTHER, REMOTE, desk.code(fresh))


async def test_a_player_who_has_forgotten_the_password_goes_to_a_supervisor(desk: Desk) -> None:
    ann, token = await desk.ann()
    sue, _ = await desk.sign_in("sue", await desk.staff("sue"))
    _, code = await desk.accounts.make_code(sue, ann.person)
    name, setup = await desk.accounts.use_code(code, OTHER, REMOTE)
    assert (name, setup) == ("Ann", None)
    assert await desk.sessions.find(token) is None
    await desk.accounts.login("ann", OTHER, REMOTE)


async def test_a_player_of_the_counter_gets_a_name_by_a_code(desk: Desk) -> None:
    desk.floor.players("pat", "pia", "root")
    admin = await desk.administrator()
    _, code = await desk.accounts.make_code(admin, "pat")
    await refused(desk.accounts.use_code(code, PASSWORD, REMOTE, "House"), HouseError)
    await refused(desk.accounts.use_code(code, PASSWORD, REMOTE, "sue"), HouseError)
    assert await desk.accounts.use_code(code, PASSWORD, REMOTE, "Patricia") == ("Patricia", None)
    _, code = await desk.accounts.make_code(admin, "pia")
    assert await desk.accounts.use_code(code, PASSWORD, REMOTE) == ("pia", None)
    _, code = await desk.accounts.make_code(admin, "root")
    # their own id in any spelling
    assert await desk.accounts.use_code(code, PASSWORD, REMOTE, "Root ") == ("Root", None)
    who, _ = await desk.accounts.login("patricia", PASSWORD, REMOTE)
    assert (who.person, who.kind) == ("pat", "person")


@pytest.mark.parametrize("pair", ["sue sam", "sue admin", "cal ann", "amy sue", "dan cal", "admin admin", "ann ann"])
async def test_nobody_makes_a_code_for_whom_it_is_not_theirs(desk: Desk, pair: str) -> None:
    """Role by guess: a code would be the way to somebody else's role."""
    maker, person = pair.split()
    desk.floor.players("ann")
    role = await desk.read(lambda tx: tx.read("SELECT role FROM people WHERE name = ?", maker)[0][0])
    await refused(desk.accounts.make_code(Who(maker, maker, role, "person", b"", desk.clock()), person), NotPermitted)
    assert await desk.rows("sessions") == 0


async def test_no_code_for_nobody_a_guest_or_who_is_disabled(desk: Desk) -> None:
    guest, _ = await desk.accounts.guest(REMOTE)
    desk.floor.do("office", c.Disable("sam", "left"))
    for person in ("nobody", guest.person, "sam"):
        await refused(desk.accounts.make_code(await desk.administrator(), person), NotFound)
    code = await desk.code_for("sue")
    desk.floor.do("office", c.Disable("sue", "left"))
    await refused(desk.accounts.use_code(code, PASSWORD, REMOTE))


async def test_required_approval_prevents_taking_over_another_administrator(desk: Desk) -> None:
    desk.floor.do("office", c.AddPerson("ada", "administrator"))
    desk.floor.do("office", c.RequireApproval(True, "two keys"))
    admin, ada = await desk.administrator(), Who("ada", "ada", "administrator", "person", b"", desk.clock())
    await refused(desk.accounts.agree(ada, "sue"), NotFound)
    _, code = await desk.accounts.make_code(admin, "ada")
    await refused(desk.accounts.use_code(code, PASSWORD, REMOTE), NeedsSecond)
    await refused(desk.accounts.agree(admin, "ada"), NeedsSecond)
    await refused(desk.accounts.agree(ada, "ada"), NotPermitted)
    _, code = await desk.accounts.make_code(admin, "sue")
    await desk.accounts.agree(ada, "sue")
    await desk.accounts.use_code(code, PASSWORD, REMOTE)
    ann, _ = await desk.ann()
    _, code = await desk.accounts.make_code(admin, ann.person)  # a code for a player needs no second administrator
    await desk.accounts.use_code(code, OTHER, REMOTE)


async def test_guessing_codes_is_slow(desk: Desk) -> None:
    for _ in range(10):
        await refused(desk.accounts.use_code(codes.make_code(), PASSWORD, REMOTE))
    await refused(desk.accounts.use_code(codes.make_code(), PASSWORD, REMOTE), Limited)
    assert desk.accounts.hashing.done == 0  # and costs no hash
    assert codes.CODE_LENGTH * 5 >= 112  # bits


async def test_the_first_administrator_gets_a_code_at_the_machine(desk: Desk) -> None:
    first = first_admin_code(desk.house, desk.clock)
    second = first_admin_code(desk.house, desk.clock)
    await refused(desk.accounts.use_code(first, PASSWORD, REMOTE))
    name, setup = await desk.accounts.use_code(second, PASSWORD, REMOTE)
    assert name == "admin"
    assert setup is not None
    who, _ = await desk.sign_in("admin", setup.key)
    assert who.role == "administrator"
    third = first_admin_code(desk.house, desk.clock)  # somebody who has lost everything still has the server's machine
    _, new = await desk.accounts.use_code(third, OTHER, REMOTE)
    assert new is not None
    assert new != setup


async def test_another_second_factor_needs_the_one_so_far(desk: Desk) -> None:
    key = await desk.staff("sue")
    who, token = await desk.sign_in("sue", key)
    await refused(desk.accounts.renew_factor(who, PASSWORD, desk.code(key)))  # used at the login
    desk.floor.wait(30)
    await refused(desk.accounts.renew_factor(who, OTHER, desk.code(key)))
    setup, renewal = await desk.accounts.renew_factor(who, PASSWORD, desk.code(key))
    assert await desk.sessions.find(token) is None
    assert await desk.sessions.find(renewal)
    desk.floor.wait(30)
    await refused(desk.accounts.login("sue", PASSWORD, REMOTE, desk.code(key)))
    await desk.accounts.login("sue", PASSWORD, REMOTE, desk.code(setup.key))


async def test_a_wrong_code_for_another_second_factor_ends_no_session(desk: Desk) -> None:
    key = await desk.staff("sue")
    _, other = await desk.sign_in("sue", key)
    desk.floor.wait(30)
    who, token = await desk.sign_in("sue", key)
    await refused(desk.accounts.renew_factor(who, PASSWORD, desk.code(key)))  # used at the login
    desk.floor.wait(30)  # until no owner is cached
    assert await desk.sessions.find(token)
    assert await desk.sessions.find(other)


async def test_an_administrator_ends_what_somebody_has_signed_in(desk: Desk) -> None:
    who, token = await desk.ann()
    await desk.sessions.find(token)
    await desk.sessions.sign_out(who.person)
    assert await desk.sessions.find(token) is None
    assert desk.connections.dropped == [who.person]


# --- the log, and both databases -----------------------------------------------------------------


async def test_the_log_says_who_did_what_and_no_secret(desk: Desk, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.DEBUG):
        who, token = await desk.ann()
        await refused(desk.accounts.login("ann", OTHER, REMOTE))
        await refused(desk.accounts.login(PASSWORD, "typed into the wrong field", REMOTE))
        code = await desk.code_for("sue")
        key = await desk.key_by(code)
        _, session = await desk.sign_in("sue", key)
        ticket, (_, program) = await desk.sessions.ticket(who), await desk.sessions.make_token(who, "bot")
        await desk.accounts.change_password(who, PASSWORD, OTHER)
    text = "\n".join(f"{record.getMessage()} {record.__dict__}" for record in caplog.records)
    messages = [
        record.getMessage() for record in caplog.records if record.name.startswith("highcardflush.web.accounts")
    ]
    assert messages == [
        "sign-in refused", "sign-in refused", "code made", "code used", "signed in", "token made", "password changed",
    ]  # fmt: skip
    for secret in (token, session, ticket, program, code, PASSWORD, OTHER, key, "Ann"):
        assert secret not in text


def test_the_same_on_both_databases(floor: Floor) -> None:
    """Repeat on both databases what depends on them: races, and rows that are swapped, taken and expired."""

    async def all_of_it(desk: Desk) -> None:
        await test_a_guest_is_over_when_nothing_was_heard_for_a_day_and_makes_room(desk)
        for part in (
            test_a_ticket_is_good_once_and_for_thirty_seconds,
            test_only_one_of_several_simultaneous_users_of_a_code_signs_in,
            test_another_password_ends_all_else_that_is_signed_in,
        ):
            for person in ("sue", "ann"):
                await desk.write(lambda tx, person=person: credentials.erase(tx, person))  # type: ignore[misc]
            await desk.write(lambda tx: tx.write("DELETE FROM credentials"))
            desk.floor.wait(HOUR)
            await part(desk)

    with open_desk(floor) as desk:
        desk.run(all_of_it(desk))
