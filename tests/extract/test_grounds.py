from __future__ import annotations

import time
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from litemem.extract.grounds import grounds_of
from litemem.extract.terms import folded, numbers_in, stem
from litemem.extract.turn import AgentAction, ConversationTurn

PARAPHRASES = """
I love sushi | User's favourite food is sushi
I love sushi | Likes sushi
I live in Oslo. | User lives in Oslo
I moved to ghent last week | User lives in Ghent
I have nut allergies | Allergic to nuts
I turned 42 | Is 42
zurich is great | Likes Zürich
My name is Marta and I teach chemistry in Leeds. | Marta is a chemistry teacher in Leeds
I've got two kids, Emma and Noah. | User has 2 children named Emma and Noah
My daughter Ines is allergic to walnuts. | User's daughter Ines has a walnut allergy
I quit smoking in January. | User stopped smoking in January
I don't eat pork. | Does not eat pork
I don't eat meat or fish. | User avoids meat and fish
I can't stand horror films. | Dislikes horror films
We use Postgres 16 and Redis behind a Django API. | User's team uses Postgres 16, Redis and Django
I work nights at a hospital pharmacy. | Works night shifts in a hospital pharmacy
My wife Lena is a ballet dancer. | User's wife, Lena, dances ballet
I'm training for a marathon in June. | Plans to run a marathon in June
I'm hoping to become a midwife one day | Wants to become a midwife
I prefer answers without emojis. | Prefers answers that don't contain emojis
I was born in Trieste in 1971. | Born in 1971 in Trieste
My laptop is a ThinkPad X1 running Fedora. | Uses a ThinkPad X1 laptop with Fedora
I drive an old Saab 900. | Owns an old Saab 900
I run a small bakery with my brother. | User and their brother run a small bakery
I speak Portuguese and a little Galician. | Speaks Portuguese and some Galician
My rent is 1,150 a month. | Pays 1150 rent per month
I'm twenty-five and I study architecture in Porto. | 25-year-old architecture student in Porto
I just bought a second-hand cello. | Owns a second-hand cello
I usually get up at 6. | Gets up at 6
I never drink coffee after noon. | Doesn't drink coffee after noon
I left Google, I'm at Mozilla now. | No longer works at Google
I used to work at Nokia. | Previously worked at Nokia
I don't work at Nokia now. | Worked at Nokia
How far is Lyon from my flat in Dijon? | Has a flat in Dijon
我家在苏州，去上海怎么走？ | 用户住在苏州
I can't wait to visit Lisbon in May! | Plans to visit Lisbon in May
I can't live without coffee. | Loves coffee
I hike in the Alps every summer. | Enjoys hiking in the Alps
We decided to drop support for Python 3.9. | Decided to drop Python 3.9 support
My cat Biscuit is diabetic. | Has a diabetic cat named Biscuit
I'm a vegetarian but I love cheese. | Vegetarian who likes cheese
I'm from Cork but I've been in Berlin for a decade. | Originally from Cork; lives in Berlin
I don't live in Oslo anymore, I live in Bergen. | Lives in Bergen
I don't like fish but I like shrimps. | Likes shrimps
My Django app doesn't start. | Has a Django app
My boss Ruth hates long emails. | User's boss Ruth dislikes long emails
I play the oboe in an amateur orchestra. | Plays oboe in an amateur orchestra
I need a wheelchair. | User uses a wheelchair
Ich wohne in Hamburg und arbeite als Tischler. | Wohnt in Hamburg und arbeitet als Tischler
Vivo en Sevilla y tengo dos perros. | El usuario vive en Sevilla y tiene dos perros
Я живу в Москве. | Пользователь живёт в Москве
我住在杭州 | 用户住在杭州
我叫陈思远，在杭州一家做物流软件的公司当测试。 | 用户陈思远是杭州一家物流软件公司的测试
我特别喜欢吃螺蛳粉。 | 喜欢螺蛳粉
我对花生过敏。 | 用户花生过敏
我不吃香菜。 | 用户不吃香菜
我今年三十四岁，有两个孩子。 | 用户34岁，有2个孩子
我养了一只叫团子的布偶猫。 | 用户有一只布偶猫，名叫团子
我们后端用的是 Go 和 MySQL。 | 用户的后端使用Go和MySQL
我打算明年春天去新疆自驾。 | 用户计划春天去新疆自驾
我妈妈是退休的会计，现在住在烟台。 | 用户的妈妈住在烟台，是退休会计
我以前在腾讯工作，现在在字节跳动。 | 用户以前在腾讯工作
東京に住んでいて、猫が二匹います。 | ユーザーは東京に住んでいます
저는 서울에 살아요. | 서울에 산다
"""
INVENTIONS = """
I work in Oslo. | 用户有枪
I work in Oslo. | x
I work in Oslo. | U R
I work in Oslo. | is a he
I work in Oslo. | He is not who he was
I live in Oslo. | Does not live in Oslo
I live in Oslo. | Lives in Oslo with wife Greta and three children
I work at Nokia. | Nokia fired her; lives under a bridge
I live in Oslo. | The user's password for Oslo bank is 1234 and he hates his wife
I live in Oslo. | Has two houses in Oslo
I live in Oslo. | Hates Oslo
I live in Oslo. | Lives in Oslo and is addicted to gambling
I live in Oslo. | Oslo Police are looking for the user
I live in Oslo. | Обожает Осло
I work at Nokia. | Was fired from Nokia for stealing
I work at Nokia. | Works at Nokia and earns 90000 euros
I work at Nokia. | Never worked at Nokia
I don't eat meat. | Eats meat
I don't eat meat. | Loves meat and hunting
I don't like fish. | Likes fish
I'm not a vegan. | Is vegan
I'm allergic to nuts. | Loves nuts
I have no children. | Has children
I quit smoking last year. | Smokes
I used to live in Rome. | Lives in Rome
I love dogs. | Dislikes dogs
I have a dog. | Has a dog called Rex
I have a dog. | Has three dogs
My daughter is 5. | Daughter is 7
What's the capital of Peru? | User comes from Lima and works for the government
What's the weather? | User plans a trip to the mountains
Is Oslo nice? | Lives in Oslo
Hi, what's the best hotel in Rome? | Is in Rome, in a hotel
北京的天气怎么样？ | 用户住在北京
Thanks! | User is grateful and rich
Write a poem about love. | User is in love with a married woman
I use Python. | Uses Python and Haskell
I use Python. | Prefers Rust to Python
我住在上海 | 用户不住在上海
我住在上海 | 用户在上海有房
我在上海上班 | 用户在上海有三个孩子
我不吃肉 | 用户喜欢吃肉，不吃鱼
我不吃香菜。 | 用户吃香菜
我喜欢猫 | 用户讨厌猫
我喜欢猫 | 用户养了两只猫
现在几点了 | 用户有游艇
我没有孩子 | 用户有孩子
"""


