"""Builds the installers: `python3 -m installer` from the folder above, or `make package`.

One tree, the *program folder*, is staged for every system: the interpreter, the libraries, the program, what the
desktop shows. It can be moved anywhere and needs no Python of the system's. The modules `deb`, `selfextract`, `macos`
and `windows` only wrap it.
"""
