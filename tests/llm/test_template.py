from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desk_assistant.errors import ModelError
from desk_assistant.llm.template import ChatTemplate, Segment
from desk_assistant.llm.types import ChatMessage

CHATML = (
    "{% for m in messages %}{{ '<|im_start|>' + m.role + '\\n' + m.content + '<|im_end|>\\n' }}{% endfor %}"
    "{% if add_generation_prompt %}{{ '<|im_start|>assistant\\n' }}{% endif %}"
)
NO_SYSTEM = (
    "{{ bos_token }}{% for m in messages %}"
    "{% if m.role == 'system' %}{{ raise_exception('no system here') }}{% endif %}"
    "{% if (m.role == 'user') != (loop.index0 % 2 == 0) %}{{ raise_exception('take turns') }}{% endif %}"
    "[{{ m.role }}]{{ m.content | trim }}{% endfor %}{% if add_generation_prompt %}[assistant]{% endif %}"
)
SYSTEM, USER, ANSWER = ChatMessage("system", "S"), ChatMessage("user", "U"), ChatMessage("assistant", "A")


def text(segments: list[Segment]) -> str:
    return "".join(segment.text for segment in segments)


def test_contents_are_set_apart_from_the_text_of_the_template() -> None:
    segments = ChatTemplate(CHATML).render([SYSTEM, USER])
    assert [s.text for s in segments if s.content] == ["S", "U"]
    assert text(segments) == "<|im_start|>system\nS<|im_end|>\n<|im_start|>user\nU<|im_end|>\n<|im_start|>assistant\n"


def test_only_answers_may_have_remembered_tokens() -> None:
    segments = ChatTemplate(CHATML).render([USER, ANSWER, USER])
    assert [s.text for s in segments if s.sampled] == ["A"]


@given(st.text(alphabet=st.characters(exclude_categories=()), min_size=1))
def test_no_content_can_pass_for_template_text(content: str) -> None:
    segments = ChatTemplate(CHATML).render([ChatMessage("user", content)])
    assert [s.text for s in segments] == ["<|im_start|>user\n", content, "<|im_end|>\n<|im_start|>assistant\n"]


def test_content_is_never_read_as_a_template() -> None:
    content = "{{ 7 * 6 }}{% raw %}\ue0f01\ue0f1"
    assert content in text(ChatTemplate(CHATML).render([ChatMessage("user", content)]))


def test_a_last_answer_is_gone_on_with() -> None:
    template = ChatTemplate(CHATML)
    assert text(template.render([USER, ANSWER])) == text(template.render([USER])) + "A"


def test_a_beginning_ends_before_the_assistant_speaks() -> None:
    template = ChatTemplate(CHATML)
    assert text(template.render([SYSTEM, USER])).startswith(text(template.render([SYSTEM, USER], answer=False)))
    assert not text(template.render([USER], answer=False)).endswith("assistant\n")


def test_without_a_place_for_system_words_they_go_before_the_users() -> None:
    template = ChatTemplate(NO_SYSTEM, bos="<s>")
    assert not template.takes_system
    assert text(template.render([SYSTEM, USER])) == "<s>[user]S\n\nU[assistant]"


def test_where_turns_must_alternate_neighbours_are_joined() -> None:
    template = ChatTemplate(NO_SYSTEM)
    assert text(template.render([USER, USER, ANSWER, USER])) == "[user]U\n\nU[assistant]A[user]U[assistant]"
    assert text(template.render([ANSWER, USER])) == "[user]…[assistant]A[user]U[assistant]"


def test_a_template_that_drops_the_system_message_is_noticed() -> None:
    dropping = "{% for m in messages %}{% if m.role != 'system' %}[{{ m.role }}]{{ m.content }}{% endif %}{% endfor %}"
    assert text(ChatTemplate(dropping).render([SYSTEM, USER])) == "[user]S\n\nU"


def test_thinking_is_the_templates_switch() -> None:
    source = CHATML + "{% if not enable_thinking %}{{ '<think></think>' }}{% endif %}"
    assert text(ChatTemplate(source).render([USER])).endswith("<think></think>")
    assert text(ChatTemplate(source, thinking=True).render([USER])).endswith("assistant\n")


@pytest.mark.parametrize(
    "source",
    [
        "{% for m in messages %}",
        "{{ nothing.at.all }}",
        "{{ raise_exception('never') }}",
        "{{ 1 / 0 }}",
        "{{ messages.__class__.__mro__[1].__subclasses__() }}",
        "{% for i in range(100000000) %}{% endfor %}",
        "{% macro f() %}{{ f() }}{% endmacro %}{{ f() }}",
    ],
    ids=["unfinished", "undefined", "refuses", "arithmetic", "escape", "endless", "recursion"],
)
def test_a_template_that_cannot_work_is_refused_when_it_is_compiled(source: str) -> None:
    with pytest.raises(ModelError) as caught:
        ChatTemplate(source)
    assert caught.value.key == "llm.bad_template"


def test_helpers_that_templates_expect_are_there() -> None:
    source = (
        "{{ strftime_now('%Y') }}{{ {'a': '甲'} | tojson }}"
        "{% for m in messages %}{{ m.content }}{% break %}{% endfor %}"
    )
    assert '{"a": "甲"}' in text(ChatTemplate(source).render([USER]))
