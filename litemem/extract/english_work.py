"""Patterns: what an English speaker decided, and works with."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from litemem.extract.kinds import DECISION, TECHNICAL, Kind

WORK: Final[Sequence[tuple[Kind, Sequence[str]]]] = (
    (
        DECISION,
        (
            (
                "<I> <ADV>(?:postponed|cancel+ed|rescheduled|called off|moved|pushed back) (?:the"
                "|our|my) (?!(?:mouse|cursor|file|files|code|function|folder|button"
                r"|line)\b)<W3>\w{3,}(?=.{0,60}\b(?:to|until|till|wedding|trip|launch|release)\b)"
            ),
            (
                "<I> ended up (?:choosing|picking|going with|using|buying|adopting) <OBJ>(?!option"
                r"|number|\d)\w"
            ),
            (
                "(?:the|my|our) team (?:has |have )?(?:agreed|decided|chose|chosen|settled) (?:to"
                r"|on|that|against) <OBJ>\w"
            ),
            (
                "<I> <ADV>(?:decided|chosen|settled|agreed|opted|committed) (?:to|on|against|for"
                r"|that|not to) (?!it(?! (?:is|was))\b|this\b|that one|try (?:it|this|that)|ask|you"
                "|your|(?:take a (?:walk|nap|break|look)|go (?:have|for|out|home|back|see)|eat"
                "|have (?:a|some|lunch|dinner)|watch|order|stay|sleep|check|come|grab|stop by|call"
                r"|text|write you|share|reach out|let you|just)\b|go (?:with (?:it|that|this|your"
                r"|the (?:first|second|third|last|other))))\w"
            ),
            (
                r"<I> <ADV>(?:chose|picked|chosen|gone with) <OBJ>(?!option|number|\d|up"
                r"|to |the wrong)\w"
            ),
            (
                "we(?:'?re| are|'?ll| will)? (?:going to )?(?:going|go|gone|sticking"
                r"|stick) with <OBJ>(?!option|number|\d)\w"
            ),
            r"i(?:'?m| am) (?:going|sticking) with <OBJ>(?!option|number|\d|my gut)\w",
            (
                "let'?s (?:use|go with|stick (?:with|to)|switch to|choose|pick(?! up)|settle on"
                "|adopt|drop"
                r"|postpone|call (?:the|our) \w+) <OBJ>(?!option|number|\d|your|my |both|formula"
                r"|a different|another|something|a (?:simple|smaller|bigger)|an? example)\w"
            ),
            (
                "<I> <ADV>(?:switched|migrated|converted) (?:over |everything |back )?(?:to|from"
                r"|off) <OBJ>\w"
            ),
            r"we (?:have |'ve )?(?:agreed|decided|will|won't) (?:always|never) \w",
        ),
    ),
    (
        TECHNICAL,
        (
            (
                r"(?:my|our) (?:\w+ ){1,2}(?:stack|database|db|backend|frontend|cluster) (?:is"
                "|runs on) (?!not|down|broken|slow|too|failing|giving|throwing|so|very|really"
                r"|returning|getting|crash|full|empty|locked|still|in a)\S"
            ),
            (
                "i (?:write|keep|track|store|do|manage|take|edit|draw) (?:all "
                r"|most of )?my (?:\w+ )?\w+ (?:in|with|on) <TECH>"
            ),
            r"we use <OBJ>(?!(?:the|a|an|some|any|to|all|more|less|our|for)\b)[\w-]{3,}",
            "(?:i'?m|i am|we're|we are) (?:now |still |currently )?on (?:a |an )?<TECH>",
            (
                r"(?:our|my|all (?:of )?(?:our|my)) (?:\w+ ){0,2}(?:tests|services|builds|jobs"
                "|backups|logs|containers|deployments|data|code|files|secrets|metrics) (?:is|are"
                r"|run|runs|log|logs|live|lives|go|goes|deploy|build)(?: \w+)? (?:in|on|to|with|at"
                "|from|through) <TECH>"
            ),
            (
                r"our \w+ (?:is|are) (?!blocked|broken|hit|stopped|affected|delayed|slowed|caused"
                r"|rejected|denied|stuck|called|used)\w+(?:ed|en) (?:by|with|in|on) (?!it\b|this"
                r"|that|the (?:same|wrong))\w"
            ),
            (
                r"(?:my|our|the team'?s|my team'?s) (?:\w+ ){0,2}(?:stack|database|db|backend"
                "|back-?end|frontend|front-?end|api|servers?|repo|repository|codebase|editor|ide|os"
                "|operating system|laptop|desktop|computer|pc|machine|ci|pipeline|cluster"
                "|infrastructure|website|site|production|compiler|shell|terminal|distro|phone"
                "|monitor|keyboard|router|nas|gpu|deployment|team|apps?|services?|models?|framework"
                "|config|setup|package manager)(?: is| are|'s|'re)? (?:an? |all |mostly |still "
                "|based on |built (?:with|on|in)|written in|running|running on|hosted|deployed"
                r"|uses?\b|runs? on|lives? (?:in|on)|called|on |in |deploys? |targets? )(?! ?(?:it"
                "|this|that|mess|bit|fire|lot|little|error|problem|pain|way|track|disaster|progress"
                r"|trouble|place)\b) ?\S"
            ),
            (
                "(?:my|our) (?:tech )?(?:stack|database|db|backend|frontend|editor|ide|os"
                "|operating system|ci|shell|distro|gpu|cpu|package manager|framework)(?: is| are|'s"
                "| of choice is) (?!not|down|broken|slow|too|failing|giving|throwing|so|very|really"
                r"|returning|getting|crash|full|empty|locked|still|in a)\S"
            ),
            r"production (?:runs?|is) (?:on|in) \w",
            (
                "(?:i|we) <ADV>(?:use|run|deploy|develop|code|program|build|host|write|rely"
                r"|self-host|ship|target|maintain|test) (?:all |everything |our \w+ |my \w+ "
                r"|mostly "
                "|mainly )?(?:on |in |with |to |against )?<OBJ>(?!(?:the|a|an|some|any|to|all"
                r"|tests?|code|for|my|our)\b)<TECH>"
            ),
            (
                "(?:i'?m|i am|we're|we are|i'?ve been|we'?ve been) <ADV>(?:using|running|on"
                "|developing (?:in|with|on|for)|coding in|programming in|building (?:on|with)"
                "|hosting on|deploying (?:to|on|with)|working with|migrating (?:to|from)|targeting"
                r"|maintaining) <OBJ>(?!(?:the|some|any|to|all)\b)<TECH>"
            ),
            (
                "(?:i|we) use (?:a|an) (?!(?:lot|few|bit|loop|function|for|while|different|similar"
                "|simple|certain|specific|combination|variable|list|script|library|dictionary"
                r"|class)\b)<W3>\w{3,}"
            ),
        ),
    ),
)
