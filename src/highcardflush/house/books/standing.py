"""The standing of the house: one row that the guard of every command checks, so that an outdated process cannot write.

`office` is the number of the office's newest event. Every event carries it, so it orders the events of different
streams, whatever the clocks say. New epochs and new house keys are events of the office, so a process that has this
number right has them right too.
"""

from __future__ import annotations

from msgspec import Struct

from highcardflush.errors import SealError
from highcardflush.house.books.seal import Seal
from highcardflush.house.store.protocol import REVISION, Transaction, wrong_revision
from highcardflush.words import refuse

OFFICE = "office"


class Standing(Struct, frozen=True, gc=False):
    epoch: int
    """The event of the office that began the epoch. Rounds that were opened before it can only be voided."""
    key_id: str
    """The house key in force."""
    revision: str
    """The schema in force."""
    office: int


COLUMNS = ", ".join(Standing.__struct_fields__)


def read_standing(tx: Transaction) -> Standing | None:
    """Read the standing, or None before the house is founded."""
    rows = tx.read(f"SELECT {COLUMNS} FROM house")
    return Standing(*rows[0]) if rows else None


def require_own(standing: Standing, seal: Seal) -> None:
    """Refuse to write for a house that has another key or another schema by now."""
    if standing.revision != REVISION:
        raise wrong_revision(standing.revision, "the books")
    if standing.key_id != seal.key_id:
        raise refuse("wrong-key", SealError, key=seal.key_id, right=standing.key_id)
