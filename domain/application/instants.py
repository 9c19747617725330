"""Times as the domain keeps them, microseconds since 1970 UTC, and as the world writes them."""

from datetime import UTC, datetime, timedelta

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)


def to_text(instant: int) -> str:
    """RFC 3339 in UTC with six decimals and `Z`: the one spelling that is hashed."""
    return f"{_EPOCH + timedelta(microseconds=instant):%Y-%m-%dT%H:%M:%S.%f}Z"


def from_text(text: str) -> int:
    """The instant of an RFC 3339 time.

    Raises: ValueError for anything else.
    """
    return from_datetime(datetime.fromisoformat(text))


def to_datetime(instant: int) -> datetime:
    """The instant as an aware datetime in UTC."""
    return _EPOCH + timedelta(microseconds=instant)


def from_datetime(moment: datetime) -> int:
    """The instant of an aware datetime.

    Raises: ValueError for a naive one.
    """
    if moment.tzinfo is None:
        msg = f"a time needs its zone: {moment}"
        raise ValueError(msg)
    return (moment - _EPOCH) // _MICROSECOND
