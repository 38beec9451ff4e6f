"""The call that submits a command to a stream."""

from typing import Annotated

from litestar import Router, post
from litestar.params import FromPath, HeaderParameter

from highcardflush.house.submit import KEY_LENGTH
from highcardflush.web.messages.live import Accepted
from highcardflush.web.server.access import Asked, FromSession
from highcardflush.web.server.commands import do
from highcardflush.web.server.services import Served

Key = Annotated[str, HeaderParameter(name="Idempotency-Key", min_length=1, max_length=KEY_LENGTH)]


@post("/{stream:path}", opt={"access": "anybody"}, status_code=200)
async def submit(stream: FromPath[str], caller: FromSession, request: Asked, services: Served, key: Key) -> Accepted:
    """Submit the command in the body. If the key is used again, the first answer is returned again."""
    return await do(services, caller, stream.strip("/"), await request.body(), key)


router = Router("/commands", route_handlers=[submit])
