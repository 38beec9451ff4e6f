"""Rounds as text: parse and replay them, format a state, and check proofs."""

from highcardflush.notation.proof import format_proof, parse_proofs, verify_proof
from highcardflush.notation.record import format_round
from highcardflush.notation.replay import play, replay
from highcardflush.notation.rounds import format_rounds, parse_rounds

__all__ = ["format_proof", "format_round", "format_rounds", "parse_proofs", "parse_rounds", "play", "replay"]
__all__ += ["verify_proof"]
