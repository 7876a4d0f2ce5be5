"""Lazy tables: nothing is imported before it is asked for, and what is missing is named."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

from answerable.core import registry
from answerable.core.errors import MissingExtraError, SettingsError
from answerable.core.registry import Registry


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """A module that can be imported, under a name nothing else uses."""
    name = "lazy_module_for_registry_tests"
    (tmp_path / f"{name}.py").write_text("thing = object()\n", encoding="utf-8")
    (tmp_path / "needs_absent_library.py").write_text("import absent_library_for_tests\n", encoding="utf-8")
    (tmp_path / "needs_absent_part.py").write_text("import answerable.no_such_part\n", encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    yield name
    sys.modules.pop(name, None)


def test_a_table_imports_nothing_until_it_is_asked(package: str) -> None:
    table: Registry[object] = Registry("thing", "answerable.nobody", {"one": f"{package}:thing"})
    assert table.names() == ("one",)
    assert package not in sys.modules
    assert table.load("one") is sys.modules[package].thing
    assert table.load("one") is table.load("one")


def test_an_unknown_name_is_answered_with_the_known_ones() -> None:
    table: Registry[object] = Registry("rendering family", "answerable.nobody", {"b": "os:path", "a": "os:path"})
    with pytest.raises(SettingsError) as caught:
        table.load("c")
    assert str(caught.value) == "expected a rendering family, one of b, a; got 'c'"


def test_a_missing_library_of_an_extra_names_the_extra(package: str) -> None:
    table: Registry[object] = Registry(
        "family", "answerable.nobody", {"vega": "needs_absent_library:x"}, extras={"vega": "vega"}
    )
    with pytest.raises(MissingExtraError) as caught:
        table.load("vega")
    assert "no module named 'absent_library_for_tests'" in str(caught.value)
    assert 'pip install "answerable[vega]"' in str(caught.value)


def test_a_missing_library_without_an_extra_is_not_dressed_up(package: str) -> None:
    table: Registry[object] = Registry("family", "answerable.nobody", {"x": "needs_absent_library:x"})
    with pytest.raises(ModuleNotFoundError, match="absent_library_for_tests"):
        table.load("x")


def test_a_fault_of_our_own_is_not_called_a_missing_extra(package: str) -> None:
    table: Registry[object] = Registry(
        "family", "answerable.nobody", {"x": "needs_absent_part:x"}, extras={"x": "vega"}
    )
    with pytest.raises(ModuleNotFoundError, match=r"answerable\.no_such_part"):
        table.load("x")


def test_other_packages_join_by_entry_points_and_never_replace_ours(
    package: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    group = "answerable.tests"
    points = [
        EntryPoint(name="theirs", value=f"{package}:thing", group=group),
        EntryPoint(name="ours", value=f"{package}:thing", group=group),
    ]
    monkeypatch.setattr(registry, "entry_points", lambda *, group: [point for point in points if point.group == group])
    table: Registry[object] = Registry("thing", group, {"ours": "os:sep"})
    assert table.names() == ("ours", "theirs")
    assert table.load("ours") == __import__("os").sep
    assert table.load("theirs") is sys.modules[package].thing
