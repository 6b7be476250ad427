"""`profiles`: separate lives with memories of their own."""

from __future__ import annotations

from desk_assistant.cli.arguments import Commands, Invocation, add_command, add_group
from desk_assistant.cli.console import pad, width
from desk_assistant.cli.purge import carry_out, size_of
from desk_assistant.i18n import t


def register(commands: Commands) -> None:
    """Add the commands."""
    _, inner = add_group(commands, "profiles")
    add_command(inner, "list", run_list, group="profiles")
    for name, run in (("create", run_create), ("use", run_use), ("delete", run_delete)):
        parser = add_command(inner, name, run, group="profiles")
        parser.add_argument("name", metavar=t("cli.name"), help=t("cli.help_profiles_name"))
    parser.add_argument("-n", "--dry-run", action="store_true", help=t("cli.help_purge_dry_run"))
    parser.add_argument("-y", "--yes", action="store_true", help=t("cli.help_yes"))


def run_list(invocation: Invocation) -> int:
    """Print the profiles of the data folder."""
    from desk_assistant.assistant.profiles import profiles

    console = invocation.console
    found = profiles(invocation.locations)
    cells = max((width(profile.name) for profile in found), default=0)
    for profile in found:
        if invocation.options.json:
            console.record({"name": profile.name, "chosen": profile.chosen, "bytes": profile.size})
        else:
            mark = t("profiles.chosen_mark") if profile.chosen else ""
            console.line(f"{pad(profile.name, cells)}  {profile.size / 1e6:8.1f} MB  {mark}".rstrip())
    if not found:
        console.note(t("profiles.nothing_yet"))
    return 0


def run_create(invocation: Invocation) -> int:
    """Make a profile."""
    from desk_assistant.assistant.profiles import create

    name = invocation.options.name
    made = create(invocation.locations, name)
    invocation.tell({"name": name, "path": str(made.home)}, t("profiles.created", name=name, path=made.home))
    return 0


def run_use(invocation: Invocation) -> int:
    """Open a profile from now on when none is named."""
    from desk_assistant.assistant.profiles import choose

    name = invocation.options.name
    choose(invocation.locations, name)
    invocation.tell({"name": name, "chosen": True}, t("profiles.chosen", name=name))
    return 0


def run_delete(invocation: Invocation) -> int:
    """Show what would be deleted, ask, and delete it."""
    from desk_assistant.assistant.profiles import forget_choice, plan_deletion

    name = invocation.options.name
    purge = plan_deletion(invocation.locations, name)
    if carry_out(invocation, purge, t("profiles.really_delete", name=name, size=size_of(purge))):
        forget_choice(invocation.locations, name)
    return 0
