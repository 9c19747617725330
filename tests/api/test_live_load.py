"""Streams under strain: slow readers, lost hints, a silent Redis, many watchers, few connections."""

import asyncio
import os
import re
import signal
import socket
import time
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from urllib.parse import urlsplit

import pytest

from ostraka.embedded.valkey import Valkey
from ostraka.hints import RedisHints
from tests.api.live_service import PATIENCE_SECONDS, Service, eventually, served


@pytest.fixture
async def service(migrated_url: str) -> AsyncIterator[Service]:
    async with served(migrated_url) as service:
        yield service


def path(game_id: str) -> str:
    return f"/games/{game_id}/events/live"


async def test_a_lost_hint_costs_a_second(migrated_url: str) -> None:
    async with served(migrated_url, hints=False) as service:
        game_id = await service.game("ann", "bob")
        async with service.stream(path(game_id), after=0) as live:
            await live.up_to(await service.version(game_id))
            end = await service.steps(game_id, 1)
            began = time.monotonic()
            await live.up_to(end)
            assert time.monotonic() - began < 1.2


async def test_hints_of_redis_wake_and_its_silence_only_slows(migrated_url: str, own_valkey: Valkey) -> None:
    server = own_valkey.process
    assert server
    async with RedisHints(own_valkey.url()) as hints, served(migrated_url, poll=1.0, wake_up=hints) as service:
        heard = asyncio.Event()

        async def follow() -> None:
            async for hint in hints.received():
                heard.set()
                if hint is None:
                    service.hub.missed()
                else:
                    service.hub.hinted(hint.game_id, hint.version)

        following = asyncio.create_task(follow())
        async with asyncio.timeout(PATIENCE_SECONDS):
            await heard.wait()
        game_id = await service.game("ann", "bob")
        async with service.stream(path(game_id), after=await service.version(game_id)) as live:
            await eventually(lambda: bool(service.hub.watched))
            took = []
            for _ in range(5):
                began = time.monotonic()
                await live.up_to(await service.steps(game_id, 1))
                took.append(time.monotonic() - began)
            assert sorted(took)[2] < 0.25
            os.kill(server.pid, signal.SIGSTOP)
            try:
                began = time.monotonic()
                await live.up_to(await service.steps(game_id, 1))
                assert time.monotonic() - began < 1.5
            finally:
                os.kill(server.pid, signal.SIGCONT)
        following.cancel()
        await asyncio.wait({following})


async def test_many_watchers_of_a_game_cost_one_load_per_command(service: Service) -> None:
    game_id = await service.game("ann", "bob")
    begin = await service.version(game_id)
    async with AsyncExitStack() as stack:
        streams = [
            await stack.enter_async_context(service.stream(path(game_id), name, after=begin))
            for name in ("ann", "bob", None) * 7
        ]
        await eventually(lambda: service.hub.watched == {game_id: len(streams)})
        for _ in range(3):
            before = await service.version(game_id)
            service.store.loads.clear()
            end = await service.steps(game_id, 1)
            told = [await live.up_to(end) for live in streams]
            assert len({one[-1]["hash"] for one in told}) == 1
            assert service.store.loads == [(game_id, before)]


async def test_a_slow_reader_is_cut_and_comes_back(migrated_url: str) -> None:
    async with served(migrated_url, queue=4) as service:
        game_id = await service.game("ann", bots=("random",) * 4)
        slow = await _open_and_do_not_read(service, game_id)
        try:
            await eventually(lambda: service.hub.watched == {game_id: 1})
            end = await service.play_out(game_id)
            await eventually(lambda: not service.hub.watched)
            received = await _read_all(slow)
        finally:
            slow.close()
        ids = [int(version) for version in re.findall(rb"id: (\d+)\ndata: [^\n]*\n\n", received)]
        assert ids == list(range(1, len(ids) + 1))
        assert len(ids) < end
        async with service.stream(path(game_id), last=ids[-1]) as live:
            assert [event["version"] for event in await live.up_to(end)] == list(range(ids[-1] + 1, end + 1))


async def test_idle_streams_hold_no_connection(migrated_url: str) -> None:
    async with served(migrated_url, size=2) as service, AsyncExitStack() as stack:
        game_id = await service.game("ann", "bob")
        end = await service.version(game_id)
        streams = [await stack.enter_async_context(service.stream(path(game_id), after=end)) for _ in range(25)]
        player = await service.waited_for(game_id)
        own = [await stack.enter_async_context(service.stream("/me/events/live", player)) for _ in range(25)]
        async with asyncio.TaskGroup() as group:
            for one in own:
                group.create_task(one.notice())
        assert service.pool.get_idle_size() == service.pool.get_size() <= 2
        busy = await service.pool.fetchval(
            "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND state LIKE 'idle in%'"
        )
        assert busy == 0
        async with service.client("ann") as client:
            began = time.monotonic()
            assert (await client.get(f"/api/v1/games/{game_id}")).status_code == 200
            assert time.monotonic() - began < 1
        end = await service.steps(game_id, 1)
        for live in streams:
            await live.up_to(end)


async def test_history_that_was_lost_ends_the_streams(service: Service) -> None:
    game_id = await service.game("ann", "bob")
    end = await service.version(game_id)
    async with service.stream(path(game_id), after=end) as live:
        await eventually(lambda: service.hub.watched == {game_id: 1})
        service.store.lost = True
        service.hub.hinted(game_id, end + 1)
        assert await live.next() is None


async def _open_and_do_not_read(service: Service, game_id: str) -> socket.socket:
    """A connection on which a stream was asked for and nothing is read."""
    place = urlsplit(service.url)
    reader = socket.socket()
    reader.setblocking(False)
    reader.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    loop = asyncio.get_running_loop()
    await loop.sock_connect(reader, (place.hostname, place.port))
    await loop.sock_sendall(reader, f"GET /api/v1{path(game_id)} HTTP/1.1\r\nHost: ostraka\r\n\r\n".encode())
    return reader


async def _read_all(reader: socket.socket) -> bytes:
    """Everything to the end of a connection."""
    received = bytearray()
    async with asyncio.timeout(PATIENCE_SECONDS):
        while chunk := await asyncio.get_running_loop().sock_recv(reader, 65536):
            received += chunk
    return bytes(received)
