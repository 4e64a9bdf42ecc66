"""Words by which claims are told from what only looks like one."""

from __future__ import annotations

import re
from typing import Final


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


HEDGES: Final = re.compile(
    r"(?i)\b(?:also|and|or|but|sometimes|often|usually|mostly|part[- ]time|weekends?|weekdays?|"
    r"during|summers?|winters?|second|side|used|until|till|will|would|might|may|could|plans?|"
    r"planning|wants?|hopes?|if|when|while|not|never|no|longer|temporarily|visiting|half|"
    r"both|remotely|before|previously|formerly|almost|nearly|about|maybe|probably|every|again|"
    r"next|last|ago|yesterday|today|tomorrow)\b|n't\b|[;?\n]|也|或|偶尔|有时|周末|曾|以前|打算|想|不|没"
)
"""What makes a claim one among others, a plan, a past or a guess."""

NOWHERE: Final = _words("""
    home night nights school work weekends university college uni day days once peace least
    myself himself herself free money fun fear style town country abroad him her me us them
    everyone linux windows mac macos postgres python rust go typescript notion obsidian vim neovim
    emacs git github gitlab aws azure gcp kubernetes react slack discord production staging
    """)

ATTRIBUTES: Final = (
    r"name|e-?mail(?: address)?|phone(?: number)?|address|birthday|job title|employer|"
    r"company|city|hometown|time ?zone|nationality|native language|height|weight|manager|boss|"
    r"salary|doctor|dentist|goal weight|shoe size|(?:favou?rite|preferred) \w+(?: \w+)?"
)

COUNTS: Final = "one|two|three|four|five|six|seven|eight|nine|ten"

COUNTED: Final = (
    "kids?|children|child|sons?|daughters?|brothers?|sisters?|siblings?|cats?|dogs?|pets?|cars?|"
    "bikes?|monitors?|screens?|roommates?|flatmates?|grandchildren"
)
"""What one has a number of for longer."""

ONE_OF: Final = (
    "wife|husband|spouse|partner|girlfriend|boyfriend|fianc[eé]e?|mother|father|mom|mum|dad|boss|"
    "manager"
)
"""Of whom there is one: of two friends each may live elsewhere."""

STATIVE: Final = _words(
    "like have own eat drink smoke use speak need drive allergic married vegan vegetarian"
)

OPPOSITES: Final = frozenset(
    frozenset(pair.split("/"))
    for pair in _words("""
    tabs/spaces dark/light short/long concise/detailed brief/detailed short/detailed tea/coffee
    vim/emacs window/aisle metric/imperial celsius/fahrenheit formal/informal formal/casual
    remote/office manual/automatic hot/cold email/phone calls/texts calls/messages morning/evening
    morning/afternoon mornings/evenings windows/linux mac/windows mac/linux ios/android
    iphone/android cats/dogs sweet/savory sweet/savoury paper/digital early/late loud/quiet
    single/double small/large soft/hard still/sparkling red/white summer/winter kg/lb km/miles
    kilometers/miles light/heavy cash/card train/plane beach/mountains city/countryside
    """)
)

COUNTRIES: Final = frozenset(
    line.strip()
    for line in """
    argentina,australia,austria,belgium,brazil,bulgaria,canada,chile,china,colombia,croatia,cuba,
    cyprus,czechia,czech republic,denmark,egypt,england,estonia,ethiopia,europe,finland,france,
    georgia,germany,greece,hong kong,hungary,iceland,india,indonesia,iran,iraq,ireland,israel,italy,
    japan,jordan,kenya,latvia,lebanon,lithuania,luxembourg,malaysia,malta,mexico,morocco,nepal,
    netherlands,the netherlands,new zealand,nigeria,norway,pakistan,peru,philippines,poland,
    portugal,romania,russia,saudi arabia,scotland,serbia,singapore,slovakia,slovenia,south africa,
    south korea,korea,spain,sri lanka,sweden,switzerland,taiwan,thailand,tunisia,turkey,uk,
    united kingdom,ukraine,united states,us,usa,america,uruguay,venezuela,vietnam,wales,asia,africa,
    california,texas,florida,bavaria,catalonia,scandinavia,
    中国,日本,美国,英国,德国,法国,加拿大,澳大利亚,韩国,新加坡,意大利,西班牙,欧洲,国外
    """.replace("\n", "").split(",")
)
"""A city may lie in one of them, so that both can be true."""
