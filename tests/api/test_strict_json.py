"""The reader takes exactly what JSON is, within its limits, and says which rule was broken."""

import contextlib
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.api import strict_json
from app.domain.errors import BadRequest

TEXT = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=20)
SCALARS = (
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**63 - 1)
    | st.floats(allow_nan=False, allow_infinity=False)
    | TEXT
)
DOCUMENTS = st.recursive(SCALARS, lambda inner: st.lists(inner) | st.dictionaries(TEXT, inner), max_leaves=40)


def nested(depth: int, opening: str = "[", closing: str = "]") -> bytes:
    return (opening * depth + "1" + closing * depth).encode()


def listed(values: int) -> bytes:
    return f"[{','.join(['1'] * (values - 1))}]".encode()


REFUSED: dict[str, tuple[bytes, str]] = {
    "NaN": (b"NaN", "number_not_finite"),
    "Infinity": (b'{"metadata": {"a": [Infinity]}}', "number_not_finite"),
    "-Infinity": (b"[-Infinity]", "number_not_finite"),
    "1e400": (b'{"a": 1e400}', "number_not_finite"),
    "-1e400": (b"[-1e400]", "number_not_finite"),
    "a float of a megabyte": (b"1" * 1_000_000 + b".5", "number_not_finite"),
    "2^63": (b"9223372036854775808", "integer_out_of_range"),
    "-2^63-1": (b'{"a": -9223372036854775809}', "integer_out_of_range"),
    "5,000 digits": (b"[" + b"7" * 5_000 + b"]", "integer_out_of_range"),
    "a million digits": (b"7" * 1_000_000, "integer_out_of_range"),
    "33 lists": (nested(33), "body_too_deep"),
    "33 objects": (nested(33, '{"a":', "}"), "body_too_deep"),
    "300 lists": (nested(300), "body_too_deep"),
    "900 objects": (nested(900, '{"a":', "}"), "body_too_deep"),
    "100,000 lists": (nested(100_000), "body_too_many_values"),
    "40,000 lists, never closed": (b"[" * 40_000, "body_too_deep"),
    "100,000 lists behind a quoted quote": (b'["\\"",' + nested(100_000), "body_too_many_values"),
    "50,001 values": (listed(50_001), "body_too_many_values"),
    "lists that hold nothing": (b"[" + b"[],".join([b""] * 50_001) + b"[]]", "body_too_many_values"),
    "a key twice": (b'{"a": 1, "a": 1}', "duplicate_key"),
    "a key twice, once escaped": (b'{"x": [{"a": 1, "\\u0061": 2}]}', "duplicate_key"),
    "a NUL as value": (b'["\\u0000"]', "forbidden_character"),
    "a NUL as key": (b'{"a": {"b\\u0000": 1}}', "forbidden_character"),
    "a lone high surrogate": (b'["\\ud800"]', "forbidden_character"),
    "a lone low surrogate as key": (b'{"\\uDC00": 1}', "forbidden_character"),
    "surrogates the wrong way round": (b'["\\udc00\\ud800"]', "forbidden_character"),
    "a bare NUL": (b'["\0"]', "body_not_json"),
    "an encoded surrogate": (b'["\xed\xa0\x80"]', "body_not_utf8"),
    "Latin-1": ("é".encode("latin-1"), "body_not_utf8"),
    "UTF-16": ('{"a": 1}'.encode("utf-16"), "body_not_utf8"),
    "a byte order mark": (b"\xef\xbb\xbf{}", "body_not_json"),
    "nothing": (b" ", "body_not_json"),
    "two documents": (b"{} {}", "body_not_json"),
    "a trailing comma": (b"[1,]", "body_not_json"),
    "a string without end": (b'["' + b'\\"' * 500_000, "body_not_json"),
    "half a million strings": (b'""' * 500_000, "body_not_json"),
    "closed before opened": (b"]" + b"[" * 40, "body_not_json"),
    "a line break in a string": (b'["a\nb"]', "body_not_json"),
    "plus one": (b"[+1]", "body_not_json"),
    "leading zero": (b"[01]", "body_not_json"),
    "single quotes": (b"{'a': 1}", "body_not_json"),
}


@pytest.mark.parametrize(("body", "code"), REFUSED.values(), ids=REFUSED.keys())
def test_each_broken_rule_has_its_code(body: bytes, code: str) -> None:
    with pytest.raises(BadRequest) as refusal:
        strict_json.loads(body)
    assert refusal.value.code == code


@pytest.mark.parametrize(
    "body",
    [
        b"-9223372036854775808",
        b"9223372036854775807",
        b"1e308",
        b"1e-400",
        b'["\\ud83d\\ude00", "\\\\u0000", "]]]{{{[[[\\"["]',
        nested(32),
        nested(32, '{"a":', "}"),
        listed(50_000),
        b"[" + b"[],".join([b""] * 49_999) + b"1]",
        b'"x"',
        b"null",
        b"[]",
        b" {} ",
    ],
    ids=lambda body: body[:20].decode(),
)
def test_what_lies_just_within_the_rules_is_read_as_python_reads_it(body: bytes) -> None:
    assert strict_json.loads(body) == json.loads(body)


@given(DOCUMENTS, st.booleans(), st.sampled_from([None, 1]))
def test_every_valid_document_is_read_as_python_reads_it(document: Any, escaped: bool, indent: int | None) -> None:
    body = json.dumps(document, ensure_ascii=escaped, indent=indent)
    assert strict_json.loads(body.encode()) == json.loads(body) == document


@given(st.binary(max_size=200) | st.text('[]{}",:\\ \nu0dD8e1-', max_size=200).map(str.encode))
def test_no_bytes_raise_anything_but_a_refusal(body: bytes) -> None:
    with contextlib.suppress(BadRequest):
        strict_json.loads(body)
