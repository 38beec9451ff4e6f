"""The call that submits a command under an idempotency key."""

from __future__ import annotations

from typing import Annotated, Any

from litestar import Request, Router, post
from litestar.di import NamedDependency
from litestar.params import FromPath, HeaderParameter

from highcardflush.house.submit import KEY_LENGTH
from highcardflush.web.live.commands import do
from highcardflush.web.messages.live import Accepted
from highcardflush.web.server.access import require_caller
from highcardflush.web.server.services import Services


@post("/{stream:path}", opt={"access": "anybody"}, status_code=200)
async def submit(
    stream: FromPath[str],
    request: Request[Any, Any, Any],
    services: NamedDependency[Services],
    key: Annotated[str, HeaderParameter(name="Idempotency-Key", min_length=1, max_length=KEY_LENGTH)],
) -> Accepted:
    """Submit the command in the body. The same key returns the answer of the accepted command again."""
    who, body = await require_caller(request), await request.body()
    return await do(services, who, stream.strip("/"), body, key)


router = Router("/commands", route_handlers=[submit])
