"""One value, one text: RFC 8785 where all languages agree, a refusal elsewhere."""

import json
from enum import StrEnum
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.kernel.canonical import SAFE_INTEGER, canonical, digest
from tests.kernel import checker
from tests.strategies import integers, json_values, keys, texts


class Suit(StrEnum):
    SPADES = "spades"


RFC_8785 = [
    # section 3.2.2, without its fractions
    (
        r'{"string":"\u20ac$\u000F\u000aA\u0027\u0042\u0022\u005c\\\"\/"}',
        '{"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}',
    ),
    ('{"literals":[null,true,false]}', '{"literals":[null,true,false]}'),
    # the keys of section 3.2.3 that are ASCII
    (r'{"1":"One","\r":"Carriage Return"}', r'{"\r":"Carriage Return","1":"One"}'),
    # test data that accompanies the RFC: arrays, structures, unicode
    ('[56,{"d":true,"10":null,"1":[ ]}]', '[56,{"1":[],"10":null,"d":true}]'),
    (
        r'{"1":{"f":{"f":"hi","F":5},"\n":56},"10":{},"":"empty","a":{},"111":[{"e":"yes","E":"no"}],"A":{}}',
        r'{"":"empty","1":{"\n":56,"f":{"F":5,"f":"hi"}},"10":{},"111":[{"E":"no","e":"yes"}],"A":{},"a":{}}',
    ),
    ('{"Unnormalized Unicode":"A\u030a"}', '{"Unnormalized Unicode":"A\u030a"}'),
]


@pytest.mark.parametrize(("text", "expected"), RFC_8785)
def test_the_examples_of_the_rfc_come_out_to_the_byte(text: str, expected: str) -> None:
    assert canonical(json.loads(text)) == expected.encode()


@given(json_values)
def test_a_value_is_written_as_the_standard_library_would(value: Any) -> None:
    assert canonical(value) == checker.canonical(value)


@given(json_values)
def test_a_value_reads_back(value: Any) -> None:
    assert json.loads(canonical(value)) == value


@given(st.dictionaries(keys, integers, min_size=2, max_size=5))
def test_the_order_of_keys_does_not_matter(value: dict[str, Any]) -> None:
    assert canonical(dict(reversed(value.items()))) == canonical(value)


@given(st.lists(json_values, max_size=4))
def test_a_tuple_is_a_list(items: list[Any]) -> None:
    assert canonical(tuple(items)) == canonical(items)


def test_every_control_character_has_its_one_escape() -> None:
    short = {8: b"b", 9: b"t", 10: b"n", 12: b"f", 13: b"r"}
    for code in range(32):
        escape = short.get(code, b"u%04x" % code)
        assert canonical(chr(code)) == b'"\\' + escape + b'"'
    assert canonical("\x7f\u2028\u2029/") == '"\x7f\u2028\u2029/"'.encode()


@given(texts)
def test_a_digest_is_the_sha256_of_the_text(text: str) -> None:
    assert digest(text) == checker.sha256(canonical(text))


@pytest.mark.parametrize("number", [SAFE_INTEGER, -SAFE_INTEGER, 0])
def test_53_bits_are_allowed(number: int) -> None:
    assert canonical(number) == str(number).encode()


@pytest.mark.parametrize(
    "value",
    [
        SAFE_INTEGER + 1,
        -SAFE_INTEGER - 1,
        1.0,
        float("nan"),
        "\ud800",
        {"ä": 1},
        {1: 1},
        {True: 1},
        {Suit.SPADES: 1},
        Suit.SPADES,
        b"bytes",
        {1, 2},
        ...,
    ],
    ids=repr,
)
@pytest.mark.parametrize(
    "wrap",
    [lambda value: value, lambda value: [value], lambda value: {"key": (value,)}],
    ids=["bare", "in a list", "in an object"],
)
def test_what_languages_would_write_differently_is_refused(value: Any, wrap: Any) -> None:
    with pytest.raises(ValueError, match=r"53 bits|ASCII|canonical form|surrogates"):
        canonical(wrap(value))
