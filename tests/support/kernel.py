"""The rounds that the simulation's kernel deals, one by one."""

from highcardflush.cards import Hand
from highcardflush.simulate.kernel import Array, Rules, record
from highcardflush.simulate.run import stream


def record_chunk(rules: Rules, seed: int, chunk: int, rounds: int) -> tuple[Array, Array]:
    """The rounds that `play_chunk` settles: the kernel's hands (seats, then dealer) and the progressive's pays."""
    hands, pays = record(rules, stream(seed, chunk), rounds)
    return hands[:, : rules.seats + 1], pays


def as_hand(number: int) -> Hand:
    """A hand of the kernel as a set of cards."""
    return Hand(sum((int(number) >> 16 * suit & 0x1FFF) << 13 * suit for suit in range(4)))
