"""What several have asked to forget is erased under the name of each of them."""

from __future__ import annotations

from tests.memory.conftest import Profile
from tests.memory.test_forget import fact_with


async def test_the_trail_names_who_asked_for_each(profile: Profile) -> None:
    profile.say("I'm allergic to walnuts.")
    profile.say("My kiln came from Turku.")
    await profile.memory.settle()
    walnut, kiln = await fact_with(profile, "walnut"), await fact_with(profile, "Turku")
    asked_for: list[tuple[str, list[str]]] = []
    forgetter = profile.memory._pipeline._forgetter
    erase = forgetter.erase

    def noting(record_ids: list[str], actor: str) -> object:
        asked_for.append((actor, record_ids))
        return erase(record_ids, actor)

    forgetter.erase = noting  # type: ignore[assignment,method-assign]
    forgetter.set_aside([walnut.id], 0, "garden-tool")
    forgetter.set_aside([kiln.id], 0)
    await profile.memory.settle()

    assert sorted(asked_for) == [("garden-tool", [walnut.id]), ("person", [kiln.id])]
    assert profile.store.outbox.refs("erase") == set()
