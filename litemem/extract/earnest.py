"""What a user doesn't mean: jokes, parts they play, and templates with nothing filled in."""

from __future__ import annotations

import re
from typing import Final

_JOKES: Final = (
    r"\b(?:just|only|i['’]?m|i am|we['’]?re|was|totally|obviously|of course)"
    r" (?:(?:just|only|totally|obviously|so) )?(?:kidding|joking|messing with you"
    r"|pulling your leg|being sarcastic|trolling)\b"
    r"|(?<!no )(?<!not )(?<!n[’']t )\b(?:kidding|joking)[.!)]*\s*$"
    r"|(?<![\w/])(?:jk|j/k)(?![\w/]| rowling)|\s/[sj]\s*$"
    r"|\b(?:it['’]?s|that['’]?s|it was|that was|this is|as|just) (?:just |only )?a joke\b"
    r"|\bapril fools?\b"
    r"|(?<!不是)(?<!没在)(?<!没有)(?<!喜欢)(?<![不没爱别])开(?:个|个小|了个)?玩笑(?:的|啦|哈|而已"
    r"|罢了)?(?=[。！!，,~～…\s)）]|\Z)|逗你(?:的|玩|呢)|骗你(?:的|玩)|瞎(?:说|编)的|愚人节"
)
_BEINGS: Final = (
    r"elf|dwarf|orc|wizard|witch|vampire|werewolf|mermaid|unicorn|dragon|time travell?er|alien"
    r"|zombie|goblin|fairy|hobbit|jedi|sith|ghost|robot|superhero|demon|demigod|troll|goddess"
    r"|necromancer|warlock|paladin|cyborg|android"
)
_PARTS: Final = (
    r"\b(?:my|our|the main) (?:(?:main|player|rp|d&d|dnd|rpg|game|fictional) ){0,2}"
    r"(?:character|protagonist|persona|oc|alter ego|narrator)(?:['’]s)? (?:name )?"
    r"(?:is|was|has|lives|works|comes|called|named)\b"
    r"|\b(?:stay|speaking|be|remain|answer) in character\b"
    r"|\b(?:let['’]?s|we['’]?re|i['’]?m|want to|wanna|start|this is a) role-?play"
    r"|\bin (?:this|my|our) (?:story|novel|game|campaign|fic|fanfic|scenario|screenplay|rp"
    r"|role-?play|dream(?! (?:job|house|home|car)))\b|\bonce upon a time\b"
    rf"|\bi(?:['’]?m| am) (?:an? )(?:[\w-]+ ){{0,2}}(?:{_BEINGS})(?= who\b| from\b|[.,!;)]|\s*$)"
    r"|我的?(?:角色|人设|主角|人物)(?:是|叫|名)|角色扮演|我(?:扮演|饰演)"
    r"|在(?:这个|我的)?(?:故事|小说|游戏|剧本)(?:世界)?[里中]|从前有"
    r"|我是(?:一[个名只位])?[^，,。！!\n]{0,6}(?:精灵|吸血鬼|外星人|奥特曼|孙悟空|齐天大圣|秦始皇"
    r"|魔法师|巫师|神仙|蝙蝠侠|穿越者)(?=[，,。！!\s]|\Z)"
)
_PLAYED: Final = re.compile(f"{_JOKES}|{_PARTS}", re.IGNORECASE | re.MULTILINE)

_LAUGHS: Final = (
    r"(?<=\S)\s*(?:\b(?:lol|lmf?ao|rofl|xd)\b|[😂🤣😜😝🙃])|(?<=[\w,]) ha(?:ha)+\b"
    r"|(?<=\S)\s*\bha(?:ha)+[.!)]*\s*\Z|(?<=\S)(?:哈哈+|hh+|233+)[。！!~～]*\s*\Z|狗头|\bdoge\b|笑死"
)
_FIELD: Final = (
    r"(?:your|my|the|insert|enter|user|first|last|full|given|company|city|country|job|name|date"
    r"|age|role|town|e-?mail|phone|employer|hobby|team|product|state|school)"
)
_TEMPLATES: Final = (
    r"\[(?!(?:edit|update|solved|info|warn|warning|error|debug|todo|done|urgent|important|note"
    r"|fyi)\])(?-i:[A-Z][A-Z0-9]{2,20}(?:[ _/-][A-Z0-9]{1,20}){0,4})\](?!\()"
    rf"|\[{_FIELD}\b[^\[\]\n]{{0,30}}\](?!\()|<{_FIELD}(?:[ _-][\w '_-]{{1,30}})?>"
    rf"|\{{\{{[^{{}}\n]{{1,40}}\}}\}}|\$\{{[^{{}}\n]{{1,40}}\}}|\{{{_FIELD}[\w .-]{{0,20}}\}}"
    rf"|%{_FIELD}\w{{0,20}}%|(?<!\w)_{{3,}}(?!\w)|(?<!\w)x{{3,}}(?!\w)|\bjo(?:hn|e) doe\b"
    r"|\bjane doe\b|\blorem ipsum\b"
    r"|[【\[［{｛](?:你的|您的)?(?:姓名|名字|公司|职位|城市|地址|电话|日期|学校|专业|年龄|职业)"
    r"[名称]{0,2}[】\]］}｝]|(?:某某|[x×]{2,})(?=公司|大学|先生|女士|市|县|省)"
)
_UNMEANT: Final = re.compile(f"{_LAUGHS}|{_TEMPLATES}", re.IGNORECASE)
_PARAGRAPH: Final = re.compile(r"[^\n]+(?:\n[^\n]+)*")


def earnest(text: str) -> str:
    """
    Give the text, as long as it was, without what isn't meant.

    A joke taken back or a part played anywhere makes all of it line breaks; laughter behind words
    and a template's empty fields make their paragraph so.
    """
    if _PLAYED.search(text):
        return "\n" * len(text)
    return _PARAGRAPH.sub(_meant, text)


def _meant(paragraph: re.Match[str]) -> str:
    said = paragraph[0]
    return "\n" * len(said) if _UNMEANT.search(said) else said
