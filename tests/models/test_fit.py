from __future__ import annotations

from pathlib import Path

from desk_assistant.models.fit import estimate, largest_context
from desk_assistant.models.gguf import GGUFHeader, read_header
from desk_assistant.models.memory import available_memory, group_headroom, parse_vm_stat
from tests.models.gguf_builder import TINY, Plan, TensorPlan

MB = 2**20


def header(tmp_path: Path) -> GGUFHeader:
    return read_header(Plan(metadata=TINY, tensors=[TensorPlan()]).write(tmp_path / "m.gguf"))


def test_the_sum_grows_with_the_context_and_names_its_parts(tmp_path: Path) -> None:
    small, large = (estimate(header(tmp_path), context, available=MB) for context in (512, 2048))
    assert small.kv == 512 * 256
    assert large.kv == 4 * small.kv
    assert small.weights == 1024
    assert small.total == small.weights + small.kv + small.compute + small.overhead


def test_what_is_given_back_counts_as_free(tmp_path: Path) -> None:
    model = header(tmp_path)
    need = estimate(model, 512, available=0).total
    assert not estimate(model, 512, available=need - 1).fits
    assert estimate(model, 512, available=need - MB, releasing=MB).fits


def test_a_smaller_context_is_found_when_the_wanted_one_does_not_fit(tmp_path: Path) -> None:
    model = header(tmp_path)
    free = estimate(model, 1024, available=0).total
    found = largest_context(model, 2048, available=free)
    assert 1024 <= found < 2048
    assert estimate(model, found, available=free).fits
    assert not estimate(model, found + 256, available=free).fits
    assert largest_context(model, 2048, available=MB) == 0


def test_no_context_beyond_the_trained_one_is_offered(tmp_path: Path) -> None:
    assert largest_context(header(tmp_path), 100_000, available=2**40) == 2048


def test_the_tightest_group_limit_counts_and_file_cache_is_free(tmp_path: Path) -> None:
    groups = tmp_path / "cgroup"
    groups.write_text("0::/outer/inner\n")
    outer, inner = tmp_path / "fs" / "outer", tmp_path / "fs" / "outer" / "inner"
    inner.mkdir(parents=True)
    for folder, limit, usage, cache in ((outer, 500, 300, 40), (inner, 900, 100, 0)):
        (folder / "memory.max").write_text(f"{limit}\n")
        (folder / "memory.current").write_text(f"{usage}\n")
        (folder / "memory.stat").write_text(f"anon 1\ninactive_file {cache}\n")
    assert group_headroom(groups, tmp_path / "fs") == 240


def test_version_one_groups_and_no_limit(tmp_path: Path) -> None:
    groups = tmp_path / "cgroup"
    groups.write_text("5:cpu,memory:/box\n4:pids:/box\n")
    folder = tmp_path / "fs" / "memory" / "box"
    folder.mkdir(parents=True)
    (folder / "memory.usage_in_bytes").write_text("100")
    (folder / "memory.limit_in_bytes").write_text("9223372036854771712")
    assert group_headroom(groups, tmp_path / "fs") is None
    (folder / "memory.limit_in_bytes").write_text("1000")
    assert group_headroom(groups, tmp_path / "fs") == 900


def test_the_mac_figure_is_read_from_its_report() -> None:
    report = (
        "Mach Virtual Memory Statistics: (page size of 16384 bytes)\n"
        "Pages free:                 10.\nPages active:               99.\nPages inactive:              5.\n"
    )
    assert parse_vm_stat(report) == 15 * 16384
    assert parse_vm_stat("nothing") is None


def test_this_machine_says_how_much_is_free() -> None:
    free = available_memory()
    assert free is None or free > MB
