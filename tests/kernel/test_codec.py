"""Messages to and from JSON: strict, by their stored names, with a pointer to every fault."""

from typing import Any, Literal

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.kernel.codec import Codec, EventCodec, convert, event_data, located, to_json
from domain.kernel.errors import CorruptLog, InvalidInput, NewerSoftware
from domain.kernel.messages import Command, Event, type_of


class Load(Command, frozen=True, kw_only=True, tag="load"):
    cubes: tuple[Literal["lake", "desert"], ...]
    weights: dict[str, int] = msgspec.field(default_factory=dict)


class Rest(Command, frozen=True, kw_only=True, tag="rest"):
    pass


class Loaded(Event, frozen=True, kw_only=True, tag="toy.loaded"):
    seat: int
    cubes: tuple[str, ...]


class Counted(Event, frozen=True, kw_only=True, tag="toy.counted"):
    schema_version = 3
    totals: tuple[int, ...]


COMMANDS = Codec((Load, Rest))
EVENTS = EventCodec((Loaded, Counted))


def faults(value: Any) -> tuple[tuple[str, str], ...]:
    """What is wrong with a command."""
    with pytest.raises(InvalidInput) as refused:
        COMMANDS.decode(value)
    return refused.value.faults


class TestCommands:
    def test_a_command_is_known_by_its_type(self) -> None:
        assert COMMANDS.decode({"type": "rest"}) == Rest()
        assert COMMANDS.decode({"type": "load", "cubes": ["lake"]}) == Load(cubes=("lake",))

    @given(st.lists(st.sampled_from(["lake", "desert"])), st.dictionaries(st.text(max_size=3), st.integers(0, 9)))
    def test_a_command_reads_back(self, cubes: list[Any], weights: dict[str, int]) -> None:
        command = Load(cubes=tuple(cubes), weights=weights)
        assert COMMANDS.decode(to_json(command)) == command

    @pytest.mark.parametrize(
        ("value", "pointer", "words"),
        [
            ({"type": "load", "cubes": "lake"}, "/cubes", "Expected `array`"),
            ({"type": "load", "cubes": ["lake", "sea"]}, "/cubes/1", "Invalid enum value 'sea'"),
            ({"type": "load", "cubes": [], "weights": {"a": "b"}}, "/weights/...", "Expected `int`"),
            ({"type": "load"}, "", "missing required field `cubes`"),
            ({"type": "rest", "cubes": []}, "", "unknown field `cubes`"),
            ({"type": "fly"}, "/type", "Invalid value 'fly'"),
            ({"cubes": []}, "", "missing required field `type`"),
            ([], "", "Expected `object`"),
            (None, "", "Expected `object`"),
        ],
    )
    def test_a_fault_is_pointed_at(self, value: Any, pointer: str, words: str) -> None:
        ((found, sentence),) = faults(value)
        assert found == pointer
        assert words in sentence

    def test_a_fault_in_a_key_is_told_without_a_pointer(self) -> None:
        with pytest.raises(InvalidInput) as refused:
            convert({"a": 1}, dict[int, int])
        ((pointer, sentence),) = refused.value.faults
        assert pointer == ""
        assert "key" in sentence

    def test_a_fault_may_have_more_than_one_line(self) -> None:
        assert located(msgspec.ValidationError("two\nlines - at `$.a[3].b`")) == ("/a/3/b", "two\nlines")

    def test_all_faults_are_told_together(self) -> None:
        refused = InvalidInput((("/a", "too long"), ("", "too many")))
        assert str(refused) == "/a: too long; /: too many"


class TestEvents:
    def test_the_type_stands_apart_from_the_fields(self) -> None:
        event = Loaded(seat=1, cubes=("lake",))
        assert event_data(event) == {"seat": 1, "cubes": ["lake"]}
        assert EVENTS.restore("toy.loaded", 1, event_data(event)) == event

    @pytest.mark.parametrize("version", [1, 2, 3])
    def test_a_known_version_is_read(self, version: int) -> None:
        assert EVENTS.restore("toy.counted", version, {"totals": [1, 2]}) == Counted(totals=(1, 2))

    @pytest.mark.parametrize(("name", "version"), [("toy.counted", 4), ("toy.sung", 1)])
    def test_what_a_newer_release_wrote_is_left_alone(self, name: str, version: int) -> None:
        with pytest.raises(NewerSoftware, match=rf"{name} version {version}"):
            EVENTS.restore(name, version, {})

    @pytest.mark.parametrize(
        "data",
        [
            {"seat": 1},
            {"seat": "1", "cubes": []},
            {"seat": 1, "cubes": [], "more": 1},
            {"seat": 1, "cubes": {"commitment": "00"}},
        ],
    )
    def test_data_that_do_not_fit_corrupt_the_log(self, data: dict[str, Any]) -> None:
        with pytest.raises(CorruptLog, match=r"^toy\.loaded: "):
            EVENTS.restore("toy.loaded", 1, data)


class TestUnions:
    def test_the_same_class_may_be_listed_twice(self) -> None:
        assert Codec((Rest, Rest)).by_type == {"rest": Rest}

    def test_two_classes_of_one_name_are_refused(self) -> None:
        class Sleep(Command, frozen=True, kw_only=True, tag="rest"):
            pass

        with pytest.raises(ValueError, match="two messages are called rest"):
            Codec((Rest, Sleep))

    def test_a_class_without_a_written_name_is_refused(self) -> None:
        class Nameless(Command, frozen=True, kw_only=True, tag=False):
            pass

        with pytest.raises(TypeError, match="Nameless has no tag"):
            type_of(Nameless)

    def test_messages_cannot_be_changed(self) -> None:
        with pytest.raises(AttributeError):
            Load(cubes=()).cubes = ("lake",)  # type: ignore[misc]
