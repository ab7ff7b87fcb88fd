"""The proposed consensus list, worked by hand."""

from uuid import UUID

from annotation_app.factoids.proposal import proposed_list
from annotation_app.factoids.states import FactoidState


def state(number: int, name: str, sentences: str = "", description: str | None = None) -> FactoidState:
    said = f"what {name} says" if description is None else description
    return FactoidState(UUID(int=number), name, said, tuple(sentences.split()))


def relations(*given: tuple[int, int, str]) -> dict[tuple[UUID, UUID], str]:
    return {(UUID(int=a), UUID(int=b)): relation for a, b, relation in given}


def test_equal_factoids_merge_and_all_others_are_kept() -> None:
    first = [state(1, "P1", "a-1 b-1"), state(2, "P2", "a-2"), state(3, "P10", "c-1")]
    second = [state(4, "F1", "b-1 c-2"), state(5, "F2", "a-2 b-2"), state(6, "F3", "d-1")]
    judged = relations((1, 4, "equal"), (2, 5, "subsumed"), (3, 6, "related"))
    assert proposed_list(first, second, judged) == [
        state(5, "F2", "a-2 b-2"),
        state(6, "F3", "d-1"),
        state(1, "P1", "a-1 b-1 c-2"),
        state(2, "P2", "a-2"),
        state(3, "P10", "c-1"),
    ]


def test_what_is_equal_by_way_of_another_merges_too() -> None:
    # P1 = F1 = P2 = F2, which nobody judged against P1.
    first = [state(1, "P1", "a-1", description=""), state(2, "P2", "b-1")]
    second = [state(4, "F1", "c-1"), state(5, "F2", "d-1")]
    judged = relations((1, 4, "equal"), (2, 4, "equal"), (2, 5, "equal"))
    (merged,) = proposed_list(first, second, judged)
    assert (merged.key, merged.id, merged.description) == (UUID(int=1), "P1", "what P2 says")
    assert set(merged.sentences) == {"a-1", "b-1", "c-1", "d-1"}


def test_an_id_or_a_key_that_is_taken_is_made_another() -> None:
    first = [state(1, "P1", "a-1"), state(2, "B-P1", "b-1"), state(3, "P" * 100)]
    second = [state(1, "P1", "c-1"), state(4, "P" * 100), state(5, "P2")]
    found = {each.id: each for each in proposed_list(first, second, {})}
    assert list(found) == ["B2-P1", "B-P1", "B-" + "P" * 98, "P1", "P2", "P" * 100]
    assert found["P1"] == first[0]
    assert found["B2-P1"].sentences == ("c-1",)
    assert found["B2-P1"].key not in {each.key for each in (*first, *second)}
    assert found["P2"].key == UUID(int=5)


def test_no_list_and_no_relation_is_an_empty_proposal() -> None:
    assert proposed_list([], [], {}) == []
    assert proposed_list([], [state(1, "F1")], {}) == [state(1, "F1")]
