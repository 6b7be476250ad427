#!/bin/sh
# Started by a double click: opens the terminal with the program in it. UNVERIFIED, see packaging/README.md.
here=$(cd "$(dirname "$0")" && pwd)
program="$here/../Resources/desk-assistant/bin/desk-assistant"
exec osascript - "$program" <<'SCRIPT'
on run arguments
    tell application "Terminal"
        activate
        do script "exec " & quoted form of (item 1 of arguments)
    end tell
end run
SCRIPT
