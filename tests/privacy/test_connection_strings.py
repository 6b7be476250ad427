"""The address of a data store with a secret in it is one credential, masked whole."""

from __future__ import annotations

import pytest

from desk_assistant.privacy import PrivacyGate


@pytest.mark.parametrize(
    ("text", "value"),
    [
        (
            "point it at postgres://fern:kT7moss@db2.corp.example:5432/plants now",
            "postgres://fern:kT7moss@db2.corp.example:5432/plants",
        ),
        (
            "DATABASE_URL=mysql+pymysql://ana:Gr4vel_9@10.4.2.8:3306/till?charset=utf8",
            "mysql+pymysql://ana:Gr4vel_9@10.4.2.8:3306/till?charset=utf8",
        ),
        ("缓存连的是redis://:shuiguo41@cache.example.cn:6380/1，超时了", "redis://:shuiguo41@cache.example.cn:6380/1"),
    ],
)
def test_it_is_masked_with_user_and_host(gate: PrivacyGate, text: str, value: str) -> None:
    assert [(text[span.start : span.end], span.type) for span in gate.check(text)] == [(value, "API_KEY")]


@pytest.mark.parametrize(
    "text",
    [
        "the form is postgres://USER:PASSWORD@HOST:5432/NAME",
        "格式是 mysql://用户名:密码@主机:3306/库名",
        "connect to redis://localhost:6379/0",
        "export URL=postgres://app:${DB_PASSWORD}@db.example:5432/app",
    ],
)
def test_one_without_a_secret_stays(gate: PrivacyGate, text: str) -> None:
    assert gate.check(text) == ()
