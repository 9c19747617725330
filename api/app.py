"""The application: routes, problem documents, observation."""

from typing import Any

from fastapi import FastAPI
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from api.backend import Backend
from api.http import games, health, moves, offers, players, tables
from api.http.answers import answer
from api.http.docs import docs_page
from api.http.errors import Problem, on_anything_else, on_domain_error, on_http_exception, on_problem
from api.http.identity import KnownTokens
from api.http.limiting import Limited
from api.http.observing import Observed
from api.http.openapi import openapi_of
from api.live import streams
from domain.kernel.errors import DomainError

PREFIX = "/api/v1"


def create_app(backend: Backend, *, requests_per_second: float = 0) -> FastAPI:
    """The application over a backend, which the program opens and closes; 0 requests a second is no limit."""
    app = FastAPI(openapi_url=None, docs_url=None, redoc_url=None)
    app.state.backend = backend
    app.state.tokens = KnownTokens()
    app.add_exception_handler(Problem, on_problem)
    app.add_exception_handler(DomainError, on_domain_error)
    app.add_exception_handler(HTTPException, on_http_exception)
    app.add_exception_handler(Exception, on_anything_else)
    if requests_per_second:
        app.add_middleware(Limited, rate=requests_per_second)
    app.add_middleware(Observed)
    for module in (players, offers, tables, games, moves, streams):
        app.include_router(module.router, prefix=PREFIX)
    app.include_router(health.router)
    document: dict[str, Any] = openapi_of(app, backend.games, backend.version)
    page = docs_page(document)

    async def openapi(_request: Request) -> Response:
        return answer(document)

    async def docs(_request: Request) -> Response:
        return HTMLResponse(page)

    app.add_route(f"{PREFIX}/openapi.json", openapi)
    app.add_route("/docs", docs)
    app.add_route(f"{PREFIX}/docs", docs)
    return app
