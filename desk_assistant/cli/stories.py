"""The two-session stories that `demo` plays, as data: what is said, what is asked later, and what must come of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True)
class Question:
    """A question of the second session.

    Attributes:
        text: What is asked.
        recalled: Words that must be in what is recalled or in the profile lines of the prompt.
        answered: Words that the answer must contain; empty where a starter model cannot be held to any.
    """

    text: str
    recalled: str
    answered: str = ""


@dataclass(frozen=True)
class Story:
    """One story.

    Attributes:
        language: Language it is in.
        told: What is said in the first session.
        questions: What is asked in the second, after a restart.
        forget: Facts with this word are forgotten; it is then looked for everywhere.
        asked_again: The question that must not bring it back.
    """

    language: str
    told: str
    questions: tuple[Question, ...]
    forget: str
    asked_again: str


STORIES: Final = (
    Story(
        language="en",
        told="I am a Java backend developer; my projects use Spring Boot 3 and MySQL 8.0.",
        questions=(Question("Which database do I use?", recalled="MySQL", answered="MySQL"),),
        forget="MySQL",
        asked_again="Which database do I use?",
    ),
    Story(
        language="zh",
        told="我是做量化策略的，主要用 Python，最近在选向量数据库。",
        questions=(
            Question("上次说的向量数据库选到哪了？", recalled="向量数据库"),
            Question("我主要用什么编程语言？", recalled="Python", answered="Python"),
        ),
        forget="Python",
        asked_again="我主要用什么编程语言？",
    ),
)
