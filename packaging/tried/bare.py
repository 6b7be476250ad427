"""A bare system to try the finished files in: a minimal Debian without Python or a compiler, and without a network.

Needs root, `debootstrap` and `tmux`. Each command runs in namespaces of its own (mounts, processes, network), so that
nothing it starts or mounts outlives it.
"""

from __future__ import annotations

import os
import shlex
import shutil
import signal
import subprocess
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from installer.tools import run, say

RELEASE: Final = "bookworm"
SIZE: Final = (120, 36)
PATIENCE: Final = 240.0

_ENTER: Final = """
set -e
mount -t proc proc {root}/proc
mount --rbind /dev {root}/dev
{mounts}
ip link set lo up 2>/dev/null || true
exec chroot --userspec={user}:{user} {root} /usr/bin/env -i {environment} sh -c 'cd "$HOME" && exec "$@"' sh {command}
"""


@dataclass(frozen=True)
class User:
    """Somebody in the bare system.

    Attributes:
        name: Login name.
        home: Home folder, as seen inside.
    """

    name: str
    home: str


ROOT: Final = User("root", "/root")


@dataclass(frozen=True)
class Done:
    """How a command ended: its exit code, and what it printed on both streams."""

    code: int
    out: str
    err: str


class BareSystem:
    """A folder with a whole small system in it.

    Args:
        folder: Where it lies.
        base: Folder for the system as `debootstrap` made it, used again by the next one.
    """

    def __init__(self, folder: Path, base: Path) -> None:
        self.folder = folder
        if not (base / "bin").exists():
            say(f"Making a minimal Debian ({RELEASE})")
            partial = base.with_name(base.name + ".part")
            shutil.rmtree(partial, ignore_errors=True)
            run(["debootstrap", "--variant=minbase", RELEASE, partial])
            partial.rename(base)
        shutil.rmtree(folder, ignore_errors=True)
        run(["cp", "-a", base, folder])

    def add_user(self, name: str, home: str) -> User:
        """Add an ordinary user."""
        run(["chroot", self.folder, "useradd", "--create-home", "--home-dir", home, "--shell", "/bin/sh", name])
        return User(name, home)

    def inside(self, path: str) -> Path:
        """Return where a path of the bare system lies outside of it."""
        return self.folder / path.lstrip("/")

    def command(
        self, user: User, words: Sequence[str], *, read_only: str = "", environment: dict[str, str] | None = None
    ) -> list[str]:
        """Return the command line that runs a command inside, without a network.

        Args:
            user: Who runs it.
            words: The command.
            read_only: A folder that nobody can write to while it runs.
            environment: Variables besides the few that a login sets.
        """
        variables = {
            "HOME": user.home,
            "USER": user.name,
            "PATH": "/usr/local/bin:/usr/bin:/bin" + (":/usr/sbin:/sbin" if user == ROOT else ""),
            "TERM": "xterm-256color",
            "LANG": "C.UTF-8",
            **(environment or {}),
        }
        place = self.inside(read_only)
        mounts = f"mount --bind {place} {place} && mount -o remount,ro,bind {place}" if read_only else ""
        script = _ENTER.format(
            root=shlex.quote(str(self.folder)),
            mounts=mounts,
            user=user.name,
            environment=" ".join(shlex.quote(f"{name}={value}") for name, value in variables.items()),
            command=shlex.join(words),
        )
        return ["unshare", "--mount", "--net", "--pid", "--fork", "--kill-child", "sh", "-c", script]

    def run(
        self,
        user: User,
        *words: str,
        stdin: str = "",
        read_only: str = "",
        environment: dict[str, str] | None = None,
        patience: float = PATIENCE,
    ) -> Done:
        """Run a command inside to its end."""
        done = subprocess.run(
            self.command(user, words, read_only=read_only, environment=environment),
            input=stdin.encode(),
            capture_output=True,
            timeout=patience,
            check=False,
        )
        return Done(done.returncode, done.stdout.decode("utf-8", "replace"), done.stderr.decode("utf-8", "replace"))

    def start(self, user: User, *words: str) -> subprocess.Popen[bytes]:
        """Start a command inside and do not wait for it."""
        return subprocess.Popen(
            self.command(user, words), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )


class Screen:
    """A terminal with one command in it: keys go in, and what a person sees comes out.

    Args:
        command: The command line.
        folder: Folder for the terminal's socket.
    """

    def __init__(self, command: Sequence[str], folder: Path) -> None:
        self._tmux = ["tmux", "-f", "/dev/null", "-S", str(folder / "terminal.sock")]
        width, height = SIZE
        subprocess.run([*self._tmux, "kill-server"], capture_output=True, check=False)
        run([*self._tmux, "-u", "new-session", "-d", "-x", str(width), "-y", str(height), shlex.join(command)])
        run([*self._tmux, "set-option", "-g", "remain-on-exit", "on"])

    def text(self) -> str:
        """Return what is on the screen."""
        return run([*self._tmux, "capture-pane", "-p"])

    def press(self, *keys: str) -> None:
        """Press keys, by tmux's names."""
        run([*self._tmux, "send-keys", *keys])

    def type(self, text: str) -> None:
        """Type a text."""
        run([*self._tmux, "send-keys", "-l", text])

    def until(self, *signs: str, patience: float = PATIENCE) -> bool:
        """Wait until one of some texts is on the screen; return whether it came."""
        ends = time.monotonic() + patience
        while time.monotonic() < ends:
            shown = self.text()
            if any(sign in shown for sign in signs):
                return True
            time.sleep(0.2)
        return False

    def ended(self, patience: float = 30.0) -> bool:
        """Return whether the command has ended, or does soon."""
        ends = time.monotonic() + patience
        while time.monotonic() < ends:
            if run([*self._tmux, "display-message", "-p", "#{pane_dead}"]).strip() == "1":
                return True
            time.sleep(0.2)
        return False

    def close(self) -> None:
        """Close the terminal."""
        subprocess.run([*self._tmux, "kill-server"], capture_output=True, check=False)


def kill_child(name: str) -> bool:
    """End the helper process of that name, as a crash would; return whether there was one."""
    found = False
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            words = (folder / "cmdline").read_bytes().split(b"\0")
        except OSError:
            continue
        if b"__worker" in words and name.encode() in words and b"/opt/desk-assistant" in words[0]:
            os.kill(int(folder.name), signal.SIGKILL)
            found = True
    return found
