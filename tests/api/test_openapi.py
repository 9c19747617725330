"""The OpenAPI document is a promise: it changes only in a commit that says why.

`UPDATE_GOLDEN=1 pytest tests/api/test_openapi.py` writes it anew.
"""

import json
import os
from pathlib import Path
from typing import Any

import httpx
import schemathesis
from hypothesis import HealthCheck, given, settings
from schemathesis.core.result import Err
from schemathesis.specs.openapi.checks import response_schema_conformance, status_code_conformance

from tests.api.desk import Desk
from tests.api.processes import serving

GOLDEN = Path(__file__).parent / "openapi.json"


async def test_the_document_is_the_one_that_clients_were_promised(ostraka: Desk) -> None:
    document = await ostraka.nobody.get("/openapi.json")
    text = json.dumps(document, indent=1, sort_keys=True) + "\n"
    if os.environ.get("UPDATE_GOLDEN"):
        GOLDEN.write_text(text)
    assert text == GOLDEN.read_text()


def test_no_request_that_the_document_allows_is_answered_otherwise(migrated_url: str, valkey_url: str) -> None:
    """Generated requests to every operation of a served API: no fault of ours, every answer as documented."""
    with serving(migrated_url, valkey_url) as url:
        schema = schemathesis.openapi.from_url(f"{url}/api/v1/openapi.json")
        token = httpx.post(f"{url}/api/v1/players", json={"name": "Ann"}).json()["token"]
        for result in schema.get_all_operations():
            assert not isinstance(result, Err)
            operation = result.ok()
            if not operation.path.endswith("/live"):
                check(operation, {"Authorization": f"Bearer {token}"})


def check(operation: Any, headers: dict[str, str]) -> None:
    """A few generated requests to one operation."""

    @settings(max_examples=6, deadline=None, suppress_health_check=list(HealthCheck))
    @given(case=operation.as_strategy())
    def generated(case: Any) -> None:
        answer = case.call(headers=headers)
        assert answer.status_code < 500, answer.text
        case.validate_response(answer, checks=(status_code_conformance, response_schema_conformance))

    generated()
