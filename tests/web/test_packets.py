"""Frames of the live socket: the format of sent frames, and the reading of clients' frames."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from websockets.frames import Frame, Opcode

from highcardflush.web.live.packets import Packet, lone_text

TEXTS = st.text(max_size=300) | st.sampled_from([0, 125, 126, 127, 65_535, 65_536]).map("x".__mul__)


def frame(opcode: Opcode, data: bytes, *, mask: bool, fin: bool = True) -> bytes:
    return Frame(opcode, data, fin=fin).serialize(mask=mask)


@pytest.mark.parametrize(
    ("length", "head"),
    [
        (0, "81 00"),
        (125, "81 7d"),
        (126, "81 7e 007e"),
        (65_535, "81 7e ffff"),
        (65_536, "81 7f 0000000000010000"),
    ],
)
def test_a_packet_is_framed_as_rfc_6455_says(length: int, head: str) -> None:
    """One final text frame without a mask, its length in 7 bits, or in 16 or 64 bits after 126 or 127 (section 5.2)."""
    text = b"x" * length
    assert Packet(text).frame == bytes.fromhex(head) + text


@given(TEXTS)
def test_one_frame_is_read_as_it_was_said(text: str) -> None:
    whole = frame(Opcode.TEXT, text.encode(), mask=True)
    assert lone_text(whole) == (text if len(text.encode()) < 1 << 16 else None)
    assert lone_text(whole[:-1]) is None
    assert lone_text(whole + whole) is None


@given(st.binary(max_size=200))
@example(bytes((0x81, 0xFF)) + bytes(131))
def test_all_else_is_left_to_the_library(data: bytes) -> None:
    """Fragments, other kinds, no mask, no text, an impossible length."""
    assert lone_text(frame(Opcode.TEXT, data, mask=True, fin=False)) is None
    assert lone_text(frame(Opcode.BINARY, data, mask=True)) is None
    assert lone_text(frame(Opcode.TEXT, data, mask=False)) is None
    assert lone_text(frame(Opcode.TEXT, b"\xff" + data, mask=True)) is None
    assert lone_text(bytes((0x81, 0xFF)) + data) is None
