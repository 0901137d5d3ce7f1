"""The ways in which a disk, a copy or another program damages a project file."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

PAGE = 4096


def a_bit(content: bytes, random: Random) -> bytes:
    """Flip one bit of a byte that is used."""
    changed, at = bytearray(content), _used_byte(content, random)
    changed[at] ^= 1 << random.randrange(8)
    return bytes(changed)


def some_bytes(content: bytes, random: Random) -> bytes:
    """Change up to twenty bytes that are used."""
    changed = bytearray(content)
    for _ in range(random.randint(1, 20)):
        changed[_used_byte(content, random)] = random.randrange(256)
    return bytes(changed)


def _used_byte(content: bytes, random: Random) -> int:
    """Some byte of any page that is not zero: most of a small file is free space."""
    page = random.randrange(len(content) // PAGE) * PAGE
    return random.choice([at for at in range(page, page + PAGE) if content[at]] or [page])


def a_blank_page(content: bytes, random: Random) -> bytes:
    """Fill a page with zeros."""
    return _with_page(content, random, bytes(PAGE))


def a_wild_page(content: bytes, random: Random) -> bytes:
    """Fill a page with anything."""
    return _with_page(content, random, random.randbytes(PAGE))


def another_page(content: bytes, random: Random) -> bytes:
    """Put one page in the place of another."""
    page = random.randrange(len(content) // PAGE) * PAGE
    return _with_page(content, random, content[page : page + PAGE])


def _with_page(content: bytes, random: Random, page: bytes) -> bytes:
    at = random.randrange(len(content) // PAGE) * PAGE
    return content[:at] + page + content[at + PAGE :]


def cut_short(content: bytes, random: Random) -> bytes:
    """Cut the file anywhere, as often as not between pages."""
    at = random.randrange(len(content))
    return content[: at if random.random() < 0.5 else at // PAGE * PAGE]


def more_behind(content: bytes, random: Random) -> bytes:
    """Add anything behind the end."""
    return content + random.randbytes(random.choice([1, PAGE]))


Damage = Callable[[bytes, Random], bytes]


def pages_as_in(before: bytes) -> Damage:
    """Put pages back as they were before: a copy that was made while the file was written to."""

    def stale_pages(content: bytes, random: Random) -> bytes:
        at = [n for n in range(0, len(before), PAGE) if before[n:][:PAGE] != content[n:][:PAGE]]
        changed = bytearray(content)
        for start in random.sample(at, random.randint(1, min(len(at), 6))):
            changed[start : start + PAGE] = before[start : start + PAGE]
        return bytes(changed)

    return stale_pages


DAMAGES: list[Damage] = [
    *(a_bit, a_bit, a_bit, some_bytes, a_blank_page, a_wild_page, another_page),
    *(cut_short, more_behind),
]
