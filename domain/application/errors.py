"""What the service refuses before a table or a game is asked."""

from domain.kernel.errors import DomainError


class VersionMismatch(DomainError):
    """The game is not at the version the caller asked to act on; `version` is where it is."""

    def __init__(self, version: int) -> None:
        super().__init__(f"the game is at version {version}")
        self.version = version


class KeyReused(DomainError):
    """The idempotency key stands for another command already."""


class NoSuchVersion(DomainError):
    """The game has no such version; `version` is its last."""

    def __init__(self, version: int) -> None:
        super().__init__(f"the game has the versions 1 to {version}")
        self.version = version


class NotAllowed(DomainError):
    """The caller's role does not reach this far."""
