"""The time and the randomness of the real world, for the ports that ask for them."""

import secrets
import time


class SystemClock:
    """The machine's clock."""

    def now(self) -> int:
        """Microseconds since 1970 UTC."""
        return time.time_ns() // 1000


class SystemEntropy:
    """The operating system's random source."""

    def bytes(self, count: int) -> bytes:
        """That many bytes nobody can predict."""
        return secrets.token_bytes(count)
