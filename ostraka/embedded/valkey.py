"""An embedded Valkey (or Redis): the broker and the bell."""

import contextlib
import json
import signal
import socket
import time
from dataclasses import dataclass
from pathlib import Path

from ostraka.embedded.errors import CannotStart, PortTaken, cannot_use, reason
from ostraka.embedded.folder import DataFolder, write_private
from ostraka.embedded.ports import LOOPBACK, check_free, free_port
from ostraka.embedded.process import Process, begin_log, launch, log_since

START_LIMIT = 30.0
"""Unit: seconds."""

DATABASES = 64


@dataclass(kw_only=True)
class Valkey:
    """A Valkey in a data folder. It may be started again after it has ended, on the same port."""

    folder: DataFolder
    program: Path
    wanted_port: int | None = None
    """None for any that is free."""

    process: Process | None = None
    port: int | None = None

    def url(self, database: int = 0) -> str:
        """Where its clients go."""
        return f"redis://:{self.folder.passwords.valkey}@{LOOPBACK}:{self.port}/{database}"

    def running(self) -> bool:
        """Whether it still runs."""
        return self.process is not None and self.process.running()

    def start(self) -> None:
        """Start the server and wait until it answers.

        Raises: CannotStart.
        """
        if self.running():
            return
        wanted = self.port or self.wanted_port
        for _ in range(3):
            self.port = wanted or free_port()
            check_free(self.port, "Valkey")
            try:
                self._start_on(self.port)
            except PortTaken:
                # Somebody was quicker on a port that we had picked; one that was asked for stays.
                if wanted:
                    raise
            else:
                return
        raise PortTaken("Valkey found no free port")

    def stop(self, limit: float = 2.0) -> None:
        """Write everything down and end."""
        if self.process is not None:
            self.process.stop(limit)

    def _start_on(self, port: int) -> None:
        log = self.folder.log("valkey")
        configuration = self.folder.valkey / "valkey.conf"
        try:
            self.folder.valkey.mkdir(mode=0o700, exist_ok=True)
            # In a file, as everybody can read the arguments of a process.
            write_private(configuration, self._configuration(port))
            position = begin_log(log)
        except OSError as error:
            raise cannot_use(self.folder.valkey, error) from error
        command = [str(self.program), str(configuration)]
        self.process = launch(command, end=signal.SIGTERM, log=log, held=self.folder.lock)
        try:
            self._wait_until_ready(self.process, port)
        except CannotStart as error:
            self.process.kill()
            said = log_since(log, position)
            kind = PortTaken if "Address already in use" in said else CannotStart
            raise kind(f"Valkey {error}: {reason(said)} (see {log})") from None

    def _configuration(self, port: int) -> str:
        return "\n".join(
            (
                f"bind {LOOPBACK}",
                f"port {port}",
                f"requirepass {self.folder.passwords.valkey}",
                f"dir {json.dumps(str(self.folder.valkey), ensure_ascii=False)}",
                f"databases {DATABASES}",
                "appendonly yes",
                'save ""',
                "maxmemory-policy noeviction",
                "daemonize no",
                "loglevel notice",
                "",
            )
        )

    def _wait_until_ready(self, process: Process, port: int) -> None:
        end = time.monotonic() + START_LIMIT
        while time.monotonic() < end:
            with contextlib.suppress(OSError):
                if self._answers(port):
                    return
            if not process.running():
                raise CannotStart("did not start")
            time.sleep(0.01)
        raise CannotStart(f"did not answer within {START_LIMIT:.0f} s")

    def _answers(self, port: int) -> bool:
        with socket.create_connection((LOOPBACK, port), timeout=1) as connection, connection.makefile("rb") as replies:
            connection.sendall(f"AUTH {self.folder.passwords.valkey}\r\nPING\r\n".encode())
            return (replies.readline(), replies.readline()) == (b"+OK\r\n", b"+PONG\r\n")
