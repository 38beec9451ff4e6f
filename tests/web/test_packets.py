"""Frames of the live socket, compared with those of the library."""

from hypothesis import example, given
from hypothesis import strategies as st
from websockets.frames import Frame, Opcode

from highcardflush.web.live.packets import Packet, lone_text

TEXTS = st.text(max_size=300) | st.sampled_from([0, 125, 126, 127, 65_535, 65_536]).map("x".__mul__)


def frame(opcode: Opcode, data: bytes, *, mask: bool, fin: bool = True) -> bytes:
    return Frame(opcode, data, fin=fin).serialize(mask=mask)


@given(TEXTS)
def test_a_packet_is_framed_as_the_library_does(text: str) -> None:
    assert Packet(text.encode()).frame == frame(Opcode.TEXT, text.encode(), mask=False)


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
