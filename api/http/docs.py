"""The API described for people, on one page that needs nothing from elsewhere."""

import html
import json
from typing import Any

_STYLE = """
body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem}
h2{border-top:1px solid #ccc;padding-top:1rem;font-size:1.1rem}code,pre{background:#f5f2ea;padding:.1em .3em}
pre{overflow:auto;padding:.6em}.m{font-weight:700;display:inline-block;min-width:4.5em}table{border-collapse:collapse}
td{padding:.1em .8em .1em 0;vertical-align:top}
"""


def docs_page(document: dict[str, Any]) -> str:
    """The OpenAPI document as a page."""
    parts = [
        f"<!doctype html><html lang=en><meta charset=utf-8><title>{_safe(document['info']['title'])} API</title>",
        f"<style>{_STYLE}</style><h1>{_safe(document['info']['title'])} API</h1>",
        f"<p>{_safe(document['info']['description'])} The same for machines: ",
        "<a href=/api/v1/openapi.json>openapi.json</a>.</p>",
    ]
    for path, operations in document["paths"].items():
        for method, operation in operations.items():
            parts.append(_operation(path, method, operation))
    return "".join(parts)


def _operation(path: str, method: str, operation: dict[str, Any]) -> str:
    rows = "".join(
        f"<tr><td><code>{_safe(one['name'])}</code><td>{_safe(one['in'])}<td>{_safe(one.get('description', ''))}"
        for one in operation["parameters"]
    )
    answers = ", ".join(status for status in operation["responses"])
    return (
        f"<h2><span class=m>{method.upper()}</span> <code>{_safe(path)}</code></h2>"
        f"<p>{_safe(operation.get('description', ''))}</p><table>{rows}</table>"
        f"{_example(operation)}<p>Answers: {answers}</p>"
    )


def _example(operation: dict[str, Any]) -> str:
    content = operation.get("requestBody", {}).get("content", {}).get("application/json", {})
    values = [one["value"] for one in content.get("examples", {}).values()] or [content.get("example")]
    return "".join(f"<pre>{_safe(json.dumps(value))}</pre>" for value in values if value is not None)


def _safe(text: str) -> str:
    return html.escape(str(text))
