"""Which facts stand at the beginning of a conversation's prompts.

The model reads again everything that follows the first changed word of a prompt, and the profile is its very first
part. So a conversation keeps the profile it began with as long as that is true: what was learned from its own words
stands in its history already. As soon as a fact that is shown was changed or forgotten, or one was learned elsewhere,
the profile is taken anew.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from desk_assistant.store import Fact


def steady_profile(shown: Sequence[Fact], present: Sequence[Fact], in_window: Collection[str]) -> list[Fact]:
    """Return the facts to show.

    Args:
        shown: The facts of this conversation's last prompt, in their order.
        present: The facts as they are now.
        in_window: Ids of the messages that the model sees.
    """
    now = {fact.id: fact for fact in present}
    if not shown or any(_words(fact) != _words(now.get(fact.id)) for fact in shown):
        return list(present)
    known = {fact.id for fact in shown}
    for fact in present:
        if fact.id in known:
            continue
        if fact.pinned or not fact.sources or any(source.message_id not in in_window for source in fact.sources):
            return list(present)
    return list(shown)


def _words(fact: Fact | None) -> tuple[object, ...]:
    if fact is None:
        return ()
    return (fact.subject, fact.predicate, fact.text, fact.valid_from, fact.valid_to, fact.due, fact.pinned)
