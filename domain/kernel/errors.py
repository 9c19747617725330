"""Everything the domain refuses or cannot read; only `api` turns these into status numbers."""


class DomainError(Exception):
    """Root of all refusals and failures raised under `domain`."""


class IllegalCommand(DomainError):
    """The rules refuse a command now; the state is untouched.

    `rule` is an id of the game's RULES.md, `reason` a name from its list of refusals, `detail` a sentence for a person
    that tells no secret.
    """

    def __init__(self, rule: str, reason: str, detail: str) -> None:
        super().__init__(f"{rule} {reason}: {detail}")
        self.rule = rule
        self.reason = reason
        self.detail = detail


class InvalidInput(DomainError):
    """Input of the wrong shape: one JSON pointer and one sentence per fault."""

    def __init__(self, faults: tuple[tuple[str, str], ...]) -> None:
        super().__init__("; ".join(f"{pointer or '/'}: {sentence}" for pointer, sentence in faults))
        self.faults = faults


class CorruptLog(DomainError):
    """A stream that cannot be folded; it stops that stream only and is never skipped."""


class NewerSoftware(DomainError):
    """A stream written by a newer release: a type, schema version or rules version this one does not know."""
