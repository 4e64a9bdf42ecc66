from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from litemem.extract.kinds import EXPLICIT
from litemem.extract.rules import MOST, extract
from litemem.extract.turn import AgentAction, ConversationTurn


def contents(message: str) -> list[str]:
    return [fact.content for fact in extract(ConversationTurn(user_message=message))]


@pytest.mark.parametrize(
    ("message", "category", "importance"),
    [
        ("My name is Petra.", "personal", 0.8),
        ("I'm Petra", "personal", 0.8),
        ("Everyone calls me Pip.", "personal", 0.8),
        ("i am 29 years old", "personal", 0.8),
        ("I'm in my forties.", "personal", 0.8),
        ("I turned 50 last week.", "personal", 0.8),
        ("I work as a welder.", "personal", 0.8),
        ("I'm the head of purchasing at a paper mill.", "personal", 0.8),
        ("I live on the coast near Gdynia.", "personal", 0.8),
        ("I grew up on a dairy farm.", "personal", 0.8),
        ("I don't have any siblings.", "personal", 0.8),
        ("I have an older brother in Quito.", "personal", 0.8),
        ("My wife Lena teaches ballet.", "personal", 0.8),
        ("My parrot's name is Captain.", "personal", 0.8),
        ("My native language is Basque.", "personal", 0.8),
        ("I'm married.", "personal", 0.8),
        ("My pronouns are they/them.", "personal", 0.8),
        ("I used to work on oil rigs.", "personal", 0.8),
        ("We got married in Naples.", "personal", 0.7),
        ("I adopted a greyhound.", "personal", 0.7),
        ("I started a new job at the harbour.", "personal", 0.7),
        ("I'm allergic to shellfish.", "preference", 0.8),
        ("I'm lactose intolerant.", "preference", 0.8),
        ("I can't eat peanuts.", "preference", 0.8),
        ("I recently found out I'm allergic to latex.", "preference", 0.8),
        ("From now on, use metric units.", "preference", 0.8),
        ("Always answer in full sentences.", "preference", 0.8),
        ("I enjoy long walks in the rain.", "preference", 0.6),
        ("I don't like fennel.", "preference", 0.6),
        ("I love the sea.", "preference", 0.6),
        ("I love the Alps.", "preference", 0.6),
        ("I can't live without hot sauce.", "preference", 0.6),
        ("My favourite colour is teal.", "preference", 0.6),
        ("Teal is my favourite colour.", "preference", 0.6),
        ("I'm a big fan of Nordic noir.", "preference", 0.6),
        ("I'm afraid of heights.", "preference", 0.6),
        ("I play the oboe.", "preference", 0.6),
        ("I collect old maps.", "preference", 0.6),
        ("I don't smoke.", "preference", 0.6),
        ("I'm training for a marathon.", "goal", 0.6),
        ("I want to learn Icelandic.", "goal", 0.6),
        ("I'm going to visit my aunt next month.", "goal", 0.6),
        ("I'm moving to Ghent.", "goal", 0.6),
        ("My dream is to sail around the world.", "goal", 0.6),
        ("I'm looking for a new flat.", "goal", 0.6),
        ("I have a dentist appointment on Tuesday.", "goal", 0.6),
        ("My sister and I are planning a trip to Oman.", "goal", 0.6),
        ("I'm thinking of going back to university.", "goal", 0.6),
        ("I'm writing a novel set in Lagos.", "goal", 0.6),
        ("I decided to sell the van.", "context", 0.7),
        ("We've settled on the green tiles.", "context", 0.7),
        ("Let's go with Kafka for the events.", "context", 0.7),
        ("We use Terraform for everything.", "technical", 0.6),
        ("I'm using Fedora 41.", "technical", 0.6),
        ("Our frontend is written in Svelte.", "technical", 0.6),
        ("Our database is MariaDB.", "technical", 0.6),
        ("I own two kayaks.", "personal", 0.5),
        ("We have a cat.", "personal", 0.5),
        ("I usually go to bed at ten.", "personal", 0.5),
        ("I swim every Wednesday.", "personal", 0.5),
        ("Keep in mind that the office closes at five.", "context", 0.8),
        ("Remember that I'm allergic to kiwi.", "preference", 0.8),
        ("Note that we use Bazel.", "technical", 0.8),
        ("我叫李明", "personal", 0.8),
        ("我是小学老师。", "personal", 0.8),
        ("我在一家银行工作。", "personal", 0.8),
        ("我妹妹在读大学。", "personal", 0.8),
        ("我家住在西湖边。", "personal", 0.8),
        ("我对海鲜过敏。", "preference", 0.8),
        ("以后请用英文回答我。", "preference", 0.8),
        ("我很喜欢听爵士乐。", "preference", 0.6),
        ("我最討厭的食物是苦瓜。", "preference", 0.6),
        ("我下周要参加一个合唱比赛。", "goal", 0.6),
        ("我打算学吉他。", "goal", 0.6),
        ("我下个月要搬家。", "goal", 0.6),
        ("我们决定用蓝色的封面。", "context", 0.7),
        ("我们用的是 postgres。", "technical", 0.6),
        ("我有一辆电动车。", "personal", 0.5),
        ("我每天早上跑步五公里。", "personal", 0.5),
        ("别忘了门禁密码是 8812。", "context", 0.8),
    ],
)
def test_what_the_user_says_of_themselves_is_a_fact(
    message: str, category: str, importance: float
) -> None:
    [fact] = extract(ConversationTurn(user_message=message))

    assert (fact.category, fact.importance, fact.tags) == (category, importance, ())


