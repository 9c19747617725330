"""One command starts the whole service, and a newcomer plays on it."""

import signal
from collections.abc import Iterator
from pathlib import Path

import httpx
import psutil
import pytest

from tests.e2e.program import STOP_SECONDS, Program, eventually, run, up


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where one service of this module keeps its games; everybody may enter, as Postgres may run as nobody."""
    folder = tmp_path_factory.mktemp("up")
    folder.chmod(0o711)
    return folder


@pytest.fixture(scope="module")
def program(place: Path) -> Iterator[Program]:
    with up(place / "data") as running:
        yield running


def first_game(program: Program) -> str:
    game_id: str = program.get("/games")["games"][-1]["game_id"]
    return game_id


def test_it_prints_addresses_and_lines_to_try(program: Program) -> None:
    assert f"Ostraka is up: {program.base}" in program.said()
    assert "curl" in program.said()
    assert httpx.get(f"{program.base}/docs").is_success


def test_a_table_of_bots_is_played_to_its_end_and_its_chain_holds(program: Program) -> None:
    game_id = first_game(program)
    game = eventually(lambda: program.get(f"/games/{game_id}"), lambda game: game["status"] == "finished")
    assert sum(game["outcome"]["scores"]) > 0
    audit = program.get(f"/games/{game_id}/audit")
    assert audit["chain_ok"]
    assert audit["secret"]


def test_a_person_plays_a_whole_game_in_the_terminal_and_verifies_it(program: Program, tmp_path: Path) -> None:
    shown = run("show", first_game(program), "--url", program.base)
    assert shown.returncode == 0, shown.stderr
    file = tmp_path / "history.ndjson"
    exported = run("export", first_game(program), str(file), "--url", program.base)
    assert exported.returncode == 0, exported.stderr
    verified = run("verify", str(file), COLUMNS="200")
    assert verified.returncode == 0, verified.stdout
    assert "sound" in verified.stdout


def test_everything_listens_on_this_machine_only(program: Program) -> None:
    listening = [
        connection.laddr.ip
        for process in [program.process, *program.children()]
        for connection in process.net_connections(kind="inet")
        if connection.status == psutil.CONN_LISTEN
    ]
    assert listening
    assert set(listening) == {"127.0.0.1"}


def test_it_is_content_with_450_megabytes_when_idle(program: Program) -> None:
    game_id = first_game(program)
    eventually(lambda: program.get(f"/games/{game_id}"), lambda game: game["status"] == "finished")
    family = [program.process, *program.children()]
    assert sum(process.memory_full_info().pss for process in family) < 450_000_000


@pytest.mark.parametrize(
    "words",
    [
        ("ostraka.parts", "api"),
        ("ostraka.parts", "relay"),
        ("ostraka.parts", "beat"),
        ("ostraka.parts", "fast"),
        ("valkey-server",),
        ("postgres -D",),
    ],
    ids=["api", "relay", "beat", "bots", "valkey", "postgres"],
)
def test_what_dies_is_started_again_and_games_go_on(program: Program, words: tuple[str, ...]) -> None:
    victim = program.part(*words)
    victim.kill()
    eventually(lambda: program.part(*words).pid, lambda pid: pid != victim.pid)
    assert "starting it again" in program.said()
    game_id = eventually(lambda: opened_table(program), bool)
    eventually(lambda: program.get(f"/games/{game_id}"), lambda game: game["status"] == "finished")


def opened_table(program: Program) -> str:
    """A new table of two bots."""
    api = f"{program.base}/api/v1"
    token = httpx.post(f"{api}/players", json={"name": "Ann"}).raise_for_status().json()["token"]
    table = {"game": "ra", "seats": [{"kind": "bot", "bot": "random"}] * 2}
    answer = httpx.post(f"{api}/games", json=table, headers={"Authorization": f"Bearer {token}"})
    game_id: str = answer.raise_for_status().json()["game_id"]
    return game_id


def test_its_port_or_folder_in_use_is_one_sentence(program: Program, place: Path, tmp_path: Path) -> None:
    tmp_path.chmod(0o711)
    port = program.base.rsplit(":", 1)[1]
    taken = run("up", "--port", port, "--data-dir", str(tmp_path / "other"))
    assert taken.returncode == 2
    assert f"Port {port} is in use" in taken.stderr
    assert "Traceback" not in taken.stderr
    second = run("up", "--port", "0", "--data-dir", str(place / "data"))
    assert second.returncode == 2
    assert len(second.stderr.strip().splitlines()) == 1, second.stderr


def test_a_stop_is_soon_and_whole_and_the_next_start_finds_the_games(place: Path) -> None:
    folder = place / "again"
    with up(folder) as first:
        game_id = first_game(first)
        with httpx.stream("GET", f"{first.base}/api/v1/games/{game_id}/events/live?after=0", timeout=30) as stream:
            next(stream.iter_bytes())
            assert first.stop(signal.SIGINT) < STOP_SECONDS
    with up(folder) as second:
        assert game_id in [game["game_id"] for game in second.get("/games?limit=200")["games"]]
        family = second.children()
        second.process.kill()
        second.popen.wait(5)
        _, left = psutil.wait_procs(family, timeout=STOP_SECONDS)
        assert not left, left


def test_settings_are_shown_with_secrets_masked() -> None:
    shown = run("settings", OSTRAKA_DATABASE_URL="postgresql://a:geheim@h/d", OSTRAKA_TOKEN_KEY="hush", COLUMNS="200")
    assert shown.returncode == 0
    assert "OSTRAKA_PORT" in shown.stdout
    assert "geheim" not in shown.stdout
    assert "hush" not in shown.stdout


@pytest.mark.parametrize(
    ("arguments", "environment", "sentence"),
    [
        (["up"], {"OSTRAKA_DATABASE_URL": "postgresql://h/d"}, "Set both OSTRAKA_DATABASE_URL and OSTRAKA_REDIS_URL"),
        (["api"], {}, "Set OSTRAKA_DATABASE_URL"),
        (["relay"], {"OSTRAKA_PORT": "many"}, "OSTRAKA_PORT"),
        (["worker", "--pool", "slow"], {"OSTRAKA_REDIS_URL": "redis://127.0.0.1:1/0"}, "There is no pool slow"),
    ],
)
def test_a_wrong_setting_is_one_sentence(arguments: list[str], environment: dict[str, str], sentence: str) -> None:
    told = run(*arguments, **environment)
    assert told.returncode == 2
    assert sentence in told.stderr
    assert "Traceback" not in told.stderr
