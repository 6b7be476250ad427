"""What an import would do and has done, in sentences for every front end."""

from __future__ import annotations

from desk_assistant.assistant.importer import ImportReport
from desk_assistant.assistant.imports import ImportPreview
from desk_assistant.i18n import counted, t
from desk_assistant.importers import Problem


def preview_lines(preview: ImportPreview) -> list[str]:
    """Return what an import would do."""
    lines = [
        t(
            "importers.preview",
            format=t(f"importers.format_{preview.format}"),
            talks=counted("conversation", preview.talks),
            messages=counted("message", preview.messages),
        )
    ]
    if preview.first and preview.last:
        lines.append(t("importers.preview_dates", first=preview.first[:10], last=preview.last[:10]))
    if preview.known:
        lines.append(t("importers.preview_known", count=preview.known))
    if preview.beside:
        lines.append(t("importers.preview_beside", count=preview.beside))
    if preview.left_out:
        lines.append(t("importers.left_out", count=preview.left_out))
    kinds = t("cli.and").join(f"{t(f'privacy.kind_{kind}')} × {count}" for kind, count in preview.masked.items())
    lines.append(t("importers.preview_masked", kinds=kinds) if kinds else t("importers.preview_unmasked"))
    return lines


def report_lines(report: ImportReport) -> list[str]:
    """Return what an import that goes on being remembered in the background has stored."""
    stored = t(
        "importers.stopped" if report.stopped else "importers.stored",
        messages=counted("message", report.messages),
        talks=counted("conversation", report.sessions),
    )
    lines = [stored]
    if report.skipped:
        lines.append(t("importers.skipped", count=report.skipped))
    if report.left_out:
        lines.append(t("importers.left_out", count=report.left_out))
    return lines


def problem_line(problem: Problem) -> str:
    """Return what was left out, and where."""
    text = t(f"importers.bad_{problem.unit}", number=problem.number, reason=problem.reason)
    return f"{problem.file}: {text}" if problem.file else text
