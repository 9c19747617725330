"""For probes and Prometheus; outside the versioned API."""

from fastapi import APIRouter
from prometheus_client import CONTENT_TYPE_LATEST, generate_latest
from starlette.requests import Request
from starlette.responses import Response

from api.http.answers import answer
from api.http.asking import backend_of

router = APIRouter(include_in_schema=False)


@router.get("/healthz")
async def healthy(_request: Request) -> Response:
    """The process is up."""
    return answer({"status": "up"})


@router.get("/readyz")
async def ready(request: Request) -> Response:
    """The database answers and is migrated far enough; a broker that is away is told, but games go on without it."""
    backend = backend_of(request)
    reason, away = await backend.not_ready(), backend.away()
    body = {"status": "ready" if reason is None else "not ready", "reason": reason, "broker": away or "ok"}
    return answer(body, 200 if reason is None else 503)


@router.get("/metrics")
async def metrics(_request: Request) -> Response:
    """Counters in the text format of Prometheus."""
    return Response(generate_latest(), media_type=CONTENT_TYPE_LATEST)
