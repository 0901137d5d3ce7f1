"""What a request to Elasticsearch or OpenSearch asks for in words, also through a template."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping

from annotator.formats import json_values
from annotator.formats.fields import SURE, plain

MATCHES = ("match", "match_phrase", "match_phrase_prefix", "match_bool_prefix", "fuzzy", "prefix")
WORDS = ("query", "query_text", "like")
NOT_ASKED = ("filter", "must_not", "post_filter", "aggs", "aggregations", "highlight", "_source")
PLACE = re.compile(r"\{\{\{?\s*([\w.]+)\s*\}?\}\}")
PARAMETERS = {*SURE["query"], "q", "text", "words", "terms", "search", "querystring", "input"}


def asked(request: json_values.Record, templates: Mapping[str, object]) -> str:
    """The text that a rated request searches for; empty if none can be told."""
    parameters = request.get("params")
    if not isinstance(parameters, dict):
        return _first(request.get("request"))
    template = templates.get(str(request.get("template_id")), request.get("request"))
    return _first(_filled(template, parameters)) or _by_name(parameters)


def filters(request: json_values.Record) -> str:
    """What the request asks for besides, as JSON; empty if there is nothing."""
    found = [one for one in _filters(request.get("request")) if one]
    return json.dumps(found, ensure_ascii=False)[:500] if found else ""


def templates_of(value: object) -> dict[str, object]:
    """The sources of a file's templates by their ids."""
    listed = value.get("templates") if isinstance(value, dict) else None
    found = {}
    for one in listed if isinstance(listed, list) else ():
        inner = one.get("template") if isinstance(one, dict) else None
        if isinstance(inner, dict):
            found[str(one.get("id"))] = inner.get("source", inner.get("inline"))
    return found


def _filled(template: object, parameters: json_values.Record) -> object:
    """The template with the parameters in it, as far as that is JSON."""

    def value(place: re.Match[str]) -> str:
        found = parameters.get(place[1])
        return json.dumps(found, ensure_ascii=False)[1:-1] if isinstance(found, str) else str(found)

    text = template if isinstance(template, str) else json.dumps(template, ensure_ascii=False)
    try:
        return json.loads(PLACE.sub(value, text))
    except (ValueError, RecursionError):
        return None


def _by_name(parameters: json_values.Record) -> str:
    """The parameter that is called as a query is, or the only text among them."""
    texts = {name: value for name, value in parameters.items() if isinstance(value, str)}
    named = [value for name, value in texts.items() if plain(name) in PARAMETERS]
    return next(iter(named or (texts.values() if len(texts) == 1 else ())), "")


def _first(body: object) -> str:
    return next(filter(None, map(str.strip, _texts(body))), "")


def _texts(body: object) -> Iterator[str]:
    """The texts that are searched for, the outermost first; filters are not."""
    waiting = [body]
    while waiting:
        value = waiting.pop(0)
        if isinstance(value, list):
            waiting += value
        if not isinstance(value, dict):
            continue
        for key, inside in value.items():
            if key in WORDS and isinstance(inside, str):
                yield json_values.SURROGATE.sub(json_values.REPLACEMENT, inside)
            elif key in MATCHES and isinstance(inside, dict):
                yield from (one for one in inside.values() if isinstance(one, str))
                waiting += inside.values()
            elif key not in NOT_ASKED:
                waiting.append(inside)


def _filters(body: object) -> Iterator[object]:
    if isinstance(body, list):
        for one in body:
            yield from _filters(one)
    elif isinstance(body, dict):
        for key, inside in body.items():
            if key in ("filter", "must_not", "post_filter"):
                yield {key: inside}
            else:
                yield from _filters(inside)
