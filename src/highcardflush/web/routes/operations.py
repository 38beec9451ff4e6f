"""Calls of monitoring systems: health and metrics."""

from __future__ import annotations

import asyncio
from ipaddress import ip_address, ip_network
from typing import Any

from litestar import Request, Response, get
from litestar.di import NamedDependency

from highcardflush.errors import NotPermitted
from highcardflush.web.server.health import Health
from highcardflush.web.server.services import Services
from highcardflush.words import refuse

PROMETHEUS = "text/plain; version=0.0.4"


@get("/health", opt={"access": "probe", "also": 503})
async def health(services: NamedDependency[Services]) -> Response[Health]:
    """Return status 200, or 503 with the reasons if something is wrong."""
    status = await services.health.check()
    return Response(status, status_code=200 if status.well else 503)


@get("/metrics", opt={"access": "probe"}, media_type=PROMETHEUS)
async def metrics(services: NamedDependency[Services], request: Request[Any, Any, Any]) -> Response[str]:
    """Return metrics for Prometheus to addresses that the settings allow."""
    client = request.client.host if request.client is not None else ""
    if not _is_within(client, services.settings.metrics_from):
        raise refuse("metrics-address", NotPermitted, client=client)
    return Response(await asyncio.to_thread(services.metrics.page), media_type=PROMETHEUS)


def _is_within(client: str, networks: tuple[str, ...]) -> bool:
    try:
        address = ip_address(client)
    except ValueError:
        return False
    return any(address in ip_network(network) for network in networks)


HANDLERS = (health, metrics)
