#!/bin/sh
# What is in people's homes is theirs: neither removing nor purging a package may touch it.
set -e
case "$1" in
    remove)
        rmdir --ignore-fail-on-non-empty /opt 2>/dev/null || true
        ;;
    purge)
        echo "desk-assistant: the program is gone. Conversations and memory of each user are still in"
        echo "~/.local/share/desk-assistant; to delete them, each user deletes that folder."
        ;;
esac