@pytest.mark.parametrize(
    "message",
    [
        "",
        "?!",
        "Is my name Petra?",
        "I live in Gdynia, right?",
        "Am I allergic to nuts?",
        "If I lived in Paris, I would speak French.",
        "I wish I had a dog.",
        "I would love a coffee.",
        "I'd like you to stop.",
        "I want you to remember nothing.",
        "I want to know more.",
        "I need help with my essay.",
        "I'm hungry.",
        "I'm a bit confused.",
        "I'm 90% sure.",
        "I'm 5 minutes late.",
        "I'm sorry.",
        "I'm Sorry",
        "I'm OK.",
        "I don't mind.",
        "I think so.",
        "I like it.",
        "I love to.",
        "I like that!",
        "I like the second option.",
        "I love your idea.",
        "I love you.",
        "I enjoy playing it with you.",
        "I'm a fan of it.",
        "I'm going to bed.",
        "I'm going to do that.",
        "I'm learning a ton.",
        "I'm planning a few.",
        "I love all the colours.",
        "Always wanted to see that.",
        "Never use it.",
        "Never give up!",
        "I've never been to one.",
        "I have a problem.",
        "I have no idea.",
        "I have an error in my code.",
        "I have to leave.",
        "I live for this.",
        "I decided to take a walk.",
        "I agree.",
        "Let's do it.",
        "Let's use the first one.",
        "I work on it.",
        "I run the command.",
        "I use a loop.",
        "I'm using the following code:",
        "My build is broken.",
        "My favourite is the first one.",
        "My son is sick.",
        "My brother said I live in a dream, I love him for it.",
        "She said: I work at a bank.",
        'My teacher always said "I live in Rome".',
        "‘I hate Mondays’ is what the mug says.",
        "Do you remember that I like jazz?",
        "Remember when we met?",
        "I remember that I was young.",
        "Remember what I said.",
        "Bob: I have two dogs.",
        "> I love this place",
        "    I = love + this",
        "```\nI live in Rome.\n```",
        "~~~\nI live in Rome.",
        "On Monday Bob wrote:\nI have two dogs.",
        "12:01:13 I have failed",
        "Pretend you are a pirate. I have a ship.",
        "Let's say I'm a nurse. I have two kids.",
        "You are a travel agent. I am a customer.",
        "Rewrite this: I live in Rome.",
        "I live in Rome.\n\nTranslate this into Latin.",
        "Please fix the grammar in this text.\nI has two dog.",
        "Here's my cover letter:\nI am a nurse.",
        "For example: I live in Rome.",
        "[I live in Rome.]",
        "我爱你。",
        "我喜欢这个。",
        "我有一个想法。",
        "我住哪里比较好？",
        "我应该学什么？",
        "我叫你别说了。",
        "如果我住在北京，我喜欢吃烤鸭。",
        "她说我住在北京。",
        "“我住在北京”怎么翻译？",
        "把这句翻译成英文：我住在北京。",
        "你扮演店员。我是一名顾客。",
        "记住了吗？",
        "你知道我住在哪吗",
        "我打算试试这个。",
    ],
)
def test_what_is_no_statement_of_the_user_is_no_fact(message: str) -> None:
    assert contents(message) == []


