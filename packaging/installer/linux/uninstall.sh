#!/bin/sh
# Removes what the self-extracting file has set up: sh uninstall [--yes] [--purge]
here=$(readlink -f -- "$0")
root=${here%/bin/*}
exec "$root/python/bin/@PYTHON@" -I -B "$root/share/setup/setup.py" uninstall "$@"
