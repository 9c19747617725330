"""The way to the database is cut in the middle of a move: the answer says so, and the repeat with the key finds out."""

import pytest

from tests.api.desk import Caller, Desk, desk, key
from tests.api.processes import Proxy, proxied


async def move_through(
    ostraka: Desk, proxy: Proxy, game_id: str, people: tuple[Caller, Caller], cut: int, way: str
) -> bool:
    """Make one move with the way cut after so many bytes, then repeat it; whether the first answer was lost."""
    mover = await ostraka.mover(game_id, *people)
    before = (await mover.get(f"/games/{game_id}"))["version"]
    body = (await mover.get(f"/games/{game_id}/moves"))["moves"][0]
    own, path = key(), f"/games/{game_id}/moves"
    proxy.cut_after(**{way: cut})
    first = await mover.ask("POST", path, body, Idempotency_Key=own)
    proxy.heal()
    lost = first.status_code != 201
    if lost:
        assert first.status_code == 503, first.text
        assert first.json()["type"].endswith("/unavailable")
        assert first.headers["retry-after"]
    again = await mover.ask("POST", path, body, Idempotency_Key=own)
    for _ in range(20):
        if again.status_code != 503:
            break
        again = await mover.ask("POST", path, body, Idempotency_Key=own)
    assert again.status_code == 201, again.text
    if not lost:
        assert again.json() == first.json()
    after = (await mover.get(f"/games/{game_id}"))["version"]
    assert after == again.json()["version"]
    assert after == before + len(again.json()["events"])
    return lost


@pytest.mark.parametrize("way", ["up", "down"])
async def test_a_move_has_one_effect_wherever_the_way_is_cut(migrated_url: str, way: str) -> None:
    async with proxied(migrated_url) as (proxy, url), desk(url) as ostraka:
        people = (await ostraka.come("Ann"), await ostraka.come("Bob"))
        lost = 0
        game_id = await ostraka.game_of(*people)
        for cut in [*range(0, 60, 6), *range(60, 1200, 60)]:
            if (await people[0].get(f"/games/{game_id}"))["status"] != "running":
                game_id = await ostraka.game_of(*people)
            lost += await move_through(ostraka, proxy, game_id, people, cut, way)
        assert lost > 3
        assert proxy.cuts > 3
        audit = await people[0].get(f"/games/{game_id}/audit")
        assert audit["chain_ok"]
