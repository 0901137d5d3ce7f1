"""Moments as they are stored: ISO 8601 in UTC, written so that the texts sort as the times do."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_STEP = timedelta(milliseconds=1)


def stored(moment: datetime) -> str:
    """A moment with milliseconds, or with microseconds where it has more; naive ones are UTC.

    Two such texts are equal just where the moments are, and compare as these do.
    """
    utc = moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)
    return utc.isoformat(timespec="microseconds" if utc.microsecond % 1000 else "milliseconds")


def later(now: str, before: str) -> str:
    """Now, or the first whole millisecond after a stored moment (empty: none) that is not past."""
    if before < now:
        return now
    moment = datetime.fromisoformat(before)
    return stored(moment.replace(microsecond=moment.microsecond // 1000 * 1000) + _STEP)


def as_microseconds(moment: datetime) -> int:
    """A moment as microseconds since 1970."""
    return (moment - _EPOCH) // timedelta(microseconds=1)
