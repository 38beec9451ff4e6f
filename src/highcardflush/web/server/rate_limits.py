"""How often something may be done: so many a second on the average, and a burst at once.

Of each that is counted one number is kept, the moment at which all that was done is paid for. The numbers are bounded:
what was touched the longest ago is forgotten first. Every process counts for itself.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Mapping
from ipaddress import IPv6Address, ip_address

from msgspec import Struct

MOST = 200_000
"""How many are counted."""


class Rate(Struct, frozen=True):
    a_second: float
    burst: int


LIMITS = {
    # by person
    "command": Rate(10, 20),
    "ticket": Rate(1, 60),
    "refusal": Rate(5, 50),
    "token": Rate(1 / 60, 20),
    "refill": Rate(1 / 60, 5),
    "prove": Rate(1 / 10, 10),
    "factor": Rate(1 / 60, 10),
    "own": Rate(1, 20),
    # by name and address, and by name: a stranger at one address cannot shut out the owner at another
    "password": Rate(1 / 20, 10),
    "name": Rate(1 / 4, 40),
    # by address
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
        """When all is paid for, least recently touched first."""

    def allow(self, what: str, who: str) -> float:
        """0, and it is counted; or in how many seconds it may be done, and it is not."""
        rate, now = self._limits[what], self._monotonic()
        paid = max(self._paid.pop((what, who), now), now) + 1 / rate.a_second
        wait = paid - now - rate.burst / rate.a_second
        refused = wait > 1e-6  # what is less was lost in adding
        self._paid[what, who] = paid - 1 / rate.a_second if refused else paid
        if len(self._paid) > self._most:
            self._paid.popitem(last=False)
        return wait if refused else 0.0

    def allow_address(self, what: str, address: str) -> float:
        """The same by address; who is on this very machine is not limited so."""
        group = group_of(address)
        return self.allow(what, group) if group is not None else 0.0

    def give_back(self, what: str, who: str) -> None:
        """One that was counted does not count."""
        if (what, who) in self._paid:
            self._paid[what, who] -= 1 / self._limits[what].a_second


def group_of(address: str) -> str | None:
    """What counts as one address: of IPv6 the 64 bits that one household gets. None: this machine.

    >>> group_of("2001:db8:1:2:3:4:5:6"), group_of("::ffff:192.0.2.7"), group_of("127.0.0.1")
    ('2001:db8:1:2::', '192.0.2.7', None)
    """
    try:
        found = ip_address(address.partition("%")[0])
    except ValueError:
        return address  # of a socket that has none
    if isinstance(found, IPv6Address):
        found = found.ipv4_mapped or IPv6Address(int(found) >> 64 << 64) if not found.is_loopback else found
    return None if found.is_loopback else str(found)
