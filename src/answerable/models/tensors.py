"""Tensors in files: safetensors only, which hold plain numbers and cannot run code."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from answerable.core.errors import SettingsError
from answerable.core.files import replacing
from answerable.models.engine import Tensor, safetensors_or_missing, torch_or_missing


def save_tensors(path: Path, tensors: dict[str, Tensor], notes: dict[str, str]) -> None:
    """Write tensors as they are, with short notes, in one step.

    Raises:
        StorageError: the disk refused the write; the file keeps its old content.
    """
    safetensors_or_missing()
    from safetensors.torch import save as packed

    data = packed({name: tensors[name].detach().cpu().contiguous() for name in sorted(tensors)}, notes or None)
    with replacing(path) as temporary:
        temporary.write_bytes(data)


def load_tensors(path: Path) -> tuple[dict[str, Tensor], dict[str, str]]:
    """Tensors of a file, on the CPU, and its notes.

    Raises:
        SettingsError: it is no whole safetensors file.
    """
    package = safetensors_or_missing()
    try:
        with package.safe_open(path, framework="pt") as file:
            return {name: file.get_tensor(name) for name in list(file.keys())}, dict(file.metadata() or {})
    except (package.SafetensorError, OSError, ValueError) as error:
        raise SettingsError("a whole safetensors file", str(error)[:200], where=str(path)) from error


def fill(parameters: dict[str, Tensor], found: dict[str, Any], path: Path) -> None:
    """Copy saved tensors into parameters.

    Raises:
        SettingsError: other names, shapes or number formats.
    """
    torch = torch_or_missing()
    if set(found) != set(parameters):
        odd = sorted(set(found) ^ set(parameters))
        raise SettingsError(f"{len(parameters)} tensors of the adapter's names", f"a difference: {odd[0]}", str(path))
    with torch.no_grad():
        for name, value in parameters.items():
            other = found[name]
            if other.shape != value.shape or other.dtype != value.dtype:
                wanted, got = (f"{tuple(one.shape)} {one.dtype}" for one in (value, other))
                raise SettingsError(f"{name} of shape {wanted}", got, where=str(path))
            value.copy_(other)
