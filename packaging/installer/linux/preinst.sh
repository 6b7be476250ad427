#!/bin/sh
# Refuses, in words, what would not work: an older version over a newer one, and a processor that is too old.
set -e
if [ "$1" = upgrade ] && [ -n "$2" ] && dpkg --compare-versions "$2" gt "@VERSION@"; then
    echo "desk-assistant: version $2 is installed, this is @VERSION@. An older version may be unable to read what the" >&2
    echo "newer one has written. Nothing was changed. To go back all the same, remove desk-assistant first: your data stays." >&2
    exit 1
fi
if [ -r /proc/cpuinfo ]; then
    for ability in @PROCESSOR@; do
        if ! grep -qw "$ability" /proc/cpuinfo; then
            echo "desk-assistant: this processor lacks $ability. The assistant will run, but its memory index will not:" >&2
            echo "memory is then searched without it. Most computers made since 2014 have it." >&2
            break
        fi
    done
fi
