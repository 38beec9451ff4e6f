"""Writes the counts that are shipped: the sums of every packaged rulebook and named strategy, and classes of hands.

python tools/sums.py
"""

from fractions import Fraction

import msgspec

from highcardflush.odds import classes
from highcardflush.odds.strategies import NAMED
from highcardflush.odds.sums import FILE, GameSums, count, digest, questions
from highcardflush.rulebook import PACKAGED, packaged


def count_games() -> dict[str, GameSums]:
    """Count all sums; equal questions once."""
    sums: dict[str, GameSums] = {}
    for name in PACKAGED:
        for strategy in NAMED.values():
            game_questions = questions(packaged(name), strategy)
            if digest(game_questions) not in sums:
                sums[digest(game_questions)] = count(f"{name}, {strategy.name}", game_questions)
    return sums


def written() -> bytes:
    lines = (b'"%s": %s' % (key.encode(), msgspec.json.encode(sums)) for key, sums in count_games().items())
    return b"{\n%s\n}\n" % b",\n".join(lines)


def counted_classes() -> bytes:
    one = Fraction(1)
    rows = (msgspec.json.encode(each) for cards in range(2, 8) for each in classes.count_classes(cards, one, one))
    return b"[\n%s\n]\n" % b",\n".join(rows)


if __name__ == "__main__":
    classes.FILE.write_bytes(counted_classes())
    FILE.write_bytes(written())
