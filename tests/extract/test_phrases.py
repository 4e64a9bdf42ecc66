from __future__ import annotations

import pytest

from litemem.extract.rules import extract
from litemem.extract.turn import ConversationTurn

STATED = """
Just so you know, I'm a night owl and rarely up before eleven.
I've got a bad knee so no jumping exercises.
My partner and I just moved into a flat above a bakery.
I'm the mother of twin boys.
My kids are 4 and 7.
Our son Milo starts school in September.
I work four days a week at a museum.
I do IT support for a hospital.
I'm employed by the city as a gardener.
I'm currently between jobs.
I studied physics before switching to design.
I'm half Danish, half Ghanaian.
I was raised by my grandparents in Izmir.
My first language is Tamil but I write mostly in English.
I can read Arabic but not speak it.
You can call me Dee.
I wear glasses.
I'm 1.92 m tall.
I'm left-handed.
I keep bees.
We foster dogs.
I've never been to Asia.
I can't swim.
I don't own a TV.
We rent a two-bedroom in Malmö.
I take metformin twice a day.
I'm recovering from knee surgery.
I have trouble sleeping since the baby came.
I really dislike phone calls.
I'm not a fan of mushrooms.
Cilantro tastes like soap to me.
I prefer tea over coffee.
I'd rather read than watch TV.
Mornings work best for me.
I adore anything with cardamom.
My go-to order is a flat white with oat milk.
I'm crazy about Formula 1.
I'm hoping to finish my master's by June.
I want to be a pilot.
I'm saving for a house deposit.
Next year I'm taking a sabbatical.
We're getting a puppy in May.
I have an exam on Thursday.
My flight leaves on the 9th at 6 am.
I've applied for a grant from the arts council.
I'm trying to cut back on sugar.
I plan on running the Berlin marathon.
We ended up choosing Postgres.
The team agreed to ship every two weeks.
I made up my mind: I'm quitting in March.
We're sticking with React.
I'm on a MacBook Air M2.
My editor is Helix.
We run everything on AWS.
Our API is versioned by date.
I mostly code in Go these days.
We're on Python 3.12.
Our tests run in GitLab CI.
All our services log to Loki.
Make a note: the wifi password is plum-tree-88.
Please keep in mind I only have a toaster oven.
Don't forget my boss is called Ruth.
For future reference, my shoe size is 44.
Going forward please write dates as YYYY-MM-DD.
我目前在深圳做产品设计。
我和老公都是老师。
我家有一只橘猫。
我不能喝牛奶。
我比较喜欢安静的咖啡馆。
我下个月去日本出差。
我想明年考驾照。
我平时用 Mac 办公。
我的口味偏辣。
我从小在海边长大。
记一下：会议改到三点。
我妻子怀孕五个月了。
我每周三晚上打羽毛球。
I turn 31 on Sunday.
I'm a father of three.
I've worked in publishing since 2009.
I'm the treasurer of our chess club.
My commute is ninety minutes each way.
I only eat halal.
I sing in a choir.
I get migraines from red wine.
I love baking sourdough.
I can't function without my morning coffee.
I've always been scared of dogs.
My favorite season is autumn.
I follow the Premier League closely.
I'm planning to propose to Lea in Venice.
I'd like to learn to sail one day.
In April I'm switching to a four-day week.
I signed the lease for the new place yesterday.
I bought tickets for the Björk concert.
We've postponed the wedding to 2027.
I decided against the promotion.
I went vegan two years ago.
I own a 2015 Volvo V60.
My phone is a Pixel 8.
We use trunk-based development with feature flags.
I write all my notes in Obsidian.
Our production database is Postgres 15 on RDS.
Remember my anniversary is June 12.
Please note that I'm out of office next week.
Keep in mind I'm a beginner at the piano.
我姓赵，单名一个磊字。
我在美团做算法。
我女朋友是南京人。
我晚上睡得很晚。
我喝咖啡不加糖。
我最近在学西班牙语。
请记住我的航班号是 CA1831。
"""
UNSTATED = """
I have a meeting in five minutes.
I'm looking at your second example now.
I get a 404 when I open the page.
I have a CSV with 3 columns.
I have two tables, users and orders.
I use the function below.
I'm running the script now.
My teacher wants an essay on Hamlet.
I love how fast that was!
I was wondering about your opinion.
I'm glad it works.
I have never seen this error.
I live streamed it yesterday.
I hate to ask, but can you redo it?
I like to think of it as a tree.
I own that mistake.
I'd be happy with anything.
I hope you're well.
I'm going to need more detail.
I'm a little unsure.
I have an array of integers.
I started the server and it hangs.
I bought it.
I want to sort a list.
I want to build a website with three pages.
My app crashes.
My goal here is to sort the list.
Let's use a different title.
Let's pick up where we left off.
I prefer the shorter version.
我在看你写的代码。
我有两个文件。
我觉得不错。
我想要一个表格。
我用了你的方法还是不行。
我要一份清单。
I have one more thing to add.
I'm about to lose my patience.
I found a bug in your code.
I like where this is going.
I'm on step four.
I'm using the second snippet.
We have a merge conflict.
My question is about pricing.
I have a string that contains digits.
I'm having lunch.
I could use some help.
I can't open the file.
I wanted to ask about visas.
I love when you do that.
Our build is failing.
I took a screenshot.
I've been waiting for an hour.
I started over.
I'm writing a function that sorts names.
I want a shorter text.
I prefer this one.
My guess is that it's cached.
我试了一下，不行。
我没看懂。
我喜欢第二个版本。
"""


def extracted(message: str) -> list[str]:
    return [fact.content for fact in extract(ConversationTurn(user_message=message))]


@pytest.mark.parametrize("message", STATED.strip().split("\n"))
def test_what_is_said_in_many_ways_is_found(message: str) -> None:
    assert extracted(message)


@pytest.mark.parametrize("message", UNSTATED.strip().split("\n"))
def test_what_only_sounds_like_a_statement_is_none(message: str) -> None:
    assert extracted(message) == []
