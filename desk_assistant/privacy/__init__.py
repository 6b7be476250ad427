"""The privacy filter: finds secrets and personal numbers in English and Chinese text and masks them before any write.

Everything that is stored, logged or exported passes a `PrivacyGate` first. It is pure Python, opens no socket, keeps
no state, and takes about a millisecond for a chat message.

Example:
    >>> PrivacyGate().mask("my pin is 4829").text
    'my pin is [PASSWORD]'
"""

from __future__ import annotations

from desk_assistant.privacy.gate import PrivacyGate, SessionGate
from desk_assistant.privacy.spans import KINDS, Masked, Span

__all__ = ["KINDS", "Masked", "PrivacyGate", "SessionGate", "Span"]
