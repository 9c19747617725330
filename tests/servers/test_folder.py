"""The data folder: whose it is, and who may use it."""

import json
import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from ostraka.embedded.binaries import PostgresPrograms, find_postgres
from ostraka.embedded.errors import CannotStart
from ostraka.embedded.folder import DataFolder, claimed, default_folder
from ostraka.embedded.postgres import Postgres

DEAD = 2**22 + 1
"""More than any process number."""


SECOND = """
import sys
from pathlib import Path
from ostraka.embedded.folder import claimed

print(flush=True)
with claimed(Path(sys.argv[1])):
    print("mine")
"""


def names(folder: Path) -> set[str]:
    return {entry.name for entry in folder.iterdir()}


def test_a_new_folder_is_made_with_passwords_that_stay(tmp_path: Path) -> None:
    with claimed(tmp_path / "deep" / "data") as folder:
        first = folder.passwords
    with claimed(tmp_path / "deep" / "data") as folder:
        assert folder.passwords == first
        assert stat.S_IMODE((folder.path / "passwords.json").stat().st_mode) == 0o600
    assert len({first.postgres, first.valkey}) == 2
    assert first.postgres not in repr(first)
    assert len(first.postgres) > 40


def test_a_folder_with_other_things_is_refused_and_untouched(tmp_path: Path) -> None:
    (tmp_path / "thesis.txt").write_text("years of work")
    with pytest.raises(CannotStart, match=r"holds other things \(thesis\.txt, for one\)"), claimed(tmp_path):
        pass
    assert names(tmp_path) == {"thesis.txt"}


def test_a_new_volume_is_an_empty_folder(tmp_path: Path) -> None:
    (tmp_path / "lost+found").mkdir()
    with claimed(tmp_path):
        pass


def test_a_program_killed_before_the_marker_leaves_nothing_foreign(tmp_path: Path) -> None:
    (tmp_path / "lock").touch()
    (tmp_path / "ostraka.json.new").touch()
    with claimed(tmp_path):
        assert names(tmp_path) == {"lock", "ostraka.json", "passwords.json"}


def test_a_second_start_is_refused_and_names_the_first(tmp_path: Path) -> None:
    with (
        claimed(tmp_path),
        pytest.raises(CannotStart, match=rf"is in use by process {os.getpid()}: stop that, or choose another"),
        claimed(tmp_path),
    ):
        pass


def test_a_stale_lock_is_harmless(tmp_path: Path) -> None:
    with claimed(tmp_path):
        pass
    (tmp_path / "lock").write_text(str(os.getppid()))
    with claimed(tmp_path):
        assert (tmp_path / "lock").read_text() == str(os.getpid())


def test_servers_that_outlive_their_program_are_waited_for(tmp_path: Path) -> None:
    with claimed(tmp_path) as folder:
        # As a server of a killed program: it holds the lock, and ends once we wait for it.
        server = subprocess.Popen(
            [sys.executable, "-c", "import sys; sys.stdin.read()"], stdin=subprocess.PIPE, pass_fds=(folder.lock,)
        )
        assert server.stdin is not None
    (tmp_path / "lock").write_text(str(DEAD))
    waiting = [sys.executable, "-c", SECOND, str(tmp_path)]
    second = subprocess.Popen(waiting, stdout=subprocess.PIPE, text=True)
    assert second.stdout is not None
    assert second.stdout.readline() == "\n"
    assert second.poll() is None
    server.stdin.close()
    assert second.communicate(timeout=20)[0] == "mine\n"
    assert server.wait(10) == 0


def test_a_folder_of_another_format_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "ostraka.json").write_text(json.dumps({"format": 2}))
    with pytest.raises(CannotStart, match=r"another release \(format 2, this one keeps format 1\)"), claimed(tmp_path):
        pass


@pytest.mark.parametrize("file", ["ostraka.json", "passwords.json"])
@pytest.mark.parametrize("content", ["", "[]", '{"form'])
def test_a_damaged_file_is_named(tmp_path: Path, file: str, content: str) -> None:
    with claimed(tmp_path):
        pass
    (tmp_path / file).write_text(content)
    with pytest.raises(CannotStart, match=f"{file} is damaged"), claimed(tmp_path):
        pass


def test_lost_passwords_are_not_replaced_beside_a_database(tmp_path: Path) -> None:
    with claimed(tmp_path) as folder:
        folder.postgres.mkdir()
    (tmp_path / "passwords.json").unlink()
    with pytest.raises(CannotStart, match=r"passwords\.json is missing"), claimed(tmp_path):
        pass


def test_a_database_of_another_postgres_is_left_alone(own_folder: DataFolder) -> None:
    programs = find_postgres()
    own_folder.postgres.mkdir()
    (own_folder.postgres / "PG_VERSION").write_text("17\n")
    newer = PostgresPrograms(folder=programs.folder, version="18.6")
    with pytest.raises(CannotStart, match="was written by Postgres 17 and this is Postgres 18: start it with"):
        Postgres(folder=own_folder, programs=newer).start()
    assert names(own_folder.postgres) == {"PG_VERSION"}


def test_a_file_is_no_folder(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(CannotStart, match=r"file cannot be used: File exists"), claimed(tmp_path / "file"):
        pass


def test_an_unwritable_place_is_said_in_one_sentence() -> None:
    with pytest.raises(CannotStart, match=r"^/proc/ostraka cannot be used: "), claimed(Path("/proc/ostraka")):
        pass


@pytest.mark.skipif(sys.platform != "linux", reason="small file systems need Linux")
@pytest.mark.parametrize("size", ["4k", "16k", "20k", "12m"])
def test_a_full_disk_is_said_in_one_sentence(own_place: Path, size: str) -> None:
    mount = f"mount -t tmpfs -o size={size} none {own_place} && chmod 711 {own_place} && exec "
    program = [sys.executable, "-m", "tests.servers.program", str(own_place / "data")]
    unshare = ["unshare", "--mount", "--map-root-user", "sh", "-c"]
    if subprocess.run([*unshare, mount + "true"], capture_output=True, check=False).returncode:
        pytest.skip("this machine lets nobody mount anything")
    done = subprocess.run(
        [*unshare, mount + " ".join(program)], stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False
    )
    assert done.returncode == 1, done.stdout
    assert done.stderr.count("\n") == 1
    assert "the disk is full" in done.stderr


def test_data_goes_where_users_keep_theirs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("XDG_DATA_HOME", raising=False)
    assert default_folder() in {
        tmp_path / ".local" / "share" / "ostraka",
        tmp_path / "Library" / "Application Support" / "ostraka",
        Path("/var/lib/ostraka"),
    }
