"""A program with embedded servers, for tests that kill it: tells of its servers and waits for input to end."""

import json
import sys
from pathlib import Path

from ostraka.embedded.errors import CannotStart
from ostraka.embedded.postgres import PostgresSettings
from ostraka.embedded.servers import embedded_servers


def main(folder: Path) -> None:
    """Run until the input ends."""
    try:
        with embedded_servers(folder, postgres=PostgresSettings(throwaway=True)) as servers:
            processes = (servers.postgres.process, servers.valkey.process)
            pids = [process.pid for process in processes if process]
            json.dump({"pids": pids, "database": servers.database_url}, sys.stdout)
            sys.stdout.write("\n")
            sys.stdout.flush()
            sys.stdin.read()
    except CannotStart as problem:
        sys.exit(str(problem))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
