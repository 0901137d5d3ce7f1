"""Letters of other alphabets, by the letter that the same key has on a Latin keyboard."""

from __future__ import annotations

from textual.events import Key
from textual.keys import _character_to_key

_SMALL = {
    "йцукенгшщзфывапролдячсмить": "qwertyuiopasdfghjklzxcvbnm",
    "ςερτυθιοπασδφγηξκλζχψωβνμ": "wertyuiopasdfghjklzxcvbnm",
}
LATIN = {
    way(other): way(letter)
    for others, letters in _SMALL.items()
    for other, letter in zip(others, letters, strict=True)
    for way in (str.upper, str.lower)  # two small letters of Greek have one capital
}


def latin_key(event: Key) -> Key | None:
    """The key as a Latin keyboard would have sent it, at the same time; None if it has one."""
    letter = LATIN.get(event.character or "")
    if letter is None:
        return None
    key = Key(_character_to_key(letter), letter)
    key.time = event.time
    return key
