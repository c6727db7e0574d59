"""Turns of phrase of several words, in French and English, each as the one meaning that it has for `statements`.

They are read in their order, in plain text that keeps the capitals of names. What is found gives way to its meanings.
"""

import re
from typing import Final

_MONTH = (
    r"(?:janvier|fevrier|mars|avril|mai|juin|juillet|aout|septembre|octobre|novembre|decembre|january|february|march"
    r"|april|may|june|july|august|september|october|november|december)"
)
_LATELY = (
    rf"(?:(?:le|la|l'|the|this|last|cette|ce|next|debut|early|mid|fin) ?)*(?:{_MONTH}|¤da(?:te|y)\d+|today|aujourd'hui"
    r"|maintenant|now|hier|yesterday|peu|semaine|mois|annee|week|month|year|rentree|printemps|ete|automne|hiver|spring"
    r"|summer|autumn|winter|demain|tomorrow|debut|beginning)"
    rf"(?: (?:derniere?|prochaine?|(?:of|de) (?:the |l'|la )?\w+))?(?: ¤count\d+)?"
)
_CLIENT = r"(?:client|cliente|clients|acheteur|acheteurs|acheteuse|customer|customers|buyer|buyers|shopper|shoppers)"
_BE = r"(?:is|are|was|were|be|been|est|sont|etait|etaient)"

