from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import pytest
from jinja2.sandbox import ImmutableSandboxedEnvironment

from desk_assistant.models import InstalledModel, ModelStore
from desk_assistant.paths import Locations

pytestmark = pytest.mark.real

Ask = Callable[[Sequence[str], str], str]

CHINESE = (
    ("我主要用什么编程语言？", "python", "主要用 Python（编程语言）"),
    ("我妹妹叫什么名字？", "小雨", "妹妹叫小雨（家人）"),
    ("我喜欢喝什么？", "乌龙", "喜欢喝乌龙茶（饮料）"),
    ("我的生日是哪天？", "14", "生日是3月14日（生日）"),
    ("我用什么做缓存？", "redis", "用 Redis（缓存）"),
    ("我在哪家公司上班？", "星河", "在星河科技上班（公司）"),
    ("我平时喜欢什么运动？", "羽毛球", "喜欢打羽毛球（爱好）"),
    ("我现在在哪个城市？", "成都", "住在成都（城市）"),
    ("我是做什么的？", "量化", "做量化策略（工作）"),
    ("我开什么车？", "电动", "开一辆电动车（车）"),
)
ENGLISH = (
    ("which database do I use?", "mysql", "uses MySQL 8.0 (database)"),
    ("Where do I live?", "rotterdam", "lives in Rotterdam (city)"),
    ("What am I allergic to?", "peanut", "is allergic to peanuts (allergy)"),
    ("What is my job?", "backend", "is a backend developer (job)"),
    ("When is my birthday?", "14 march", "birthday is 14 March (birthday)"),
    ("Which editor do I use?", "vim", "uses Vim (editor)"),
    ("Which framework do my projects use?", "spring", "uses Spring Boot 3 (framework)"),
    ("Do I prefer tea or coffee?", "tea", "prefers tea (drink)"),
    ("What is my sister's name?", "maren", "sister is called Maren (family)"),
    ("Which football team do I support?", "feyenoord", "supports Feyenoord (football)"),
)


@pytest.fixture(scope="module")
def gemma() -> Iterator[Ask]:
    """Asks the Chinese starter with the template of the catalogue, always taking the likeliest token."""
    from llama_cpp import Llama

    locations = Locations.find()
    model: InstalledModel = ModelStore(locations.model_folders, locations.models).find("gemma3-270m-base")
    assert model.chat_template is not None
    template = ImmutableSandboxedEnvironment(trim_blocks=True, lstrip_blocks=True).from_string(model.chat_template)
    llama: Any = Llama(str(model.path), n_ctx=1024, n_threads=1, swa_full=True, verbose=False)

    def ask(facts: Sequence[str], question: str) -> str:
        system = "\n".join([model.persona or "", *(f"- {fact}" for fact in facts)])
        turns = [{"role": "system", "content": system}, {"role": "user", "content": question}]
        prompt = template.render(messages=turns, add_generation_prompt=True, bos_token="<bos>")
        tokens = llama.tokenize(prompt.encode(), add_bos=False, special=True)
        answer = llama.create_completion(
            prompt=tokens, max_tokens=32, temperature=0.0, repeat_penalty=1.0, stop=list(model.stop)
        )
        return str(answer["choices"][0]["text"])

    yield ask
    llama.close()


@pytest.mark.parametrize("questions", [CHINESE, ENGLISH], ids=["zh", "en"])
def test_eight_of_ten_questions_are_answered_from_the_facts_in_the_prompt(
    gemma: Ask, questions: Sequence[tuple[str, str, str]]
) -> None:
    answers = {}
    for number, (question, expected, fact) in enumerate(questions):
        others = [questions[(number + step) % len(questions)][2] for step in (3, 5, 8)]
        answer = gemma([*others[:2], fact, *others[2:]], question)
        answers[question] = (expected in answer.lower(), answer)
    assert sum(right for right, _ in answers.values()) >= 8, answers


def test_a_greeting_and_a_statement_are_not_answered_with_a_fact(gemma: Ask) -> None:
    facts = ["主要用 Python（编程语言）", "住在成都（城市）"]
    for said in ("你好", "我刚换了新工作，在一家银行做风控"):
        answer = gemma(facts, said)
        assert answer.strip()
        assert "Python" not in answer
        assert "成都" not in answer
