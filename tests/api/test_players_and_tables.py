"""Coming in, opening tables, sitting down, starting, leaving, closing."""

import pytest

from tests.api.desk import GAME, Desk, key

BOT = {"kind": "bot", "bot": "random"}


async def test_a_player_comes_in_and_the_token_is_kept_as_a_hash_only(ostraka: Desk) -> None:
    ann = await ostraka.come("Nefertari")
    assert await ann.get("/me") == {"player_id": ann.player_id, "name": "Nefertari", "role": "player"}
    stored = await ostraka.pool.fetchval("SELECT encode(token_hash, 'hex') FROM ostraka.player")
    assert ann.token not in stored


@pytest.mark.parametrize("name", ["", "x" * 41, "a\u202eb", "a\nb", "   ", 7, None])
async def test_a_name_has_1_to_40_characters_that_can_be_seen(ostraka: Desk, name: object) -> None:
    assert (await ostraka.nobody.problem("POST", "/players", {"name": name}))[:2] == (422, "invalid-body")


async def test_a_player_whose_answer_was_lost_gets_it_again(ostraka: Desk) -> None:
    own = key()
    first = await ostraka.nobody.post("/players", {"name": "Ann"}, Idempotency_Key=own)
    assert await ostraka.nobody.post("/players", {"name": "Ann"}, Idempotency_Key=own) == first
    other = await ostraka.nobody.problem("POST", "/players", {"name": "Eve"}, Idempotency_Key=own)
    assert other[:2] == (422, "idempotency-key-reused")
    assert (await ostraka.nobody.problem("POST", "/players", {"name": "A"}, Idempotency_Key="1"))[1] == "invalid-body"


@pytest.mark.parametrize("header", ["Bearer nonsense", "Basic abc", "Bearer"])
@pytest.mark.parametrize("path", ["/me", "/games", "/games/00000000-0000-4000-8000-000000000000"])
async def test_an_unknown_token_is_refused_everywhere(ostraka: Desk, header: str, path: str) -> None:
    assert (await ostraka.nobody.problem("GET", path, Authorization=header))[:2] == (401, "not-authenticated")


async def test_the_games_on_offer_say_all_a_client_needs(ostraka: Desk) -> None:
    offer = next(one for one in await ostraka.nobody.get("/games-on-offer") if one["game"] == GAME)
    assert (offer["min_seats"], offer["max_seats"], offer["bots"]) == (2, 5, ["random", "greedy"])
    assert offer["options_schema"]["properties"]["preset"]["enum"] == ["seed", "official"]
    rules = await ostraka.http.get(offer["rules_url"])
    assert "RA-1.1" in rules.text


async def test_a_table_starts_by_itself_once_no_seat_is_open(ostraka: Desk) -> None:
    ann, bob = await ostraka.come("Ann"), await ostraka.come("Bob")
    answer = await ann.ask("POST", "/games", {"game": GAME, "seats": [{"kind": "me"}, BOT, {"kind": "open"}]})
    game = answer.json()
    assert answer.status_code == 201
    assert answer.headers["location"] == f"/api/v1/games/{game['game_id']}"
    assert (game["status"], game["waiting_for"], game["view"], game["your_seat"]) == ("lobby", "players", None, 0)
    assert [seat["kind"] for seat in game["seats"]] == ["player", "bot", "open"]
    assert game["seats"][0]["name"] == "Ann"
    seated = await bob.ask("POST", f"/games/{game['game_id']}/seats", {"seat": 2, "entropy": "scarab"})
    assert seated.status_code == 201
    assert (seated.json()["status"], seated.json()["your_seat"]) == ("running", 2)
    taken = await ostraka.come("Eve")
    assert (await taken.problem("POST", f"/games/{game['game_id']}/seats", {}))[:2] == (409, "already-started")