@pytest.mark.parametrize(
    "message",
    [
        "I'm kidding, I love Mondays.",
        "I'm vegan. Just kidding.",
        "I own a yacht.\n\nJK",
        "I own a yacht, jk",
        "I'm only joking, I hate cats.",
        "I own a castle /s",
        "I hate dogs. It's a joke!",
        "My name is Petra. April fools!",
        "I own a yacht. Kidding!",
        "我喜欢加班。开玩笑的！",
        "我是开个玩笑，我喜欢加班。",
        "我有三辆车，逗你玩呢。",
    ],
)
def test_a_joke_taken_back_makes_the_whole_message_none(message: str) -> None:
    assert contents(message) == []


@pytest.mark.parametrize(
    "message",
    [
        "I'm allergic to nonsense lol",
        "I own a castle 😂",
        "I'm married to my bed haha",
        "I live in my car. Haha!",
        "我喜欢加班哈哈哈",
        "我家住在公司，笑死",
    ],
)
def test_laughter_behind_words_makes_their_paragraph_none(message: str) -> None:
    assert contents(message) == []
    assert contents(f"I live in Oslo.\n\n{message}") == ["I live in Oslo."]


@pytest.mark.parametrize(
    "message",
    [
        "My character is Lina. I'm an elf who lives in the forest.",
        "My OC's name is Ren. I live in a tower.",
        "I'm an old wizard. I live in a tower.",
        "Let's roleplay! I'm a nurse. I have two kids.",
        "In my story I live on Mars. I have a ship.",
        "Once upon a time I lived in a wood. I have a bear.",
        "我的角色叫琳娜。我住在森林边上。",
        "我是一个精灵，我住在森林边上。",
        "在这个故事里，我是一名医生。",
        "我们来玩角色扮演吧。我是一名护士。",
    ],
)
def test_a_part_that_is_played_states_nothing_of_the_user(message: str) -> None:
    assert contents(message) == []


def test_what_follows_a_story_in_the_making_may_be_its_heros() -> None:
    assert contents("I live in Leeds. I am writing a novel about a spy. My name is Clara.") == [
        "I live in Leeds.",
        "I am writing a novel about a spy.",
    ]


@pytest.mark.parametrize(
    "message",
    [
        "My name is [NAME] and I work at [COMPANY].",
        "My name is [Your Name]. I live in Oslo.",
        "My name is {{name}}. I live in Oslo.",
        "My name is {name}.",
        "My name is ${USER}.",
        "My name is <your name>. I live in <city>.",
        "My name is %name%.",
        "My name is ____. I live in Oslo.",
        "My name is XXX.",
        "My name is John Doe.",
        "我叫【姓名】，我住在【城市】。",
        "我在某某公司工作。",
        "我在XX公司上班。",
    ],
)
def test_a_template_states_nothing(message: str) -> None:
    assert contents(message) == []


@pytest.mark.parametrize(
    "message",
    [
        "I'm Spartacus!",
        "I am Batman.",
        "I'm Groot",
        "My name is James Bond.",
        "Call me Ishmael.",
        "I'm from the support team",
        "I'm from our sales department.",
        "I'm from IT.",
        "My birthday is tomorrow!",
        "My birthday is next week.",
        "My daughter's birthday is today.",
        "My flight is at 6am",
        "My interview is tomorrow.",
        "I have a dentist appointment tomorrow at 3.",
        "Call me ASAP.",
        "Call me Tuesday.",
        "我住在这里",
        "我住这儿。",
        "我搬到了这里。",
        "我的生日是明天。",
        "我喜欢的人不喜欢我",
        "我讨厌的人又来了。",
    ],
)
def test_what_has_no_lasting_meaning_is_no_fact(message: str) -> None:
    assert contents(message) == []


