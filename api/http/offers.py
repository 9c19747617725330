"""The games on offer."""

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from api.http.answers import answer
from api.http.asking import backend_of
from api.http.errors import Problem
from api.http.openapi import documented
from api.http.shapes import Offer
from domain.kernel.options import schema

router = APIRouter()


@router.get("/games-on-offer", **documented(None, {200: list[Offer]}, needs_token=False))
async def games_on_offer(request: Request) -> Response:
    """Every game, with its seats, options and bots."""
    offers = [
        Offer(
            game=game.key,
            title=game.title,
            min_seats=game.seats[0],
            max_seats=game.seats[-1],
            options_schema=schema(game.presets),
            bots=tuple(game.bots),
            bot_descriptions={bot.name: bot.description for bot in game.bots.values()},
            rules_url=f"/api/v1/games-on-offer/{game.key}/rules",
            rules_version=game.rules_version,
        )
        for game in backend_of(request).games.values()
    ]
    return answer(offers)


@router.get("/games-on-offer/{game}/rules", **documented(None, {}, needs_token=False))
async def rules(request: Request) -> Response:
    """A game's numbered rules, as Markdown."""
    backend, key = backend_of(request), request.path_params["game"]
    if key not in backend.games:
        raise Problem("not-found", "There is no such game on offer.")
    return Response(backend.rules(key), media_type="text/markdown; charset=utf-8")
