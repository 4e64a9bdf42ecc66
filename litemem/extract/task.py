"""When a message hands over text or plays a part, what follows isn't about its author."""

from __future__ import annotations

import re
from typing import Final, Literal

_ASKED: Final = (
    r"(?:(?:hi|hey|hello|ok|okay|now|so|then|and|great|thanks)[,!. ]+){0,2}(?:please |pls "
    r"|can you |could "
    r"you |would you |will you |help me (?:to )?|i want you to |i need you to |i'd like you to "
    r"|let's "
    r"|kindly |i need to |i want to ){0,3}(?:please )?"
)
_REST: Final = re.compile(
    _ASKED + r"(?:"
    # a part to play, a case to suppose
    r"(?:imagine|suppose|supposing|pretend|assume|assuming|say(?: that)? (?:i|we|you)\b"
    r"|role-?play|act as"
    r"|act like|play the (?:role|part)|hypothetically|in this (?:scenario|story|game)|in my story"
    r"|you are (?:a"
    r"|an|the|my|now)|you're (?:a|an|the|my|now) (?!great|star|genius|life|gem|legend|big|huge"
    r"|lifesaver)"
    r"|simulate)\b"
    # a text to work on
    r"|(?:translate|proof-?read|rewrite|rephrase|reword|paraphrase|summari[sz]e)\b"
    r"|(?:correct|edit|polish|improve|check|fix|shorten|expand|continue|complete|finish|classify"
    r"|analy[sz]e|review|revise|convert|grade|rate|extract|turn)\b.{0,40}?\b(?:this|these"
    r"|following|below"
    r"|essay|letter|text|e-?mail|paragraph|sentences?|story|poem|grammar|message|draft)\b"
    # a text to invent
    r"|(?:write|tell|compose|create|generate|draft|make up|give|invent)\b(?: me| us)? (?:a|an"
    r"|another|the"
    r"|some|my)? ?(?:[\w-]+ ){0,4}(?:story|poem|song|dialogue|scene|monologue|diary|novel|character"
    r"|script|lyrics|tale|sketch|joke|limerick|haiku|rap|persona|conversation|chapter)\b"
    # a text that comes next
    r"|(?:here is|here's|here are|below is|below are|this is|these are) (?:what (?!i\b)|(?:my|the"
    r"|a|an|his|her"
    r"|their|our|some|one) (?:[\w-]+ ){0,3}(?:letter|essay|draft|e-?mail|text|poem|story|paragraph"
    r"|message|review|transcript|log|logs|output|error|quote|passage|article|abstract|dialogue"
    r"|lyrics"
    r"|bio|statement|prompt|code|example|data|reply|response|sample|conversation|post|tweet)\b)"
    r")"
)
_ALL: Final = re.compile(
    _ASKED + r"(?:(?:translate|proof-?read|rewrite|rephrase|reword|paraphrase|summari[sz]e|correct)"
    r" (?:that|this|it|the (?:above|text|sentence|paragraph|passage))\b"
    r"|(?:what does (?:this|that|it)|what do these) (?:mean|say)\b)"
)
# The sentence is about its author, what follows may be about the hero.
_TELLS: Final = re.compile(
    r".{0,40}?\b(?:writing|drafting|working on|wrote|outlining) (?:a|an|my|the) (?:[\w-]+ ){0,4}"
    r"(?:novel|story|screenplay|(?:film|movie) script|fan ?fic\w*|tale|comic|musical)\b"
)
_REST_ZH: Final = re.compile(
    r"(?:.{0,12}(?:翻译|翻譯|润色|改写|总结|概括|校对|修改|纠正|扩写|缩写|续写|改成)(?!了|过|完)"
    r"|.{0,8}(?:扮演|假装|想象|假设)|.{0,6}写(?:一|个|篇|首|段).{0,12}(?:故事|小说|诗|歌词|剧本"
    r"|对话|独白|日记))"
)
_ALL_ZH: Final = re.compile(
    r".{0,10}(?:上面|以上|这段|这句|这篇).{0,8}(?:翻译|润色|改写|总结|概括|校对)"
)


def told_task(sentence: str) -> Literal["rest", "after", "all"] | None:
    """
    Say which text of a message is material for the task that a sentence sets.

    Returns:
        "rest": this sentence and what follows; "after": only what follows; "all": what came before
        too; None: nothing.
    """
    if _ALL.match(sentence) or _ALL_ZH.match(sentence):
        return "all"
    if _REST.match(sentence) or _REST_ZH.match(sentence):
        return "rest"
    return "after" if _TELLS.match(sentence) else None