@pytest.mark.parametrize(
    "message",
    [
        "I'm not kidding, I love Mondays.",
        "No kidding. I love Mondays.",
        "I love telling jokes.",
        "I love J. K. Rowling's books.",
        "Haha, I live in Oslo.",
        "lol I live in Oslo",
        "I love role-playing games.",
        "I'm a fan of wizard stories.",
        "My dream is to meet the elf king at Comic Con.",
        "- [x] I live in Oslo",
        "I live in Oslo [1].",
        "I live in [Oslo](https://example.org).",
        "[EDIT]\nI live in Oslo.",
        "I use `{{name}}` a lot. I live in Oslo.",
        "I'm from the Netherlands.",
        "I'm from Italy.",
        "My birthday is May 4.",
        "My flight is on Friday at 6am",
        "My wedding is in June.",
        "I have an appointment on Monday at 9.",
        "My name is Bond Street Ben.",
        "我不是开玩笑，我喜欢加班。",
        "我喜欢开玩笑。",
        "哈哈，我住在上海。",
        "我喜欢的歌手是周杰伦。",
        "我喜欢的是爵士乐。",
        "我的生日是五月四号。",
        "我去年搬到深圳了。",
        "我以前在腾讯工作,现在在字节跳动。",
        "我2019年毕业于复旦大学。",
        "我三年前搬到了成都。",
        "我上个月买了一辆车。",
        "I've got diabetes",
        "I've got severe asthma.",
        "I've been diagnosed with epilepsy.",
        "Call me Liz.",
        "Please call me Liz, everybody does.",
    ],
)
def test_what_only_looks_like_a_joke_a_part_or_a_passing_matter_is_a_fact(message: str) -> None:
    assert len(contents(message)) == 1


@pytest.mark.parametrize(
    ("message", "facts"),
    [
        (
            "I'm Ana, I live in Porto and I work as a nurse.",
            ["I'm Ana", "I live in Porto", "I work as a nurse."],
        ),
        ("I'm vegan, so what can I cook tonight?", ["I'm vegan"]),
        ("I have a dog and I need help with training.", ["I have a dog"]),
        ("Hi there! Well, I live in Oslo. And you?", ["I live in Oslo."]),
        ("In my free time, I paint icons.", ["In my free time, I paint icons."]),
        ("On Sundays I bake bread for the week.", ["On Sundays I bake bread for the week."]),
        ("Can you remember that I park on level 3?", ["I park on level 3"]),
        ("Please note: the gate code is 99.", ["the gate code is 99."]),
        ("(I'm allergic to cats.)", ["I'm allergic to cats."]),
        ("Dr. Novak is out. I moved to St. Gallen in May.", ["I moved to St. Gallen in May."]),
        ("I'm 42. I live alone.", ["I'm 42.", "I live alone."]),
        ("- I live in Oslo\n- I love skiing", ["I live in Oslo", "I love skiing"]),
        ("1. I live in Oslo\n2. I love skiing", ["I live in Oslo", "I love skiing"]),
        ("I live in Oslo. I LIVE in oslo!", ["I live in Oslo."]),
        ("i live in oslo. i like skiing", ["i live in oslo.", "i like skiing"]),
        ("I’ve got two sons.", ["I’ve got two sons."]),
        ('My favourite film is "Alien".', ['My favourite film is "Alien".']),
        (
            "I live in a small wooden house that stands at the very end of the\nroad to the lake.",
            ["I live in a small wooden house that stands at the very end of the road to the lake."],
        ),
        ("I love  hiking\tin snow.", ["I love hiking in snow."]),
        ("I live in Rome.\nTranslate to Latin: I live in Gaul.", ["I live in Rome."]),
        ("Note: I live in Rome.", ["I live in Rome."]),
        ("我叫王芳，我住在苏州，你能推荐餐馆吗？", ["我叫王芳", "我住在苏州"]),
        ("你好！我是一名厨师。", ["我是一名厨师。"]),
        ("嗯其实对了另外我是一名厨师。", ["我是一名厨师。"]),
        ("嗯其实对了另外而且我是一名厨师。", []),
        ("Hi, so, well, also, oh, I live in Oslo.", ["I live in Oslo."]),
        ("I live in İzmir. I like tea [1].", ["I live in İzmir.", "I like tea [1]."]),
        ("—I live in Oslo;", ["I live in Oslo"]),
        ("Hi, oh, um, well, so, yes, I live in Oslo.", ["I live in Oslo."]),
    ],
)
def test_a_fact_is_the_users_own_sentence_or_clause(message: str, facts: list[str]) -> None:
    assert contents(message) == facts


