"""Patterns: what an English speaker went through, does and has."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from litemem.extract.kinds import EVENT, HABIT, POSSESSION, Kind

LIVES: Final[Sequence[tuple[Kind, Sequence[str]]]] = (
    (
        EVENT,
        (
            (
                "<I> <ADV>(?:went|turned|became|have been) (?:vegan|vegetarian|sober|freelance"
                r"|self-employed|bankrupt|blind|deaf)\b"
            ),
            (
                "<I> <ADV>(?:signed|renewed|bought|got) (?:the|a|our|my) (?:new )?(?:lease|contract"
                r"|mortgage|tickets)\b|<I> <ADV>(?:bought|got) tickets (?:for|to) (?!it\b|this"
                r"|that)\w"
            ),
            (
                "<I> <ADV>(?:moved|relocated|emigrated|immigrated) (?:back )?(?:to|from|into|out of"
                r"|in with|here|away)\b(?! (?:it|this|that|the (?:next|other|new (?:file|branch"
                r"|version)))\b)"
            ),
            (
                "<I> <ADV>(?:got|gotten) (?:married|divorced|engaged|promoted|laid off|fired|hired"
                "|pregnant|accepted (?:to|into|for|at)|diagnosed|back together|(?:a|my"
                "|an) <W3>(?:job|promotion|raise|degree|licen[cs]e|dog|cat|puppy|kitten|internship"
                r"|scholarship|tattoo|visa|offer|car|bike|house|apartment|piano|guitar))\b"
            ),
            (
                "i (?:was|were|have been|'ve been) <ADV>(?:promoted|laid off|fired|hired|accepted"
                r"|admitted|diagnosed|elected|awarded|selected|adopted)\b"
            ),
            (
                "<I> <ADV>(?:adopted|rescued|bought|purchased|inherited|sold|rented"
                "|leased) <ADV>(?:<DET> )<W3>(?!(?:it|this|that|lot|groceries|few|problem"
                r"|the)\b)[a-z]{3,}"
            ),
            (
                "<I> <ADV>(?:started|began) (?:(?:my own|my|our|a|an) <W3>(?:job|business|company"
                "|family|course|class|classes|blog|channel|band|diet|role|position|degree"
                "|internship|shop|store|studio|garden|club|phd|school|college|university|podcast"
                "|therapy|training|charity|line)|working (?:at|for|as|from)|(?:taking|doing"
                "|learning|playing|practi[sc]ing|painting|running|cycling|swimming|volunteering"
                "|dating|collecting|school|college|university|therapy|yoga|medication|gardening"
                r"|writing a)\b)(?! (?:it|this|that|what)\b)"
            ),
            (
                "<I> <ADV>(?:joined|enroll?ed|signed up|registered) (?:in|for|at|on"
                r"|with )?<W3>(?!it\b|this|that)(?:\w{3,})"
            ),
            (
                "<I> <ADV>(?:quit|gave up|stopped|left) (?:smoking|drinking|eating|my job"
                "|my (?:old )?company|my position|gluten|meat|dairy|caffeine|alcohol|sugar|coffee"
                r"|school|college|university|working)\b"
            ),
            (
                r"i <ADV>lost my (?:\w+ )?(?:job|mother|mom|mum|father|dad|brother|sister|wife"
                "|husband|dog|cat|grandmother|grandfather|grandma|grandpa|son|daughter|friend|home"
                r"|sight|hearing|house)\b"
            ),
            (
                "<I> <ADV>won (?:a|an|the|my|first|second|third|gold|silver"
                r"|bronze) <W3>(?!argument)\w+"
            ),
            (
                "<I> <ADV>(?:opened|founded|launched|published|released) (?:a|an|my|our) (?!issue"
                r"|pr\b|ticket|pull|bug|file|terminal|browser|new (?:issue|tab|file"
                r"|terminal))<W3>\w{3,}"
            ),
            (
                "i <ADV>(?:graduated|retired|came out|broke up with|proposed|had a baby"
                r"|gave birth)\b"
            ),
        ),
    ),
    (
        HABIT,
        (
            (
                "i <ADV>(?:sing|act|perform|referee|coach|umpire|drum) (?:in|with|for|at) (?:a|an"
                r"|the|my|our) \w"
            ),
            "i <ADV>(?:follow|support) (?:the )?<NAME>",
            (
                "i (?:always|usually|typically|normally|never|rarely|often|generally|mostly"
                "|sometimes) (?:wake|get up|go to (?:bed|the gym|church|yoga|sleep)|eat|drink|run"
                "|cycle|bike|walk|swim|work (?!out (?:how|why|what))|travel|cook|wear|train|read"
                "|commute|order|sleep|practi[sc]e|meditate|skip|exercise|take (?:the|my)"
                r"|have (?:breakfast|lunch|dinner|coffee|tea)|study|shop at)\b(?! (?:it|this|that"
                r"|them|the (?:code|file|doc|data|error))\b)"
            ),
            (
                "i <ADV>(?:volunteer|go to the gym|work out|commute|swim|cycle|bike|run|jog|walk"
                "|train|practi[sc]e|go (?:hiking|running|swimming|climbing|fishing|camping|surfing"
                "|skiing|dancing|to (?:church|mass|therapy|yoga))|attend|donate|cook|bake|meditate"
                "|fast|get up|wake up|do (?:yoga|pilates|karate|judo|ballet)|see (?:a"
                r"|my) (?:therapist|physio\w*)|visit my|babysit)\b(?=.{0,80}\b(?:every|each"
                r"|on (?:\w+ )?(?:week|mon|tues|wednes|thurs|fri|satur|sun)\w*|daily|weekly|monthly"
                r"|twice|once|times (?:a|per)|\d+ ?(?:x|km|miles)|mornings|evenings|weekends"
                r"|regularly|for (?:a|an|the|\w+ years)|at (?:a|an|the|my|\d)|in (?:a|the"
                r"|my))\b)(?! (?:the (?:code|script|command|query|tests?|app|server)|into|this|that"
                r"|it)\b)"
            ),
        ),
    ),
    (
        POSSESSION,
        (
            (
                "<I> <ADV>(?:have|'?ve got|got|own|keep"
                "|raise) (?!no idea)(?:<DET> ){0,2}<W3>(?:dogs?|cats?|puppy|puppies|kittens?"
                "|parrots?|rabbits?|hamsters?|guinea pigs?|horses?|pon(?:y|ies)|goats?|chickens?"
                "|hens|bees|fish|aquarium|tortoise|turtles?|snakes?|lizard|gecko|pets?|cars?"
                "|motorbike|motorcycle|bikes?|bicycles?|e-bike|vans?|truck|boats?|kayak|scooter"
                "|house|apartment|flat|cottage|cabin|farm|garden|allotment|balcony|greenhouse|piano"
                "|guitars?|violin|cello|drums?|drum kit|camera|telescope|sewing machine|3d printer"
                "|air ?fryer|raspberry pi|nas|laptop|macbook|thinkpad|iphone|ipad|android phone"
                "|playstation|xbox|switch|steam deck|tattoos?|passport|visa|green card|citizenship"
                "|company|business|shop|store|bakery|bookshop|restaurant|studio|caf[eé]|licen[cs]e"
                "|collection|library card|season ticket|membership"
                r"|scholarship)(?![\w-])(?! (?:question|problem|issue|loan to|payment"
                "|insurance question|object|class|app|table|idea|of (?:files|data|objects)))"
            ),
            (
                "i <ADV>(?:own|drive|ride) (?:a|an|my|two|three) (?!(?:hard|point|few"
                r"|lot)\b)<W3>\w{2,}"
            ),
            (
                "my (?:car|bike|motorbike|motorcycle|van|camera|guitar|piano|house|flat|apartment"
                "|boat|phone|laptop)(?: is|'s) (?:a|an) (?!(?:mess|bit|little|disaster|pain|problem"
                r"|wreck|lot)\b)\w"
            ),
        ),
    ),
)
