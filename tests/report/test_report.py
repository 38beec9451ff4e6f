"""The command `hcf par`."""

import json
from typing import Any

import click.testing
import pytest

pytest.importorskip("altair", reason="reports need the extra `lab`")

from highcardflush.cli import cli
from highcardflush.errors import HcfError, TextError
from support.data.report import DATE


def run(*args: str) -> click.testing.Result:
    return click.testing.CliRunner().invoke(cli, ["par", *args])


def test_the_command_writes_a_file(tmp_path: Any) -> None:
    target = tmp_path / "wa.json"
    result = run("washington", "-o", str(target), "--rounds", "0", "--date", DATE)
    assert result.exit_code == 0, result.output
    assert "offers no side bet" in result.output
    assert json.loads(target.read_bytes())["header"]["date"] == DATE


def test_preparer_and_revision_are_given(tmp_path: Any) -> None:
    target = tmp_path / "wa.json"
    words = ["--prepared-by", " A. Preparer ", "--revision", "B"]
    assert run("washington", "-o", str(target), "--rounds", "0", *words).exit_code == 0
    header = json.loads(target.read_bytes())["header"]
    assert (header["prepared_by"], header["revision"]) == ("A. Preparer", "B")
    refused = run("washington", "-o", str(target), "--prepared-by", "a\nb")
    assert refused.exit_code == 2
    assert "Invalid value for '--prepared-by': text: read 'a\\nb', expected one line" in refused.output


def test_odds_are_put_on_a_card_when_asked(tmp_path: Any) -> None:
    target = tmp_path / "card.html"
    for words, there in (([], False), (["--no-odds"], False), (["--odds"], True)):
        assert run("oxford", "--card", *words, "-o", str(target)).exit_code == 0
        assert ("What the house keeps" in target.read_text("utf-8")) is there
    refused = run("oxford", "--odds", "-o", str(target))
    assert refused.exit_code == 2
    assert "--odds is for a card: a PAR sheet always has them" in refused.output
    refused = run("oxford", "--card", "--prepared-by", "Zoe", "-o", str(target))
    assert refused.exit_code == 2
    assert "--prepared-by is for a PAR sheet: a card does not print it" in refused.output


def test_the_command_refuses_in_one_line(tmp_path: Any) -> None:
    assert isinstance(run("washington", "-o", "wa.doc").exception, TextError)
    nowhere = run("oxford", "--rounds", "0", "-o", str(tmp_path / "no" / "x.csv"))
    assert isinstance(nowhere.exception, HcfError)
    assert "no such folder" in str(nowhere.exception)