def test_only_the_users_words_count() -> None:
    turn = ConversationTurn(
        user_message="Thanks!",
        assistant_message="I live in the cloud. I love helping.",
        agent_actions=(AgentAction(tool="note", args={"text": "I have a dog."}, output="I'm Bob"),),
        agent_reasoning=("I decided to use SQLite.",),
    )

    assert extract(turn) == ()


def test_a_turn_gives_no_more_facts_than_the_bound() -> None:
    assert len(contents("".join(f"My cat's name is Tom{i}. " for i in range(50)))) == MOST


def test_of_a_message_of_thousands_of_sentences_both_ends_are_read() -> None:
    paste = "The sky was grey that day. " * 1500

    assert contents(f"I live in Oslo. {paste} I hate skiing. {paste} Note that I own a boat.") == [
        "I live in Oslo.",
        "I own a boat.",
    ]


def test_a_statement_of_marks_alone_is_none() -> None:
    assert contents("Remember: ------ !") == []


def test_a_sentence_too_long_to_be_one_is_left_out() -> None:
    assert contents("I love hiking " + "and hiking " * 100) == []
    assert contents("I love hiking; " + "it is " * 120) == ["I love hiking"]


def test_what_follows_a_statement_is_taken_in_only_so_far() -> None:
    [fact] = contents("I have two cats; " + "; ".join(["they sleep all day on the sofa"] * 15))

    assert 200 < len(fact) <= 320


pieces = st.sampled_from(
    [
        *[
            "I",
            "I'm",
            "my",
            "we",
            "love",
            "live in",
            "have a dog",
            "hate",
            "it",
            "remember that",
            "if",
            "and",
        ],
        *[
            "says",
            "because",
            ",",
            ".",
            "?",
            "!",
            ";",
            ":",
            "\n",
            " ",
            '"',
            "“",
            "`",
            "```",
            "(",
            "[x y]",
            "- ",
            "> ",
        ],
        *[
            "我",
            "喜欢",
            "住在",
            "，",
            "。",
            "记住",
            "吗",
            "Ana",
            "42",
            "\x00",
            "\ue000",
            "İ",
            "ß",
            "\u2028",
            "’",
        ],
    ]
)
messages = st.one_of(st.text(max_size=200), st.lists(pieces, max_size=40).map(" ".join))


@given(messages)
def test_every_fact_is_text_that_the_user_wrote(message: str) -> None:
    squeezed = " ".join(message.split())

    facts = extract(ConversationTurn(user_message=message))

    assert all(" ".join(fact.content.split()) in squeezed for fact in facts)
    assert all(fact.importance <= EXPLICIT.importance for fact in facts)
    assert len(facts) <= MOST


@settings(max_examples=30)  # a tenth of a second each
@given(pieces, pieces, pieces)
def test_a_hostile_message_of_100_kb_takes_a_bounded_time(a: str, b: str, c: str) -> None:
    unit = f"{a} {b}{c}"
    message = (unit * (100_000 // len(unit) + 1))[:100_000]

    started = time.thread_time()
    contents(message)

    assert time.thread_time() - started < 3  # coverage doubles it
