"""`python -m ostraka.parts PART ...`: the parts without the command line around them, which would cost each memory."""

import argparse
import sys

# structlog loads rich wherever it is installed, for coloured tracebacks that no part prints; it costs each 5 MB.
sys.modules["rich"] = None  # type: ignore[assignment]

from ostraka.settings import Settings  # noqa: E402


def main() -> None:
    """Run one part with the settings of the environment."""
    parser = argparse.ArgumentParser()
    parser.add_argument("part", choices=["api", "relay", "worker", "beat"])
    parser.add_argument("--pool", action="append", default=[])
    parser.add_argument("--processes", type=int, default=2)
    asked = parser.parse_args()
    settings = Settings()
    match asked.part:
        case "api":
            from ostraka.parts.api import run_api

            run_api(settings)
        case "relay":
            from ostraka.parts.relay import run_relay

            run_relay(settings)
        case "worker":
            from ostraka.parts.worker import run_worker

            run_worker(settings, asked.pool, asked.processes)
        case "beat":
            from ostraka.parts.beat import run_beat

            run_beat(settings)


if __name__ == "__main__":
    main()
