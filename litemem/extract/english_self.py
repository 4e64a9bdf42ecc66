"""Patterns: who an English speaker is, and what must be minded about them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from litemem.extract.kinds import HEALTH, IDENTITY, STANDING, Kind

WHO: Final[Sequence[tuple[Kind, Sequence[str]]]] = (
    (
        STANDING,
        (
            (
                "(?:from now on|going forward|in (?:the )?future"
                r"|from here on)(?: please)?,? (?!(?:i|we|it|this|that|things|the)\b)\w+ \w+"
            ),
            (
                "(?:always|never) (?:include|use|answer|reply|respond|format|show|give|write"
                "|provide"
                "|add|explain|start|end|cite|mention|ask|call|address|speak|translate|round|list"
                r"|specify|confirm|suggest|recommend|offer|assume)(?: me| my)? (?!(?:it|this"
                r"|that|up|away|out|off|mind)\b)\w"
            ),
        ),
    ),
    (
        HEALTH,
        (
            r"i (?:only (?:eat|drink)|(?:eat|drink) only) <OBJ>\w",
            (
                r"i <ADV>get (?:migraines?|hives|heartburn|seasick|carsick|sunburn\w*|a rash"
                r"|panic attacks|nosebleeds)\b"
            ),
            (
                "i(?:'?ve got| have|'?ve had) (?:a |an |some )?(?:bad|weak|broken|injured|sprained"
                "|replaced|artificial|chronic) (?:knees?|back|hips?|shoulder|ankles?|wrists?|heart"
                r"|eyesight|hearing|leg|arm|neck|pain|\w+ pain)\b"
            ),
            r"i(?:'?ve had| have|'?ve got) trouble (?:sleeping|walking|hearing)\b",
            (
                "<AM> <ADV>(?:recovering from|on (?:insulin|dialysis|antidepressants|blood thinners"
                r"|birth control|a (?:\w+ )?diet)|in (?:a wheelchair|therapy|remission"
                r"|recovery))(?! (?:it|this|that)\b)"
            ),
            (
                "<IM> <ADV>(?:not )?(?:allergic to (?!the idea)|(?:lactose|gluten|fructose"
                "|histamine)[ -]intolerant|intolerant (?:to|of) |coeliac|celiac|diabetic|asthmatic"
                "|epileptic)"
            ),
            (
                r"(?:my|our) <REL>(?: \w+)?(?: is|'s| are) <ADV>(?:allergic to|(?:lactose"
                "|gluten)[ -]intolerant|coeliac|celiac|diabetic|asthmatic)"
            ),
            (
                r"i (?:\w+ )?(?:found out|discovered|learned"
                r"|learnt)(?: \w+)?(?: that)? i'?m <ADV>allergic to"
            ),
            (
                "i(?:'?ve)? <ADV>(?:have|got|been diagnosed with|suffer from|live with"
                r"|was (?:\w+ )?diagnosed with) (?:\w+ ){0,4}(?:asthma|diabetes|allerg(?:y|ies)"
                r"|adhd"
                "|autism|epilepsy|migraines?|arthritis|anxiety|depression|celiac|coeliac|dyslexia"
                "|insomnia|high blood pressure|hypertension|intolerance|crohn's|ibs|tinnitus|anemia"
                r"|anaemia|scoliosis|cancer|disease|disorder|syndrome)\b(?! (?:about|question))"
            ),
            (
                r"i(?:'?m| am)? (?:also )?(?:take|taking|on) (?:\d+ ?(?:mg|mcg|g|ml|iu) "
                r"|\w+ (?:daily|twice a day|every (?:day|morning|evening|night)|for my ))"
            ),
            (
                "i (?:(?:can't|cannot|can not|mustn't) (?:eat|have|tolerate|digest|drink)|(?:don't"
                r"|dont|do not) (?:eat|drink)) <ADV>(?!it\b|this|that|any of|them|what|you|your|to "
                "|time|the )(?:any )?[a-z]{3,}"
            ),
            (
                "i(?:'?ve| have)? (?:never|stopped|avoid) (?:eat|eating|touch|drink"
                "|drinking)? ?(?:meat|gluten|dairy|sugar|alcohol|caffeine|coffee|nuts|pork|beef"
                r"|fish|lactose|red meat)\b"
            ),
        ),
    ),
    (
        IDENTITY,
        (
            (
                "i <ADV>wear (?:glasses|contacts|contact lenses|hearing aids?|a hearing aid|braces"
                r"|a prosthe\w+|a hijab|a kippah|size)"
            ),
            (
                r"i <ADV>work (?:\w+|\d+) (?:days|hours|shifts|nights) (?:a|per|each) (?:week|month"
                "|day)"
            ),
            (
                r"i <ADV>do (?:\w+ ){0,2}(?:support|consulting|research|accounting|marketing|sales"
                r"|design|logistics|admin|bookkeeping|freelancing|translation) (?:for|at"
                r"|in) (?!it\b"
                r"|this|that|you)\w"
            ),
            r"<IM> <ADV>(?:employed|hired) (?:by|at|with) (?!it\b|this|that)\w",
            (
                "<AM> <ADV>(?:between jobs|out of work|on (?:maternity|paternity|parental"
                "|sick) leave|on (?:a )?sabbatical|on a (?:tight )?budget|in (?:high school|college"
                "|grad school|law school|med school))"
            ),
            "<IM> (?:half|part|a quarter) <NAME>",
            r"i can <ADV>(?:read|speak|understand|write) (?!it\b|i\b)<NAME>",
            (
                "i (?:can't|cannot|can not) (?:swim|drive|cook|dance|sing|whistle|ride a bike"
                r"|read music)\W*$"
            ),
            (
                r"i(?:'?ve| have) never (?:been (?:to|in|on) (?!it\b|this|that|one\b|there"
                r"|the (?:page|site))"
                r"|owned |lived |flown\b|driven\b|learned to |learnt to )"
            ),
            r"<I> (?:don't|dont|do not) own (?:a|an|any) \w",
            r"<I> <ADV>(?:rent|foster|sponsor)(?: out)? (?!it\b|this|that|them\b)(?:\w+)",
            (
                "my (?:(?:full|first|last|middle|real|given|maiden|family|legal|nick) ?)?(?:name"
                r"|surname|nickname)(?: is|'s) (?!on\b|not\b|in\b|<FAMED>)\S"
            ),
            (
                r"i(?:'?m| am) called \S|(?:you can |people |everyone |everybody |friends |just "
                "|please |my friends )call(?:s)? me (?!back|when|later|if|tomorrow|tonight|at|a |on"
                r"|crazy|<FAMED>)\w|i go by \w"
            ),
            (
                r"(?:(?:please|just) )?call me (?!<FAMED>|asap|back|mom\b|dad\b|\w+day\b|tomorrow"
                r"|crazy|old|stupid|later)<NAME>(?=\W*$|,| instead| for short| please)"
            ),
            (
                "<AM> <ADV>(?:almost |nearly |about |around )?<N>(?:<END>|[ -]?(?:yo"
                r"|y/o)\b)(?! (?:minutes|hours|days|weeks|km|miles|percent|steps))"
            ),
            (
                "<AM> in (?:my|our) (?:early |mid |late |mid-|late-|early-)?(?:teens|twenties"
                r"|thirties|forties|fifties|sixties|seventies|\d0'?s)"
            ),
            r"i(?:'?ll| will)? (?:turn(?:ed)?|just turned)(?: be)? <N>\b",
            "i was born|i grew up|i was raised|i was brought up",
            (
                r"i come from (?!work\b|the (?:store|shop|gym)|a meeting|there|here|it\b)(?:a "
                r"|an )?\w"
            ),
            (
                "<I> <NOT>?<ADV>(?:live|reside|lived) <ADV>(?:(?:just|right|about|near|close"
                "|about) )?(?:in|on|near|at|with|alone|by|close|outside|together|abroad|between"
                r"|next|within|off|here in|\d+|half|an hour)(?! (?:it|that|this|them|the edge|fear"
                r"|hope)\b)(?!\w)"
            ),
            (
                "<IM> <ADV>(?:living|based|located|residing) (?:in|on|near|at|with|alone|by|outside"
                r"|out of)\b"
            ),
            (
                "<AM> <ADV>(?:born and raised |originally )?from (?!<DESK>|here|there|the (?:future"
                r"|same)"
                r"|this|that|now)\w"
            ),
            (
                "<I> <NOT>?<ADV>work(?:ed)? <ADV>(?:as (?:a|an|the|head|lead|senior|chief)|(?:at"
                r"|for) (?!it\b|this|that|them|me\b|you|least|the moment|all\b|\d"
                r"|(?:the )?(?:weekend|hours|days|ages))|in (?:a|an|the|\w+ing|it|finance|tech"
                r"|sales"
                "|healthcare|education|construction|hr|retail|hospitality|law|media|banking"
                r"|insurance|logistics|research|software)\b(?! (?:past|morning|evening|afternoon"
                "|meantime|same))|from home|remotely|nights|night shifts?|shifts|part[ -]time"
                "|full[ -]time|freelance|offshore|weekends|in the)"
            ),
            (
                "i(?:'?m| am|'?ve been) <ADV>(?:working|employed|volunteering|interning) (?:as|at"
                r"|for) (?!it\b|this|that|you|the moment|least|now)\w"
            ),
            r"i <ADV>(?:teach|taught) (?!you|me|it|them|this|that|him|her)\w",
            (
                "i <ADV>(?:study|studied|major(?:ed)?|minored|graduated|did my|am doing my|hold a"
                r"|have a (?:\w+'?s |\w+ ){0,2}(?:degree|phd|doctorate|master'?s|bachelor'?s"
                r"|diploma"
                r"|mba|licen[cs]e)) ?(?!this|that|it\b|these|them|how|the (?:code|doc|text|paper))"
            ),
            (
                "<AM> <ADV>(?:studying|majoring in|doing (?:a|my) (?:phd|master|degree|bachelor"
                r"|apprenticeship|internship|residency)\w*) ?(?!this|that|it\b|for (?:an|a|my)|how"
                "|the )"
            ),
            (
                "i <ADV>(?:run|manage|lead|co-?own|head|direct|coach|edit|founded|co-?founded) (?:a"
                "|an|my own|our|the) (?!(?:test|script|command|query|code|program|program|server"
                "|app|file|update|job|new (?:test|branch|project|file|chat)|following|project|risk"
                "|mile|few|lot|whole|long|great|discussion|conversation|risk|build|container"
                r"|migration)s?\b)<W3>[a-z]{3,}(?! (?:and it|but it|it fails|again))"
            ),
            (
                "<IM> <ADV>(?:a|an|the) <ADV>(?!(?:bit|little|tad|lot|few|mess|disaster|idiot|fool"
                "|fan|bot|big|huge|total|complete|real|bad|good|great|worst|best|one|only one|same"
                r"|first|last|beginner here|failure|ghost|genius|nervous|couple|wreck|hundred|\d+"
                "|minute|day|week|firm|man of|sucker|person who|believer|whole|step|long way|stuck"
                "|zombie|goner|lost|little|customer of yours|new user|noob|newbie|beginner"
                r"|expert now|mix of|sort of|kind of|type of)\b)[\w-]{3,}"
            ),
            (
                "<IM> <ADV>(?:a|an) (?:big|huge|total|complete|real|bad|good|great) (?:foodie|nerd"
                "|geek|reader|night owl|morning person|bookworm|introvert|extrovert|gamer|cook"
                "|dog person|cat person|animal lover|movie buff|coffee drinker|runner|history buff"
                "|music lover)"
            ),
            (
                "<AM> <ADV>(?:not )?<ADV>(?:an? )?(?:vegetarian|vegan|pescatarian|married|single"
                "|divorced|widowed|engaged|separated|pregnant|retired|self-employed|unemployed"
                r"|freelanc\w+|left-handed|bilingual|colou?r-?blind|deaf|blind|hard of hearing"
                "|autistic|dyslexic|gay|lesbian|bisexual|bi|trans|transgender|nonbinary|non-binary"
                "|queer|jewish|muslim|christian|catholic|hindu|buddhist|atheist|religious|kosher"
                "|halal|an introvert|introverted|extroverted|teetotal|sober|new to (?:the area|town"
                r"|the city|\w+ing)|gluten[ -]free|dairy[ -]free|keto|ace|asexual)(?! (?:for|about"
                r"|person)\b)(?![\w-])"
            ),
            (
                "i(?:'?ve| have) been (?:a |an )?(?:vegetarian|vegan|married|single|divorced|sober"
                "|retired|together|teaching|working (?:at|as|for|in|with) |living|playing|painting"
                r"|collecting|studying|dating|coaching|volunteering|dancing|climbing|a \w+|an \w+"
                r"|with (?:the|my|our) \w+)\b(?=.{0,80}\b(?:for|since|years|as)\b)(?! (?:it|this"
                "|that|on (?:it|this)))"
            ),
            (
                r"i <ADV>speak (?!to|about|with|for|up|of|out|too|from|in )\w|i(?:'?m"
                r"| am) (?:\w+ )?(?:fluent in|a native)"
            ),
            (
                "my (?:native language|mother tongue|first language|nationality|pronouns|ethnicity"
                "|religion|birthday|birthdate|date of birth|zodiac sign|star sign|blood type|age"
                "|hometown|home town|home country|address|home address|e-?mail(?: address)?"
                "|phone(?: number)?|mobile(?: number)?|number|time ?zone|time zone|height|weight"
                "|shoe size|size|job|job title|title|occupation|profession|role|employer|company"
                "|field|salary|budget|income|degree|major|school|university|hobb(?:y|ies)|interests"
                "|background|license plate|locker code|anniversary|wedding anniversary|star sign"
                "|handle|username|github|commute|background|working hours|office hours|diet|rent"
                "|mortgage|allergies)(?: is| are|'s| was| has)(?: on| at| in| from"
                "|:)? (?!not (?:working|the issue)|due|too|high|going|being|that|this|what|why"
                r"|wrong|broken|killing|a (?:mess|problem)|still|stuck|down)\S"
            ),
            (
                r"(?:my|our) <REL>(?:,? [a-z]\w+,?)?(?: is|'s| are|'re| was|\'s name is| who is"
                "| has been) <ADV>(?:a |an |called|named|<N>(?:<END>|[ -]year)|from |vegan"
                "|vegetarian|getting married|expecting|pregnant|studying|retired|deaf|blind"
                r"|(?:turning|almost|nearly|about) <N>|in (?:\w+ ){0,2}(?:grade|school|college"
                "|kindergarten|university|prison|the (?:army|navy|military))|into |fluent|obsessed"
                "|starting |moving to|the (?:ceo|cto|head|director|owner|eldest|youngest)"
                "|afraid of)(?!bit|little|mess|disaster|problem|pain|lot)"
            ),
            (
                r"(?:my|our) <REL>'s? (?:full |first |last )?(?:name|names|birthday|job"
                r"|favou?rite \w+"
                r"|phone number|e-?mail|school|teacher|wedding)(?: is| are|'s) (?!not\b)\S"
            ),
            (
                "(?:my|our) <REL> <ADV>(?:[a-z]+ )?(?:works?|lives?|lived|teaches|studies|loves"
                "|likes|hates"
                "|enjoys|plays|speaks|owns|runs|manages|starts|started|attends|wears|is due"
                "|can't eat|doesn't (?:eat|like|drink|speak)|was born|was diagnosed|died"
                "|passed away"
                "|grew up|comes from|moved|prefers|wants to (?:be|become)|collects|suffers"
                "|does ballet|goes to|graduated)(?! (?:it|that|this|on (?:it|this)|you|your|me|up"
                r"|out)\b)(?= \w|<END>)"
            ),
            (
                "<I> <ADV>(?:have|'?ve got|got) (?!no idea)(?:<DET> ){1,2}<W3>(?:sons?|daughters?"
                "|kids?|child|children|brothers?|sisters?|siblings?|twins?|wife|husband|partner"
                "|girlfriend|boyfriend|grandchildren|grandson|granddaughter|nieces?|nephews?"
                "|cousins?|roommates?|stepson|stepdaughter|toddler|teenagers?|baby|boys"
                r"|girls)(?![\w-])(?! (?:question|problem|issue|app|class|node|element|component"
                "|process|table|object)s?)"
            ),
            (
                "<I> (?:don't|dont|do not) have (?:any |a |an )?<W3>(?:kids|children|siblings"
                "|brothers|sisters|partner|wife|husband|family|car|pets|dog|cat"
                r"|driver'?s? licen[cs]e|tv|degree|garden)\b"
            ),
            (
                r"i(?:'?m| am) (?!ok\b|okay|sorry|not|just|so|still|very|too|really|here|done|back"
                r"|all|in\b|on\b|at\b|<FAMED>)<NAME>"
            ),
            (
                r"<I> used to (?!\w+ (?:it|this|that|them)\b)(?:live|work|be a|be an|play|teach"
                r"|study|smoke|own|have (?:a|an)|run a|drink)\b"
            ),
            r"i pay \S{0,3}\d[\d.,]*\S{0,3} (?:a|per|each|every) (?:month|week|year)",
        ),
    ),
)
