"""The one entry point: the program, and each of its child processes behind a hidden sub-command."""

from __future__ import annotations

import os
import sys


def main() -> int:
    """Run the program, or the child it was started as. Returns the exit code."""
    # Everything this program writes holds somebody's private words.
    os.umask(0o077)
    arguments = sys.argv[1:]
    if arguments[:1] == ["__worker"]:
        return _worker(arguments[1] if len(arguments) > 1 else "")
    if arguments == ["--version"]:
        from desk_assistant import __version__

        print(f"desk-assistant {__version__}")
        return 0
    from desk_assistant import cli

    return cli.main()


def _worker(name: str) -> int:
    # Written out rather than looked up by name, so that tools which freeze the program see the imports.
    if name == "llm":
        from desk_assistant.llm import child as llm_child

        return llm_child.main()
    if name == "index":
        from desk_assistant.index import child as index_child

        return index_child.main()
    if name == "filter":
        from desk_assistant.privacy import child as filter_child

        return filter_child.main()
    print(f"unknown worker: {name}", file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main())
