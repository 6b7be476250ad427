"""`memory why QUERY`: the whole path from a question to the prompt, with every score and every reason."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from desk_assistant import shapes
from desk_assistant.cli.arguments import Commands, Invocation, add_command
from desk_assistant.cli.running import assistant, started
from desk_assistant.i18n import t

if TYPE_CHECKING:
    from desk_assistant.cli.console import Console
    from desk_assistant.memory.records import Considered, RecallTrace
    from desk_assistant.settings import Settings

SHOWN: Final = 10
"""Records shown of those that were left out, unless all are asked for."""

SHORT: Final = 160
"""Characters of a record on one line."""

NOTHING: Final = "–"


def register(commands: Commands) -> None:
    """Add the command."""
    parser = add_command(commands, "why", why, group="memory")
    parser.add_argument("query", nargs="+", metavar=t("cli.query"), help=t("cli.help_recall_query"))
    parser.add_argument("--session", metavar="ID", help=t("cli.help_recall_session"))
    parser.add_argument("--all", action="store_true", help=t("why.help_all", count=SHOWN))


async def why(invocation: Invocation) -> int:
    """Ask memory as a turn would, and tell how the answer came about and what the model would read."""
    from desk_assistant.assistant.prompt import fact_line, recalled_block
    from desk_assistant.assistant.turn import conversation_language

    options, console = invocation.options, invocation.console
    async with assistant(invocation.locations, index=True) as running:
        if options.session is not None:
            running.store.transcripts.session(options.session)  # one that does not exist is said, not answered
        await started(running, console, "index")
        await running.memory.settle()  # what was written a moment ago is searched as well
        query = " ".join(options.query)
        trace = await running.memory.explain(query, session=options.session)
        language = conversation_language(query, ())
        block = recalled_block(trace.result.items, language)
        profile = [fact_line(fact, language) for fact in await running.memory.profile()]
        if options.json:
            console.record({**_shape(trace), "prompt": {"profile": profile, "recalled": block}})
            return 0
        _heading(console, trace)
        _answer(console, trace, running.settings)
        _left_out(console, trace, running.settings, SHOWN if not options.all else len(trace.considered))
        _prompt(console, block, len(profile), running.settings)
    return 0


def _heading(console: Console, trace: RecallTrace) -> None:
    for question in trace.questions:
        console.line(t("why.searched", text=question))
    if trace.period is not None:
        console.line(t("why.period", start=trace.period[0], end=trace.period[1]))
    if trace.past:
        console.line(t("why.past"))
    if trace.result.by_text_only:
        console.note(t("why.by_words"))
    if trace.path != "search":
        console.line(t(f"why.path_{trace.path}"))


def _answer(console: Console, trace: RecallTrace, settings: Settings) -> None:
    considered = {one.id: one for one in trace.considered}
    console.line()
    console.line(t("why.kept", cap=settings.integer("recall.max_items")), "bold")
    for item in trace.result.items:
        console.line(f"{item.score:.2f}  {_short(item.text)}", *(("bold",) if item.layer == "semantic" else ()))
        console.line(f"      {t(f'cli.recalled_{item.kind}', date=item.created_at[:10], id=item.id)}", "dim")
        if item.id in considered:
            _numbers(console, considered[item.id], settings)
    if not trace.result.items:
        console.note(t("cli.nothing_recalled"))


def _left_out(console: Console, trace: RecallTrace, settings: Settings, most: int) -> None:
    others = [one for one in trace.considered if one.verdict != "kept"]
    if not others:
        return
    console.line()
    console.line(t("why.left_out"), "bold")
    for one in others[:most]:
        score = NOTHING.ljust(4) if one.item is None else f"{one.item.score:.2f}"
        text = "" if one.item is None else f"  {_short(one.item.text)}"
        console.line(f"{score}  {one.id}  {t(f'why.verdict_{one.verdict}')}{text}")
        _numbers(console, one, settings)
    if len(others) > most:
        console.line(t("why.more", count=len(others) - most))


def _numbers(console: Console, one: Considered, settings: Settings) -> None:
    if one.item is None:
        return
    parts = one.item.parts
    weighed = t(
        "why.weighed",
        meaning=_number(parts.vector),
        words=_number(parts.text),
        relevance=_number(parts.relevance),
        fit=_number(parts.fit),
        threshold=_number(settings.number("recall.threshold")),
        decay=_number(parts.decay),
        importance=_number(parts.importance),
    )
    console.line(f"      {weighed}", "dim")
    if one.parts:
        made_of = [t(f"why.part_{name}", value=_number(value)) for name, value in one.parts.items()]
        console.line(f"      {t('why.made_of', parts=', '.join(made_of))}", "dim")
    if one.with_id:
        console.line(f"      {t('why.with', id=one.with_id)}", "dim")


def _prompt(console: Console, block: str, facts: int, settings: Settings) -> None:
    console.line()
    console.line(t("why.prompt", tokens=settings.integer("prompt.episode_tokens")), "bold")
    for line in block.splitlines() or [t("why.no_block")]:
        console.line(line)
    console.line(t("why.profile", count=facts, tokens=settings.integer("prompt.profile_tokens")), "dim")


def _shape(trace: RecallTrace) -> dict[str, Any]:
    return {
        "query": trace.result.query,
        "path": trace.path,
        "questions": list(trace.questions),
        "period": list(trace.period) if trace.period else None,
        "past": trace.past,
        "by_text_only": trace.result.by_text_only,
        "items": [shapes.recalled(item) for item in trace.result.items],
        "considered": [_considered(one) for one in trace.considered],
    }


def _considered(one: Considered) -> dict[str, Any]:
    shape: dict[str, Any] = {"id": one.id, "verdict": one.verdict, "with": one.with_id}
    if one.item is not None:
        parts = one.item.parts
        shape |= {
            "kind": one.item.kind,
            "score": round(one.item.score, 4),
            "vector": parts.vector,
            "text": parts.text,
            "relevance": round(parts.relevance, 4),
            "fit": round(parts.fit, 4),
            "decay": round(parts.decay, 4),
            "importance": round(parts.importance, 4),
            "made_of": {name: round(value, 4) for name, value in one.parts.items()},
        }
    return shape


def _number(value: float | None) -> str:
    return NOTHING if value is None else f"{value:.2f}"


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= SHORT else line[: SHORT - 1] + "…"
