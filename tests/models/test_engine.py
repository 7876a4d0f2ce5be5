"""torch in a state that repeats."""

from __future__ import annotations

import sys

import pytest

from answerable.core.errors import MissingExtraError, SettingsError
from answerable.models.engine import deterministic, device_named, torch_or_missing, transformers_or_missing


def test_without_torch_the_extra_is_named_in_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "torch", None)
    for call in (torch_or_missing, transformers_or_missing, lambda: device_named("cpu")):
        with pytest.raises(MissingExtraError) as caught:
            call()
        assert str(caught.value).splitlines()[0] == "expected the optional part 'train'; got no module named 'torch'"
        assert caught.value.fix == 'pip install "answerable[train]"'


def test_no_such_device() -> None:
    with pytest.raises(SettingsError, match="a device, one of auto, cpu, cuda; got 'tpu'"):
        device_named("tpu")


@pytest.mark.torch
def test_cuda_where_there_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("torch.cuda.is_available", lambda: False)
    assert device_named("auto") == "cpu"
    with pytest.raises(SettingsError, match="a CUDA device that torch can use; got none"):
        device_named("cuda")


@pytest.mark.torch
def test_the_state_of_torch_is_left_as_it_was() -> None:
    import torch

    torch.manual_seed(5)
    expected = torch.rand(2)
    torch.manual_seed(5)
    threads = torch.get_num_threads()
    with deterministic(1, threads=threads + 1):
        inside = torch.rand(2)
        assert torch.get_num_threads() == threads + 1
        assert torch.are_deterministic_algorithms_enabled()
    assert not torch.are_deterministic_algorithms_enabled()
    assert torch.get_num_threads() == threads
    assert torch.equal(torch.rand(2), expected)
    with deterministic(1):
        assert torch.equal(torch.rand(2), inside)
    with deterministic(2):
        assert not torch.equal(torch.rand(2), inside)
    with pytest.raises(ValueError, match="x"), deterministic((1 << 64) - 1):
        raise ValueError("x")
    assert not torch.are_deterministic_algorithms_enabled()
