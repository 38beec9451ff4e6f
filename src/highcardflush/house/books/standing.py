"""Where the house stands: the one row that every command's guard asks, so that nothing old goes on writing.

`office` is the number of the office's newest event. Every event carries it as it was then: a rising number of the
books, by which what happened in two streams is put in order, whatever clocks say. A new epoch and a new house key are
events of the office, so whoever has this number right has them right too.
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
    """The office's event that began it: what was opened before can only be voided."""
    key_id: str
    """The house key that seals."""
    revision: str
    """The schema that is in force."""
    office: int


COLUMNS = ", ".join(Standing.__struct_fields__)


def read_standing(tx: Transaction) -> Standing | None:
    """None before the house is founded."""
    rows = tx.read(f"SELECT {COLUMNS} FROM house")
    return Standing(*rows[0]) if rows else None


def require_own(standing: Standing, seal: Seal) -> None:
    """Refuse to write for a house that has gone on with another key or another schema."""
    if standing.revision != REVISION:
        raise wrong_revision(standing.revision, "the books")
    if standing.key_id != seal.key_id:
        raise refuse("wrong-key", SealError, key=seal.key_id, right=standing.key_id)
