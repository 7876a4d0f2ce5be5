"""Streams: the same draws for ever, uniform, and apart for different names."""

from __future__ import annotations

from collections import Counter

import pytest

from answerable.core.seeds import Stream, seed_from

# Every benchmark ever built depends on these; they never change.
GOLDEN_SEED = 2305362032808588770
GOLDEN_BELOW = [784, 861, 322, 51, 188, 231, 18, 316]
GOLDEN_SAMPLE = ["f", "g", "b", "h"]


def test_golden_draws() -> None:
    stream = Stream("golden", 7)
    assert seed_from("golden", 7) == GOLDEN_SEED
    assert [stream.below(1000) for _ in range(8)] == GOLDEN_BELOW
    assert stream.sample("abcdefgh", 4) == GOLDEN_SAMPLE


def test_the_same_names_give_the_same_draws_and_others_do_not() -> None:
    def draws(*names: str | int) -> list[int]:
        stream = Stream(*names)
        return [stream.below(1 << 30) for _ in range(4)]

    assert draws("a", 1) == draws("a", 1)
    distinct: list[tuple[str | int, ...]] = [
        ("a", 1), ("a", "1"), ("a", 2), (1, "a"), ("a",), ("a", 1, ""), ("a1",), ("", "a1"), ("a\x1fint:1:1\x1f",), (),
    ]  # fmt: skip
    assert len({tuple(draws(*names)) for names in distinct}) == len(distinct)


def test_names_that_hold_a_separator_stay_apart() -> None:
    assert seed_from("a\x1fstr:b") != seed_from("a", "b")
    assert seed_from("a", "b") != seed_from("ab")
    assert seed_from("a", "b") != seed_from("b", "a")


@pytest.mark.parametrize("bound", [1, 2, 3, 7, 10, 16])
def test_below_is_uniform(bound: int) -> None:
    stream = Stream("uniform", bound)
    counts = Counter(stream.below(bound) for _ in range(1000 * bound))
    assert set(counts) == set(range(bound))
    # Six standard deviations of a binomial count around 1,000.
    assert all(abs(count - 1000) < 190 for count in counts.values())


def test_streams_of_neighbouring_names_do_not_follow_each_other() -> None:
    one, other = Stream("pair", 1), Stream("pair", 2)
    same = sum(one.below(2) == other.below(2) for _ in range(10_000))
    assert abs(same - 5000) < 300


def test_below_takes_very_large_bounds() -> None:
    stream = Stream("large")
    drawn = [stream.below(10**100) for _ in range(50)]
    assert all(0 <= value < 10**100 for value in drawn)
    assert max(drawn) > 10**98


def test_between_holds_both_ends() -> None:
    stream = Stream("between")
    assert {stream.between(-1, 1) for _ in range(100)} == {-1, 0, 1}


def test_unit_stays_below_one() -> None:
    stream = Stream("unit")
    drawn = [stream.unit() for _ in range(10_000)]
    assert 0 <= min(drawn) < 0.01
    assert 0.99 < max(drawn) < 1
    assert abs(sum(drawn) / len(drawn) - 0.5) < 0.02


def test_shuffle_reaches_every_order_evenly() -> None:
    stream, counts = Stream("shuffle"), Counter[str]()
    for _ in range(6000):
        items = list("abc")
        stream.shuffle(items)
        counts["".join(items)] += 1
    assert len(counts) == 6
    assert all(abs(count - 1000) < 190 for count in counts.values())


def test_sample_gives_different_items_and_leaves_the_source() -> None:
    stream, source = Stream("sample"), list(range(20))
    drawn = stream.sample(source, 20)
    assert sorted(drawn) == source
    assert source == list(range(20))
    assert stream.sample(source, 0) == []


def test_impossible_draws_are_refused() -> None:
    stream = Stream("bad")
    with pytest.raises(ValueError, match="bound=0"):
        stream.below(0)
    with pytest.raises(ValueError, match="at most 2 items to choose from; got count=3"):
        stream.sample("ab", 3)
