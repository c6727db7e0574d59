"""How English sentences state, wish, order and narrate: patterns over the plain text of a clause."""

OWN = r"\b(?:we|we're|we've|we'd|we'll|our|ours|us)\b|\bmy (?:own )?(?:\w+ )?(?:shop|store|brand|business|company|site|website|warehouse|supplier|products?|margins?|team|customers?|prices?|range|workshop|studio|catalogue|catalog|collection|accountant|cut-?off|budget|newsletter)\b"
SPEAKER = r"\b(?:i|i'm|i've|i'd|i'll|my|me|mine|myself)\b"
SUBJECT = r"(?:we're|we've|we'll|we|i'm|i've|i'll|i|they're|they|he's|he|she's|she|you)"

LEAD = (
    r"(?:hey(?: hey)?|hi(?: again| there)?|hiya|hello|morning|good (?:morning|evening|afternoon)|ok(?:ay)?|right|so|well|oh|ah|and|but|also|plus|anyway|btw|by the way|fyi|for info|just fyi|"
    r"(?:just )?so you know|just to let you know|you know me|as you know|for the record|heads[- ]up|quick (?:note|one|heads[- ]up|update)|small (?:note|thing)|one more thing|another thing|"
    r"(?:please )?note(?: that)?|(?:please )?(?:remember|keep in mind|bear in mind|don't forget|be aware|know)(?: this)?(?: that|:)|i should (?:mention|say)(?: that)?|i forgot to (?:say|mention)(?: that)?|"
    r"the (?:thing|upshot|point|rule|deal) is(?: that)?|(?:and )?the upshot is(?: that)?|change of (?:mind|plan)(?: again)?|changed my mind|personally|honestly|basically|actually|in fact|update|reminder|correction|"
    r"thanks|thank you|cheers|sure|yes|yep|yeah|no(?=,)|nope|great|perfect|cool|folks|team|also|then|too|thing is)"
)
ONE_OFF_VERBS = (
    "write|rewrite|draft|make|create|generate|give|show|send|tell|list|find|look|check|shorten|translate|summari[sz]e|fix|proofread|correct|help|explain|prepare|add|remove|delete|suggest|propose|compare|analyse|analyze|"
    "calculate|compute|plan|schedule|book|post|publish|update|edit|design|improve|review|read|try|do|let|let's|brief|total|forward|turn|put|pull|open|run|start|stop|wait|imagine|pretend|act|ignore|forget|confirm|describe|redo|resend|remind|order|call|ping|ask|take|have a|come|bring|reply|answer|respond|set"
)
STANDING_ORDER_VERBS = "use|say|write|answer|reply|respond|speak|talk|call|address|send|leave|ship|deliver|put|keep|avoid|stick|sign|start|end|include|add|mention|show|give|format|think|make|refer|go|quote|tag|pack|wrap|price|treat|route|book|contact|text|email|ring|round|lead|check|ask|let|cc|copy|do|see|stop|skip|offer|promise|post|publish|translate|explain|present|lay|close|open|hold|package|label"
STANDING = (
    r"\b(?:always|never|from now on|going forward|moving forward|as a rule|by default|every time|each time|whenever|any ?time|at all times|in general|generally|ever|every (?:day|week|month|year|order|parcel|report|email|post|customer|item|product|\w+day)|"
    r"only|must|mustn't|have to|has to|need to be|needs to be|can't|cannot|can not|not allowed|aren't allowed|isn't allowed|allowed|forbidden|required|mandatory|compulsory|policy|house rule|rule|standard|usual(?:ly)?|normally|typically|"
    r"no longer|not any ?more|any ?more|no more|these days|as standard|without exception|strictly|exclusively|at most|at least|up to|no more than|minimum|maximum|max|each|all|every|none of|nobody|no one|everyone|everything|unless|except|even if|default|off the table|by law|the law|legally|banned|prohibited|first|per (?:order|person|customer|day|week|month|year))\b"
)
STRONG_STANDING = r"\b(?:always|never|from now on|going forward|moving forward|as a rule|by default|every time|each time|whenever|at all times|ever|any ?more|when you (?:write|reply|answer|post|talk|email|send|speak|draft)|in (?:all|every|our|my)|for (?:all|every|our|my)|even if|on (?:all|every|our|my)|with (?:all|every|our)|as (?:a )?default|only|unless)\b"
CHANGE = (
    r"\b(?:sign|mov|switch|launch|hir|open|clos|chang|dropp|cancell?|rais|lower|stopp|start|join|replac|relocat|rebrand|add|remov|discontinu|partner|renam|acquir|decid|agree|pick|renew|end|terminat|upgrad|migrat|extend|reduc|introduc|expand|register|trademark|incorporat|"
    r"appoint|promot|fir|increas|shorten|doubl|merg|retir|phas|scrapp|ditch|swapp|transferr|outsourc|settl|adopt|creat|found|rename|split|bann|restrict|limit|cap|mov)ed\b|"
    r"\b(?:left|quit|set up|won|bought|chose|took on|took over|cut|brought in|let go of|gone|went (?:with|for|monthly|weekly|live)|became|got (?:certified|a new)|built|shut down|given up|gave up|made the switch|taken on|split)\b"
)
LIFE = r"\b(?:mov(?:ed|ing)|got (?:married|engaged|divorced|promoted|a new|accepted|a job)|adopt(?:ed|ing)|graduat(?:ed|ing)|start(?:ed|ing) (?:a|an|my|working|school|college)|sign(?:ed|ing) up|join(?:ed|ing)|enrolled|quit|retir(?:ed|ing)|changed jobs|had (?:a|our) (?:baby|son|daughter)|pregnant|expecting|diagnosed|was born|bought a (?:house|flat|car)|lost my job|became|applied (?:for|to)|volunteer(?:ed|ing)?|planning (?:on|to)|training for|learning|researching|studying|saving (?:up )?for|looking into)\b"
PAST = (
    r"^(?:\W*\w+\W+){0,5}?(?:i|we|they|he|she|it|you|my \w+|our \w+|the \w+(?: \w+)?|this|that|everything|somebody|someone|\w+ and i)(?: just| already| finally| also| then| only| really| even| nearly| almost)* "
    r"(?:was|were|had|went|got|did|made|took|saw|told|said|spent|came|left|lost|found|thought|felt|ate|slept|woke|ran|met|bought|sold|sent|gave|kept|spoke|stood|wrote|read|heard|knew|wasn't|weren't|didn't|hadn't|couldn't|wouldn't|forgot|began|broke|brought|caught|drove|drank|fell|flew|paid|put|sat|shut|sang|swam|taught|tried|wore|\w{2,}(?<!ne)(?<!fe)(?<!sp)ed)\b"
)
PERFECT = r"\b(?:i've|we've|i have|we have|he's|she's|they've|has|have) (?:just |already |still |not |never |also |finally |all |been )*(?:had|been|got|done|made|seen|gone|lost|found|\w{2,}ed|\w{2,}en)\b"
PROGRESSIVE = r"\b(?:i'm|we're|he's|she's|they're|it's|am|are|is)(?: not| just| still| currently| now| also| already| both| all)* (?!closing|opening|launching|moving|switching|adding|dropping|stopping|hiring|changing|phasing|discontinuing|raising|introducing|expanding|starting|replacing|shutting|targeting|aiming|planning to|planning on|relocating|rebranding|retiring|leaving|joining|missing|limiting|allowed|nothing|working with|using|offering|selling|running on)\w{2,}ing\b"
EPHEMERAL = (
    r"\b(?:we|i|we're|i'm|we are|i am|i feel|it's|feeling|that's|this is)(?: (?:all|so|very|really|a bit|just|still|quite|pretty|too|not|both|kind of|sort of|super|totally|absolutely|also|now))* (?:good|fine|ok|okay|set|done|busy|tired|exhausted|swamped|late|back|here|ready|sorry|sure|happy|glad|sad|stuck|lost|confused|worried|stressed|excited|thrilled|hungry|afraid|"
    r"useless|bored|sick|ill|home|off|away|in|out|running|having|getting|going|trying|looking|waiting|wondering|thinking|hoping|afraid|proud|grateful|thankful|curious|delighted|pleased|impressed|relieved|lucky|alone|aware|great|nice|cool|amazing|awesome|lovely|perfect|raining|snowing|monday|friday|about to|in a (?:hurry|rush|meeting)|on it|on my way|there|overwhelmed|freaking|stoked|guess|bet|think|hope|mean|know|see|agree|understand|love it|love that|appreciate|need (?:your|some|a|an|help)|want (?:you|your)|have (?:a|an|another|one|some) (?:question|issue|problem|meeting|call|doubt|idea|minute|sec|request|favour|favor|headache|cold)|can't (?:wait|believe|find|remember|open|see|seem)|wish|should|could|might|would|may|'ll (?:see|let|get|be|check|try|do|call|send)|see what|talk|speak soon|hear you)\b"
)
HYPOTHESIS = (
    r"\b(?:suppos(?:e|ing)|imagine|let's (?:say|imagine|pretend)|what if|say we|assum(?:e|ing)|hypothetically|in theory|if (?:we|i|you|they|he|she|it|the \w+|our \w+)(?: ever| only| had| were to)? (?:\w+ed|were|was|had|went|did|opened|raised|made|bought|sold|got|came|took|gave|put|cut|ran)\b"
    r"|if (?:we|i) (?:open|raise|switch|move|hire|launch|lower|drop|increase|cut|start|offer|go|add|stop|close|change)|would it|would we|should we|could we|we could|we might|we should|i might|i could|i should|we may|maybe|perhaps|possibly|we'd (?:need|have|be|get|lose|love)|would be|would have|would (?:need|take|make|cost|mean|give|bring)|wonder(?:ing)?|thinking (?:of|about)|consider(?:ing)?|toying|debating|not sure|unsure|no idea|i doubt|it's not (?:as if|like)|i'm not saying|not that we|i (?:wish|hope)|hopefully|pretend|dream)"
    r"|\bas if (?:we|i|our)\b"
)
HEDGED = r"\b(?:i think|i believe|i guess|around|about|roughly|approximately|approx|probably|likely|more or less|or so|ish|if i remember|i reckon|ballpark|tend to)\b"
REPORTED = r"\b(?:(?:a|one|some|the|this|that|my|our)? ?(?:customers?|clients?|buyers?|people|someone|somebody|they|reviewers?|guests?|shoppers?|guy|lady|woman|man) (?:just )?(?:says?|said|claims?|claimed|told|tells|thinks?|thought|complain\w*|wrote|writes|insists?|insisted|asks?|asked|wants? to know|emailed|messaged|keeps? (?:saying|asking)|reckons?|swears)|apparently|rumou?r|i (?:heard|read|was told)|i've (?:heard|been told)|according to (?:a|one|some))\b"
PREFERENCE = r"\b(?:i|i'd|i'd much|we|we'd|i'll)(?: (?:really|much|always|also|now|do|would|personally|actually|just|still|absolutely|simply|only|generally|usually|don't|do not|no longer|never|can't|cannot|can not|truly))* (?:prefer|hate|love|like|dislike|can't stand|cannot stand|stand|want|rather|need|expect|detest|loathe|enjoy|favour|favor|avoid|care about|mind|bear)\b"
UPDATE = (
    r"\b(?:now(?! that)|from now on|no longer|no more|these days|nowadays|going forward|moving forward|henceforth|any ?more|as of|as from|instead of|used to|change of (?:mind|plan)|changed my mind|since (?:last|this|\d|january|february|march|april|may|june|july|august|september|october|november|december|monday|yesterday|we)"
    r"|(?:has|have|'ve|'s) (?:just )?(?:been |gone |gone up|gone down|come down|moved|switched|changed|raised|lowered|dropped|increased|stopped|replaced|left|become|relocated|rebranded|discontinued|ended|extended|reduced|renamed|quit|swapped|migrated|closed|shut)(?!\w)|switched|moved|rebranded|relocated|replaced|discontinued|scrapped|ditched|stopped|gone (?:monthly|weekly|daily)|(?:is|are) (?:over|gone|done|finished)|we (?:raised|lowered|changed|dropped|cut|extended|increased|reduced|doubled)|finally|at last|new (?:policy|rule|price|hours))\b"
)
SESSION = r"\b(?:just|only) (?:for )?(?:today|tonight|this (?:morning|afternoon|evening))\b|\b(?:today|tonight) only\b|\bfor today\b|\bexceptionally (?:today|tonight)\b|^today\b|\btoday(?: we| the| our)\b|\bfor (?:this|the) (?:conversation|session|chat|one)\b|\btoday[.!]?$"
VOLATILE = r"\b(?:this week|next week|this month|at the moment|for now|right now|temporarily|currently|until (?:monday|tuesday|wednesday|thursday|friday|saturday|sunday|tomorrow|further notice)|for the time being|out of stock|in stock|running low)\b"
NEGATION = r"\b(?:not|no|never|n't|cannot|can't|don't|doesn't|isn't|aren't|won't|mustn't|nobody|none|without|no longer)\b|n't\b"
FINITE = (
    r"(?:is|are|isn't|aren't|was|were|has|have|hasn't|haven't|does|do|don't|doesn't|can|can't|cannot|must|mustn't|will|won't|shall|needs?|costs?|weighs?|ships?|starts?|begins?|ends?|closes|close|opens?|shuts?|leaves?|comes?|goes|go|gets?|holds?|carry|carries|contains?|includes?|takes?|lasts?|measures?|pays?|handles?|"
    r"looks?|runs?|manages?|approves?|covers?|sells?|makes?|requires?|apply|applies|expires?|arrives?|delivers?|dispatch(?:es)?|lives?|belongs?|works?|prefers?|wants?|likes?|hates?|loves?|knows?|speaks?|bills?|sends?|signs?|checks?|writes?|answers?|responds?|accepts?|gives?|says?|stays?|remains?|means?|depends?|allows?|exceeds?|"
    r"sits?|stands?|hosts?|collects?|validates?|decides?|deals?|joined|becomes?|supplies|supply|prints?|uses?|offers?|charges|collides|features|travels?|burns?|fits?|smells?|tastes?|grows?|wears?|hires?|buys?|eats?|drinks?|drops?|picks?|packs?|wraps?|rents?|expects?|gathers?|publish(?:es)?|teach(?:es)?)"
)
