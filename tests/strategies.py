"""Values for property tests."""

from typing import Any

from hypothesis import strategies as st

from domain.kernel.canonical import SAFE_INTEGER

texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
"""Any text that can be written in UTF-8."""

keys = st.text(st.characters(max_codepoint=127), max_size=6)
"""ASCII texts, control characters included."""

integers = st.integers(-SAFE_INTEGER, SAFE_INTEGER)

scalars = st.none() | st.booleans() | integers | texts

json_values: st.SearchStrategy[Any] = st.recursive(
    scalars, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(keys, inner, max_size=4), max_leaves=16
)
"""Values that have a canonical form."""

documents: st.SearchStrategy[dict[str, Any]] = st.fixed_dictionaries(
    {"data": st.dictionaries(keys, json_values, max_size=4), "meta": st.dictionaries(keys, json_values, max_size=2)}
)
"""Events as JSON values."""

secrets = st.binary(min_size=32, max_size=32)
salts = st.binary(min_size=16, max_size=16).map(bytes.hex)
game_ids = st.uuids().map(str)
digests = st.binary(min_size=32, max_size=32).map(bytes.hex)
seats = st.integers(0, 4)
