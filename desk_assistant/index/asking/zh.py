"""Chinese ways to ask one more thing, and to come to what one wants to ask."""

from __future__ import annotations

from typing import Final

ALSO: Final = (
    r"(?:另外|此外|还有就是)[，,]?"
    r"|(?:再问(?:一下|一个)|还想问(?:一下|问)?|顺便问(?:一下|问)?)[，,：:]?"
)

_KNOW: Final = r"(?:问|知道|了解|搞清楚|弄清楚|搞明白|弄明白|请教|打听)"
_IS: Final = r"就?是(?:这个|这样的?)?[，,：:]*"

ANNOUNCED: Final = (
    rf"想要?{_KNOW}(?:一下)?(?:的问题|的)?(?:{_IS})?[，,：:]*"
    rf"|(?:真正|其实|实际上?|本来)我?想说的{_IS}"
    rf"|(?:真正|其实|实际上?)的?[^，,。？！?!]{{0,4}}?问题{_IS}"
    r"|(?:言归正传|回到正题|说正事)[，,：:]*"
)

GOES_ON: Final = "的，,、"
"""No sentence begins with these: what stands before is a quotation within one."""
