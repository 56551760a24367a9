from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from search_sim.memory import MOST_CHARACTERS, OPERATIONS, DictMemory, Operation


def test_a_note_from_adding_to_removing() -> None:
    memory = DictMemory()
    assert memory.apply("add", {"a": "1", "b": "2"}, []) == 'Added: "a", "b".'
    assert memory.apply("add", {"a": "9"}, []) == (
        'Added nothing. Left (already there, use update): "a".'
    )
    assert memory.apply("update", {"a": "3", "c": "4"}, []) == (
        'Updated: "a". Left (not there, use add): "c".'
    )
    assert memory.apply("retrieve", {}, ["a", "z"]) == '{\n  "a": "3"\n}\nNot there: "z".'
    assert memory.apply("remove", {}, ["a", "z"]) == 'Removed: "a". Left (not there): "z".'
    assert memory.apply("retrieve_all", {}, []) == '{\n  "b": "2"\n}'
    assert memory.apply("remove_all", {}, []) == 'Removed: "b".'
    assert memory.apply("retrieve_all", {}, []) == "The memory is empty."


def test_a_memory_has_an_end() -> None:
    memory = DictMemory()
    assert "Nothing stored" in memory.apply("add", {"a": "x" * MOST_CHARACTERS}, [])
    assert memory.apply("retrieve_all", {}, []) == "The memory is empty."


def test_nothing_to_store_says_how() -> None:
    assert '"dict"' in DictMemory().apply("add", {}, [])


@given(
    st.lists(
        st.tuples(
            st.sampled_from(OPERATIONS),
            st.dictionaries(st.text(max_size=5), st.text(max_size=5), max_size=3),
            st.lists(st.text(max_size=5), max_size=3),
        )
    )
)
def test_no_sequence_of_operations_raises(
    calls: list[tuple[Operation, dict[str, str], list[str]]],
) -> None:
    memory = DictMemory()
    for operation, entries, keys in calls:
        assert memory.apply(operation, entries, keys)


@pytest.mark.parametrize("text", ['"quoted"', "line\nbreak", "é"])
def test_notes_come_back_as_they_were(text: str) -> None:
    import json

    memory = DictMemory()
    memory.apply("add", {"k": text}, [])
    assert json.loads(memory.apply("retrieve", {}, ["k"])) == {"k": text}
