"""Rate limits: what a caller may ask for, told with every answer (draft-ietf-httpapi-ratelimit-headers).

Counted is who was proved to ask, before anything is looked up for them: nobody can use up what is another's.
"""

from typing import Final

from fastapi import Request

from app.api.observe import HEADERS
from app.domain.errors import TooMany
from app.domain.rate_limits import WINDOW_SECONDS
from app.ports.rate_limits import RateLimits

_POLICY: Final = '"default"'


async def count(request: Request, limits: RateLimits, caller: bytes) -> None:
    """One more request of the caller. Every answer to it tells how they stand. Raises TooMany over their limit."""
    allowance = await limits.count(caller.hex())
    request.scope["state"][HEADERS] = {
        "RateLimit-Policy": f"{_POLICY};q={allowance.limit};w={WINDOW_SECONDS}",
        "RateLimit": f"{_POLICY};r={allowance.remaining};t={allowance.reset}",
    }
    if allowance.exceeded:
        raise TooMany("too_many_requests", "These are more requests than the limit allows.", allowance.reset)
