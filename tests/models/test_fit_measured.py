from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from desk_assistant.models import ModelStore
from desk_assistant.models.fit import DEFAULT_BATCH, estimate
from desk_assistant.paths import Locations

pytestmark = [pytest.mark.real, pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="reads /proc")]

LOAD = """
import re, sys
from pathlib import Path
import llama_cpp as lib
path, context, batch = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
model = lib.llama_model_load_from_file(path.encode(), lib.llama_model_default_params())
params = lib.llama_context_default_params()
params.n_ctx, params.n_batch, params.n_ubatch, params.swa_full = context, batch, batch, True
session = lib.llama_init_from_model(model, params)
tokens = (lib.llama_token * batch)(*[300] * batch)
for _ in range(context // batch - 1):
    assert lib.llama_decode(session, lib.llama_batch_get_one(tokens, batch)) == 0
print(re.search(r"VmRSS:\\s+(\\d+)", Path("/proc/self/status").read_text())[1])
"""


@pytest.mark.parametrize(("model_id", "context"), [("smollm2-135m-instruct", 1024), ("gemma3-270m-base", 512)])
def test_the_estimate_covers_what_a_full_context_takes(model_id: str, context: int) -> None:
    locations = Locations.find()
    model = ModelStore(locations.model_folders, locations.models).find(model_id)
    command = [sys.executable, "-c", LOAD, str(model.path), str(context), str(DEFAULT_BATCH)]
    printed = subprocess.run(command, capture_output=True, text=True, check=True, timeout=120).stdout
    measured = int(printed) * 1024
    total = estimate(model.header(), context, available=0).total
    assert measured <= total <= 1.6 * measured
