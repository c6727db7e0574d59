"""How English sentences state, wish, order and narrate."""

import re

from app.adapters.extractors.rules.patterns import Grammar
from app.domain.word_patterns import END, START, any_of, either

_SUBJECT = r"(?:we're|we've|we'll|we'd|we|i'm|i've|i'll|i'd|i|they're|they've|they|he's|he|she's|she|you're|you)"
_ADVERBS = (
    "(?:(?:do|don't|can|can't|could|also|just|only|always|never|still|now|usually|mostly|really|normally|already) )*"
)
_VERBS = either(
    r"""
    is|are|isn't|aren't|was|were|has|have|hasn't|haven't|does|do|doesn't|don't|can|can't|can not|must|mustn't|will
    won't|shall|needs?|costs?|weighs?|ships?|starts?|begins?|ends?|close[sd]?|opens?|shuts?|leaves?|comes?|goes|go
    gets?|holds?|carry|carries|contains?|includes?|takes?|lasts?|measures?|pays?|handles?|looks?|runs?|manages?
    approves?|covers?|sells?|makes?|requires?|apply|applies|expires?|arrives?|delivers?|dispatch(?:es)?|lives?
    belongs?|works?|prefers?|may|wants?|likes?|dislikes?|hates?|exists?|loves?|knows?|speaks?|bills?|sends?|signs?
    checks?|writes?|answers?|responds?|replies|reply|accepts?|gives?|says?|stays?|remains?|means?|depends?|allows?
    exceeds?|sits?|stands?|hosts?|collects?|decides?|deals?|adds?|asks?|attracts?|helps?|counts?|follows?|shows?
    tells?|provides?|produces?|repairs?|cleans?|cuts?|grows?|drives?|lends?|rents?|seats?|sleeps?|counts|ages?|melts?
    breaks?|joined|becomes?|suppl(?:y|ies)|prints?|uses?|offers?|charges|features|travels?|burns?|fits?|smells?
    tastes?|wears?|hires?|buys?|eats?|drinks?|drops?|picks?|packs?|wraps?|rents?|expects?|publish(?:es)?|triggers?
    trains?|donates?|qualif(?:y|ies)|earns?|saves?|keeps?|lets?|sees?|fills?|serves?|brings?|moves?|changes|ranges?
    falls?|rises?
    """
)
_NOUN_PHRASE = rf"(?:[\w'&.@-]+,? ){{1,8}}?{_VERBS}(?=\s|$|[,.;!])"

