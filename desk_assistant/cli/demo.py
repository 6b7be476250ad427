"""`demo`: the two-session story with the real models in a throw-away profile, as a newcomer's first look.

Each story is told in a first session; the whole assistant is closed and started again; in the second session a question
is asked that only memory can answer; then the fact is forgotten, and looked for once more after another restart. The
exit code is 0 only when every check held.
"""

from __future__ import annotations

import contextlib
import io
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Final

from desk_assistant.cli.arguments import Commands, Invocation, add_command
from desk_assistant.cli.ask import card
from desk_assistant.cli.console import Console, width
from desk_assistant.cli.running import assistant, settled, started
from desk_assistant.cli.stories import STORIES, Question, Story
from desk_assistant.i18n import t

if TYPE_CHECKING:
    from desk_assistant.assistant import Assistant, TurnReport
    from desk_assistant.memory.records import RecalledItem, RecallResult
    from desk_assistant.paths import Locations

FAILED: Final = 1
"""Exit code when a check of a story did not hold."""
RULE_CELLS: Final = 76
SETTINGS: Final = {"model.temperature": 0.0}
"""Settings of the demo's profile: the most likely words, so that the story goes the same way every time."""


def register(commands: Commands) -> None:
    """Add the command."""
    parser = add_command(commands, "demo", run)
    parser.add_argument("--language", choices=("en", "zh", "both"), default="both", help=t("cli.help_demo_language"))


async def run(invocation: Invocation) -> int:
    """Play the stories and check every step."""
    from desk_assistant.cli.throwaway import throwaway

    wanted = invocation.options.language
    # For scripts only the checks count; the story itself is for people.
    console = Console(out=io.StringIO(), quiet=True) if invocation.options.json else invocation.console
    console.line(t("cli.demo_intro"))
    teller = _Teller(console, invocation.console.record if invocation.options.json else None)
    for story in STORIES:
        if wanted in (story.language, "both"):
            with throwaway(invocation.locations, "demo", SETTINGS) as profile:
                await teller.tell(story, profile)
    console.line()
    if teller.failed:
        console.line(t("cli.demo_failed", failed=teller.failed, checks=teller.checks), "red", "bold")
        return FAILED
    console.line(t("cli.demo_held", checks=teller.checks), "green", "bold")
    console.line(t("cli.demo_next"))
    return 0


class _Teller:
    """Plays stories on a console and counts the checks; each is also recorded where that is asked for."""

    def __init__(self, console: Console, record: Callable[[Mapping[str, object]], None] | None = None) -> None:
        self._console = console
        self._record = record
        self.checks = 0
        self.failed = 0

    async def tell(self, story: Story, profile: Locations) -> None:
        console = self._console
        title = f"━━ {t(f'cli.demo_title_{story.language}')} "
        console.line()
        console.line(title + "━" * max(0, RULE_CELLS - width(title)), "bold")

        self._heading("cli.demo_first")
        async with self._running(profile) as running:
            await self._say(running, story.told)
            await settled(running, console)
            facts = await running.memory.facts()
            console.line(t("cli.demo_remembered"))
            for fact in facts:
                quotes = t("cli.demo_quote", quote=fact.sources[0].quote) if fact.sources else ""
                console.line(f"    • {fact.text}  {quotes}".rstrip(), "cyan")
            self._check("cli.demo_check_fact", any(story.forget in fact.text for fact in facts), word=story.forget)

        self._heading("cli.demo_second")
        async with self._running(profile) as running:
            for question in story.questions:
                await self._ask(running, question)
            await settled(running, console)
            await self._forget(running, story)

        self._heading("cli.demo_third")
        async with self._running(profile) as running:
            await self._ask_again(running, story)

    @contextlib.asynccontextmanager
    async def _running(self, profile: Locations) -> AsyncIterator[Assistant]:
        async with assistant(profile, llm=True, index=True) as running:
            await started(running, self._console, "llm", "index")
            yield running

    async def _say(self, running: Assistant, text: str) -> tuple[RecallResult | None, TurnReport | None, str]:
        """Say something in a new conversation, show the turn, and return what was recalled, its report and answer."""
        from desk_assistant.assistant import Answered, Piece, Reading, Recalled

        console, conversation = self._console, running.conversation()
        console.line()
        console.line(f"  {t('cli.demo_you')}  {text}", "bold")
        result: RecallResult | None = None
        answer = ""
        async for event in running.send(conversation, text):
            match event:
                case Recalled():
                    result = event.result
                    for item in result.items:
                        console.line(f"  {t('cli.demo_recalled')}  {card(item.text)}", "cyan")
                case Reading():
                    console.progress(t("cli.reading", done=event.done, total=event.total), step="reading")
                case Piece() if not event.thinking:
                    if not answer:
                        console.piece(f"  {t('cli.demo_assistant')}  ")
                    answer += event.text
                    console.piece(event.text.replace("\n", "\n    "))
                case Answered():
                    answer = event.message.content
                    console.line()
        return result, conversation.last_report, answer

    async def _ask(self, running: Assistant, question: Question) -> None:
        result, report, answer = await self._say(running, question.text)
        profile = report.profile if report else ()
        for line in profile:
            if question.recalled in line:
                self._console.line(f"  {t('cli.demo_in_prompt')}  {line.strip()}", "cyan")
        texts = [*profile, *(item.text for item in (result.items if result else ()))]
        self._check("cli.demo_check_recalled", any(question.recalled in text for text in texts), word=question.recalled)
        if question.answered:
            self._check("cli.demo_check_answer", question.answered in answer, word=question.answered)

    async def _forget(self, running: Assistant, story: Story) -> None:
        console, memory = self._console, running.memory
        console.line()
        doomed = [fact for fact in await memory.facts() if story.forget in fact.text]
        for fact in doomed:
            console.line(f"  {t('cli.demo_forget')}  {fact.text}", "yellow")
        report = await memory.erase_now(await memory.forget([fact.id for fact in doomed], undo_seconds=0))
        await settled(running, console)
        self._check("cli.demo_check_erased", bool(doomed) and report.verified and not report.mentions)
        result = await memory.recall(story.asked_again)
        self._check("cli.demo_check_not_recalled", not _holds(result.items, story.forget), word=story.forget)

    async def _ask_again(self, running: Assistant, story: Story) -> None:
        result, report, _ = await self._say(running, story.asked_again)
        clean = result is not None and not _holds(result.items, story.forget)
        self._check("cli.demo_check_not_recalled", clean, word=story.forget)
        self._check("cli.demo_check_not_in_prompt", report is not None and story.forget not in report.prompt)

    def _heading(self, key: str) -> None:
        self._console.line()
        self._console.line(f"▸ {t(key)}", "bold")

    def _check(self, key: str, held: bool, **words: object) -> None:
        self.checks += 1
        self.failed += not held
        if self._record is not None:
            self._record({"check": t(key, **words), "held": held})
        self._console.line(f"    {'✓' if held else '✗'} {t(key, **words)}", "green" if held else "red")


def _holds(items: Sequence[RecalledItem], word: str) -> bool:
    return any(word in item.text for item in items)
