"""Submits clients' commands, from the socket and over HTTP, after the checks that only the server makes."""

from typing import Annotated

from litestar import Router, post
from litestar.params import FromPath, HeaderParameter

from highcardflush.errors import HcfError, OutcomeUnknown, StoreError, TextError
from highcardflush.game import actions as a
from highcardflush.house import commands as c
from highcardflush.house.parse import read_command
from highcardflush.house.submit import KEY_LENGTH
from highcardflush.web.messages.live import Accepted
from highcardflush.web.server.access import Asked, FromSession, Who, require_proof
from highcardflush.web.server.services import Served, Services

Key = Annotated[str, HeaderParameter(name="Idempotency-Key", min_length=1, max_length=KEY_LENGTH)]
PROVED: tuple[type, ...] = (
    c.Vote, c.Propose, c.Decide, a.Void, a.VoidHand, c.SetDisplay, c.AddPerson, c.ChangeRole, c.Disable, c.Enable,
    c.RequireApproval, c.ProposeChange, c.DecideChange,
)  # fmt: skip
"""Commands that require a recently entered password: votes, voids, corrections and changes to people."""


async def do(services: Services, who: Who, stream: str, text: bytes, key: str) -> Accepted:
    """Submit a JSON command, unless a rate limit, a break or the lack of a recently entered password forbids it."""
    services.limits.require("command", who.person)
    try:
        try:
            checked = read_command(text.decode())
        except UnicodeDecodeError as error:
            raise TextError("command", read=str(error), expected="text in UTF-8") from None
        if isinstance(checked.command, PROVED):
            require_proof(who, services.clock())
        if isinstance(checked.command, a.PlaceWagers):
            services.breaks.require_none(who.person)
        return Accepted.of(await services.pump.submit(stream, checked, who.person, key))
    except (StoreError, OutcomeUnknown):
        raise  # not a refusal, so the client may retry
    except HcfError:
        services.limits.require("refusal", who.person, "refused commands")
        raise


@post("/{stream:path}", opt={"access": "anybody"}, status_code=200)
async def submit(stream: FromPath[str], caller: FromSession, request: Asked, services: Served, key: Key) -> Accepted:
    """Submit the command in the body. If the key is used again, the first answer is returned again."""
    return await do(services, caller, stream.strip("/"), await request.body(), key)


router = Router("/commands", route_handlers=[submit])