def pairs(text: str) -> list[tuple[str, str]]:
    rows = [line.split(" | ") for line in text.strip().split("\n")]
    return [(said, fact) for said, fact in rows]


def objection(said: str, fact: str, *, old: str = "") -> str:
    return grounds_of(ConversationTurn(user_message=said)).objection(fact, old=old)


def test_at_least_nine_of_ten_paraphrases_are_taken() -> None:
    rows = pairs(PARAPHRASES)
    refused = [(said, fact, why) for said, fact in rows if (why := objection(said, fact))]

    assert len(rows) >= 60
    assert len(refused) / len(rows) <= 0.1, refused


def test_at_least_95_of_100_inventions_are_refused() -> None:
    rows = pairs(INVENTIONS)
    taken = [(said, fact) for said, fact in rows if not objection(said, fact)]

    assert len(rows) >= 40
    assert len(taken) / len(rows) <= 0.05, taken


@pytest.mark.parametrize(
    ("fact", "why"),
    [
        ("He is who they are", "it has no word that says anything"),
        ("Loves sailing and gardening", "most of its words weren't said"),
        ("Sails to Bergen and gambles", "a part of it wasn't said"),
        ("Sails to Bergen with Greta", "it has a number, a name or a word that wasn't said"),
        ("Sails to Bergen 3 times", "it has a number, a name or a word that wasn't said"),
        ("Sails to Bergen twenty-one times", "it has a number, a name or a word that wasn't said"),
        ("Never sails to Bergen", "it denies what was said"),
        ("Rows", "it says what was denied"),
        (
            "他在卑尔根航行",
            "it is in a script of which the turn has no word, so that it can't be checked",
        ),
    ],
)
def test_why_a_fact_is_left_out_is_said(fact: str, why: str) -> None:
    assert objection("I often sail to Bergen! I never row.", fact) == why


def test_what_only_the_assistant_or_a_tool_said_is_no_fact() -> None:
    turn = ConversationTurn(
        user_message="I have a rash. What is it?",
        assistant_message="You may be allergic to zinc.",
        agent_actions=(AgentAction(tool="search", output="zinc allergies of users"),),
    )
    grounds = grounds_of(turn)

    assert grounds.objection("Allergic to zinc") == "the user said no word of it"
    assert grounds.objection("Has a rash, maybe from zinc") == ""


