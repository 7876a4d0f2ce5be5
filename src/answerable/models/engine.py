"""torch, put into a state in which the same seed gives the same numbers, and left as it was found.

Bits are promised on one machine, one device and one number of threads: another number of threads adds up in another
order.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

from answerable.core.errors import MissingExtraError, SettingsError
from answerable.models.folder import EXTRA

#: ``torch.Tensor`` and ``torch.nn.Module``, which are not installed everywhere.
Tensor = Any
Module = Any
DEVICES: Final = ("auto", "cpu", "cuda")
DTYPES: Final = ("auto", "float32", "bfloat16", "float16")


def torch_or_missing() -> Any:
    """The module ``torch``.

    Raises:
        MissingExtraError: it is not installed.
    """
    try:
        import torch
    except ImportError as error:
        raise MissingExtraError.for_extra(EXTRA, error.name or "torch") from error
    return torch


def transformers_or_missing() -> Any:
    """The module ``transformers``, with its notes and bars off: what goes wrong is raised.

    Raises:
        MissingExtraError: it is not installed.
    """
    torch_or_missing()
    try:
        import transformers
    except ImportError as error:
        raise MissingExtraError.for_extra(EXTRA, error.name or "transformers") from error
    transformers.utils.logging.set_verbosity_error()
    transformers.utils.logging.disable_progress_bar()
    return transformers


def safetensors_or_missing() -> Any:
    """The module ``safetensors``.

    Raises:
        MissingExtraError: it is not installed.
    """
    torch_or_missing()
    try:
        import safetensors
    except ImportError as error:
        raise MissingExtraError.for_extra(EXTRA, error.name or "safetensors") from error
    return safetensors


def device_named(name: str) -> str:
    """``cpu`` or ``cuda``; ``auto`` is ``cuda`` where there is one.

    Raises:
        SettingsError: no such device, or none on this machine.
    """
    if name not in DEVICES:
        raise SettingsError(f"a device, one of {', '.join(DEVICES)}", f"{name!r}", "--device")
    there = bool(torch_or_missing().cuda.is_available())
    if name == "cuda" and not there:
        raise SettingsError("a CUDA device that torch can use", "none", "--device", fix="leave out --device")
    return "cuda" if there and name != "cpu" else "cpu"


@contextmanager
def deterministic(seed: int, threads: int | None = None) -> Iterator[Any]:
    """torch with its generators seeded and only operations that repeat; afterwards everything is as before.

    Args:
        seed: any whole number from 0; 63 bits of it are used.
        threads: on the CPU; None leaves their number alone.
    """
    torch = torch_or_missing()
    strict = torch.are_deterministic_algorithms_enabled()
    lenient = torch.is_deterministic_algorithms_warn_only_enabled()
    tuned, before = torch.backends.cudnn.benchmark, torch.get_num_threads()
    with torch.random.fork_rng(devices=range(torch.cuda.device_count())):
        torch.manual_seed(seed & ((1 << 63) - 1))
        torch.use_deterministic_algorithms(True)
        torch.backends.cudnn.benchmark = False
        torch.set_num_threads(threads or before)
        try:
            yield torch
        finally:
            torch.use_deterministic_algorithms(strict, warn_only=lenient)
            torch.backends.cudnn.benchmark = tuned
            torch.set_num_threads(before)