_TABLE: Final = rf"""
changed only | \bn(?:e |')((?:[^\s.;]+ ){{1,2}})plus qu(?:e |') => \1
not all | \b(?:nobody|no one|personne ne)\b
not | \b(?:refus\w+ (?:de |d'|to )|declin\w+ to |avoid\w* |evit\w+ (?:de |d')?)
not | \b(plastic|gluten|sugar|dairy|lactose|alcohol|paraben|cruelty|nut|meat|fragrance)[- ]free\b => \1
validate | \b(?:signs?|signed|signing) off(?: on)?\b|\b(?:gives?|donne) (?:the |son |leur )?(?:green light|accord
    |feu vert)\b
social | \bsocial (?:media|networks?)|\breseaux sociaux\b
trade_fair | \btrade (?:fair|show)s?\b|\bsalons? professionnels?\b
retail | \bprivate (?:individual|customer|client)s?\b
material=cardboard | \ben carton\b|\bcardboard\b
only | \bn(?:e |')([^.;]{{1,40}}?) qu(?:e |')(?!il|elle|on) => \1
like- | \b(?:can't stand|cannot stand|ne supporte\w* pas|n'aime\w* pas|doesn't like|don't like|has no patience for
    |a horreur d[eu'])
not | \b(?:off the table|out of the question|hors de question)\b
not | \b(?:can't|cannot|won't|\w+n't)\b
not | \bn'est ni\b|\bne \w+ ni\b
changed not | \b(?:no longer|no more)\b|\bnot ([^.;]{{0,60}}?)\b(?:any ?more|any longer|anylonger)\b => \1
changed not | \b(?:any ?more|any longer)\b
changed not | \bn(?:e |')((?:y )?(?:[^\s.;]+ ){{1,2}}?)plus\b(?! (?:que|de \d|d'une?\b|tard|tot|grand|cher)) => \1
changed not | \bplus (?:de|d'|aucune?) ?(?=\w+ (?:gratuit|offert|possible|accept))|\bce n'est plus\b
changed not | \b(?:stopped|have stopped|quit|ceased|discontinued|phased out|dropped|gave up|given up
    |abandoned)\b(?! by)
changed not | \b(?:arrete|arretons|arretent|cesse|cessons|abandonne|abandonnons|renonce|supprime|supprimons|mis fin)\b
replaced | \b(?:abandonn\w+|lach\w+|quitt\w+|dropped|ditched|left|swapped|traded|echang\w+) (\S+) (?:pour|for|contre
    |in favou?r of)\b => \1
changed | \b(?:we|nous|on|i)(?: have| avons| a)?(?: just)? (?:extended|raised|increased|reduced|lowered|shortened
    |doubled|cut|augment\w+|baiss\w+|prolong\w+|allong\w+|releve\w*|abaiss\w+)\b
changed not | \b(?:pulled out of|withdrew from|pulled|retire\w* d[eu']|got rid of|did away with|no more)\b
changed not | \b(?:has|have|was|were|been|a ete|ont ete|est|sont) (?:now )?(?:been )?(?:scrapped|axed|removed|dropped
    |cancelled|canceled|discontinued|abolished|withdrawn|supprime\w*|abandonne\w*|annule\w*|retire\w*)\b
changed not | \b(?:has|have|a|ont|avons) (?:closed|ferme) (?:down )?(?:our|the|notre|nos|le|la|les)\b
changed not | \bused to\b
changed not | \b(?:c'est fini|c'est termine|no more|shut down|closed down|a pris fin|ont pris fin|has ended
    |have ended|is over|are over)\b
changed | \b(?:quitte\w*|left|leaving|resilie\w*|est parti\w*|sont partis|has left|is gone|cancelled our|canceled our
    |ditched|said goodbye to|rejoint|joined|joining|rebranded)\b
changed | \b(?:enfin|finally|at last|these days|ces temps-ci|has gone|have gone|went)\b
replaced | \b(?:instead of|in place of|in (?:his|her|their|its) place|a (?:sa|leur) place|rather than|au lieu d[e']
    |a la place d[e']|plutot que)
replaced | \b(?:handed|passed|turned|confie\w*|transmis\w*|cede\w*)\b(?=.{{0,40}}\b(?:to|a|aux?)\b)
replaced | \b(?:remplac\w+|replac\w+)\b|\b(?:taken|took|takes|taking) over\b|\b(?:pris|prend|prendre) la suite\b
    |\brepris\b
changed | \b(?:desormais|dorenavant|a present|nowadays|these days|from now on|maintenant|now|ca y est)\b
changed | \b(?:depuis|since|a partir d[eu]|a partir d'|des|a compter d[eu]|as of|as from|starting(?: from)?
    |effective) ?{_LATELY}
changed | \b(?:depuis|since) (?:l'an |le )?¤(?:count|duration)\d+
changed | \bfrom (?:{_MONTH}|¤date\d+)(?: ¤count\d+)?(?! (?:to|until|till|au)\b| ?-)(?: on(?:wards)?)?
changed | \b(?:passe|passes|passee|passent|passons|passera) (?:de|d'|du|a|au|aux|chez|sur|en)\b
changed | \b(?:switch\w*|migrat\w+|migr\w+|bascul\w+|transfer\w+)(?: (?:over )?(?:to|vers|chez|sur|a|au))?\b
changed | \b(?:a|ont|avons|have|has|had|was|been) (?:ete )?(?:chang\w+|moved|relocated|demenag\w+|transfer\w+
    |evolue\w*)\b
changed | \b(?:moved|relocated|demenag\w+)\b|\b(?:we|nous|on) (?:avons |a |have )?chang\w+\b
changed | \b(?:devien\w+|devenu\w*|becom\w+|became)\b|\b(?:started|start|began|begun|commence a|commence
    |mis a)(?= (?:\w+ing|a|\w+er)\b)
changed | \b(?:(?:has|have) (?:been )?)?(?:gone|went|going|goes) (?:up|down)(?: to)?\b
changed | \b(?:has|have|had|been|was|were|a|ont|avons) (?:ete |been )?(?:increased|raised|reduced|lowered|cut
    |extended|shortened|grown|dropped|risen|doubled|augmente\w*|baisse\w*|reduit\w*|prolonge\w*|rallonge\w*|etendu\w*
    |raccourci\w*|abaisse\w*|releve\w*|double\w*)\b
changed | \b(?:increased|raised|reduced|lowered|extended|shortened|grew|dropped|rose|fell) (?=(?:from|to|by)\b)
changed | \b(?:est|sont) (?:monte\w*|descendu\w*|tombe\w*)(?= a\b)|\b(?:augmente|baisse|monte|descend)(?= a\b)
changed | \b(?:our|notre|the|le|la) (?:new|nouveau|nouvel|nouvelle)\b|\bha(?:s|ve) just\b|\bvien(?:t
    |nent) (?:juste |tout juste )?d[e'] ?(?=\w+(?:er|ir|re)\b)
also | \b(?:aussi|egalement|also|as well|in addition|en plus|too)\b
contain~ | \b(?:comes?|supplied|vendu\w*|livre\w*|accompagne\w*) (?:with|avec|d'une?)\b
lifetime | \b(?:for life|lifetime|a vie)\b
hire | \b(?:takes?|took|taking|taken) on\b
accept~+ | \b(?<=\w)-friendly\b
supplier | \b(?:comes?|came|vien\w+|provien\w+) (?:from|d[eu']s?)\b
supplier | \b(?:buy|buys|bought|purchase\w*|source|sources|sourced|achet\w+|prenons
    |commandons)\b(?= (?:\w+ ){{0,5}}(?:from|chez|aupres)\b)|\b(?:vien\w+|provien\w+) de chez\b|\bse fournit\b
    |\bnous fournissons\b
exclamation | \bexclamation (?:marks?|points?)|\bpoints? d'exclamation
ship | (?:(?<=orders )|(?<=parcels )|(?<=packages ))leave\b(?: (?:our |the )?(?:warehouse|workshop|depot)\b)?
    |(?<=commandes )partent\b|(?<=colis )partent\b
ship | \b(?:leave|leaves|leaving) (?:our |the )?(?:warehouse|workshop|depot)\b|\bsent out\b|\bquitt\w+ (?:l'entrepot
    |l'atelier|le depot)\b
ship | \b(?:go|goes) out\b|\bmis\w* a la poste\b
sent | \b(?:envoyons|envoie|envoi|sent|send|sends)\b(?= (?:la |the |our |notre )?(?:newsletter|infolettre))
support | \b(?:service|relation) clients?\b|\bservice apres[- ]vente\b|\bcustomer (?:service|support|care
    |relations)\b|\bclient support\b|\bhelp ?desk\b
(drop) | \b(?:offr\w+|grant\w*|accord\w+|give\w*|offer\w*) (?=(?:\w+ ){{0,3}}(?:remise|reduction|rabais|discount))
own+ | \b(?:in|dans|a|at) (?:our|notre|nos)(?: own| propre)? (?:workshop|atelier|studio|kitchen|cuisine)s?\b
    |\b(?:by ourselves|ourselves|nous-memes|en interne|in[- ]house)\b
(drop) | (¤duration\d+) sur sept\b => \1
(drop) | (¤duration\d+) (?:a|per|par|sur|out of) (?:week|semaine|sept|7|seven|¤count\d+)\b => \1
often=twice_weekly | \b(?:twice|deux fois) (?:a|per|par) (?:week|semaine)\b
often=daily | \b(?:every|each|chaque|per|par|tous les|a) (?:day|jours?)\b
often=weekly | \b(?:every|each|chaque|per|par|a|toutes les) (?:week|semaines?)\b
often=monthly | \b(?:every|each|chaque|per|par|a|tous les) (?:month|mois)\b
often=yearly | \b(?:every|each|chaque|per|par|an?|tous les) (?:year|ans?|annees?)\b
free- | \b(?:become|becomes|became|is|are|now)(?: now)? (?:a )?paid(?= (?:one|service|option|plan|extra)\b|\W*$)
in_stock- | \bsold out\b|\ben rupture\b
before+ | \b(?:cut-?off(?: time)?|heure limite|date limite|deadline)\b
free+ | \b(?:free of charge|at no (?:extra )?(?:cost|charge)|on us|on the house|at our expense|a nos frais
    |a notre charge|pris\w* en charge|no (?:extra )?charge)\b
free+ | \b(?:we|nous|on) (?:pay|cover|payons|paie|paye|prenons en charge|prend en charge|offrons
    |offre) (?=(?:for )?(?:the |les |le )?(?:return|retour|ship|port|frais|livr|postage|deliver))
free- | \b{_CLIENT} (?:(?:must |have to |has to |doi\w+ )?(?:pay|pays|cover|covers|bear|bears|pai\w+|pay\w+|regl\w+
    |support\w+|assum\w+)|prend en charge|prennent en charge)(?: for)?(?= (?:the|les|le|la|l'|their|leurs?|his|any
    |return|retour|ship|postage|port|frais|deliver|livraison|repair|reparation|engrav|gift|wrap
    |emball))(?: (?:les |the )?(?:frais|costs?|fees?)(?: d[e'u]| of)?(?!\w))?
free- | \b(?:a la charge|aux frais) (?:de |du |des |de la |de l')(?:{_CLIENT})|\bat (?:the )?{_CLIENT}(?:'s
    |s')? (?:own )?(?:expense|cost)|\b(?:paid|borne|covered|paye\w*|regle\w*|pris\w* en charge) (?:by
    |par) (?:the |le |la |les |l')?{_CLIENT}\b
free- | \b(?:we|nous|on) (?:charge|factur\w+)(?= (?:for|l|the|les)\b)
basket | \b(?:panier moyen|average (?:basket|order|cart)(?: value| size)?|aov|(?:valeur
    |montant) moyen\w* (?:d'une commande|des commandes|du panier))\b
wrap gift | \b(?:gift[- ]?wrap\w*|emballages? cadeaux?|paquets?[- ]cadeaux?|papier cadeau)\b
gift_card | \b(?:gift[- ]?(?:card|voucher|certificate)s?|cartes?[- ]cadeaux?|cheques?[- ]cadeaux?|bons?[- ]cadeaux?)\b
bubble | \b(?:bubble[- ]?wrap|papiers? bulles?|film bulles?)\b
formal- | \b(?:(?:dit|disons|dire|on se dit)(?: \w+)? (?:le )?['" ]*tu\b['" ]*|le tutoiement|first[- ]name terms
    |tutoi\w+)\b|\btu\b(?= (?:a nos|aux|avec))
formal+ | \b(?:formal ['"]?vous['"]?|(?:dit|disons|dire)(?: \w+)? (?:le )?['" ]*vous\b['" ]*|le vouvoiement
    |vouvoi\w+)\b|\bvous\b(?= (?:a nos|aux|avec))
handmade+ | \b(?:(?:fait\w*|fabrique\w*|ecrit\w*|cousu\w*|peint\w*|emballe\w*|coule\w*|grave\w*|tourne\w*|assemble\w*
    |tisse\w*) (?:a la )?main|a la main|by hand|hand[- ](?:made|written|painted|poured|sewn|crafted|thrown|woven
    |finished|packed|wrapped))\b
handle~ | \b(?:in charge of|responsible for|(?:is|was) responsib\w+|looks? after|takes? care of|deals? with
    |is the (?:contact|person) for|(?:est|etait|sera) charge\w* d[eu]|s'occup\w+ d[eu']s?|responsable d[eu']s?
    |en charge d[eu']s?|a la tete d[eu])
handle~ | \b(?:handles?|handled|manages?|managed|runs?|oversees?|overseen|gere|gerent|geree?s?|gerons|pilote\w*
    |supervise\w*|anime\w*|dirige\w*|tient|tenue?s? par|assure(?= (?:le|la|les|l'))|responsibility|mene)\b
located | \b{_BE} (?:based|located|situated|situe\w*|base\w*|installe\w*|implante\w*) (?:in|at|a|au|en|near)\b
    |\bse (?:trouve\w*|situe\w*) (?:a|au|en)\b|\b(?:based|located|installe\w*) (?:in|at|a|en|au)\b
made_of~ | \b(?:made (?:out )?(?:of|from|with)|fait\w* (?:de|d'|en|avec|a partir de)|fabrique\w* (?:en
    |avec) (?=(?:cire|laine|coton|cuir|bois|lin|verre|soie|acier|plastique|papier|kraft|chene))|compose\w* de)
make | \b(?:made|produced|manufactured|crafted|fabrique\w*|confectionne\w*|produit\w*|fait\w*) (?=(?:in|a|en|au|aux
    |chez|par|by)\b)
(drop) | (?<=[a-z]) (?:that |which |que )?(?:we|nous|on) (?:sell|make|offer|carry|stock|produce|vendons|vend
    |proposons|propose|fabriquons)(?= (?:is|are|est|sont|comes?)\b)
same_day | \b(?:same[- ]day|the same day|le jour meme|dans la journee|meme jour)\b
next_day | \b(?:next[- ]day|the next day|le lendemain)\b
closes | \b(?:open|opens|ouvert\w*|ouvre|ouvrent|ouvrons)(?: \w+)?? (?:until|till|jusqu'a|jusque)(?= ¤time)
before- | \b(?:after|apres|once(?! (?:a|per))|une fois(?! par)|au-dela d[eu]|beyond)\b
before+ | \b(?:before|avant|prior to|ahead of|(?:until|jusqu'a|by)(?= ¤time))\b
above- | \b(?:under|below|less than|fewer than|moins d[e']|en dessous d[eu]|inferieur\w* a|up to|at most|maximum|max
    |au plus|maximal\w*|au maximum)\b
above+ | \b(?:over|above|more than|plus d[e'](?= ?¤)|au-dessus d[eu]|superieur\w* a|at least|au moins|minimum|min
    |des(?= ¤(?:money|count|weight))|a partir d[e'u](?= ?¤)|from(?= ¤money)|starts? at|starting at|exceed\w*
    |minimal\w*)\b
included- | \b(?:hors taxes?|hors tva|excluding|exclud\w+|excl|ht|not including|exclusive of|without vat|sans tva
    |non compris\w*|net of)\b
included+ | \b(?:toutes taxes comprises|ttc|including|includ\w+|incl|inclusive of|compris\w*|inclus\w*|inclu\w*)\b
only | \b(?:restricted to|reserved for|limited to|reserve\w* a(?:ux)?|limite\w* a(?:ux)?)\b
(drop) | \b(?:open|ouvert\w*) (?=(?:to|a|aux?) (?:tou|all|every|any))
all | \b(?:every one of|each (?:one )?of|all of|chacun\w* d[eu]s?)\b
all | \b(?:tous|toutes|tout|toute|chaque|all|every|each|any|always|toujours|systematiquement|systematically|chacun\w*
    |everyone|everybody|everything|entire\w*|entiere\w*|integral\w*|l'ensemble d[eu]s?)\b
some | \b(?:certaine?s?|quelques|quelques-un\w*|some|a few|several|plusieurs|sometimes|parfois|occasionally
    |une partie|la moitie|half|partially|part of|en partie|selected|not all|not every|pas tous|pas toutes
    |pas toujours|not always)\b
most | \b(?:la plupart|most|mostly|majority|majorite|generalement|usually|principalement|mainly|souvent|often
    |la majeure partie)\b
only | \b(?:seulement|uniquement|exclusivement|only|exclusively|solely|seule?s?|juste|just|nothing but|rien que
    |alone)\b
"""


def _phrases() -> list[tuple[re.Pattern[str], str]]:
    made = []
    for row in _TABLE.strip().replace("\n    ", "").splitlines():
        meanings, pattern = row.split(" | ", 1)
        pattern, _, kept = pattern.partition(" => ")
        marks = "" if meanings == "(drop)" else " ".join(f"_{name}_" for name in meanings.split())
        made.append((re.compile(pattern), f" {kept} {marks} "))
    return made


PHRASES: Final = _phrases()
"""A pattern, and what stands in its place: meanings are written `_name_`, amounts `¤kind0`."""
