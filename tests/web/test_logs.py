"""The log is one JSON object per line and has no secrets in messages, fields or exceptions."""

import io
import json
import logging
import os
import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from highcardflush.errors import HouseError, StoreError
from highcardflush.web.accounts.codes import make_code
from highcardflush.web.accounts.sessions import make_token
from highcardflush.web.server.logs import TextLines, scrub, set_up
from highcardflush.web.server.settings import LogFormat

SECRETS = {
    "ticket": "GET /api/v1/live?ticket={}",
    "cookie": "Cookie: __Host-hcf-session={}",
    "bearer": "Authorization: Bearer {}",
    "password": '{{"name": "ann", "password": "{}"}}',
    "form": "password={}",
    "url": "postgresql://hcf:{}@db/house",
    "totp": "'totp': '{}'",
}
SECRET = "Zq9x"
LONG = "GET /api/v1/tables/oxford-of-the-first-floor/events 200 by database /var/lib/highcardflush/house.db"
Logged = Callable[[], list[dict[str, Any]]]


@pytest.fixture
def logged() -> Iterator[Logged]:
    """Collect log lines, read as JSON."""
    stream, root = io.StringIO(), logging.getLogger()
    before = root.handlers[:], root.level
    set_up("debug", stream=stream)
    yield lambda: [json.loads(line) for line in stream.getvalue().splitlines()]
    logging.captureWarnings(False)
    root.handlers[:], root.level = before


def test_a_line_for_a_person_is_text() -> None:
    record = logging.makeLogRecord(
        {"levelname": "WARNING", "msg": "a worker has ended", "worker": 2, "note": "token=x"}
    )
    assert re.fullmatch(
        r"\d\d:\d\d:\d\d warning: a worker has ended \(worker 2, note \.\.\.\)", TextLines().format(record)
    )


@pytest.mark.parametrize(("form", "is_json"), [("auto", True), ("json", True), ("text", False)])
def test_the_form_of_the_log(form: LogFormat, is_json: bool) -> None:
    """Text is the default only on a terminal, which a test does not have."""
    stream, root = io.StringIO(), logging.getLogger()
    before = root.handlers[:], root.level
    set_up("info", form, stream)
    logging.getLogger("highcardflush.web").info("started")
    logging.captureWarnings(False)
    root.handlers[:], root.level = before
    assert stream.getvalue().startswith("{") == is_json


def test_a_line_says_when_who_what(logged: Logged) -> None:
    logging.getLogger("highcardflush.web.server.run").info("worker %d started", 3, extra={"port": 80})
    (line,) = logged()
    assert line.pop("at").endswith("+00:00")
    assert line.pop("process") > 1
    assert line == {"level": "info", "from": "web.server.run", "message": "worker 3 started", "port": 80}


@pytest.mark.parametrize("text", SECRETS.values(), ids=list(SECRETS))
def test_secrets_are_taken_out_of_messages_arguments_and_fields(logged: Logged, text: str) -> None:
    message = text.format(SECRET)
    logging.error(message.replace("%", "%%"))
    logging.error("read %s", message)
    logging.error("read", extra={"read": message, "list": [message]})
    assert len(logged()) == 3
    assert SECRET not in json.dumps(logged())


@pytest.mark.parametrize("cards", ["AsKs9s 6d", "AsKs", "2c 3d 4h"])
def test_cards_are_taken_out(cards: str) -> None:
    assert scrub(f"hand {cards} of seat 1") == scrub(f"hand {cards} of seat 1").replace(cards, "")
    assert cards not in scrub(f"hand {cards} of seat 1")


@pytest.mark.parametrize("make_secret", [make_token, make_code, lambda: os.urandom(32).hex()])
def test_random_secrets_are_scrubbed_even_if_they_begin_like_cards(make_secret: Callable[[], str]) -> None:
    secret_text = make_secret()
    for secret in (secret_text, "2c3d" + secret_text[4:]):
        assert scrub(f"it is {secret}, or so") == "it is ..., or so"


@pytest.mark.parametrize("text", ["round 12 of oxford-2 settled", "who asks what is due?", LONG])
def test_other_words_stay(text: str) -> None:
    assert scrub(text) == text


def test_an_exception_has_kind_and_place_and_no_words_of_others(logged: Logged) -> None:
    for error in (ValueError(SECRET), HouseError("expose", read=SECRET), StoreError("disk", read="disk is full")):
        try:
            raise error
        except Exception:
            logging.exception("failed")
    plain, log_lines, store = logged()
    assert SECRET not in json.dumps([plain, log_lines])
    assert (plain["error"], plain["where"][0].split(":")[0]) == ("ValueError", "test_logs.py")
    assert (log_lines["code"], "words" in log_lines) == ("refused", False)
    assert store["words"] == "disk: read disk is full"
