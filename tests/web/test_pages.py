"""The shells of the pages and their files over HTTP: the package's files alone, by tag, within the policy."""

import re
from gzip import decompress
from http.client import HTTPConnection, HTTPResponse
from urllib.parse import urlsplit

import pytest

from highcardflush.web.routes.pages import FILES, SHELLS, TYPEFACE, imported
from support.places.browser import Site
from support.places.live import Served

PATHS = ("/", "/table/oxford", "/round/oxford/1", "/how-to-play", "/rules", "/rules/oxford", "/account")
TRICKS = (
    "../pages.py", "..%2fpages.py", "%2e%2e/pages.py", "%2e%2e%2fpages.py", "words/../../pages.py",
    "words/..%2fcore/style.css", "/etc/passwd", "%2fetc%2fpasswd", "..\\pages.py", "..%5cpages.py",
    "words%5cen.js", "core/style.css%00", "core/style.css%00.js", "%00", "", "words", "words/", ".", "core/STYLE.CSS",
    "wire.d.ts", "nothing.js",
)  # fmt: skip


def ask(site: Site, path: str, **headers: str) -> tuple[HTTPResponse, bytes]:
    """Request exactly this path, which libraries would normalise."""
    address = urlsplit(site.address)
    connection = HTTPConnection(address.hostname or "", address.port)
    try:
        connection.request("GET", path, headers=headers)
        answer = connection.getresponse()
        return answer, answer.read()
    finally:
        connection.close()


@pytest.mark.parametrize("path", PATHS)
def test_a_shell_has_no_script_and_no_style_in_it(server: Served, path: str) -> None:
    response = server.run(server.call("GET", path))
    assert response.headers["content-type"] == "text/html; charset=utf-8"
    assert "'unsafe" not in response.headers["content-security-policy"]
    assert not re.search(r"<script[^>]*>[^<]|<style|\sstyle=|\son[a-z]+=|javascript:", response.text)


@pytest.mark.parametrize("path", PATHS)
def test_every_link_of_a_shell_is_good(server: Served, path: str) -> None:
    links = re.findall(r'(?:href|src)="([^"]+)"', server.run(server.call("GET", path)).text)
    assert len(links) > 3
    for link in links:
        assert server.run(server.call("GET", link)).status_code == 200, link


def test_a_shell_names_every_module_that_its_script_imports() -> None:
    files = {"table.js": 'import a from "./a.js";\nconst b = import("./late.js");\nexport { c } from "./words/c.js";',
             "a.js": 'import "./d.js";', "words/c.js": 'import {\n  d,\n} from "../d.js";', "d.js": ""}  # fmt: skip
    assert imported("table.js", files.__getitem__) == ["a.js", "words/c.js", "d.js"]
    module_names = re.findall(r'modulepreload" href="/static/([^"]+)"', SHELLS["table"])
    assert {"table/state.js", "words/en.js"} < set(module_names)
    assert len(module_names) == len(set(module_names))


def test_robots_stay_on_the_pages(server: Served) -> None:
    assert server.run(server.call("GET", "/robots.txt")).text == "User-agent: *\nDisallow: /api/\n"


def test_a_file_is_asked_for_by_its_tag(site: Site) -> None:
    for name in FILES:
        first, data = ask(site, f"/static/{name}")
        assert (first.status, data) == (200, FILES[name].data), name
        assert ("immutable" in first.headers["Cache-Control"]) is name.endswith(".woff2")
        assert first.headers["Cache-Control"] == "no-cache" or name.endswith(".woff2")
        again, nothing = ask(site, f"/static/{name}", **{"If-None-Match": first.headers["ETag"]})
        assert (again.status, nothing) == (304, b""), name
        other, data = ask(site, f"/static/{name}", **{"If-None-Match": '"another"'})
        assert (other.status, data) == (200, FILES[name].data), name


def test_a_file_is_compressed_for_who_accepts_it(site: Site) -> None:
    for name in ("words/en.js", "core/style.css", TYPEFACE):
        plain, data = ask(site, f"/static/{name}")
        answer, body = ask(site, f"/static/{name}", **{"Accept-Encoding": "gzip, br"})
        is_packed = name != TYPEFACE
        assert answer.headers.get("Content-Encoding") == ("gzip" if is_packed else None)
        assert (decompress(body) if is_packed else body) == data
        assert (answer.headers["ETag"] != plain.headers["ETag"]) is is_packed
        tag = {"Accept-Encoding": "gzip", "If-None-Match": answer.headers["ETag"]}
        assert ask(site, f"/static/{name}", **tag)[0].status == 304


def test_the_typeface_is_shipped_with_its_licence_and_used_everywhere() -> None:
    assert FILES[TYPEFACE].media_type == "font/woff2"
    assert b"SIL OPEN FONT LICENSE Version 1.1" in FILES["fonts/OFL.txt"].data
    assert f"/static/{TYPEFACE}".encode() in FILES["core/style.css"].data
    assert all(f'href="/static/{TYPEFACE}" as="font"' in shell for shell in SHELLS.values())


@pytest.mark.parametrize("trick", TRICKS)
def test_no_path_leads_anywhere_else(site: Site, trick: str) -> None:
    answer, data = ask(site, f"/static/{trick}")
    assert answer.status == 404, (answer.status, data[:80])
