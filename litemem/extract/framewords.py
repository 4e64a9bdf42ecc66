"""Words that any fact may have: they say nothing of what it is about, nor where it is from."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from litemem.extract.pattern import words

FRAME: Final = words(
    # articles, pronouns, prepositions, auxiliaries
    " a an the i me my mine myself you your yours yourself he him his himself she her hers"
    " herself it its itself we us our ours they them their theirs themselves this that these"
    " those there here who whom whose which what when where why how and or but if then than so"
    " as of in on at to for from with by about into onto over under up out off via per be is"
    " am are was were been being do does did doing done has have had having will would can"
    " could shall should may might must not no never none nor neither without cannot dont"
    " doesnt didnt isnt cant wont t s d m ll re ve don doesn didn isn aren wasn won couldn"
    " wouldn hasn haven st nd rd th etc"
    # whom facts are about, and how
    " user users speaker person someone somebody people individual human one ones thing things"
    " something anything everything very really quite currently now presently also just only"
    " still already always often usually sometimes mostly mainly generally any all some every"
    " each both more most much many well too again today year years old age aged time times"
    " lot way kind"
    # what facts say of a thing
    " like likes liked liking love loves loved loving enjoy enjoys enjoyed enjoying prefer"
    " prefers preferred preference preferences favourite favorite favourites favorites hate"
    " hates dislike dislikes want wants wanted wanting wish wishes plan plans planned planning"
    " intend intends hope hopes aim aims goal goals interested interest interests fan need"
    " needs live lives lived living reside resides residing resident based located work works"
    " worked working job profession occupation career role employed employer use uses used"
    " using own owns owned owning possess got get gets getting keep keeps name names named"
    " call calls called known say says said state states stated mention mentions mentioned"
    " tell tells told ask asks asked remember reminder note noted become becomes became remain"
    " remains longer anymore hobby hobbies drink drinks eat eats go goes going come comes make"
    " makes attend attends take takes speak speaks study studies studying avoid avoids decided"
    " decide decides start started starting learn learning"
    # of which kind it is, and when
    " food foods dish drink colour color city town country hometown company language pet pets"
    " previously formerly originally recently later before after since until while during"
    # the user, and the commonest words, where a turn is German, Dutch, French, Spanish, Italian,
    # Portuguese, Russian
    " nutzer nutzerin benutzer benutzerin anwender gebruiker utilisateur utilisatrice usuario"
    " usuaria utente utilizador der die das den dem ein eine einen ist hat und mit het een le"
    " la les un une des et est dans el los las uno una es en y con il lo gli di e da o os um"
    " uma na do пользователь пользователя он она и в на не с у"
)

_NUMBERS: Final = """
one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen
seventeen eighteen nineteen
"""
NUMBERS: Final[Mapping[str, int]] = {
    word: number for number, word in enumerate(_NUMBERS.split(), start=1)
}

_TENS: Final = "twenty thirty forty fifty sixty seventy eighty ninety"
TENS: Final[Mapping[str, int]] = {
    word: 10 * number for number, word in enumerate(_TENS.split(), start=2)
}

HAN_NUMBERS: Final[Mapping[str, int]] = {
    "两": 2,
    "兩": 2,
    "百": 100,
    **{digit: number for number, digit in enumerate("一二三四五六七八九十", start=1)},
}

HAN_FRAME: Final = re.compile(
    "用户|用戶|使用者|ユーザー|사용자|自己|他们|她们|我们|名字|姓名|名叫|职业|職業|工作|上班|任职"
    "|就职|年龄|年紀|今年|现在|現在|目前|正在|已经|已經|经常|經常|一直|通常|平时|平時|最近|喜欢"
    "|喜歡|喜爱|热爱|偏好|偏爱|爱好|愛好|兴趣|興趣|最爱|讨厌|討厭|打算|计划|計劃|准备|準備|希望"
    "|想要|居住|来自|來自|家乡|老家|拥有|擁有|使用|不再|没有|沒有|非常|特别|特別|一个|一個|一名"
    "|一位|一只|一辆|以前|曾经|以后|决定|決定|需要|可以|不能|经|们"
    "|[我你他她它的了着过在是有叫姓住用养養学學吃喝去来來做会會想要爱愛说說开開从從到把对對和与與"
    "及也都很最较不没沒无別别个個只名位岁歲年这這那为為就被让讓给給]"
    "|(?<![\u3040-\u30ff])[はがのにをでともへや](?![\u3040-\u309f])|です|ます"
)
"""The same where no blanks stand between words; a fact is cut at them."""
