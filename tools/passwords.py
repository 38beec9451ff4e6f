"""Makes the list of common passwords that nobody may take, from a text with one a line, the most common first:
`python tools/passwords.py LIST`. Of each only four bytes of its hash are kept, so the list is small and shows none."""

import sys
from pathlib import Path

from highcardflush.web.accounts.passwords import COMMON, SHORTEST, mark

MOST = 10_000


def main(source: Path) -> None:
    words = (line.split(maxsplit=1)[0] for line in source.read_text("utf-8").splitlines() if line.strip())
    passwords = list(dict.fromkeys(word.casefold() for word in words if len(word) >= SHORTEST))[:MOST]
    COMMON.write_bytes(b"".join(sorted(set(map(mark, passwords)))))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
