"""The oracle against the golden rounds: two readings of the specification that were made apart."""

import pytest

from support.data.golden import FILES, Case, split
from support.twins.oracle import DOCUMENTS, cents, micros, settle_text

ROUNDS = [
    pytest.param(case, id=f"{path.stem}:{case.line}")
    for path in FILES
    if path.parent.name == "golden"
    for case in split(path)
    if (DOCUMENTS / f"{case.rulebook}.toml").is_file()  # the oracle reads no other
]


@pytest.mark.parametrize("case", ROUNDS)
def test_golden_round(case: Case) -> None:
    net, meters = settle_text("\n".join(row for row in case.statements if not row.startswith("=")))
    for row in case.statements:
        words = row.split()
        if words[:2] == ["=", "meter"]:
            amount, reserve = meters[words[2]]
            assert amount == micros(words[3]), row
            if len(words) > 4:
                assert reserve == micros(words[4].removeprefix("reserve=")), row
        elif words[0] == "=":
            seat = int(words[1])
            for wager, expected in zip(words[2::2], words[3::2], strict=True):
                got = net.get((seat, wager), 0) if wager == "envy" else net[seat, wager]
                assert got == cents(expected), row
