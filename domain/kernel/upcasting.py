"""Stored shapes of earlier releases, brought up to the present one on every read path."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeAlias

from domain.kernel.messages import Event, type_of

Upcaster: TypeAlias = Callable[[dict[str, Any]], dict[str, Any]]
"""Raw JSON fields of version n to those of version n + 1; pure. `Any` because old shapes have no class any more."""

Upcasters: TypeAlias = Mapping[tuple[str, int], Upcaster]
"""(event type, version n) to the step that leads to version n + 1."""


def upcast(upcasters: Upcasters, type_name: str, version: int, data: dict[str, Any]) -> tuple[int, dict[str, Any]]:
    """Version and fields after every step that is registered from `version` on."""
    while step := upcasters.get((type_name, version)):
        version, data = version + 1, step(data)
    return version, data


def check_upcasters(upcasters: Upcasters, events: Iterable[type[Event]]) -> None:
    """Accept a graph in which exactly every version below each event's present one has its step.

    Raises: ValueError that names the gap or the step that leads nowhere.
    """
    wanted = {(type_of(event), version) for event in events for version in range(1, event.schema_version)}
    if wanted != set(upcasters):
        gaps, astray = sorted(wanted - set(upcasters)), sorted(set(upcasters) - wanted)
        msg = f"upcasters: no step from {gaps}, steps that lead nowhere {astray}"
        raise ValueError(msg)
