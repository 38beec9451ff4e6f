"""Rate limits: an average number per second, and a burst.

A counter stores only the time by which the average rate would have allowed all its requests so far. The number of
counters is bounded; the least recently used one is dropped first. Every process counts separately.
"""

from collections import OrderedDict
from collections.abc import Callable, Mapping
from ipaddress import IPv6Address, ip_address

from msgspec import Struct

from highcardflush.web.errors import limited

MOST = 200_000
"""Maximum number of stored counters."""


class Rate(Struct, frozen=True):
    a_second: float
    burst: int


LIMITS = {
    # per person
    "command": Rate(10, 20),
    "ticket": Rate(1, 60),
    "refusal": Rate(5, 50),
    "token": Rate(1 / 60, 20),
    "refill": Rate(1 / 60, 5),
    "prove": Rate(1 / 10, 10),
    "factor": Rate(1 / 60, 10),
    "own": Rate(1, 40),
    # per name and address, then per name: a stranger at one address cannot lock out the owner at another address
    "password": Rate(1 / 20, 10),
    "name": Rate(1 / 4, 40),
    # per address
    "sign-in": Rate(1, 40),
    "guest": Rate(1, 40),
    "register": Rate(1 / 5, 20),
    "code": Rate(1 / 10, 10),
    "connect": Rate(5, 100),
    "odds": Rate(5, 100),
}


class Limits:
    def __init__(self, monotonic: Callable[[], float], limits: Mapping[str, Rate] = LIMITS, most: int = MOST) -> None:
        self._monotonic, self._limits, self._most = monotonic, limits, most
        self._paid = OrderedDict[tuple[str, str], float]()
        """Stored time of each counter, with the least recently used counter first."""

    def allow(self, what: str, who: str) -> float:
        """Count a request and return 0. At the limit, count nothing and return the number of seconds to wait."""
        rate, now = self._limits[what], self._monotonic()
        paid = max(self._paid.pop((what, who), now), now) + 1 / rate.a_second
        wait = paid - now - rate.burst / rate.a_second
        refused = wait > 1e-6  # a shorter wait is a rounding error
        self._paid[what, who] = paid - 1 / rate.a_second if refused else paid
        if len(self._paid) > self._most:
            self._paid.popitem(last=False)
        return wait if refused else 0.0

    def require(self, what: str, who: str, requests: str = "") -> None:
        """Count a request, or refuse it with a message that names `requests`."""
        if (wait := self.allow(what, who)) > 0:
            raise limited(requests or what, wait)

    def require_address(self, what: str, address: str, requests: str = "") -> None:
        """Count a request from an address, or refuse it. Requests from this machine are not limited."""
        if (group := group_of(address)) is not None:
            self.require(what, group, requests)

    def give_back(self, what: str, who: str) -> None:
        """Undo the count of one request."""
        if (what, who) in self._paid:
            self._paid[what, who] -= 1 / self._limits[what].a_second


def group_of(address: str) -> str | None:
    """Return the group of addresses that share a limit, or None for this machine. In IPv6 a group is a /64.

    >>> group_of("2001:db8:1:2:3:4:5:6"), group_of("::ffff:192.0.2.7"), group_of("127.0.0.1")
    ('2001:db8:1:2::', '192.0.2.7', None)
    """
    try:
        ip = ip_address(address.partition("%")[0])
    except ValueError:
        return address  # not an IP address but, for example, a Unix socket
    if isinstance(ip, IPv6Address):
        ip = ip.ipv4_mapped or IPv6Address(int(ip) >> 64 << 64) if not ip.is_loopback else ip
    return None if ip.is_loopback else str(ip)
