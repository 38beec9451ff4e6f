"""A slice of the values that nobody should type; `make sweep` tries them all."""

import pytest

from support.walkers.fuzz import NASTY, STATUSES, Case, cases, leaves, problem, run_case, scratch

SLOW = (
    "house play", "odds errors", "odds game", "odds risk", "odds seen", "odds sensitivity",
    "odds strategies", "odds strategy", "par", "simulate", "study",
)  # fmt: skip
STEP = 97
"""A prime, so that every value and every option has its turn."""
FOUND = (
    "odds paytable oxford/flush --bet 0",
    "odds game washington --raise multiples_²_1_1_1_1_1",
    "play --rulebook oxford --offer progressive _",
    "house table add two --rulebook meadows --offer progressive _",
    "simulate oxford --rounds 1 --seats 1 --offer progressive _",
    "house submit table/one 1e400 --as admin",
    "house submit office 1,000 --as admin",
    "house submit office [ --as admin",
    f"house submit office {'[' * 5000} --as admin",
    "db backup ",
    "db backup /",
    f"db restore {'a' * 5000} --reason why",
    f"house status --db sqlite:///{'a' * 5000}",
    f"audit --export-heads {'a' * 5000}",
    "odds strategy oxford deep.toml",
    "house status --as \udcff",
    "house status --as a\vb",
    "rules check a\vb",
)


def test_a_slice_of_all_cases() -> None:
    slice_of_cases = [case for case in cases() if case.words not in SLOW][::STEP]
    assert len(slice_of_cases) > 50
    with scratch() as put_back:
        for case in slice_of_cases:
            assert problem(case) == "", str(case)
            put_back()


@pytest.mark.parametrize("line", FOUND)
def test_bad_lines_from_earlier_fuzzing_are_refused(line: str) -> None:
    """Each is refused in a line; `_` stands for a blank."""
    args = [word.replace("_", " ") for word in line.split(" ")]
    with scratch():
        assert problem(Case("", "", args)) == ""
        status, err = run_case(args, 0)
    assert status in (1, 2)
    assert err.startswith("Usage: ") or len(err.splitlines()) == 1


def test_every_command_has_cases() -> None:
    assert {case.words for case in cases()} == {words for words, parameters in leaves() if parameters}
    assert len({value for case in cases() for value in case.args} & set(NASTY)) == len(set(NASTY))


def test_the_fuzz_check_reports_each_kind_of_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    """The check itself: a traceback, an odd status, an error of two lines."""
    case = Case("rules show", "name", ["rules", "show", "nothing"])
    assert problem(case) == ""
    for text, end in {
        "exit status 7": (7, ""),
        "more than a line": (1, "hcf: a\nb\n"),
        "without a usage": (2, "hcf: a\nhcf: b\n"),
    }.items():
        monkeypatch.setattr("support.walkers.fuzz.run_case", lambda _, end=end: end)
        assert text in problem(case)
    monkeypatch.undo()
    monkeypatch.setattr("highcardflush.cli.rules.find_rulebook", lambda _: 1 // 0)
    assert "ZeroDivisionError" in problem(case)
    assert STATUSES == (0, 1, 2, 130)