async def test_the_opener_starts_by_hand_and_nobody_else(ostraka: Desk) -> None:
    ann, bob = await ostraka.come("Ann"), await ostraka.come("Bob")
    game_id = (
        await ann.post("/games", {"game": GAME, "seats": [{"kind": "me"}, {"kind": "open"}], "start": "manual"})
    )["game_id"]
    assert (await ann.problem("POST", f"/games/{game_id}/start", {}))[:2] == (409, "seats-open")
    await bob.post(f"/games/{game_id}/seats", {})
    assert (await bob.problem("POST", f"/games/{game_id}/start", {}))[:2] == (403, "forbidden")
    assert (await ann.post(f"/games/{game_id}/start", {"entropy": "x" * 200}))["status"] == "running"
    assert (await ann.problem("POST", f"/games/{game_id}/start", {"entropy": "x" * 201}))[1] == "invalid-body"


async def test_a_lobby_is_left_and_closed(ostraka: Desk) -> None:
    ann, bob = await ostraka.come("Ann"), await ostraka.come("Bob")
    table = {"game": GAME, "seats": [{"kind": "me"}, {"kind": "open"}, {"kind": "open"}]}
    game_id = (await ann.post("/games", table))["game_id"]
    await bob.post(f"/games/{game_id}/seats", {"seat": 1})
    assert (await bob.problem("POST", f"/games/{game_id}/seats", {}))[:2] == (409, "seat-taken")
    assert (await ann.problem("DELETE", f"/games/{game_id}/seats/1"))[:2] == (403, "not-your-seat")
    left = await bob.ask("DELETE", f"/games/{game_id}/seats/1")
    assert left.json()["seats"][1]["kind"] == "open"
    assert (await bob.problem("DELETE", f"/games/{game_id}"))[:2] == (403, "forbidden")
    assert (await ann.ask("DELETE", f"/games/{game_id}")).json()["status"] == "abandoned"
    assert (await bob.problem("POST", f"/games/{game_id}/seats", {}))[:2] == (409, "game-not-running")


@pytest.mark.parametrize(
    ("change", "pointer"),
    [
        ({"game": "senet"}, "/game"),
        ({"seats": [{"kind": "me"}]}, "/seats"),
        ({"seats": [{"kind": "me"}, {"kind": "me"}]}, "/seats/1"),
        ({"seats": [{"kind": "me"}, {"kind": "bot", "bot": "oracle"}]}, "/seats/1/bot"),
        ({"seats": [{"kind": "me"}, {"kind": "throne"}]}, "/seats/1/kind"),
        ({"options": {"preset": "house"}}, "/options/preset"),
        ({"options": {"starting_points": 101}}, "/options/starting_points"),
        ({"options": {"no_such": 1}}, "/options/no_such"),
        ({"turn_seconds": 0}, "/turn_seconds"),
        ({"start": "later"}, "/start"),
        ({"colour": "red"}, ""),
    ],
)
async def test_a_table_of_the_wrong_shape_is_told_where(ostraka: Desk, change: dict[str, object], pointer: str) -> None:
    ann = await ostraka.come("Ann")
    table = {"game": GAME, "seats": [{"kind": "me"}, BOT], **change}
    status, slug, document = await ann.problem("POST", "/games", table)
    assert (status, slug) == (422, "invalid-body")
    assert pointer in [error["pointer"] for error in document["errors"]]
    assert (await ann.get("/games"))["games"] == []


async def test_tables_are_listed_newest_first_and_stable_under_inserts(ostraka: Desk) -> None:
    ann, bob = await ostraka.come("Ann"), await ostraka.come("Bob")
    opened = [await ostraka.game_of(ann, bob) for _ in range(5)]
    page = await ann.get("/games?player=me&limit=2")
    await ostraka.game_of(ann, bob)
    rest = await ann.get(f"/games?player=me&limit=10&cursor={page['next_cursor']}")
    listed = [game["game_id"] for game in [*page["games"], *rest["games"]]]
    assert listed == opened[::-1]
    assert rest["next_cursor"] is None
    assert (await ann.get("/games?status=lobby"))["games"] == []
    waiting = [*(await ann.get("/games?to_act=me"))["games"], *(await bob.get("/games?to_act=me"))["games"]]
    assert len(waiting) == 6
    for query in ("cursor=zzz", "limit=0", "limit=x", "status=lost", "player=you"):
        assert (await ann.problem("GET", f"/games?{query}"))[:2] == (422, "invalid-body"), query
    assert (await ostraka.nobody.problem("GET", "/games?player=me"))[:2] == (401, "not-authenticated")
