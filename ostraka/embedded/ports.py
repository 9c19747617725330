"""Ports of the one address that embedded servers listen on."""

import socket

from ostraka.embedded.errors import PortTaken, reason

LOOPBACK = "127.0.0.1"
"""Nothing embedded is reachable from another machine."""


def free_port() -> int:
    """A port that nobody listened on a moment ago."""
    with socket.socket() as probe:
        probe.bind((LOOPBACK, 0))
        port: int = probe.getsockname()[1]
        return port


def check_free(port: int, server: str) -> None:
    """Raises: PortTaken."""
    with socket.socket() as probe:
        # As the servers do: what is left of closed connections is in nobody's way.
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((LOOPBACK, port))
        except OSError as error:
            why = reason(error.strerror or str(error))
            raise PortTaken(f"{server} cannot listen on {LOOPBACK}:{port}: {why}") from error
