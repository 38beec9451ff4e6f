"""Titles and descriptions that messengers show with a link, and the answer to an address without a page."""

import html
import re

import pytest

from highcardflush.game.actions import Fold
from highcardflush.house import commands as c
from highcardflush.web.routes.previews import Preview
from support.places.floor import OXFORD
from support.places.live import Served, until

BROWSER = {"Accept": "text/html,application/xhtml+xml;q=0.9"}


@pytest.fixture(scope="module")
def played(server: Served) -> Served:
    """Play a round at a table of the served floor."""
    stream = server.floor.table("shared", OXFORD, physical=False)
    server.floor.players("ann")
    server.floor.do(stream, c.Sit(1), "ann")
    tables = server.services.context.tables
    server.run(until(lambda: "shared" in tables and tables["shared"].round))
    server.floor.bet(stream, 1, "ann", ante=1000)
    server.run(until(lambda: (round_ := tables["shared"].round) is not None and round_.deciding))
    server.floor.do(stream, Fold(1), "ann")
    server.run(until(lambda: tables["shared"].last))
    return server


def head(server: Served, path: str) -> dict[str, str]:
    response = server.run(server.call("GET", path))
    assert response.status_code == 200
    tags = re.findall(r'<meta (?:name|property)="([^"]+)" content="([^"]*)">', response.text)
    (title,) = re.findall("<title>(.*)</title>", response.text)
    return {name: html.unescape(text) for name, text in [*tags, ("title", title)]}


def test_a_round_that_is_shared(played: Served) -> None:
    tags = head(played, "/round/shared/1")
    assert tags["title"] == tags["og:title"] == "Round 1 at table shared – High Card Flush"
    assert tags["description"] == tags["og:description"]
    assert tags["description"].startswith("Seat 1 lost $10. See every card")


def test_a_table_and_the_lobby(played: Served) -> None:
    assert head(played, "/table/shared")["title"].endswith("at table shared – High Card Flush")
    assert head(played, "/")["og:title"] == "High Card Flush"


@pytest.mark.parametrize("path", ["/round/shared/99", "/round/nowhere/1", "/table/nowhere", "/round/shared/0"])
def test_a_link_to_nothing_has_the_general_preview(played: Served, path: str) -> None:
    assert head(played, path)["og:title"] == "High Card Flush"


def test_a_page_is_cached_until_its_preview_changes(played: Served) -> None:
    response = played.run(played.call("GET", "/round/shared/1"))
    tag = response.headers["ETag"]
    assert tag != played.run(played.call("GET", "/round/shared/2")).headers["ETag"]
    again = played.run(played.call("GET", "/round/shared/1", headers={"If-None-Match": tag}))
    assert (again.status_code, again.text) == (304, "")


def test_an_address_without_a_page(server: Served) -> None:
    page = server.run(server.call("GET", "/nosuch", headers=BROWSER))
    assert (page.status_code, page.headers["Content-Type"].partition(";")[0]) == (404, "text/html")
    assert "This page does not exist." in page.text
    for path, headers in (("/nosuch", {}), ("/api/v1/nosuch", BROWSER)):
        answer = server.run(server.call("GET", path, headers=headers))
        assert (answer.status_code, answer.json()["error"]["code"]) == (404, "not-found")


def test_texts_are_escaped() -> None:
    tags = Preview('<"&>', "a 'b'").tags()
    assert "<title>&lt;&quot;&amp;&gt;</title>" in tags
