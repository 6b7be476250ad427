"""Texts made to slow a filter down: one trigger, repeated."""

from __future__ import annotations

from typing import Final

SIZE: Final = 65_536
TRIGGERS: Final = (
    *(
        "password is ",
        "password: (",
        "password for a ",
        "the password a b c d e f g ",
        "my code, ",
        "code is 12",
        "token=",
    ),
    *(
        "sk-",
        "key/",
        "Bearer ",
        "ghp_",
        "ey",
        "eyJ.ey",
        "twitter",
        "co_api_key",
        "q~",
        "s.",
        "a3-",
        "-----BEGIN PRIVATE KEY-----",
    ),
    *("密码是", "密码", "验证码", "加我v", "号码", "账号", "路1号", "小区1栋", "一", "1一", "门禁", "我的"),
    *(
        "1",
        "1 ",
        "1-",
        "1.",
        "1:",
        "a:",
        "::",
        "4",
        "4111 ",
        "0123 456 ",
        "+1 ",
        "010-",
        "(",
        "[",
        "'",
        '"',
        "[EMAIL]",
        "[EMAIL",
    ),
    *(
        "@",
        "a@",
        "@a.",
        "a.a@",
        " at ",
        " dot ",
        "a at b dot ",
        "one ",
        "zero-",
        "root:a@",
        "https://a:",
        "curl -u ",
        "mysql -p",
    ),
    *(
        "5 A ",
        "12 Oak ",
        "12 A Street, ",
        "P.O. Box 1",
        "Calle A",
        "a",
        "A",
        "ab_",
        "A1 ",
        "is my ",
        "482913 is my ",
        "x" * 50,
    ),
    *(
        "passport E12345678 ",
        "护照E12345678",
        "12345678 ",
        "A1234567 passport ",
        "api " + "a1" * 12 + " ",
        "account 1234-5678 ",
    ),
    *(
        "930628-2514076 ",
        "12345678Z ",
        "2345 6789 0124 ",
        "left ",
        "left 11111111 ",
        "pattern left to 5 right ",
        "capital a dash ",
        "password capital a, dash, ",
        "dash ",
    ),
    *(
        "maiden name answer ",
        "security question answer Al ",
        'password "a b c d" ',
        "图案左上右下",
        "密码大写A感叹号",
        "密保答案",
    ),
    *(
        "open A1b2c3 ",
        "door 1234, ",
        "密码A1b2",
        "密码一二三四",
        "one two three four ",
        "Flat 1, A B, ",
        "1 AAAA AAAA, ",
    ),
    *("0x", "bc1", "T1", "\u200b1", "１", "\ue000", "\n", " ", "的", "use 1234 ", "open 1 ", "login a/", "wifi a / "),
)


def texts(size: int = SIZE) -> dict[str, str]:
    """Return trigger -> a text of `size` characters that repeats it, and one of all of them in turn."""
    made = {trigger: (trigger * (size // len(trigger) + 1))[:size] for trigger in TRIGGERS}
    every = "".join(TRIGGERS)
    return made | {"all in turn": (every * (size // len(every) + 1))[:size]}
