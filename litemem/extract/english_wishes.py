"""Patterns: what an English speaker plans and likes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from litemem.extract.kinds import GOAL, PREFERENCE, Kind

WISHES: Final[Sequence[tuple[Kind, Sequence[str]]]] = (
    (
        GOAL,
        (
            (
                r"i(?:'d| would) like to <LIFE>.{0,80}\b(?:one day|someday|some day|eventually"
                r"|this year|next year)\b"
            ),
            r"<AM> <ADV>switching (?:over )?(?:to|from) <OBJ>\w",
            (
                "<AM> <ADV>hoping to (?:finish|become|move|start|buy|publish|graduate|retire|visit"
                r"|pass|win|open|land|own|adopt|travel|qualify|compete) <OBJ>\w"
            ),
            (
                "i(?:'?ve always| have always)? want(?:ed)? to (?:be|become) (?:a|an|the) (?!able"
                r"|bit|part)\w"
            ),
            (
                "(?:my|our) (?:flight|train|ferry|bus|lease|contract|visa|passport|course|semester"
                "|shift) (?:leaves|departs|lands|arrives|starts|begins|ends|expires|runs out) (?:on"
                r"|at|in|next|from|this|tomorrow)\b"
            ),
            (
                "<AM> <ADV>(?:quitting|resigning|emigrating|divorcing|proposing|retiring"
                r"|graduating)\b(?! (?:it|this|that|the (?:app|program|game))\b)"
            ),
            (
                r"my (?:\w+ ){0,3}(?:goals?|dreams?|plans?|aim|ambition|resolutions?"
                r"|bucket list)(?: for [\w ]{2,20})?(?: is| are|'s| was) (?!working|not|good|bad"
                r"|ruined|com(?:in|ing)|shattered|it\b|that\b(?! i)|this|what)\w"
            ),
            (
                "<I> <ADV>(?:plan|intend|aim|aspire|hope|dream) (?:to|on|of) (?!(?:use|do|call"
                "|implement|add|see|hear|know|ask|make sure|understand|find out|get (?:it|this|that"
                r"|an answer|some))\b|it\b|this|that|you|fix|be able)\w+ (?!it\b|this|that|them|you"
                r"|these)\w"
            ),
            (
                "<AM> <ADV>(?:planning|preparing|training|saving|practi[sc]ing|applying|studying"
                r"|aiming|competing) (?:up |on |to |for |in |a |an |my |our )(?!it\b|this|that|them"
                r"|use|do|the following)(?:\w+)"
            ),
            (
                "<AM> <ADV>(?:learning|teaching myself|taking up) (?!a (?:lot|ton|bunch)|tons|lots"
                r"|loads|so much|more|about (?:it|this|that)|from|that|how (?:this|it|that)|it\b"
                r"|this|much|new things|as )<W3>\w{3,}"
            ),
            (
                "<AM> <ADV>taking (?:a|an|some) <W3>(?:course|class|classes|lessons|year off"
                "|sabbatical|break from)"
            ),
            (
                "i(?:'?m| am) <ADV>trying to (?:lose|quit|learn (?!how|about|more|the|what)|eat"
                "|save|stop (?:smoking|drinking|eating)|cut (?:down|back|out)|get (?:pregnant"
                "|in shape|fit|better at|a job|into)|become|reduce my|improve my|spend less|sleep"
                r"|drink|exercise|gain|conceive)\b"
            ),
            r"i(?:'?m| am) (?:cutting (?:down|back|out)|working towards?)\b",
            (
                "<AM> <ADV>looking (?:for|to) (?:a|an|my|buy|rent|move|find a|adopt|hire"
                "|change) ?<W3>(?:jobs?|apartment|flat|house|place to live|roommate|internship"
                r"|position|career|home|cat|dog|puppy|therapist|to|car)\b"
            ),
            (
                "<AM> <ADV>(?:moving|relocating) (?:to|in|into|out|back|from|abroad|next"
                r"|house)\b(?! (?:next|the next|on|another (?:question|topic))\b)"
            ),
            (
                "<AM> <ADV>(?:getting|expecting|adopting|having) (?:married|divorced|a (?:baby"
                "|child|boy|girl|puppy|dog|cat|kitten|new baby)|our (?:first|second|third)|twins"
                r"|my (?:degree|licen[cs]e)|another (?:baby|child))\b"
            ),
            (
                "<AM> <ADV>(?:starting|beginning|opening|launching|joining|hosting|organi[sz]ing"
                "|attending|visiting|flying to|travel+ing to|running|performing|speaking|going on"
                r"|doing|having|throwing|playing|meeting|taking|retiring|graduating) (?!it\b"
                r"|this\b(?! \w+ (?:next|in))|that|them|well|the (?:same|following)|some|trouble"
                r"|problems?|issues?|difficult\w+|fun|a (?:hard|great|good|bad|rough|tough|blast)"
                r"|to (?:think|feel|wonder|get|see)|into|out)<FUTURE>\w"
            ),
            (
                "<AM> <ADV>(?:starting|opening|launching) (?:a|an|my|our) <W3>(?:job|business"
                "|company|family|course|shop|store|studio|restaurant|caf[eé]|podcast|blog|band"
                r"|degree|phd|school|role|charity)\b"
            ),
            (
                "<AM> <ADV>(?:going to|gonna|about to|set to|due to|hoping to|excited to"
                r"|determined to|scheduled to|supposed to) <LIFE>(?! (?:it|this|that|them)\b)"
            ),
            (
                "i (?:want|wanna|would love|'d love|'?ve always wanted"
                r"|have always wanted)(?: to)? <LIFE>(?! (?:it|this|that|them)\b)"
            ),
            (
                "<AM> <ADV>(?:going to|gonna) (?!(?:try|use|do|be|need|check|test|ask|bed|sleep"
                "|think|look|copy|paste|send|say|tell|lunch|work on (?:it|this|that)|the (?:store"
                r"|shop))\b)<FUTURE>\w+"
            ),
            (
                "(?:i|we)(?:'?ll| will) (?:be )?(?:<LIFE>|visiting|moving|starting|travel+ing"
                r"|flying|attending|hosting|graduating)(?! (?:it|this|that|them)\b)<FUTURE>"
            ),
            "<AM> <ADV>going (?:back )?to <NAME>",
            (
                "<AM> <ADV>(?:thinking (?:of|about)|considering) (?:moving|quitting|buying (?:a|an)"
                "|getting (?:a|an|married)|starting (?:a|an|my)|adopting|changing (?:careers?"
                r"|jobs?)|selling (?:my|our)|going (?:back to|vegan|to \w+ school)|becoming"
                "|switching (?:to|careers?)|applying|retiring|learning (?!more|how)|opening (?:a"
                r"|my)|joining (?:a|the)|taking up|having (?:a|kids|another)|proposing)\b"
            ),
            (
                "<AM> <ADV>(?:building|developing|designing|creating|making|renovating|restoring"
                "|writing|working on|composing|recording|researching) (?:a|an|my|our) (?!(?:(?:new"
                "|simple|small|basic|python|javascript|js|sql|unit|quick|test|bash|custom|little"
                "|certain) ){0,3}(?:function|script|test|regex|query|class|method|loop|component"
                "|file|list|table|way|document|page|form|bit|email|letter|message|reply|paragraph"
                "|mistake|decision|point|request|call|button|difference|change|living|mess|effort"
                "|fool|scene|dockerfile|sentence|variable|tests|assignment|homework|copy|problem"
                r"|few|lot)\b)\w"
            ),
            (
                r"i(?:'?ve| have) (?:\w+ )?(?:signed up|booked|registered|enrolled|applied"
                r"|got tickets|been accepted|planned|scheduled|reserved|bought tickets) <W3>(?!it\b"
                r"|this|that)\w"
            ),
            (
                "i <ADV>(?:have|'?ve got) (?:a|an|my|another) (?:(?!from|of|about|for"
                r"|with)[\w'-]+ ){0,2}(?:appointment|interview|exam|flight|deadline|surgery|wedding"
                "|recital|audition|concert|gig|competition|tournament|race|trip|show|holiday"
                r"|vacation|check-?up|date)\b(?=.{0,60}\b(?:on|at|next|tomorrow|in|coming|this|for"
                r"|booked|planned)\b)"
            ),
            (
                "my <W3>(?:exams?|interview|flight|appointment|wedding|deadline|surgery|recital"
                "|audition|due date|graduation|trip|thesis defen[cs]e|contract|lease|probation|visa"
                "|move|holiday|vacation)(?: is| are|'s| ends| starts"
                "| expires) (?:due )?(?:scheduled |set |booked |planned )?(?:for |on |in |at |next "
                r"|tomorrow|this |by )\w"
            ),
        ),
    ),
    (
        PREFERENCE,
        (
            (
                "i(?:'?ve| have) always (?:been (?:scared|afraid|terrified|fond|passionate"
                "|interested|into|fascinated|bad at|good at)|loved|hated|liked|wanted to <LIFE>"
                r"|preferred) ?(?!it\b|this|that|how|you)\w"
            ),
            (
                "i (?:can't|cannot|can not) (?:function|start (?:my|the) day|sleep|work"
                r"|imagine life) without <OBJ>\w"
            ),
            r"i(?:'d| would) (?:much |always )?rather <OBJ>\w[^,;]{2,60} than \w",
            (
                r"(?:mornings|evenings|afternoons|nights|weekends|weekdays|\w+days) (?:work|works"
                "|suit|suits) (?:me )?(?:best|better|well|fine)(?: for me)?"
            ),
            (
                r"(?!(?:this|that|it|which|what|he|she|one)\b)[^,:?]{1,40} (?:tastes?"
                r"|smells?) like [^,:?]{2,30} to me\b"
            ),
            (
                "<I> <ADV>(?:love|like|enjoy|adore|hate|dislike|detest|despise|loathe|prefer"
                "|favou?r|appreciate|avoid) (?:the (?:<THE>|<NAME>)|<OBJ>(?!the )(?!(?:hearing"
                "|the help|help|from|seeing (?:it|this|that|you)|when you|being able|that"
                "|learning (?:about|more|from)|talking (?:to|with) you|chatting|working with you"
                r"|any help)\b)\w)"
            ),
            (
                "<I> <ADV>(?:don't|dont|do not|never|no longer|didn't) <ADV>(?:like|love|enjoy"
                "|care for|want any|eat|drink|smoke|watch|drive|wear"
                r"|use social) ?<OBJ>(?!being able|when you)\w"
            ),
            (
                "i <ADV>(?:don't|dont|do not|never) (?:smoke|drink|drive|cook|swim|dance"
                r"|gamble)\W*$"
            ),
            (
                "i <ADV>(?:can't|cannot|can not|couldn't) (?:stand (?!up|on|here|for|in|still"
                "|without|straight)|bear (?!to|in)|live without |do without |get enough of "
                r"|resist )<OBJ>\w"
            ),
            (
                "<AM> <ADV>(?:not )?<ADV>(?:into |fond of |keen on |passionate about |crazy about "
                "|obsessed with |addicted to |partial to |mad about |hooked on |big on "
                r"|not big on )<OBJ>(?!the (?:issue|error|code|problem))\w"
            ),
            (
                "i(?:'?m| am) <ADV>(?:not )?<ADV>(?:a |an )(?:<ADV>(?:big|huge|massive|great|real"
                "|total|lifelong|avid|die-?hard|major|bit of a) ?){0,2}(?:fan of|lover of"
                r"|sucker for|believer in|\w+ (?:fan|lover|buff|enthusiast|addict|fanatic"
                r"|nut)\b)(?! (?:it|this|that|your)\b)"
            ),
            (
                "i(?:'?m| am) <ADV>interested in (?!knowing|learning|hearing|seeing|your|this|that"
                r"|it\b|finding|understanding|how|what|exploring|getting|the (?:same|answer|result"
                r"|topic)|any|a |an )\w"
            ),
            (
                r"i(?:'?m| am) <ADV>(?:afraid|scared|terrified|frightened) of (?!it\b|this|that"
                r"|them"
                r"|losing|what|you|making|messing|breaking|getting|the (?:result|outcome))\w"
            ),
            (
                "<I> <ADV>(?:collect|breed|garden|knit|crochet|sew|paint|sculpt|meditate|surf|ski"
                "|snowboard|skate|climb|dance|fish|hunt|bake|brew|fence|box|row|sail"
                r"|journal)(?: (?!it\b|this|that|them|out|up|the (?:data|error|results|logs"
                r"|output))\w| *\W*$)"
            ),
            (
                "i <ADV>play <ADV>(?:the |in a |in an |for a |for the |bass|drums|piano|guitar"
                "|violin|chess|tennis|football|soccer|basketball|golf|rugby|cricket|hockey"
                "|volleyball|badminton|video|board|dungeons|d&d|[a-z]+ (?:every|on|with|at|for|once"
                "|twice))(?!role of|devil|following|lottery)"
            ),
            (
                "i <ADV>(?:listen to|read|watch) (?:a lot of|mostly|mainly|only|lots of|tons of"
                r"|plenty of) <OBJ>\w"
            ),
            (
                "my (?:all-?time |absolute |personal |current |new |least ){0,2}(?:(?:favou?rites?"
                r"|go-to|preferred|guilty pleasure)\b[^,;?]{0,60}? (?:is|are|was|would be"
                "|has always been|has to be|have always been|include)|(?:passion"
                "|preference)s? (?:is|are|has always been)) (?!(?:it|that|this|the (?:first|second"
                r"|third|last|former|latter)|when you|yours?|number|option)\b)\S"
            ),
            (
                "(?!(?:this|that|it|these|those|they|which|what|who|the (?:first|second|third|last"
                "|former|latter|one)|number|option|one|your|he|she|so|if"
                r"|and)\b)[^,;:?]{1,60}?(?: is|'s| are| has always been| was) (?:definitely |still "
                "|also |probably |easily |one of )?my (?:all-?time |absolute |personal "
                r"|least )?(?:favou?rites?|passion|go-to|guilty pleasure|happy place)\b"
            ),
        ),
    ),
)
