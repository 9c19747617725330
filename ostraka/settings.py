"""Settings from the environment, `OSTRAKA_*`; the same for every part of the program."""

from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field, SecretStr
from pydantic_settings import BaseSettings, SettingsConfigDict


class Settings(BaseSettings):
    """What an operator can set. Unit: `..._seconds` seconds, `..._bytes` bytes."""

    model_config = SettingsConfigDict(env_prefix="OSTRAKA_", extra="forbid", frozen=True)

    database_url: SecretStr | None = Field(None, description="Postgres, as postgresql://...; unset: embedded.")
    redis_url: SecretStr | None = Field(None, description="A Redis-compatible server; unset: embedded.")
    data_dir: Path | None = Field(None, description="Where embedded servers keep their data; unset: the user's.")

    host: str = Field("127.0.0.1", description="Address the API listens on.")
    port: Annotated[int, Field(ge=0, le=65535, description="Port the API listens on.")] = 8000
    workers: Annotated[int, Field(ge=1, le=64, description="Processes that play bots, under `ostraka up`.")] = 2

    requests_per_second: Annotated[float, Field(ge=0, description="Of one caller, per process; 0: no limit.")] = 200.0

    secret_keys: list[SecretStr] = Field(
        [], description="Keys that encrypt the games' secrets, 32 bytes in base64 each; the first encrypts."
    )
    token_key: SecretStr | None = Field(None, description="Key behind repeatable answers to POST /players.")

    database_pool: Annotated[int, Field(ge=1, le=100, description="Connections per process for moves.")] = 10
    statement_seconds: Annotated[float, Field(gt=0, description="Longest a statement may take.")] = 10.0

    lease_seconds: Annotated[float, Field(gt=0, description="How long a claimed game is nobody else's.")] = 10.0
    task_seconds: Annotated[int, Field(ge=1, description="After this a worker's process is replaced.")] = 8
    slice_seconds: Annotated[float, Field(ge=0, description="How long a worker goes on with one game.")] = 1.0
    task_tries: Annotated[int, Field(ge=1, description="Tries before a game is set aside.")] = 4
    queue_length: Annotated[int, Field(ge=1, description="Tasks waiting per pool; the rest stay in Postgres.")] = 20

    seal_pause_seconds: Annotated[float, Field(gt=0, description="Pause of a busy sealer.")] = 0.005
    seal_poll_seconds: Annotated[float, Field(gt=0, description="How often an idle sealer looks.")] = 0.05
    seal_stale_seconds: Annotated[float, Field(gt=0, description="Silence after which a sealer is replaced.")] = 5.0

    log_level: Literal["debug", "info", "warning", "error"] = "info"
    log_format: Literal["console", "json"] = "console"


def masked(settings: Settings) -> dict[str, str]:
    """Every setting by its variable, secrets masked."""
    return {f"OSTRAKA_{name.upper()}": str(value) for name, value in settings.model_dump(mode="json").items()}
