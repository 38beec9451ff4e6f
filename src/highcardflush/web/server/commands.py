"""Submits clients' commands, from the socket and over HTTP, after the checks that only the server makes."""

from highcardflush.errors import HcfError, OutcomeUnknown, StoreError, TextError
from highcardflush.game import actions as a
from highcardflush.house import commands as c
from highcardflush.house.parse import read_command
from highcardflush.web.messages.live import Accepted
from highcardflush.web.server.access import Who, require_proof
from highcardflush.web.server.services import Services

PROVED: tuple[type, ...] = (
    c.Vote, c.Propose, c.Decide, a.Void, a.VoidHand, c.SetDisplay, c.AddPerson, c.ChangeRole, c.Disable, c.Enable,
    c.RequireApproval, c.ProposeChange, c.DecideChange,
)  # fmt: skip
"""Commands that require a recently entered password: votes, voids, corrections and changes to people."""


async def do(services: Services, who: Who, stream: str, text: bytes, key: str) -> Accepted:
    """Submit a JSON command, unless a rate limit, a break or the lack of a recently entered password forbids it."""
    services.context.limits.require("command", who.person)
    try:
        try:
            checked = read_command(text.decode())
        except UnicodeDecodeError as error:
            raise TextError("command", read=str(error), expected="text in UTF-8") from None
        if isinstance(checked.command, PROVED):
            require_proof(who, services.context.clock())
        if isinstance(checked.command, a.PlaceWagers):
            services.breaks.require_none(who.person)
            await services.tables_for_one.open_round(stream)
        return Accepted.of(await services.context.pump.submit(stream, checked, who.person, key))
    except (StoreError, OutcomeUnknown):
        raise  # not a refusal, so the client may retry
    except HcfError:
        services.context.limits.require("refusal", who.person, "refused commands")
        raise
