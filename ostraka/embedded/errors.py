"""Why servers do not start, in one sentence for the person who started them."""

import re
from pathlib import Path

_REASONS = (
    (r"No space left on device|Disk quota exceeded", "the disk is full"),
    (r"error while loading shared libraries: (\S+?):", "the library {} is missing"),
    (r"Library not loaded: (\S+)", "the library {} is missing"),
    (r"version `(\S+)' not found", "this system is older than it needs ({} is missing)"),
    (r"Exec format error|Bad CPU type|cannot execute binary", "it was built for another kind of machine"),
    (r"could not create shared memory segment", "the system grants no shared memory"),
    (r"Address already in use", "another program uses it"),
    (r"Read-only file system", "the file system is read-only"),
    (r"Permission denied", "a file or folder may not be opened"),
)
_COMPLAINT = re.compile(r"(?:FATAL|PANIC|ERROR|error|Fatal [^:]*):\s+(.*)")


class CannotStart(Exception):
    """Something outside the program is in the way; the text is one sentence that says what and what to do."""


class PortTaken(CannotStart):
    """Somebody else listens where a server was to listen."""


def reason(output: str) -> str:
    """What the output of a server or tool that failed comes down to."""
    for pattern, meaning in _REASONS:
        if found := re.search(pattern, output):
            return meaning.format(*found.groups())
    lines = [line.strip() for line in output.splitlines() if line.strip()]
    complaints = [found[1] for line in lines if (found := _COMPLAINT.search(line))]
    return (complaints or lines or ["it gave no reason"])[-1]


def cannot_use(path: Path, error: OSError) -> CannotStart:
    """The sentence for a file or folder that the system does not let us use."""
    return CannotStart(f"{path} cannot be used: {reason(error.strerror or str(error))}")