ENGLISH = Grammar(
    own=any_of(
        r"""
        we|we're|we've|we'd|we'll|our|ours|us
        my (?:own |\w+ )?(?:shop|store|brand|business|company|site|website|warehouse|supplier|suppliers|products?)
        my (?:own |\w+ )?(?:margins?|team|customers?|prices?|range|workshop|studio|catalogue|catalog|collection|staff)
        my (?:own |\w+ )?(?:accountant|cut-?off|budget|newsletter|stockists?|packaging|best ?sellers?|courier)
        """
    ),
    speaker=any_of(r"i|i'm|i've|i'd|i'll|my|me|mine|myself"),
    clause=re.compile(
        rf"(?:{_SUBJECT} {_ADVERBS}[a-z][a-z'-]*|(?:we're|we've|i'm|i've|they're|it's|there's|there are) \w+"
        rf"|{_NOUN_PHRASE})"
    ),
    lead=either(
        r"""
        hey(?: hey)?|hi(?: again| there| all)?|hiya|hello|morning|good (?:morning|evening|afternoon)|ok(?:ay)?|right
        so|well|oh|ah|ha|and|but|also|plus|anyway|btw|by the way|fyi|for info|just fyi|(?:just )?so you know
        you know me|just to let you know|as you know|for the record|heads[- ]up|before i forget|while i think of it
        you should know|quick (?:note|one|heads[- ]up|update)|small (?:note|thing)|(?:one more|another|one last) thing
        last thing|(?:please )?note(?: that)?
        (?:please )?(?:remember|keep in mind|bear in mind|don't forget|be aware|know)(?: this)?(?: that|:)
        i should (?:mention|say)(?: that)?|i forgot to (?:say|mention)(?: that)?|worth knowing(?: that|:)
        (?:and )?the (?:thing|upshot|point|rule|deal) is(?: that)?|change of (?:mind|plan)(?: again)?|changed my mind
        personally|honestly|basically|actually|in fact|update|reminder|correction|thanks|thank you|cheers|sure|yes|yep
        yeah|no(?=,)|nope|great|perfect|cool|folks|team|then|too|thing is|good to know|for context|some context|ps
        p\.s\.
        """
    ),
    once=either(
        r"""
        write|rewrite|draft|make|create|generate|give|show|send|tell|list|find|look|check|shorten|translate
        summari[sz]e|fix|proofread|correct|help|explain|prepare|add|remove|delete|suggest|propose|compare|analy[sz]e
        calculate|compute|plan|schedule|book|post|publish|update|edit|design|improve|review|read|try|do|let's|brief
        total|forward|turn|put|pull|open|run|start|stop|wait|imagine|pretend|act|ignore|forget|confirm|describe|redo
        resend|remind|order|call|ping|ask|take|come|bring|reply|answer|respond|set|brainstorm|work|change|move|drop|go
        have a|build|pick|choose
        """
    ),
    lasting_orders=either(
        r"""
        use|say|speak|talk|address|leave|ship|deliver|keep|avoid|stick|sign|end|include|mention|format|think|refer
        quote|tag|pack|wrap|price|treat|route|contact|text|email|ring|round|lead|cc|see|skip|offer|promise|present|lay
        package|label|be|aim|limit|make sure|spell|capitali[sz]e|let|begin|close|stay|favou?r|prioriti[sz]e|thank
        greet|hold|bill
        """
    ),
    polite="(?:(?:please|kindly|always|never|do|just|only|from now on,?|don't|do not|ever|going forward,?|try to) )*",
    standing=any_of(
        r"""
        always|never|from now on|going forward|moving forward|as a rule|by default|every time|each time|whenever
        any ?time|at all times|in general|generally|ever|every|only|must|mustn't|have to|has to|needs? to be|can't
        can not|banned|not allowed|aren't allowed|isn't allowed|allowed|forbidden|required|mandatory|compulsory|policy
        house rule|rule|standard|usual(?:ly)?|normally|typically|no longer|not any ?more|any ?more|no more|these days
        as standard|without exception|strictly|exclusively|at most|at least|up to|no more than|minimum|maximum|max
        each|all|none of|nobody|no one|everyone|everything|unless|except|even if|default|off the table|by law|the law
        legally|prohibited|(?:mon|tues|wednes|thurs|fri|satur|sun)days|first
        per (?:order|person|customer|day|week|month|year|item|parcel)|under|won't|free of charge|in advance
        """
    ),
    firm=any_of(
        r"""
        always|never|from now on|going forward|as a rule|by default|every time|each time|whenever|only|must|mustn't
        have to|can't|can not|not allowed|aren't allowed|forbidden|banned|policy|house rule|no longer|any ?more
        no more|exclusively|don't (?:do|use|offer|take|accept|give|make|allow|want)|strictly|without exception|unless
        except|all our|no \w+ at all
        """
    ),
    lasting=any_of(
        r"""
        always|never|from now on|going forward|moving forward|as a rule|by default|every time|each time|whenever|ever
        at all times|any ?more|when you (?:write|reply|answer|post|talk|email|send|speak|draft)|even if
        as (?:a )?default|unless|in general|whatever you (?:write|post|send|say)|for every|for all|in all|in every
        on all|on every
        """
    ),
    past=re.compile(
        r"^(?:\W*\w+\W+){0,5}?"
        + either(
            r"""
            i|we|they|he|she|it|you|this|that|everything|somebody|someone
            (?:my|our|the) \w+(?: (?!is|are|isn|aren|has|have|will|must)\w+)?|\w+ and i
            """
        )
        + r"(?: (?:just|already|finally|also|then|only|really|even|nearly|almost|all|both))* "
        + either(
            r"""
            was|were|had|went|got|did|made|took|saw|told|said|spent|came|left|lost|found|thought|felt|ate|slept|woke
            ran|met|bought|sold|sent|gave|kept|spoke|stood|wrote|heard|knew|wasn't|weren't|didn't|hadn't|couldn't
            wouldn't|forgot|began|broke|brought|caught|drove|drank|fell|flew|paid|sat|sang|swam|taught|tried|wore
            \w{2,}(?<!ne)(?<!fe)(?<!sp)(?<!bas)(?<!clos)ed
            """
        )
        + r"\b|\b(?:i've|we've|i have|we have|he's|she's|they've|has|have) "
        r"(?:just |already |still |not |never |also |finally |all |been )*(?:had|been|done|made|seen|gone|lost"
        r"|found|\w{2,}ed)\b"
    ),
    change=any_of(
        r"""
        (?:sign|mov|switch|launch|hir|open|clos|chang|dropp|cancell?|rais|lower|stopp|start|join|replac|relocat\
        |rebrand)ed
        (?:add|remov|discontinu|partner|renam|acquir|decid|agree|pick|renew|end|terminat|upgrad|migrat|extend|reduc)ed
        (?:introduc|expand|register|trademark|incorporat|appoint|promot|fir|increas|shorten|doubl|merg|retir|phas)ed
        (?:scrapp|ditch|swapp|transferr|outsourc|settl|adopt|creat|found|bann|restrict|limit|capp|agree|ceas|roll\
        |axe)d
        (?:scrapp|ditch|swapp|transferr|adopt|found|bann|restrict|limit|capp|roll)ed|axed|ceased
        got (?:our|the|a|an|certified)|received|left|quit|set up|won|bought|chose|took on|took over|cut|brought in
        let go of|gone|became|got certified|built|went (?:with|for|monthly|weekly|live)|shut down|given up|gave up
        made the switch|taken on|split|been (?:raised|lowered)
        """
    ),
    life=any_of(
        r"""
        mov(?:ed|ing) (?:to|in|house|out|flat)
        got (?:married|engaged|divorced|promoted|accepted|a (?:new )?(?:job|dog|cat))|adopt(?:ed|ing)
        graduat(?:ed|ing)|start(?:ed|ing) (?:a|an|my|working|school|college)|sign(?:ed|ing) up|enrolled|join(?:ed|ing)
        quit|retir(?:ed|ing)|changed jobs|had (?:a|our) (?:baby|son|daughter)|pregnant|diagnosed|was born
        bought (?:a|our) (?:house|flat|car)|became|volunteer(?:ed|ing)?|training for|studying|looking into
        learning(?: to)?|researching|planning (?:on|to)|applied (?:for|to)|passed (?:my|the)|i've moved|we've moved
        """
    ),
    ongoing=re.compile(
        r"\b(?:i'm|we're|he's|she's|they're|it's|am|are|is)(?: not| just| still| currently| now| also| already|"
        r" both| all)* "
        r"(?!closing|opening|launching|moving|switching|adding|dropping|stopping|hiring|changing|phasing|discontinuing"
        r"|raising|introducing|expanding|starting|replacing|shutting|targeting|aiming|planning to|planning on"
        r"|relocating"
        r"|rebranding|retiring|leaving|joining|missing|limiting|nothing|working with|using|offering|selling|running on)"
        r"\w{2,}ing\b"
    ),
    passing=re.compile(
        START + r"(?:we|i|we're|i'm|we are|i am|i feel|it's|feeling|that's|this is|(?:my|our) \w+ (?:is|are))(?: (?:all"
        r"|so|very|really|a bit|just|still|quite"
        r"|pretty|too|not|both|kind of|sort of|super|totally|absolutely|also|now))* "
        + either(
            r"""
            good|fine|ok|okay|set|done|busy|tired|exhausted|swamped|late|back|here|ready|sorry|sure|happy|glad|sad
            stuck|lost|confused|worried|stressed|excited|thrilled|hungry|afraid|useless|bored|sick|ill|home|off|away
            out|running|having|getting|going|trying|looking|waiting|wondering|thinking|hoping|proud|grateful|thankful
            curious|pleased|delighted|impressed|relieved|lucky|alone|aware|great|nice|cool|amazing|awesome|lovely
            perfect|raining|snowing|monday|friday|about to|in a (?:hurry|rush|meeting)|on it|on my way|there
            overwhelmed|stoked|guess|bet|think|hope|mean|see|agree|understand|love it|love that|appreciate
            need (?:your|some|a|an|help)|want (?:you|your)
            have (?:a|an|another|one|some) (?:question|issue|problem|meeting|call|doubt|idea|minute|sec|request\
            |favou?r|headache)
            can't (?:wait|believe|find|remember|open|see|seem)|wish|'ll (?:see|let|get|be|check|try|do|call|send)
            talk (?:soon|later)|speak soon|hear you|know what|know how|know you|know that|don't know|do it|did it
            got this
            """
        )
        + END
    ),
    hedged=any_of(
        r"""
        i think|i believe|i guess|around|about|roughly|approximately|approx|probably|likely|more or less|or so
        ballpark|if i remember(?: right| rightly| correctly)?|i reckon|tend to|on average
        """
    ),
    wish=re.compile(
        START + r"(?:i|i'd|i'd much|we|we'd|i'll)(?: (?:really|much|always|also|now|do|would|personally|actually|just"
        r"|still|absolutely"
        r"|simply|only|generally|usually|don't|do not|no longer|never|can't|can not|truly))* "
        r"(?:prefer|hate|love|like|dislike|stand|want|rather|need|expect|detest|loathe|enjoy|favou?r|avoid|bear)\b"
    ),
    update=any_of(
        r"""
        now(?! that)|from now on|no longer|no more|these days|nowadays|going forward|moving forward|henceforth
        any ?more|as of|as from|instead of|used to|change of (?:mind|plan)|changed my mind
        since (?:last|this|\d|we|yesterday|\w+day)
        since (?:january|february|march|april|may|june|july|august|september|october|november|december)
        (?:has|have|'ve|'s) (?:just )?(?:been )?(?:raised|lowered|moved|switched|changed|dropped|increased|stopped\
        |replaced)
        (?:we've|i've|has|have) (?:just )?(?:left|become|relocated|rebranded|discontinued|ended|extended|reduced\
        |renamed|quit)
        (?:we've|i've|has|have) (?:just )?(?:swapped|migrated|closed|shut|gone|moved|switched|changed|dropped\
        |replaced|stopped)
        switched|moved|rebranded|relocated|replaced|discontinued|scrapped|ditched|stopped
        gone (?:monthly|weekly|daily|up)|(?:is|are) (?:over|gone|finished)
        we (?:raised|lowered|changed|dropped|cut|extended|increased|reduced|doubled)|finally|at last
        new (?:policy|rule|price|hours|address)
        """
    ),
    session=re.compile(
        r"\b(?:just|only) (?:for )?(?:today|tonight|this (?:morning|afternoon|evening))\b|\b(?:today|tonight) only\b"
        r"|\bfor today\b|\bexceptionally (?:today|tonight)\b|^\W*today\b|\btoday(?: we| the| our)\b|\btoday\W*$"
        r"|\bfor (?:this|the) (?:conversation|session|chat)\b"
    ),
    volatile=any_of(
        r"""
        this week|next week|this month|at the moment|for now|right now|temporarily|currently|for the time being
        until (?:\w+day|tomorrow|further notice)|out of stock|in stock|running low|this \w+day
        """
    ),
    negation=re.compile(r"\b(?:not|no|never|can not|nobody|none|without|no longer)\b|n't\b"),
)
