"""What an English clause states about the one who says it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from litemem.extract.sentence import LONGEST
from litemem.extract.kinds import (
    DECISION,
    EVENT,
    GOAL,
    HABIT,
    HEALTH,
    IDENTITY,
    POSSESSION,
    PREFERENCE,
    STANDING,
    TECHNICAL,
    Kind,
)

# Pieces of patterns; `<NAME>` stands for one, a blank for one or more. Every repetition is
# bounded, and so is a clause: matching one costs a bounded number of steps.
_PIECES: Final = {
    "ADV": r"(?:(?:also|really|just|currently|now|still|always|usually|mostly|absolutely|actually"
    r"|personally|generally|already|recently|finally|officially|definitely|truly|typically"
    r"|normally|often|honestly|primarily|mainly|basically|originally|both|all|very|quite|pretty"
    r"|super|so|totally|completely|fully|proudly|happily|severely|particularly|especially"
    r"|much|kind of|sort of|especially|only|even|too|ever|never|rarely|no longer) ){0,3}",
    "IM": r"(?:i'?m|i am)",
    "AM": r"(?:i'?m|i am|we're|we are|my \w+ and i are)",
    "I": r"(?:i|we|my \w+ and i)(?:'?ve| have)?(?: both| all)?",
    "NOT": r"(?:(?:do not|don't|dont|did not|didn't|can't|cannot|no longer|never) )",
    "DET": r"(?:a|an|my|our|the|two|three|four|five|six|\d+|one|some|several|another|no|many"
    r"|a couple of|a few|lots of|a lot of|any)",
    "REL": r"(?:(?:older|younger|elder|eldest|youngest|oldest|big|little|late|ex-?|step-?|twin|best"
    r"|grand|great|new|first|second|other|only|dear|business|childhood) ?){0,3}"
    r"(?:wife|husband|partner|spouse|fianc[eé]e?|girlfriend|boyfriend|son|daughter|child|kids?"
    r"|children|baby|mother|mom|mum|mama|father|dad|papa|parents?|brothers?|sisters?|siblings?"
    r"|twins?|cousins?|uncle|aunt|nephews?|nieces?|grandmother|grandma|grandfather|grandpa"
    r"|grandparents|grandson|granddaughter|family|friends?|roommates?|flatmates?|housemate|boss"
    r"|manager|landlord|landlady|doctor|dentist|therapist|neighbou?rs?|dogs?|cats?|puppy|kitten"
    r"|pets?|horse|rabbit|parrot|hamster|tortoise|turtle|snake|in-laws?|ex)(?:-in-law)?",
    # What is liked, had or planned must be in the clause: not "it", "that idea", "your answer".
    "OBJ": r"(?!(?:it(?! when)|this|that|these|those|them|they|him|her|his|their|its|you|your|yours"
    r"|me|us|one|ones|both|mine|how|what|which|where|why|whether|if|so|too|everything"
    r"|nothing|anything|something|to (?:know|see|hear|think|say|believe|ask|point)"
    r"|the (?:idea|ideas|sound|look|looks|way|first|second|third|fourth|last|latter|former|other"
    r"|others|new|previous|next|current|original|one|ones|part|parts|fact|options?|suggestions?"
    r"|approach|version|plan|draft|tone|title|examples?|explanation|format|design|answers?"
    r"|response|list|results?|outputs?|names?|images?|pictures?|photos?|thoughts?|style|paragraph"
    r"|sentence|words?|ending|intro|concept|direction|feel|vibe|colou?rs?|structure|logo|same"
    r"|following|above|below|stuff|thing|things|concept))(?![\w'-]))(?=\W{0,2}\w)",
    "N": r"(?:\d{1,3}|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen"
    r"|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen|(?:twenty|thirty|forty|fifty|sixty"
    r"|seventy|eighty)(?:[ -]\w{3,5})?)",
    "END": r"(?=\W{0,3}$|[,;.!(]| and | but | or | who | which | years?| since | with | from | in "
    r"| now| -| –| at | living| by )",
    "W3": r"(?:[\w'&/.-]+ ){0,3}",
    "FUTURE": r"(?=.{0,120}\b(?:next|tomorrow|tonight|soon|upcoming|this (?:week|weekend|month|year"
    r"|spring|summer|autumn|fall|winter|monday|tuesday|wednesday|thursday|friday|saturday|sunday)"
    r"|(?:in|by|on|before|until) (?:january|february|march|april|may|june|july|august|september"
    r"|october|november|december|spring|summer|autumn|fall|winter|monday|tuesday|wednesday"
    r"|thursday|friday|saturday|sunday|\d{4}|the (?:spring|summer|autumn|fall|winter)"
    r"|(?:a|one|two|three|\d+) (?:weeks?|months?|years?|days?))|for (?:my|our) \w+|in a few"
    r"|later this|new year|christmas|easter|thanksgiving)\b)",
    "THE": r"(?:\w+ ){0,2}(?:sea|ocean|mountains?|outdoors|beach|cold|heat|rain|snow|sun|countryside|city|forest|woods"
    r"|night|morning|mornings|evenings|quiet|wind|winter|summer|autumn|spring|fall|dentist|gym|violin|piano"
    r"|guitar|theat(?:re|er)|opera|colou?r \w+|smell of|sound of|taste of|feeling of|feel of|process of|challenge"
    r" of|subway|metro|water|desert|stars|arts|80s|90s|book|books|film|films|movie|movies|series|show|band|game)"
    r"(?![\w'-])",
    "LIFE": r"(?:move(?! (?:on|forward|ahead|this|that|it|the))|relocate|emigrate|marry|propose"
    r"|retire|quit|adopt|become|apply (?:to|for)|study(?! (?:this|that|it|the))"
    r"|graduate|volunteer|visit|travel|enroll?|learn(?! (?:how|more|about|the|what|this|that))"
    r"|lose (?:\w+ )?(?:weight|\d+|ten|five|twenty)|get (?:married|divorced|engaged|promoted|fit"
    r"|healthier|in shape|pregnant|certified|a (?:new )?(?:job|dog|cat|puppy|degree|promotion)"
    r"|my (?:degree|licen[cs]e|certificate|master'?s|phd|pilot))|have (?:a baby|kids|children)"
    r"|buy (?:a|an|my|our) (?:new |first |own |small |second |used ){0,2}(?:house|home|flat"
    r"|apartment|car|bike|boat|camera|place|condo|van|farm)|run (?:a|the|my|another) (?:\w+ ){0,2}"
    r"(?:marathon|race|10k|5k|half)|start (?:a|my|our|an) (?:\w+ ){0,2}(?:business|company|family"
    r"|podcast|blog|channel|band|charity|garden|club|studio|shop|career|nonprofit|bakery|farm|phd)"
    r"|open (?:a|my|our) (?:\w+ ){0,2}(?:shop|store|restaurant|caf[eé]|bakery|studio|bar|gym|school"
    r"|business|clinic)|write (?:a|my) (?:\w+ ){0,2}(?:book|novel|memoir|screenplay|thesis|phd)"
    r"|save (?:up|money|for|enough)|publish (?:a|my)|climb|hike|sail|raise (?:a|my|our|money)"
    r"|build (?:a|my|our) (?:\w+ ){0,2}(?:house|home|cabin|boat|shed|career)|pay off|go (?:back )?to"
    r" (?:college|university|grad|med|law|school)|go on (?:a|my|our)|go vegan|take up|switch careers"
    r"|change careers|compete|perform|improve my|work (?:as|abroad|in|for))(?![\w'-])",
}

_PATTERNS: Final[Sequence[tuple[Kind, Sequence[str]]]] = (
    (
        STANDING,
        (
            r"(?:from now on|going forward|in (?:the )?future|from here on)(?: please)?,? "
            r"(?!(?:i|we|it|this|that|things|the)\b)\w+ \w+",
        ),
    ),
    (
        HEALTH,
        (
            r"<IM> <ADV>(?:not )?(?:allergic to (?!the idea)|(?:lactose|gluten|fructose|histamine)"
            r"[ -]intolerant|intolerant (?:to|of) |coeliac|celiac|diabetic|asthmatic|epileptic)",
            r"my <REL>(?: \w+)?(?: is|'s| are) <ADV>(?:allergic to|(?:lactose|gluten)[ -]intolerant"
            r"|coeliac|celiac|diabetic|asthmatic)",
            r"i (?:\w+ )?(?:found out|discovered|learned|learnt)(?: \w+)?(?: that)? i'?m <ADV>allergic to",
            r"i <ADV>(?:have|suffer from|live with|was (?:\w+ )?diagnosed with) (?:\w+ ){0,4}(?:asthma"
            r"|diabetes|allerg(?:y|ies)|adhd|autism|epilepsy|migraines?|arthritis|anxiety|depression"
            r"|celiac|coeliac|dyslexia|insomnia|high blood pressure|hypertension|intolerance"
            r"|crohn's|ibs|tinnitus|anemia|anaemia|scoliosis|cancer|disease|disorder|syndrome)"
            r"\b(?! (?:about|question))",
            r"i(?:'?m| am)? (?:also )?(?:take|taking|on) (?:\d+ ?(?:mg|mcg|g|ml|iu) |\w+ (?:daily|twice a"
            r" day|every (?:day|morning|evening|night)|for my ))",
            r"i (?:(?:can't|cannot|can not|mustn't) (?:eat|have|tolerate|digest|drink)|(?:don't|dont|do not) (?:eat|drink))"
            r" <ADV>(?!it\b|this|that|any of|them|what|you|your|to |time|the )(?:any )?[a-z]{3,}",
            r"i(?:'?ve| have)? (?:never|stopped|avoid) (?:eat|eating|touch|drink|drinking)? ?(?:meat"
            r"|gluten|dairy|sugar|alcohol|caffeine|coffee|nuts|pork|beef|fish|lactose|red meat)\b",
        ),
    ),
    (
        IDENTITY,
        (
            r"my (?:(?:full|first|last|middle|real|given|maiden|family|legal|nick) ?)?"
            r"(?:name|surname|nickname)(?: is|'s) (?!on\b|not\b|in\b)\S",
            r"i(?:'?m| am) called \S|(?:you can |people |everyone |everybody |friends |just |please |my "
            r"friends )call(?:s)? me (?!back|when|later|if|tomorrow|tonight|at|a |on|crazy)\w"
            r"|i go by \w",
            r"<AM> <ADV>(?:almost |nearly |about |around )?<N>(?:<END>|[ -]?(?:yo|y/o)\b)(?! (?:minutes|"
            r"hours|days|weeks|km|miles|percent|steps))",
            r"<AM> in (?:my|our) (?:early |mid |late |mid-|late-|early-)?(?:teens|twenties|thirties"
            r"|forties|fifties|sixties|seventies|\d0'?s)",
            r"i(?:'?ll| will)? (?:turn(?:ed)?|just turned)(?: be)? <N>\b",
            r"i was born|i grew up|i was raised|i was brought up",
            r"i come from (?!work\b|the (?:store|shop|gym)|a meeting|there|here|it\b)(?:a |an )?\w",
            r"<I> <NOT>?<ADV>(?:live|reside|lived) <ADV>(?:(?:just|right|about|near|close|about) )?(?:in"
            r"|on|near|at|with|alone|by|close|outside|together|abroad|between|next|within|off|here in"
            r"|\d+|half|an hour)(?! (?:it|that|this|them|the edge|fear|hope)\b)(?!\w)",
            r"<IM> <ADV>(?:living|based|located|residing) (?:in|on|near|at|with|alone|by|outside|out of)\b",
            r"<AM> <ADV>(?:born and raised |originally )?from (?!here|there|the (?:future|same)|this"
            r"|that|now)\w",
            r"<I> <NOT>?<ADV>work(?:ed)? <ADV>(?:as (?:a|an|the|head|lead|senior|chief)"
            r"|(?:at|for) (?!it\b|this|that|them|me\b|you|least|the moment|all\b|\d|"
            r"(?:the )?(?:weekend|hours|days|ages))"
            r"|in (?:a|an|the|\w+ing|it|finance|tech|sales|healthcare|education|construction|hr|retail"
            r"|hospitality|law|media|banking|insurance|logistics|research|software)\b(?! (?:past|morning"
            r"|evening|afternoon|meantime|same))|from home|remotely|nights|night shifts?|shifts"
            r"|part[ -]time|full[ -]time|freelance|offshore|weekends|in the)",
            r"i(?:'?m| am|'?ve been) <ADV>(?:working|employed|volunteering|interning) (?:as|at|for) (?!it\b|"
            r"this|that|you|the moment|least|now)\w",
            r"i <ADV>(?:teach|taught) (?!you|me|it|them|this|that|him|her)\w",
            r"i <ADV>(?:study|studied|major(?:ed)?|minored|graduated|did my|am doing my|hold a|have a"
            r" (?:\w+'?s |\w+ ){0,2}(?:degree|phd|doctorate|master'?s|bachelor'?s|diploma|mba|licen[cs]e))"
            r" ?(?!this|that|it\b|these|them|how|the (?:code|doc|text|paper))",
            r"<AM> <ADV>(?:studying|majoring in|doing (?:a|my) (?:phd|master|degree|bachelor|"
            r"apprenticeship|internship|residency)\w*) ?(?!this|that|it\b|for (?:an|a|my)|how|the )",
            r"i <ADV>(?:run|manage|lead|co-?own|head|direct|coach|edit|founded|co-?founded|started) (?:a|"
            r"an|my own|our|the) (?!(?:test|script|command|query|code|program|program|server|app|file"
            r"|update|job|new (?:test|branch|project|file|chat)|following|project|risk|mile|few|lot|whole"
            r"|long|great|discussion|conversation|risk|build|container|migration)s?\b)<W3>[a-z]{3,}"
            r"(?! (?:and it|but it|it fails|again))",
            r"<IM> <ADV>(?:a|an|the) <ADV>(?!(?:bit|little|tad|lot|few|mess|disaster|idiot|fool|fan|bot"
            r"|big|huge|total|complete|real|bad|good|great|worst|best|one|only one|same|first|last"
            r"|beginner here|failure|ghost|genius|nervous|couple|wreck|hundred|\d+|minute|day|week"
            r"|firm|man of|sucker|person who|believer|whole|step|long way|stuck|zombie|goner|lost"
            r"|little|customer of yours|new user|noob|newbie|beginner|expert now|mix of|sort of|kind of|type of)\b)[\w-]{3,}",
            r"<IM> <ADV>(?:a|an) (?:big|huge|total|complete|real|bad|good|great) (?:foodie|nerd|geek|reader"
            r"|night owl|morning person|bookworm|introvert|extrovert|gamer|cook|dog person|cat person"
            r"|animal lover|movie buff|coffee drinker|runner|history buff|music lover)",
            r"<AM> <ADV>(?:not )?<ADV>(?:an? )?(?:vegetarian|vegan|pescatarian|married|single|divorced|widowed"
            r"|engaged|separated|pregnant|retired|self-employed|unemployed|freelanc\w+|left-handed|bilingual"
            r"|colou?r-?blind|deaf|blind|hard of hearing|autistic|dyslexic|gay|lesbian|bisexual|bi|trans"
            r"|transgender|nonbinary|non-binary|queer|jewish|muslim|christian|catholic|hindu|buddhist"
            r"|atheist|religious|kosher|halal|an introvert|introverted|extroverted|teetotal|sober"
            r"|new to (?:the area|town|the city|\w+ing)|gluten[ -]free|dairy[ -]free|keto|ace|asexual)"
            r"(?! (?:for|about|person)\b)(?![\w-])",
            r"i(?:'?ve| have) been (?:a |an )?(?:vegetarian|vegan|married|single|divorced|sober|retired"
            r"|together|teaching|working (?:at|as|for|in|with) |living|playing|painting|collecting|studying|dating"
            r"|coaching|volunteering|dancing|climbing|a \w+|an \w+|with"
            r" (?:the|my|our) \w+)\b(?=.{0,80}\b(?:for|since|years|as)\b)(?! (?:it|this|that|on (?:it|this)))",
            r"i <ADV>speak (?!to|about|with|for|up|of|out|too|from|in )\w|i(?:'?m| am) (?:\w+ )?(?:fluent in"
            r"|a native)",
            r"my (?:native language|mother tongue|first language|nationality|pronouns|ethnicity|religion"
            r"|birthday|birthdate|date of birth|zodiac sign|star sign|blood type|age|hometown|home town"
            r"|home country|address|home address|e-?mail(?: address)?|phone(?: number)?|mobile(?: number)?"
            r"|number|time ?zone|time zone|height|weight|shoe size|size|job|job title|title|occupation"
            r"|profession|role|employer|company|field|salary|budget|income|degree|major|school|university"
            r"|hobb(?:y|ies)|interests|background|license plate|locker code|anniversary|wedding anniversary"
            r"|star sign|handle|username|github|commute|background|working hours|office hours|diet"
            r"|rent|mortgage|allergies)(?: is| are|'s| was| has)(?: on| at| in| from|:)? (?!not (?:working|the"
            r" issue)|due|too|high|going|being|that|this|what|why|wrong|broken|killing|a (?:mess|problem)"
            r"|still|stuck|down)\S",
            r"my <REL>(?:,? [a-z]\w+,?)?(?: is|'s| are|'re| was|\'s name is| who is| has been) <ADV>(?:a |an "
            r"|called|named|<N>(?:<END>|[ -]year)|from |vegan|vegetarian|getting married|expecting"
            r"|pregnant|studying|retired|deaf|blind|(?:turning|almost|nearly|about) <N>|in (?:\w+ "
            r"){0,2}(?:grade|school|college|kindergarten|university|prison|the (?:army|navy|military))"
            r"|into |fluent|obsessed|starting |moving to|the (?:ceo|cto|head|director|owner|eldest"
            r"|youngest)|afraid of)(?!bit|little|mess|disaster|problem|pain|lot)",
            r"my <REL>'s? (?:full |first |last )?(?:name|names|birthday|job|favou?rite \w+|phone number"
            r"|e-?mail|school|teacher|wedding)(?: is| are|'s) (?!not\b)\S",
            r"my <REL> <ADV>(?:[a-z]+ )?(?:works?|lives?|lived|teaches|studies|loves|likes|hates|enjoys"
            r"|plays|speaks|owns|runs|manages|was born|was diagnosed|died|passed away|grew up|comes from"
            r"|moved|prefers|wants to (?:be|become)|collects|suffers|does ballet|goes to|graduated)"
            r"(?! (?:it|that|this|on (?:it|this)|you|your|me|up|out)\b)(?= \w|<END>)",
            r"<I> <ADV>(?:have|'?ve got) (?!no idea)(?:<DET> ){1,2}<W3>(?:sons?|daughters?|kids?|child|children"
            r"|brothers?|sisters?|siblings?|twins?|wife|husband|partner|girlfriend|boyfriend|grandchildren"
            r"|grandson|granddaughter|nieces?|nephews?|cousins?|roommates?|stepson|stepdaughter|toddler"
            r"|teenagers?|baby|boys|girls)(?![\w-])(?! (?:question|problem|issue|app|class|node|element"
            r"|component|process|table|object)s?)",
            r"<I> (?:don't|dont|do not) have (?:any |a |an )?<W3>(?:kids|children|siblings|brothers|sisters"
            r"|partner|wife|husband|family|car|pets|dog|cat|driver'?s? licen[cs]e|tv|degree|garden)\b",
            r"i(?:'?m| am) (?!sorry|not|just|so|still|very|too|really|here|done|back|all|in\b|on\b|at\b)"
            r"<NAME>",
            r"<I> used to (?!\w+ (?:it|this|that|them)\b)(?:live|work|be a|be an|play|teach|study|smoke|own|have (?:a|an)|run a|drink)\b",
            r"i pay \S{0,3}\d[\d.,]*\S{0,3} (?:a|per|each|every) (?:month|week|year)",
        ),
    ),
    (
        EVENT,
        (
            r"<I> <ADV>(?:moved|relocated|emigrated|immigrated) (?:back )?(?:to|from|into|out of|in with|here"
            r"|away)\b(?! (?:it|this|that|the (?:next|other|new (?:file|branch|version)))\b)",
            r"<I> <ADV>(?:got|gotten) (?:married|divorced|engaged|promoted|laid off|fired|hired|pregnant"
            r"|accepted (?:to|into|for|at)|diagnosed|back together|(?:a|my|an) <W3>(?:job|promotion|raise"
            r"|degree|licen[cs]e|dog|cat|puppy|kitten|internship|scholarship|tattoo|visa|offer|car|bike"
            r"|house|apartment|piano|guitar))\b",
            r"i (?:was|were|have been|'ve been) <ADV>(?:promoted|laid off|fired|hired|accepted|admitted"
            r"|diagnosed|elected|awarded|selected|adopted)\b",
            r"<I> <ADV>(?:adopted|rescued|bought|purchased|inherited|sold|rented|leased) <ADV>(?:<DET> )<W3>"
            r"(?!(?:it|this|that|lot|groceries|few|problem|the)\b)[a-z]{3,}",
            r"<I> <ADV>(?:started|began) (?:(?:my own|my|our|a|an) <W3>(?:job|business|company|family"
            r"|course|class|classes|blog|channel|band|diet|role|position|degree|internship|shop|store|studio"
            r"|garden|club|phd|school|college|university|podcast|therapy|training|charity|line)"
            r"|working (?:at|for|as|from)|(?:taking|doing|learning|playing|practi[sc]ing|painting|running"
            r"|cycling|swimming|volunteering|dating|collecting|school|college|university|therapy|yoga"
            r"|medication|gardening|writing a)\b)(?! (?:it|this|that|what)\b)",
            r"<I> <ADV>(?:joined|enroll?ed|signed up|registered) (?:in|for|at|on|with )?<W3>(?!it\b|this|that)"
            r"(?:\w{3,})",
            r"<I> <ADV>(?:quit|gave up|stopped|left) (?:smoking|drinking|eating|my job|my (?:old )?company"
            r"|my position|gluten|meat|dairy|caffeine|alcohol|sugar|coffee|school|college|university"
            r"|working)\b",
            r"i <ADV>lost my (?:\w+ )?(?:job|mother|mom|mum|father|dad|brother|sister|wife|husband|dog|cat"
            r"|grandmother|grandfather|grandma|grandpa|son|daughter|friend|home|sight|hearing|house)\b",
            r"<I> <ADV>won (?:a|an|the|my|first|second|third|gold|silver|bronze) <W3>(?!argument)\w+",
            r"<I> <ADV>(?:opened|founded|launched|published|released) (?:a|an|my|our) (?!issue|pr\b|ticket"
            r"|pull|bug|file|terminal|browser|new (?:issue|tab|file|terminal))<W3>\w{3,}",
            r"i <ADV>(?:graduated|retired|came out|broke up with|proposed|had a baby|gave birth)\b",
        ),
    ),
    (
        DECISION,
        (
            r"<I> <ADV>(?:decided|chosen|settled|agreed|opted|committed) (?:to|on|against|for|that|not to) "
            r"(?!it(?! (?:is|was))\b|this\b|that one|try (?:it|this|that)|ask|you|your|(?:take a (?:walk|nap|break"
            r"|look)|go (?:have|for|out|home|back|see)|eat|have (?:a|some|lunch|dinner)|watch|order|stay|sleep|check"
            r"|come|grab|stop by|call|text|write you|share|reach out|let you|just)\b|go (?:with (?:it|that"
            r"|this|your|the (?:first|second|third|last|other))))\w",
            r"<I> <ADV>(?:chose|picked|selected|chosen|gone with) <OBJ>(?!option|number|\d|up|to |the wrong)\w",
            r"we(?:'?re| are|'?ll| will)? (?:going to )?(?:going|go|gone|sticking|stick) with <OBJ>(?!option"
            r"|number|\d)\w",
            r"i(?:'?m| am) (?:going|sticking) with <OBJ>(?!option|number|\d|my gut)\w",
            r"let'?s (?:use|go with|stick (?:with|to)|switch to|choose|pick|settle on|adopt|drop|postpone"
            r"|call (?:the|our) \w+) <OBJ>(?!option|number|\d|your|my |both|formula|a different|another"
            r"|something|a (?:simple|smaller|bigger)|an? example)\w",
            r"<I> <ADV>(?:switched|migrated|converted) (?:over |everything |back )?(?:to|from|off) <OBJ>\w",
            r"we (?:have |'ve )?(?:agreed|decided|will|won't) (?:always|never) \w",
        ),
    ),
    (
        GOAL,
        (
            r"my (?:\w+ ){0,3}(?:goals?|dreams?|plans?|aim|ambition|resolutions?|bucket list)(?: for [\w "
            r"]{2,20})?(?: is| are|'s| was) (?!working|not|good|bad|ruined|com(?:in|ing)|shattered|it\b|that\b(?! i)|this|what)\w",
            r"<I> <ADV>(?:plan|intend|aim|aspire|hope|dream) (?:to|on|of) (?!(?:use|do|call|implement"
            r"|add|see|hear|know|ask|make sure|understand|find out|get (?:it|this|that|an answer|some))\b"
            r"|it\b|this|that|you|fix|be able)\w+ (?!it\b|this|that|them|you|these)\w",
            r"<AM> <ADV>(?:planning|preparing|training|saving|practi[sc]ing|applying|studying|aiming"
            r"|competing) (?:up |on |to |for |in |a |an |my |our )(?!it\b|this|that|them|use|do|the following)"
            r"(?:\w+)",
            r"<AM> <ADV>(?:learning|teaching myself|taking up) (?!a (?:lot|ton|bunch)|tons|lots|loads|so much|more|about (?:it|this|that)"
            r"|from|that|how (?:this|it|that)|it\b|this|much|new things|as )<W3>\w{3,}",
            r"<AM> <ADV>taking (?:a|an|some) <W3>(?:course|class|classes|lessons|year off|sabbatical"
            r"|break from)",
            r"i(?:'?m| am) <ADV>trying to (?:lose|quit|learn (?!how|about|more|the|what)|eat|save|stop"
            r" (?:smoking|drinking|eating)|cut (?:down|back|out)|get (?:pregnant|in shape|fit|better at"
            r"|a job|into)|become|reduce my|improve my|spend less|sleep|drink|exercise|gain|conceive)\b",
            r"i(?:'?m| am) (?:cutting (?:down|back|out)|working towards?)\b",
            r"<AM> <ADV>looking (?:for|to) (?:a|an|my|buy|rent|move|find a|adopt|hire|change) ?<W3>(?:jobs?"
            r"|apartment|flat|house|place to live|roommate|internship|position|career|home|cat|dog|puppy"
            r"|therapist|to|car)\b",
            r"<AM> <ADV>(?:moving|relocating) (?:to|in|into|out|back|from|abroad|next|house)\b(?! (?:next|the"
            r" next|on|another (?:question|topic))\b)",
            r"<AM> <ADV>(?:getting|expecting|adopting|having) (?:married|divorced|a (?:baby|child|boy|girl"
            r"|puppy|dog|cat|kitten|new baby)|our (?:first|second|third)|twins|my (?:degree|licen[cs]e)"
            r"|another (?:baby|child))\b",
            r"<AM> <ADV>(?:starting|beginning|opening|launching|joining|hosting|organi[sz]ing|attending"
            r"|visiting|flying to|travel+ing to|running|performing|speaking|going on|doing|having|throwing"
            r"|playing|meeting|taking|retiring|graduating) (?!it\b|this\b(?! \w+ (?:next|in))|that|them|well"
            r"|the (?:same|following)|some|trouble|problems?|issues?|difficult\w+|fun|a (?:hard|great|good|bad|rough|tough|blast)|to (?:think|feel|wonder|get|see)|into|out)<FUTURE>\w",
            r"<AM> <ADV>(?:starting|opening|launching) (?:a|an|my|our) <W3>(?:job|business|company|family"
            r"|course|shop|store|studio|restaurant|caf[eé]|podcast|blog|band|degree|phd|school|role|charity)"
            r"\b",
            r"<AM> <ADV>(?:going to|gonna|about to|set to|due to|hoping to|excited to|determined to|scheduled"
            r" to|supposed to) <LIFE>(?! (?:it|this|that|them)\b)",
            r"i (?:want|wanna|would love|'d love|'?ve always wanted|have always wanted)(?: to)? <LIFE>(?! (?:it"
            r"|this|that|them)\b)",
            r"<AM> <ADV>(?:going to|gonna) (?!(?:try|use|do|be|need|check|test|ask|bed|sleep|think|look|copy"
            r"|paste|send|say|tell|lunch|work on (?:it|this|that)|the (?:store|shop))\b)<FUTURE>\w+",
            r"(?:i|we)(?:'?ll| will) (?:be )?(?:<LIFE>|visiting|moving|starting|travel+ing|flying|attending"
            r"|hosting|graduating)(?! (?:it|this|that|them)\b)<FUTURE>",
            r"<AM> <ADV>going (?:back )?to <NAME>",
            r"<AM> <ADV>(?:thinking (?:of|about)|considering) (?:moving|quitting|buying (?:a|an)|getting (?:a"
            r"|an|married)|starting (?:a|an|my)|adopting|changing (?:careers?|jobs?)|selling (?:my|our)|going"
            r" (?:back to|vegan|to \w+ school)|becoming|switching (?:to|careers?)|applying|retiring"
            r"|learning (?!more|how)|opening (?:a|my)|joining (?:a|the)|taking up|having (?:a|kids"
            r"|another)|proposing)\b",
            r"<AM> <ADV>(?:building|developing|designing|creating|making|renovating|restoring|writing"
            r"|working on|composing|recording|researching) (?:a|an|my|our) (?!(?:(?:new|simple|small|basic"
            r"|python|javascript|js|sql|unit|quick|test|bash|custom|little|certain) ){0,3}(?:function|script"
            r"|test|regex|query|class|method|loop|component|file|list|table|way|document|page|form|bit"
            r"|email|letter|message|reply|paragraph|mistake|decision|point|request|call|button"
            r"|difference|change|living|mess|effort|fool|scene|dockerfile|sentence|variable|tests|assignment|homework|copy|problem|few|lot)\b)\w",
            r"i(?:'?ve| have) (?:\w+ )?(?:signed up|booked|registered|enrolled|applied|got tickets|been accepted"
            r"|planned|scheduled|reserved|bought tickets) <W3>(?!it\b|this|that)\w",
            r"i <ADV>(?:have|'?ve got) (?:a|an|my|another) (?:(?!from|of|about|for|with)[\w'-]+ ){0,2}(?:appointment|interview|exam|flight|deadline"
            r"|surgery|wedding|recital|audition|concert|gig|competition|tournament|race|trip|show|holiday"
            r"|vacation|check-?up|date)\b(?=.{0,60}\b(?:on|at|next|tomorrow|in|coming|this|for|booked"
            r"|planned)\b)",
            r"my <W3>(?:exams?|interview|flight|appointment|wedding|deadline|surgery|recital|audition"
            r"|due date|graduation|trip|thesis defen[cs]e|contract|lease|probation|visa|move|holiday|vacation)"
            r"(?: is| are|'s| ends| starts| expires) (?:due )?(?:scheduled |set |booked |planned )?(?:for |on "
            r"|in |at |next |tomorrow|this |by )\w",
        ),
    ),
    (
        PREFERENCE,
        (
            r"<I> <ADV>(?:love|like|enjoy|adore|hate|dislike|detest|despise|loathe|prefer|favou?r|appreciate"
            r"|avoid) (?:the (?:<THE>|<NAME>)|<OBJ>(?!the )(?!(?:hearing|the help|help|from|seeing (?:it|this|that|you)|when you|being able|that"
            r"|learning (?:about|more|from)|talking (?:to|with) you|chatting|working with you|any help)\b)\w)",
            r"<I> <ADV>(?:don't|dont|do not|never|no longer|didn't) <ADV>(?:like|love|enjoy|care for|want any"
            r"|eat|drink|smoke|watch|drive|wear|use social) ?<OBJ>(?!being able|when you)\w",
            r"i <ADV>(?:don't|dont|do not|never) (?:smoke|drink|drive|cook|swim|dance|gamble)\W*$",
            r"i <ADV>(?:can't|cannot|can not|couldn't) (?:stand (?!up|on|here|for|in|still|without|straight)"
            r"|bear (?!to|in)|live without |do without |get enough of |resist )<OBJ>\w",
            r"<AM> <ADV>(?:not )?<ADV>(?:into |fond of |keen on |passionate about |crazy about |obsessed with "
            r"|addicted to |partial to |mad about |hooked on |big on |not big on )<OBJ>(?!the (?:issue|error|code"
            r"|problem))\w",
            r"i(?:'?m| am) <ADV>(?:not )?<ADV>(?:a |an )(?:<ADV>(?:big|huge|massive|great|real|total|lifelong|avid"
            r"|die-?hard|major|bit of a) ?){0,2}(?:fan of|lover of|sucker for|believer in|\w+ (?:fan|lover|buff"
            r"|enthusiast|addict|fanatic|nut)\b)(?! (?:it|this|that|your)\b)",
            r"i(?:'?m| am) <ADV>interested in (?!knowing|learning|hearing|seeing|your|this|that|it\b|finding"
            r"|understanding|how|what|exploring|getting|the (?:same|answer|result|topic)|any|a |an )\w",
            r"i(?:'?m| am) <ADV>(?:afraid|scared|terrified|frightened) of (?!it\b|this|that|them|losing|what"
            r"|you|making|messing|breaking|getting|the (?:result|outcome))\w",
            r"<I> <ADV>(?:collect|breed|garden|knit|crochet|sew|paint|sculpt|meditate|surf|ski|snowboard|skate"
            r"|climb|dance|fish|hunt|bake|brew|fence|box|row|sail|journal)(?: (?!it\b|this|that|them|out|up"
            r"|the (?:data|error|results|logs|output))\w| *\W*$)",
            r"i <ADV>play <ADV>(?:the |in a |in an |for a |for the |bass|drums|piano|guitar|violin|chess|tennis"
            r"|football|soccer|basketball|golf|rugby|cricket|hockey|volleyball|badminton|video|board"
            r"|dungeons|d&d|[a-z]+ (?:every|on|with|at|for|once|twice))(?!role of|devil|following|lottery)",
            r"i <ADV>(?:listen to|read|watch) (?:a lot of|mostly|mainly|only|lots of|tons of|plenty of) <OBJ>\w",
            r"my (?:all-?time |absolute |personal |current |new |least ){0,2}(?:(?:favou?rites?|go-to|"
            r"preferred|guilty pleasure)\b[^,;?]{0,60}? (?:is|are|was|would be|has always been|has to be"
            r"|have always been|include)|(?:passion|preference)s? (?:is|are|has always been)) (?!(?:it|that|this|the (?:first|second|third|last|former|latter)|when"
            r" you|yours?|number|option)\b)\S",
            r"(?!(?:this|that|it|these|those|they|which|what|who|the (?:first|second|third|last|former|latter|one"
            r")|number|option|one|your|he|she|so|if|and)\b)[^,;:?]{1,60}?(?: is|'s| are| has always been| was) (?:"
            r"definitely |still |also |probably |easily |one of )?my (?:all-?time |absolute |personal |least )?"
            r"(?:favou?rites?|passion|go-to|guilty pleasure|happy place)\b",
        ),
    ),
    (
        TECHNICAL,
        (
            r"(?:my|our|the team'?s|my team'?s) (?:\w+ ){0,2}(?:stack|database|db|backend|back-?end|frontend"
            r"|front-?end|api|servers?|repo|repository|codebase|editor|ide|os|operating system|laptop"
            r"|desktop|computer|pc|machine|ci|pipeline|cluster|infrastructure|website|site|production"
            r"|compiler|shell|terminal|distro|phone|monitor|keyboard|router|nas|gpu|deployment|team|apps?"
            r"|services?|models?|framework|config|setup|package manager)(?: is| are|'s|'re)? (?:an? |all |mostly "
            r"|still |based on |built (?:with|on|in)|written in|running|running on|hosted|deployed|uses?\b"
            r"|runs? on|lives? (?:in|on)|called|on |in |deploys? |targets? )(?! ?(?:it|this|that|mess|bit|fire"
            r"|lot|little|error|problem|pain|way|track|disaster|progress|trouble|place)\b) ?\S",
            r"(?:my|our) (?:tech )?(?:stack|database|db|backend|frontend|editor|ide|os|operating system|ci|shell|"
            r"distro|gpu|cpu|package manager|framework)(?: is| are|'s| of choice is) (?!not|down|broken|slow|too"
            r"|failing|giving|throwing|so|very|really|returning|getting|crash|full|empty|locked|still|in a)\S",
            r"production (?:runs?|is) (?:on|in) \w",
            r"(?:i|we) <ADV>(?:use|run|deploy|develop|code|program|build|host|write|rely|self-host|ship|target"
            r"|maintain|test) (?:all |everything |our \w+ |my \w+ |mostly |mainly )?(?:on |in |with |to |against )?"
            r"<OBJ>(?!(?:the|a|an|some|any|to|all|tests?|code|for|my|our)\b)<TECH>",
            r"(?:i'?m|i am|we're|we are|i'?ve been|we'?ve been) <ADV>(?:using|running|on|developing (?:in|with|on|for)"
            r"|coding in|programming in|building (?:on|with)|hosting on|deploying (?:to|on|with)|working with"
            r"|migrating (?:to|from)|targeting|maintaining) <OBJ>(?!(?:the|some|any|to|all)\b)<TECH>",
            r"(?:i|we) use (?:a|an) (?!(?:lot|few|bit|loop|function|for|while|different|similar|simple"
            r"|certain|specific|combination|variable|list|script|library|dictionary|class)\b)<W3>\w{3,}",
        ),
    ),
    (
        HABIT,
        (
            r"i (?:always|usually|typically|normally|never|rarely|often|generally|mostly|sometimes) (?:wake|get up"
            r"|go to (?:bed|the gym|church|yoga|sleep)|eat|drink|run|cycle|bike|walk|swim|work (?!out (?:how|why"
            r"|what))|travel|cook|wear|train|read|commute|order|sleep|practi[sc]e|meditate|skip|exercise"
            r"|take (?:the|my)|have (?:breakfast|lunch|dinner|coffee|tea)|study|shop at)\b(?! (?:it|this|that"
            r"|them|the (?:code|file|doc|data|error))\b)",
            r"i <ADV>(?:volunteer|go to the gym|work out|commute|swim|cycle|bike|run|jog|walk|train|practi[sc]e"
            r"|go (?:hiking|running|swimming|climbing|fishing|camping|surfing|skiing|dancing|to (?:church|mass"
            r"|therapy|yoga))|attend|donate|cook|bake|meditate|fast|get up|wake up|do (?:yoga|pilates|karate"
            r"|judo|ballet)|see (?:a|my) (?:therapist|physio\w*)|visit my|babysit)\b(?=.{0,80}\b(?:every|each|on"
            r" (?:\w+ )?(?:week|mon|tues|wednes|thurs|fri|satur|sun)\w*|daily|weekly|monthly|twice|once|times"
            r" (?:a|per)|\d+ ?(?:x|km|miles)|mornings|evenings|weekends|regularly|for (?:a|an|the|\w+ years)"
            r"|at (?:a|an|the|my|\d)|in (?:a|the|my))\b)(?! (?:the (?:code|script|command|query|tests?|app|server)"
            r"|into|this|that|it)\b)",
        ),
    ),
    (
        POSSESSION,
        (
            r"<I> <ADV>(?:have|'?ve got|got|own|keep|raise) (?!no idea)(?:<DET> ){0,2}<W3>(?:dogs?|cats?|puppy"
            r"|puppies|kittens?|parrots?|rabbits?|hamsters?|guinea pigs?|horses?|pon(?:y|ies)|goats?|chickens?"
            r"|hens|bees|fish|aquarium|tortoise|turtles?|snakes?|lizard|gecko|pets?|cars?|motorbike"
            r"|motorcycle|bikes?|bicycles?|e-bike|vans?|truck|boats?|kayak|scooter|house|apartment|flat"
            r"|cottage|cabin|farm|garden|allotment|balcony|greenhouse|piano|guitars?|violin|cello|drums?|drum"
            r" kit|camera|telescope|sewing machine|3d printer|air ?fryer|raspberry pi|nas|laptop|macbook"
            r"|thinkpad|iphone|ipad|android phone|playstation|xbox|switch|steam deck|tattoos?|passport"
            r"|visa|green card|citizenship|company|business|shop|store|bakery|bookshop|restaurant|studio|caf[eé]"
            r"|licen[cs]e|collection|library card|season ticket|membership|scholarship)(?![\w-])(?! (?:question"
            r"|problem|issue|loan to|payment|insurance question|object|class|app|table|idea|of (?:files|data"
            r"|objects)))",
            r"i <ADV>(?:own|drive|ride) (?:a|an|my|two|three) (?!(?:hard|point|few|lot)\b)<W3>\w{2,}",
            r"my (?:car|bike|motorbike|motorcycle|van|camera|guitar|piano|house|flat|apartment|boat|phone|laptop)"
            r"(?: is|'s) (?:a|an) (?!(?:mess|bit|little|disaster|pain|problem|wreck|lot)\b)\w",
        ),
    ),
)

_TECH_WORDS: Final = (
    "postgres|postgresql|mysql|sqlite|mariadb|redis|mongodb|mongo|duckdb|kafka|rabbitmq|docker|podman"
    "|kubernetes|k8s|terraform|ansible|nginx|apache|python|java|javascript|typescript|rust|golang|ruby|php"
    "|perl|swift|kotlin|scala|elixir|haskell|clojure|c\\+\\+|c#|\\.net|matlab|julia|node|node\\.js|deno|bun"
    "|react|vue|svelte|angular|next\\.js|nuxt|django|flask|fastapi|rails|laravel|spring|express|phoenix"
    "|pandas|numpy|polars|pytorch|tensorflow|pytest|jest|linux|ubuntu|debian|fedora|arch|nixos|macos"
    "|windows|vim|neovim|emacs|vs ?code|vscode|jetbrains|pycharm|intellij|zed|cursor|git|github|gitlab"
    "|jenkins|aws|gcp|azure|heroku|vercel|netlify|hetzner|fly\\.io|cloudflare|supabase|firebase|graphql"
    "|grpc|rest|webpack|vite|poetry|uv|pip|conda|npm|pnpm|yarn|bazel|cmake|zsh|fish|bash|tmux|notion"
    "|obsidian|figma|excel|latex|slack|jira|linear|trello|asana|ollama|llama|langchain|unity|unreal"
    "|godot|blender|arduino|raspberry pi|home assistant|tailwind|bootstrap|prisma|sqlalchemy|celery"
)
_NAME: Final = "(?P<name>[^\\W\\d_][\\w'.-]*)"  # must be written with a capital letter
_TECH: Final = rf"(?:(?:[\w+#.-]+ ){{0,3}}(?:{_TECH_WORDS})(?![\w-])|(?P<tech>[^\W\d_][\w'.+#-]*)|\w+ v?\d+\.\d)"


def _compiled(patterns: Sequence[str]) -> Sequence[re.Pattern[str]]:
    found = []
    for pattern in patterns:
        whole = pattern
        for _ in range(3):  # pieces hold pieces
            for name, piece in {**_PIECES, "NAME": _NAME, "TECH": _TECH}.items():
                whole = whole.replace(f"<{name}>", piece)
        found.append(re.compile(whole))
    return found


_RULES: Final = [(kind, _compiled(patterns)) for kind, patterns in _PATTERNS]


# "I love to play it", "I'd never use that": what the clause speaks of isn't in it.
_POINTS: Final = re.compile(
    r"(?:[\w'’-]+ ){2,6}?(?:it|this|that|them|him|her|those|these|one)\b(?! (?:when|is|was|kind|type|one)\b| (?:year"
    r"|spring|summer|autumn|fall|winter|month|week|weekend|coming|\w+day|january|february|march|april|june"
    r"|july|august|september|october|november|december)\b)|.*\b(?:it|this|that|them|one|ones|there|him|her|to|of)\W*$"
)
_PASSING: Final = re.compile(
    r".*\b(?:you|your|yours|right now|today|tonight|this time|in this case|for now|at the moment)\b"
)


def english_kind(clause: str, written: str) -> Kind | None:
    """
    Return what kind of statement a clause makes about its speaker; None for anything else.

    Args:
        clause: as `sentences` gives it, without what leads in; at most LONGEST characters count.
        written: the same characters as the user wrote them, where capitals tell names.
    """
    for kind, patterns in _RULES:
        for pattern in patterns:
            found = pattern.match(clause[:LONGEST])
            if found and _capitals(found, written):
                return None if _is_passing(kind, clause) else kind
    return None


def _is_passing(kind: Kind, clause: str) -> bool:
    if kind not in {PREFERENCE, GOAL, DECISION, HABIT}:
        return False
    said = clause[:LONGEST]
    return _POINTS.match(said) is not None or (
        kind is PREFERENCE and _PASSING.match(said) is not None
    )


def _capitals(found: re.Match[str], written: str) -> bool:
    """Say whether what must be a name is written as one."""
    names = {key: found.start(key) for key in found.groupdict() if found[key] is not None}
    return all(_is_name(written[at : at + 40]) for at in names.values())


def _is_name(written: str) -> bool:
    word = written.split()[0]
    return word[0].isupper() and not (word.isupper() and len(word) > 5)
