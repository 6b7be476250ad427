#!/bin/sh
# Says before a removal what stays, while the command that deletes it is still there.
set -e
if [ "$1" = remove ]; then
    echo "desk-assistant: conversations and memory of each user stay in ~/.local/share/desk-assistant."
    echo "A user who wants them gone runs \"desk-assistant purge\" before the removal, or deletes that folder after it."
fi
