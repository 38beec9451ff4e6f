"""Records of finished rounds, and their proofs. Proofs are public, and checked before the server approves a win."""

from typing import get_args

from msgspec import Struct

from highcardflush.errors import FairnessError, HcfError, NotFound
from highcardflush.game.events import WagerSettled
from highcardflush.game.state import Result
from highcardflush.house import codec
from highcardflush.house import events as ev
from highcardflush.house.books.reader import of_kinds, read_config
from highcardflush.house.store.protocol import Transaction
from highcardflush.house.table.state import configured
from highcardflush.money import MICROS_PER_CENT, WHOLE_BP, say_micros
from highcardflush.notation.proof import format_proof, parse_proofs, verify_proof
from highcardflush.rulebook.model import Rulebook
from highcardflush.words import refuse


class RoundRecord(Struct, frozen=True):
    table: str
    number: int
    rulebook: str
    sha256: str
    notation: str
    proof: str
    """Text with the record and everything needed to verify it."""
    results: tuple[Result, ...]


def read_record(tx: Transaction, name: str, number: int) -> RoundRecord:
    """Read a finished round from its first and last events."""
    stream = f"table/{name}"
    # No ORDER BY: with one, SQLite would read the whole stream instead of looking up the rows.
    kinds = of_kinds(ev.RoundOpened, *get_args(ev.End))
    sql = f"SELECT seq, kind, body FROM events WHERE stream = ? AND number = ? AND {kinds}"
    rows = sorted(tx.read(sql, stream, number)) if 0 < number < 2**63 else []
    if len(rows) < 2:
        raise refuse("no-finished-round", NotFound, table=name, number=number)
    begun, over = (ev.decode(stream, kind, body) for _, kind, body in rows)
    assert isinstance(begun, ev.RoundOpened)
    assert isinstance(over, ev.End)
    rulebook = _rulebook(tx, stream, begun)
    proof = format_proof(
        name,
        number,
        over.record,
        commitment=begun.commitment,
        seed=over.seed,
        player_seeds=over.player_seeds,
        player_commitments=over.commitments,
        rulebook=rulebook,
    )
    results = tuple(fact.result for fact in over.told if isinstance(fact, WagerSettled))
    return RoundRecord(name, number, rulebook.name, rulebook.sha256, over.record, proof, results)


def read_rulebook(tx: Transaction, name: str, number: int) -> Rulebook:
    stream = f"table/{name}"
    sql = "SELECT body FROM events WHERE stream = ? AND number = ? AND kind = 'open'"
    ((text,),) = tx.read(sql, stream, number)
    return _rulebook(tx, stream, codec.decode(text, ev.RoundOpened))


def _rulebook(tx: Transaction, stream: str, begun: ev.RoundOpened) -> Rulebook:
    return configured(read_config(tx, stream, begun.config).rulebook, begun.settings)


def require_win(tx: Transaction, table: str, number: int, seat: int, micros: int) -> None:
    """Refuse to approve a meter's 100 % win unless the proof of its round is valid: the seed matches its commitment,
    the cards follow from the seed, and they win this amount under the rules."""
    where = f"the proof of table {table} round {number}"
    proof = read_record(tx, table, number).proof
    try:
        verified = verify_proof(next(parse_proofs(proof)))
    except HcfError as error:
        raise FairnessError(f"{where}: {error.message}", read=error.read, expected=error.expected) from None
    if verified.by_hand:
        raise FairnessError(where, read="cards that were dealt by hand", expected="cards that were dealt from a seed")
    settlement = verified.replay.state.settlement
    moves = [move for moves in settlement.moves.values() for move in moves] if settlement is not None else []
    won = [move.player_cents for move in moves if move.seat == seat and move.percent_bp == WHOLE_BP]
    if micros not in [cents * MICROS_PER_CENT for cents in won]:
        read = ", ".join(say_micros(cents * MICROS_PER_CENT) for cents in won) or "nothing"
        raise FairnessError(f"{where}: the win of seat {seat}", read=read, expected=say_micros(micros))
