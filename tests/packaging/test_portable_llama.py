"""llama.cpp's build: which kinds of processors get a library, and that a wheel made another way is not used again."""

from __future__ import annotations

from pathlib import Path

import pytest

from installer import llama
from installer.plan import Plan
from installer.tools import BuildError

LISTED = "\n".join(
    (
        "if (x86)",
        "    ggml_add_cpu_backend_variant(x64)",
        *(f"    ggml_add_cpu_backend_variant({kind}   SSE42 AVX)" for kind in llama.LEFT_OUT),
        "    ggml_add_cpu_backend_variant(haswell   SSE42 AVX F16C FMA AVX2 BMI2)",
        "endif()\n",
    )
)


def test_kinds_that_are_left_out_are_taken_from_the_list_and_no_others() -> None:
    kept = llama.without_kinds(LISTED)

    assert kept.splitlines() == [
        "if (x86)",
        "    ggml_add_cpu_backend_variant(x64)",
        "    ggml_add_cpu_backend_variant(haswell   SSE42 AVX F16C FMA AVX2 BMI2)",
        "endif()",
    ]


def test_a_list_that_has_changed_ends_the_build_with_the_name() -> None:
    with pytest.raises(BuildError, match="zen4"):
        llama.without_kinds(LISTED.replace("(zen4", "(zen5"))


def test_a_wheel_is_used_again_only_when_it_was_made_the_same_way(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plan = Plan(tmp_path / "work", tmp_path / "out", 0)
    made = llama.wheels(plan) / "llama_cpp_python-1.0-py3-none-linux_x86_64.whl"
    made.parent.mkdir(parents=True)
    made.touch()

    assert llama.wheel(plan) == made

    monkeypatch.setattr(llama, "PORTABLE", ("-DGGML_OPENMP=OFF",))

    assert not list(llama.wheels(plan).glob("*.whl"))
