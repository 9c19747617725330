"""What every measurement needs: the machine it ran on, figures with their spread, a file to keep them in."""

import math
import os
import platform
from collections.abc import Callable, Sequence
from importlib.metadata import version
from pathlib import Path
from statistics import median
from time import process_time
from typing import Any, TypeAlias

import msgspec

RESULTS = Path(__file__).parent / "results"

Figures: TypeAlias = dict[str, Any]
"""Figures by name, as JSON values, in the order in which they are shown."""

Z95 = 1.959964
"""Half the width of a two-sided 95 % interval. Unit: standard deviations."""


def machine() -> Figures:
    """What the figures depend on. `load`: tasks that ran or waited in the last minute, before the measurement."""
    return {
        "processor": _processor(),
        "cores": os.cpu_count(),
        "load": round(os.getloadavg()[0], 2),
        "system": f"{platform.system()} {platform.machine()}",
        "python": platform.python_version(),
        "msgspec": version("msgspec"),
    }


def _processor() -> str:
    """The model of the processor, as far as the system tells."""
    facts = Path("/proc/cpuinfo")
    lines = facts.read_text().splitlines() if facts.exists() else []
    named = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return next(named, platform.processor() or "unknown")


def seconds(work: Callable[[], object]) -> float:
    """How long the work keeps the processor busy."""
    begun = process_time()
    work()
    return process_time() - begun


def spread(values: Sequence[float]) -> Figures:
    """Least, median and greatest of several runs, in three digits."""
    return {
        name: float(f"{value:.3g}")
        for name, value in (("min", min(values)), ("median", median(values)), ("max", max(values)))
    }


def percentile(values: Sequence[float], share: float) -> float:
    """The least value that is not below this share of all."""
    return sorted(values)[max(0, math.ceil(share * len(values)) - 1)]


def wilson(hits: int, tries: int) -> tuple[float, float]:
    """The 95 % interval of a rate.

    Source: E. B. Wilson, Probable Inference (1927); it holds near 0 and 1 too, unlike the normal interval.
    """
    rate, z2 = hits / tries, Z95**2
    middle = rate + z2 / (2 * tries)
    half = Z95 * math.sqrt(rate * (1 - rate) / tries + z2 / (4 * tries**2))
    return (middle - half) / (1 + z2 / tries), (middle + half) / (1 + z2 / tries)


def keep(name: str, figures: Figures) -> None:
    """Write the figures to `results/<name>.json` and say so."""
    RESULTS.mkdir(exist_ok=True)
    path = RESULTS / f"{name}.json"
    path.write_bytes(msgspec.json.format(msgspec.json.encode(figures), indent=2) + b"\n")
    print(f"written: {path.relative_to(RESULTS.parents[1])}")


def show(title: str, figures: Figures) -> None:
    """Print figures below a title, one a line."""
    print(title)
    for name, value in figures.items():
        print(f"  {name:<34} {_shown(value)}")


def _shown(value: Any) -> str:  # a JSON value
    if isinstance(value, dict):
        return "   ".join(f"{name} {_shown(one)}" for name, one in value.items())
    if isinstance(value, list | tuple):
        return " to ".join(_shown(one) for one in value)
    return f"{value:g}" if isinstance(value, float) else str(value)
