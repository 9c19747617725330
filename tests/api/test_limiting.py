"""Whoever asks too much at once is told to wait; others are not held up by it."""

import httpx

from api.app import create_app
from api.http.limiting import Buckets
from tests.api.desk import Caller, Desk


def test_a_bucket_holds_two_seconds_and_fills_steadily() -> None:
    buckets = Buckets(rate=2)
    assert [buckets.wait(b"ann", 0.0) for _ in range(4)] == [0, 0, 0, 0]
    assert buckets.wait(b"ann", 0.0) == 0.5
    assert buckets.wait(b"bob", 0.0) == 0
    assert buckets.wait(b"ann", 0.5) == 0
    assert buckets.wait(b"ann", 0.5) > 0
    assert [buckets.wait(b"ann", 100.0) for _ in range(4)] == [0, 0, 0, 0]


async def test_too_many_requests_are_refused_with_the_time_to_wait(ostraka: Desk) -> None:
    transport = httpx.ASGITransport(app=create_app(ostraka.backend, requests_per_second=2))
    async with httpx.AsyncClient(transport=transport, base_url="http://test") as http:
        nobody = Caller(http=http)
        for _ in range(4):
            await nobody.get("/games-on-offer")
        answer = await nobody.ask("GET", "/games-on-offer")
        assert (answer.status_code, answer.headers["retry-after"]) == (429, "1")
        assert answer.json()["type"].endswith("/slow-down")
        token = (await ostraka.come("Ann")).token
        assert (await nobody.ask("GET", "/me", Authorization=f"Bearer {token}")).status_code == 200
        assert (await http.get("/healthz")).status_code == 200
