"""A round as text: parse it, replay it, write a state down, prove it."""

from highcardflush.notation.proof import Proof, Verification, format_proof, parse_proofs, verify_proof
from highcardflush.notation.record import format_round
from highcardflush.notation.replay import Replay, play, replay
from highcardflush.notation.rounds import Round, format_rounds, parse_each, parse_rounds
from highcardflush.notation.statements import Statement

__all__ = [
    "Proof",
    "Replay",
    "Round",
    "Statement",
    "Verification",
    "format_proof",
    "format_round",
    "format_rounds",
    "parse_each",
    "parse_proofs",
    "parse_rounds",
    "play",
    "replay",
    "verify_proof",
]
