"""Words too common to search for, by language."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_ENGLISH: Final = _words("""
    a about after all also am an and any are as at be because been before being both but by can
    could did do does doing done don down during each else ever few for from further get gets got
    had has have having he her here hers herself him himself his how i if in into is it its itself
    just let ll me more most my myself no nor not now of off on once only or other our ours
    ourselves out over own re s same shall she should so some such t than that the their theirs
    them themselves then there these they this those through to too under until up upon us ve very
    was we were what when where whether which while who whom whose why will with would you your
    yours yourself yourselves d m
""")
_GERMAN: Final = _words("""
    aber als am an auch auf aus bei bin bist da damit dann das dass daß dein deine dem den der des
    die dies diese diesem diesen dieser dieses doch dort du durch ein eine einem einen einer eines
    er es euch euer für gegen hab habe haben hat hatte hatten ich ihm ihn ihnen ihr ihre im in ist
    ja jede jeder jedes kann kein keine können man mein meine meinem meinen meiner mich mir mit
    nach nicht noch nur ob oder ohne sehr sein seine seinem seinen seiner sich sie sind so über um
    und uns unser unsere unter vom von vor wann war waren warum was wegen weil welche welcher
    welches wem wen wenn wer werden wie wieder wir wird wo wurde wurden würde zu zum zur zwischen
""")
_SPANISH: Final = _words("""
    a al algo como con cual cuál cuando cuándo de del desde donde dónde dos el él ella ellas ellos
    en entre era eran es esa ese eso esta está están estas este esto estos fue fueron ha han hasta
    hay la las le les lo los más me mi mis mucho muy no nos nosotros o para pero por porque qué
    que quién quien se sea ser si sí sin sobre son soy su sus también te tiene tienen tu tú tus un
    una uno unos unas y ya yo
""")
_FRENCH: Final = _words("""
    a à ai as au aux avec avez avons c ce ces cet cette comme d dans de des donc du elle elles en
    entre es est et étaient était être eu fait il ils j je l la le les leur leurs lui m ma mais me
    même mes moi mon n ne nos notre nous on ont ou où par pas plus pour pourquoi qu quand que quel
    quelle quelles quels qui quoi s sa sans se sera ses si son sont suis sur t ta te tes toi ton
    tu un une vos votre vous y
""")
_ITALIAN: Final = _words("""
    a ad ai al alla alle anche che chi ci come con cosa cui da dal dalla dei del della delle di
    dove e è ed era erano essere gli ha hai hanno ho i il in io la le lei lo loro lui ma me mi mia
    mie mio nei nel nella no noi non nostro o per perché più qual quale quando quello questa
    questo se sei si sia siamo sono sta su sua sue sul sulla suo ti tra tu tua tuo un una uno vi
    voi
""")
_PORTUGUESE: Final = _words("""
    a à ao aos as às até com como da das de dela dele do dos e é ela elas ele eles em entre era
    eram essa esse esta está este eu foi foram há isso isto já lhe mais mas me meu meus minha
    minhas muito na nas não nem no nos nós o onde os ou para pela pelo por porque quais qual
    quando que quem são se sem ser seu seus só sua suas também te tem tu um uma você vocês
""")
_DUTCH: Final = _words("""
    aan al als ben bij da daar dan dat de deze die dit doen door dus een en er ge geen had hadden
    heb hebben heeft hem het hier hij hoe hun ik in is ja je jij jouw kan kon maar me meer men met
    mij mijn moet na naar niet nog nu of om omdat ons onze ook op over te tot u uit van veel voor
    waar waarom wanneer waren was wat we wel welke werd wie wij wil worden zal ze zich zij zijn zo
    zou
""")
_CHINESE: Final = frozenset(
    "的了着著吗嗎呢吧啊呀嘛么麼们們"  # particles and endings
    "我你您他她它这這那什甚怎哪谁誰个個些"  # who, which, how many
    "是在和与與跟被把给給从從向对對于於以"  # copula and prepositions
    "也都就还還很不没沒而及或但又再才"  # adverbs and conjunctions
)
_OTHERS: Final = (_GERMAN, _SPANISH, _FRENCH, _ITALIAN, _PORTUGUESE, _DUTCH)


def stop_words(words: Sequence[str]) -> frozenset[str]:
    """
    Return the stop words of the language that these lower-case words are in.

    That is the list which holds most of them; English unless another one holds at least two and
    more than English does, because German lists "hat", "war" and "die".
    """
    counts = [sum(word in stop for word in words) for stop in _OTHERS]
    english = sum(word in _ENGLISH for word in words)
    return _OTHERS[counts.index(max(counts))] if max(counts) > max(1, english) else _ENGLISH


def is_chinese_stop(text: str) -> bool:
    """
    Return whether a piece of Chinese text says nothing by itself: `我们`, `也是`, `的`.

    Chinese is searched by pairs of characters, so it's told by characters: particles, pronouns,
    prepositions and the like alone. In a small store a pair of them is as rare as any other, so
    that bm25 can't tell.
    """
    return _CHINESE.issuperset(text)
