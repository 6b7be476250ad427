"""An offline personal assistant for the desktop with a memory its owner can read, correct and erase."""

__version__ = "0.1.0"
