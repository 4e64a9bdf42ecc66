"""The pieces that the patterns of English statements are made of."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

# `<NAME>` stands for a piece, a blank for one or more. Every repetition is bounded, and so is a
# clause: matching one costs a bounded number of steps.
ENGLISH_PIECES: Final[Mapping[str, str]] = {
    "ADV": (
        "(?:(?:also|really|just|currently|now|still|always|usually|mostly|absolutely|actually"
        "|personally|generally|already|recently|finally|officially|definitely|truly|typically"
        "|normally|often|honestly|primarily|mainly|basically|originally|both|all|very|quite|pretty"
        "|super|so|totally|completely|fully|proudly|happily|severely|particularly|especially|much"
        "|kind of|sort of|especially|only|even|too|ever|never|rarely|no longer) ){0,3}"
    ),
    "IM": "(?:i'?m|i am)",
    "AM": r"(?:i'?m|i am|we're|we are|my \w+ and i are)",
    "I": r"(?:i|we|my \w+ and i)(?:'?ve| have)?(?: both| all)?",
    "NOT": "(?:(?:do not|don't|dont|did not|didn't|can't|cannot|no longer|never) )",
    "DET": (
        r"(?:a|an|my|our|the|two|three|four|five|six|\d+|one|some|several|another|no|many"
        "|a couple of|a few|lots of|a lot of|any)"
    ),
    "REL": (
        "(?:(?:older|younger|elder|eldest|youngest|oldest|big|little|late|ex-?|step-?|twin|best"
        "|grand|great|new|first|second|other|only|dear|business|childhood) ?){0,3}(?:wife|husband"
        "|partner|spouse|fianc[eé]e?|girlfriend|boyfriend|son|daughter|child|kids?|children|baby"
        "|mother|mom|mum|mama|father|dad|papa|parents?|brothers?|sisters?|siblings?|twins?|cousins?"
        "|uncle|aunt|nephews?|nieces?|grandmother|grandma|grandfather|grandpa|grandparents|grandson"
        "|granddaughter|family|friends?|roommates?|flatmates?|housemate|boss|manager|landlord"
        "|landlady|doctor|dentist|therapist|neighbou?rs?|dogs?|cats?|puppy|kitten|pets?|horse"
        "|rabbit|parrot|hamster|tortoise|turtle|snake|in-laws?|ex)(?:-in-law)?"
    ),
    # What is liked, had or planned must be in the clause: not "it", "that idea", "your answer".
    "OBJ": (
        "(?!(?:it(?! when)|this|that|these|those|them|they|him|her|his|their|its|you|your|yours|me"
        "|us|one|ones|both|all (?:the|of|your|this|that)|mine|how|what|which|where|why|whether|if"
        "|so|too|everything|nothing"
        "|anything(?! (?:with|by|from|about|made))|something|to (?:know|see|hear|think|say"
        "|believe|ask|point)|the (?:idea|ideas"
        "|sound|look|looks|way|first|second|third|fourth|last|latter|former|other|others|new"
        "|previous|next|current|original|one|ones|part|parts|fact|options?|suggestions?|approach"
        "|version|plan|draft|tone|title|examples?|explanation|format|design|answers?|response|list"
        "|results?|outputs?|names?|images?|pictures?|photos?|thoughts?|style|paragraph|sentence"
        "|words?|ending|intro|concept|direction|feel|vibe|colou?rs?|structure|logo|same|following"
        r"|above|below|stuff|thing|things|concept))(?![\w'-]))(?=\W{0,2}\w)"
    ),
    "N": (
        r"(?:\d{1,3}|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen"
        "|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen|(?:twenty|thirty|forty|fifty|sixty"
        r"|seventy|eighty)(?:[ -]\w{3,5})?)"
    ),
    "END": (
        r"(?=\W{0,3}$|[,;.!(]| and | but | or | who | which | years?| since | with | from | in "
        r"| now"
        "| -| –| at | living| by )"
    ),
    "W3": r"(?:[\w'&/.-]+ ){0,3}",
    "FUTURE": (
        r"(?=.{0,120}\b(?:next|tomorrow|tonight|soon|upcoming|this (?:week|weekend|month|year"
        r"|spring"
        "|summer|autumn|fall|winter|monday|tuesday|wednesday|thursday|friday|saturday|sunday)|(?:in"
        "|by|on|before|until) (?:january|february|march|april|may|june|july|august|september"
        "|october|november|december|spring|summer|autumn|fall|winter|monday|tuesday|wednesday"
        r"|thursday|friday|saturday|sunday|\d{4}|the (?:spring|summer|autumn|fall|winter)|(?:a|one"
        r"|two|three|\d+) (?:weeks?|months?|years?|days?))|for (?:my|our) \w+|in a few|later this"
        r"|new year|christmas|easter|thanksgiving)\b)"
    ),
    "THE": (
        r"(?:\w+ ){0,2}(?:sea|ocean|mountains?|outdoors|beach|cold|heat|rain|snow|sun|countryside"
        "|city|forest|woods|night|morning|mornings|evenings|quiet|wind|winter|summer|autumn|spring"
        r"|fall|dentist|gym|violin|piano|guitar|theat(?:re|er)|opera|colou?r \w+|smell of|sound of"
        "|taste of|feeling of|feel of|process of|challenge of|subway|metro|water|desert|stars|arts"
        r"|80s|90s|book|books|film|films|movie|movies|series|show|band|game)(?![\w'-])"
    ),
    "LIFE": (
        "(?:move(?! (?:on|forward|ahead|this|that|it|the))|relocate|emigrate|marry|propose|retire"
        "|quit|adopt|become|apply (?:to|for)|study(?! (?:this|that|it|the))|graduate|volunteer"
        "|visit|travel|enroll?|learn(?! (?:how|more|about|the|what|this|that))"
        r"|lose (?:\w+ )?(?:weight|\d+|ten|five|twenty)|get (?:married|divorced|engaged|promoted"
        r"|fit"
        "|healthier|in shape|pregnant|certified|a (?:new )?(?:job|dog|cat|puppy|degree|promotion)"
        "|my (?:degree|licen[cs]e|certificate|master'?s|phd|pilot))|have (?:a baby|kids|children)"
        "|buy (?:a|an|my|our) (?:new |first |own |small |second |used ){0,2}(?:house|home|flat"
        "|apartment|car|bike|boat|camera|place|condo|van|farm)|run (?:a|the|my"
        r"|another) (?:\w+ ){0,2}(?:marathon|race|10k|5k|half)|start (?:a|my|our"
        r"|an) (?:\w+ ){0,2}(?:business|company|family|podcast|blog|channel|band|charity|garden"
        r"|club"
        r"|studio|shop|career|nonprofit|bakery|farm|phd)|open (?:a|my|our) (?:\w+ ){0,2}(?:shop"
        "|store|restaurant|caf[eé]|bakery|studio|bar|gym|school|business|clinic)|write (?:a"
        r"|my) (?:\w+ ){0,2}(?:book|novel|memoir|screenplay|thesis|phd)|save (?:up|money|for"
        r"|enough)"
        "|publish (?:a|my)|climb|hike|sail|raise (?:a|my|our|money)|build (?:a|my"
        r"|our) (?:\w+ ){0,2}(?:house|home|cabin|boat|shed|career)|pay off"
        "|go (?:back )?to (?:college|university|grad|med|law|school)|go on (?:a|my|our)|go vegan"
        "|take up|switch careers|change careers|compete|perform|improve my|work (?:as|abroad|in"
        r"|for))(?![\w'-])"
    ),
    # Whom nobody is: heroes, and famous lines.
    "FAMED": (
        r"(?:spartacus|batman|superman|spider-?man|iron ?man|groot|legend|god|santa|napoleon"
        r"|sherlock|ishmael|(?:james )?bond\W*$|inigo montoya|slim shady|darth|gandalf|aragorn"
        r"|harry potter|voldemort|shrek|dracula|cleopatra|caesar|zeus|optimus|john wick"
        r"|tony stark|captain america|wonder woman|indiana jones|frodo|maybe|number one)(?![\w-])"
    ),
    # Not a place that one is from, but whom one speaks for.
    "DESK": (
        r"(?:(?:the|our|your|an?) (?:[\w'-]+ ){0,3}?(?:team|department|dept|office|desk|division"
        r"|company|bank|agency|helpdesk|service|group|unit|crew|press|police|council)\b"
        r"|(?:hr|it|sales|marketing|support|billing|accounting|customer (?:service|support|care)"
        r"|tech support)(?![\w-]))"
    ),
    # Must be written with a capital letter, see `english_kind`.
    "NAME": r"(?P<name>[^\W\d_][\w'.-]*)",
    "TECH": r"(?:(?:[\w+#.-]+ ){0,3}(?:<TOOL>)(?![\w-])|(?P<tech>[^\W\d_][\w'.+#-]*)"
    r"|\w+ v?\d+\.\d)",
    "TOOL": (
        "postgres|postgresql|mysql|sqlite|mariadb|redis|mongodb|mongo|duckdb|kafka|rabbitmq|docker"
        "|podman|kubernetes|k8s|terraform|ansible|nginx|apache|python|java|javascript|typescript"
        r"|rust|golang|ruby|php|perl|swift|kotlin|scala|elixir|haskell|clojure|c\+\+|c#|\.net"
        r"|matlab"
        r"|julia|node|node\.js|deno|bun|react|vue|svelte|angular|next\.js|nuxt|django|flask|fastapi"
        "|rails|laravel|spring|express|phoenix|pandas|numpy|polars|pytorch|tensorflow|pytest|jest"
        "|linux|ubuntu|debian|fedora|arch|nixos|macos|windows|vim|neovim|emacs|vs ?code|vscode"
        "|jetbrains|pycharm|intellij|zed|cursor|git|github|gitlab|jenkins|aws|gcp|azure|heroku"
        r"|vercel|netlify|hetzner|fly\.io|cloudflare|supabase|firebase|graphql|grpc|rest|webpack"
        "|vite|poetry|uv|pip|conda|npm|pnpm|yarn|bazel|cmake|zsh|fish|bash|tmux|notion|obsidian"
        "|figma|excel|latex|slack|jira|linear|trello|asana|ollama|llama|langchain|unity|unreal"
        "|godot|blender|arduino|raspberry pi|home assistant|tailwind|bootstrap|prisma|sqlalchemy"
        "|celery"
    ),
}
