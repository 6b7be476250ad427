"""Help for the tests that let a model speak."""

from __future__ import annotations

from desk_assistant.llm import ChatMessage, Event, Finished, LlmClient, Sampling

GREEDY = Sampling(temperature=0, top_p=1, top_k=0, min_p=0, repeat_penalty=1, max_tokens=24, seed=1)


class Talk:
    """Collects what comes of generations."""

    def __init__(self) -> None:
        self.events: list[Event] = []

    async def run(
        self, llm: LlmClient, messages: list[ChatMessage], sampling: Sampling = GREEDY, *, background: bool = False
    ) -> Finished:
        self.events = [event async for event in llm.generate(messages, sampling, background=background)]
        return self.last

    @property
    def last(self) -> Finished:
        last = self.events[-1]
        assert isinstance(last, Finished)
        return last
