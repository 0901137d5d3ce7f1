"""Parses a file of XML line by line; what could read other files or fill memory is refused."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Protocol, TypeVar

from annotator.errors import InputError
from annotator.formats.input.source import Source

T_co = TypeVar("T_co", covariant=True)
T = TypeVar("T")


class Target(Protocol[T_co]):
    """What takes the parts of a document as the parser meets them, and makes things of them."""

    line: int

    def taken(self) -> Sequence[T_co]:
        """What was made since the last call."""

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        """An element begins."""

    def data(self, text: str) -> None:
        """Text, or a part of it."""

    def end(self, tag: str) -> None:
        """An element ends."""

    def close(self) -> None:
        """The document ends."""


def parsed(source: Source, target: Target[T]) -> Iterator[T]:
    """What a target makes of the file; its ``line`` is the line that is read.

    Raises
    ------
    InputError
        If the file is no XML that is well formed, or declares entities.
    """
    from defusedxml.common import DefusedXmlException
    from defusedxml.ElementTree import DefusedXMLParser, ParseError

    parser = DefusedXMLParser(target=target)
    try:
        for target.line, line in source.lines():
            parser.feed(line + "\n")
            yield from target.taken()
        parser.close()
    except ParseError as error:
        raise InputError(
            f"{source.name}:{error.position[0]}: is not well-formed XML: {error}"
        ) from None
    except DefusedXmlException:
        raise InputError(
            f"{source.name}:{target.line}: declares an XML entity or refers to another file; "
            "write the text itself"
        ) from None
