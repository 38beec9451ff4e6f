"""Writes the sums of the whole game that are shipped: every packaged rulebook with every named strategy.

python tools/sums.py
"""

import msgspec

from highcardflush.odds.strategies import NAMED
from highcardflush.odds.sums import FILE, GameSums, count, digest, questions
from highcardflush.rulebook import PACKAGED, packaged


def counted() -> dict[str, GameSums]:
    """Count all sums; equal questions once."""
    found: dict[str, GameSums] = {}
    for name in PACKAGED:
        for strategy in NAMED.values():
            asked = questions(packaged(name), strategy)
            if digest(asked) not in found:
                found[digest(asked)] = count(f"{name}, {strategy.name}", asked)
    return found


def written() -> bytes:
    lines = (b'"%s": %s' % (key.encode(), msgspec.json.encode(sums)) for key, sums in counted().items())
    return b"{\n%s\n}\n" % b",\n".join(lines)


if __name__ == "__main__":
    FILE.write_bytes(written())
