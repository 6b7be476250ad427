#!/bin/sh
# Desk Assistant @VERSION@ for Linux (@MACHINE@). Run it: sh FILE [--prefix FOLDER] [--yes] [--help]. No root is needed.
# This script ends at the line "exit"; behind it lie the interpreter (tar.gz) and the program (tar.zst).
set -e
skip=@SKIP@
size=@SIZE@
if [ "$(uname -m)" != "@MACHINE@" ]; then
    echo "This file is for @MACHINE@; this computer is $(uname -m). Look for the file of that name." >&2
    exit 1
fi
unset LD_LIBRARY_PATH PYTHONHOME PYTHONPATH
work=$(mktemp -d "${TMPDIR:-/tmp}/desk-assistant.XXXXXX")
trap 'rm -rf "$work"' EXIT
tail -c +$((skip + 1)) "$0" | head -c $((size)) | gzip -dc | tar -C "$work" -xf -
python="$work/desk-assistant/python/bin/@PYTHON@"
if ! "$python" -I -c pass; then
    echo "The program cannot run here: it needs a Linux with the GNU C library @GLIBC@ or newer (Debian 12, Ubuntu 22.04," >&2
    echo "Fedora 36 or later), and a folder for temporary files from which programs may be started (TMPDIR)." >&2
    exit 1
fi
"$python" -I -B "$work/desk-assistant/share/setup/setup.py" install --archive "$0" --offset $((skip + size)) --bytes @BYTES@ "$@"
exit