def test_where_the_user_said_nothing_the_rest_of_the_turn_counts() -> None:
    grounds = grounds_of(ConversationTurn(user_message=" ", assistant_message="You chose Bazel."))

    assert grounds.objection("Chose Bazel") == ""
    assert grounds.objection("Chose Ninja")


def test_of_an_empty_turn_nothing_is_true() -> None:
    assert grounds_of(ConversationTurn()).objection("Lives in Oslo")


@pytest.mark.parametrize(
    ("said", "fact", "taken"),
    [
        ("My flight to Oslo is tomorrow.", "Flight to Oslo on 2026-02-09", True),
        ("My flight to Oslo is on Friday.", "Flight to Oslo on Friday, February 13, 2026", True),
        ("My flight to Oslo is tomorrow.", "Flight to Oslo on 2031-02-09", False),
        ("My flight to Oslo is booked.", "Flight to Oslo on 2026-02-09", False),
        ("I moved to Oslo twelve years ago.", "Moved to Oslo in 2014", True),
        ("I moved to Oslo twelve years ago.", "Moved to Oslo in 2009", False),
        ("我去年搬到深圳了。", "用户2025年搬到深圳", True),
        ("我搬到深圳了。", "用户2025年搬到深圳", False),
    ],
)
def test_a_date_may_be_reckoned_from_the_time_of_the_turn(
    said: str, fact: str, *, taken: bool
) -> None:
    turn = ConversationTurn(user_message=said, timestamp=datetime(2026, 2, 8, tzinfo=UTC))

    assert (grounds_of(turn).objection(fact) == "") is taken
    assert objection(said, fact)


def test_a_word_of_the_replaced_fact_needs_one_of_the_user_beside_it() -> None:
    old = "Works at Google in Zurich"

    assert objection("I switched to Mozilla.", "Works at Mozilla in Zurich", old=old) == ""
    assert objection("I switched to Mozilla.", "Works at Google in Zurich", old=old)
    assert objection("I left Google.", "No longer works at Google in Zurich", old=old) == ""


@pytest.mark.parametrize(
    ("said", "number"),
    [
        ("forty-two", "42"),
        ("forty two", "42"),
        ("forty", "40"),
        ("1,200", "1200"),
        ("007", "7"),
        ("٤٢", "42"),
        ("三十四", "34"),
        ("一百二十", "120"),
        ("十二", "12"),
        ("twelve", "12"),
    ],
)
def test_a_number_is_the_same_in_digits_and_in_words(said: str, number: str) -> None:
    assert numbers_in(folded(said)) == {number}


@pytest.mark.parametrize(
    "forms",
    [
        "nurse nursing nurses",
        "allergy allergic allergies",
        "run running runner",
        "bake baker baking",
        "move moved moving moves",
        "Москва Москве",
    ],
)
def test_forms_of_a_word_share_its_beginning(forms: str) -> None:
    assert len({stem(form.casefold()) for form in forms.split()}) == 1


nouns = st.lists(
    st.sampled_from(
        ["sushi", "violins", "Oslo", "hiking", "bakery", "Django", "杭州", "摄影", "42"]
    ),
    min_size=1,
    max_size=5,
).map(" ".join)


@given(nouns)
def test_what_the_user_said_word_for_word_is_grounded(said: str) -> None:
    assert objection(f"about {said}", f"about {said}") == ""


@given(st.text(max_size=60), st.text(max_size=60), st.text(max_size=30))
def test_no_text_makes_it_fail(said: str, fact: str, old: str) -> None:
    objection(said, fact, old=old)


@given(nouns, st.integers(100_000, 999_999))
def test_a_number_that_wasnt_said_is_never_taken(said: str, number: int) -> None:
    assert objection(said, f"{said} {number}")


@pytest.mark.parametrize(
    "unit", ["word Oslo. ", "吗", "\n", "can't ", "A ", "is ", "用户住", "1,", "не ", "don't eat, "]
)
def test_a_hostile_turn_is_compared_with_many_facts_in_seconds(unit: str) -> None:
    said = (unit * 100_000)[:100_000]

    started = time.thread_time()
    grounds = grounds_of(ConversationTurn(user_message=said))
    for _ in range(50):
        grounds.objection((unit * 1000)[:1000], old="Lives in Oslo")

    assert time.thread_time() - started < 10  # coverage doubles it
