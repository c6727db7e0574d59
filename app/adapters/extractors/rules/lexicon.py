"""Words of the trade and of people's lives, French and English, by their plain beginnings; and synonyms."""

import re

from app.domain.word_patterns import any_of
from app.domain.wording import words

_TRADE = words(
    """
    boutiqu magasin shop store site web client customer buyer acheteu command order livrai livro livre livr expedi
    ship deliver dispatch envoi envoy colis parcel packag pack courier carrier transporteu poste postage retour return
    renvo rembours refund echang exchang frais fee prix price tarif cost cout remise discount promo sold sale
    reduction product produit article item piece gamme range collection catalog stock inventor inventaire entrepot
    warehous atelier workshop fournisseu supplier vendor vendeu logistic 3pl emball wrap carton box boite paiement
    payment pay paie factur invoice devis quote marge margin panier basket cart turnover revenue chiffre budget
    plafond cap pub ads ad advert campagn campaign newsletter e-mail email mail texte text copy fiche listing visuel
    visual photo logo chart marque brand ton tone voix voice slogan hashtag reseau social instagram facebook tiktok
    pinterest avis review sav support faq garantie guarantee warrant gift cadeau abonn subscri fidelite loyalty relais
    pickup pick-up collect team equipe staff employe salari comptab accountant accounting juriste lawyer banque bank
    assur insur horaire hour ouvert ouvre open ferm clos shut minimum grossist wholesal trade retail revendeu resell
    stockist restaurant pro pros fabri made manufactur matiere material tissu fabric cuir leather bois wood laine wool
    coton cotton sur-mesure bespoke custom personnalis engrav grav taille size couleur colour color modele model
    referenc sku code coupon rupture precommand preorder pre-order salon fair market marche pop-up showroom caisse
    till tva vat siret legal mention rgpd gdpr label bio organic vegan vegetal origine blog page appli telephon phone
    numero number standard checkout printer imprimeu plateforme platform etsy amazon shopify woocommerce prestashop
    stripe paypal klaviyo brevo mailchimp goal objectif target cible strategy strategie saison season noel christmas
    black friday soldes lancement launch event evenement class cours visite visit appointment reservation booking
    reserv recette recipe ingredient allergen plastique plastic recycl kraft bubble tissue enveloppe envelope etiquet
    sticker flyer carte card approv valid sign-off deadline delai delay lead report rapport bilan tableau dashboard
    summary resume compte-rendu presse press influenc partenair partner ambassad affili franchise manager gerant
    gerante responsable directeu directrice director founder fondat owner proprietaire patron boss apprenti intern
    stagiaire freelance branch business bijou jewel savon soap bougie candle the tea cafe coffee vin wine miel honey
    title titre vente sales upsell bundle
    """
)
_TRADE = [word for word in _TRADE if word not in {"the"}]
BUSINESS = re.compile(rf"\b(?:{'|'.join(sorted(set(map(re.escape, _TRADE)), key=len, reverse=True))})\w{{0,6}}\b")
"""Any word of the trade, with its endings."""

COMPANY_VERBS = any_of(
    r"""
    costs?|coutent?|weighs?|pesent?|measures?|mesurent?|lasts?|durent?|contains?|contien(?:t|nent)|includes?|holds
    carr(?:y|ies)|ships?|sells?|vend(?:ent)?|made (?:of|from|in|to|by)|faite?s? (?:en|a la|de|par|main)|fabrique\w*
    hand-?\w+ed|imprime\w*|printed|sourced|expires?|comes? (?:in|with|from|before|after)|vien(?:t|nent) d[e']|arrives?
    arrivent|leaves?|partent|goes out|go out|requires?|exige(?:nt)?|closes?|opens?|shuts?|ferme\w*|ouvr\w+|handles?
    s'occupe\w*|gere\w*|approves?|valide\w*|manages?|in charge of|responsable|looks after|collects?|sert a|servent a
    is handled by|prefers?|prefere|dislikes?|hates?|deteste|likes|wants|veut|runs?|bills?|charges?|accepts?|acceptent?
    acceptons|brulent?|burns?|resists?|dishwasher\S*|machine-washable|consigne\w*|goes? through|go through
    passe(?:nt)? par|is fixed at|fixee?s? a|trigger\w*
    """
)
"""What things and people of a shop do."""

LASTING_SUBJECT = re.compile(
    r"(?:(?:the|le|la|les|l'|all|every|each|chaque|any|no|aucune?) ?)?(?:[\w'-]+ ){0,3}?(?:shops?|stores?"
    r"|boutiques?|magasins?|stock|labels?|etiquettes?|site|website|workshop"
    r"|ateliers?|showroom|warehouse|entrepot|cafe|salon|brand|marque|catalogue|catalog|range|gamme|collection"
    r"|team|equipe|company"
    r"|entreprise|newsletter|packaging|emballages?|blog|menu|app|stand|stall|kiosque|classes|cours|workshops"
    r"|orders|commandes|returns"
    r"|retours|parcels|colis|products|produits|prices|prix|customers|clients|clientes|members|membres|bookings"
    r"|reservations)\b"
)
"""What a shop is made of: the subject of statements about it, other than a parcel or an order of the day."""

ORGANISATION = any_of(
    r"""
    siret|siren|tva intra\w*|vat number|registered|head office|headquarters|siege|raison sociale|sarl|sas|eurl
    limited company|ltd|llc|gmbh|comptable|accountant|accounting firm|avocat|lawyer|juriste|banque|bank|assur\w+
    insur\w+|salari\w+|employe\w*|employees|staff|effectif|conges|payroll|co-?founder|cofondat\w+|founder|fondat\w+
    associee?s?|business partner|investor\w*|investisseu\w*|chiffre d'affaires|turnover|revenue|exercice fiscal
    fiscal year|financial year|filiale|subsidiary|holding|embauch\w+|recrut\w+|hir(?:e|ed|ing)
    """
)
"""What is the company's rather than one shop's."""

PRIVATE = any_of(
    r"""
    famil(?:y(?! (?:business|run|owned|recipe|firm))|ies|le|les)|friends?|ami(?:e|es|s)?|love|amour|journey|lives?
    life|vie|dreams?|reves?|hope|espoir|courage|mom|mum|dad|maman|papa|pets?|moments?|memories|souvenirs?|feelings?
    emotions?|hearts?|coeur|joy|bonheur|communit(?:y|ies)|stories|story|together|ensemble|each other|inspir\w+|amazing
    awesome|wonderful|beautiful|gorgeous|blessed|grateful|thankful|adorable|lucky|path|paths|self-care|spread|world
    cherish\w*|childhood|wedding|mariage|vacation|vacances|holiday trip
    """
)
"""Words of private life and feeling: a "we" among them is no shop."""

OF_A_PERSON = any_of(
    r"""
    allerg\w+|intoleran\w+|vegan|vegetari\w+|vegetalien\w+|coeliaque|celiac|coeliac|halal|kosher|casher|left-handed
    right-handed|gauchere?|droitiere?|daltonien\w*|colou?r-?blind|dyslexi\w+|deaf|sourde?|malentendant\w*|wheelchair
    fauteuil roulant|diabeti\w+|pregnant|enceinte|teletravail
    """
)
OF_THE_SPEAKER = any_of(
    r"""
    i'm (?:the|a|an|from|based|in charge|responsible|only|never|always|not reachable|unreachable)
    i am (?:the|a|an|from)
    i (?:live|work|run|own|manage|wear|use|drive|speak|order|buy|sell|only|always|never|don't|can't|usually|do|make\
    |teach)
    i (?:study|play|collect|take|eat|drink|read|answer|handle|look after|start|finish|sign|keep|go by|come\
    |represent|have)
    i've (?:got)|je suis (?!la\b|le seul|en train)\S+|moi c'est|je m'appelle|my name|mon (?:prenom|nom)
    (?:le )?plus simple c'est
    je (?:vis|habite|travaille|tiens|gere|dirige|porte|fais|chausse|mets|conduis|parle|commande|achete|vends|ne|n'\
    |m'occupe)
    je (?:prends|mange|bois|lis|joue|reponds|reste|passe|viens|mesure|signe|garde|cuisine|collectionne|represente\
    |bosse)
    je (?:demenage|pars|rentre|valide)
    j'(?:habite|ai|utilise|achete|etudie|enseigne|arrive|ouvre|evite|ecris|organise)|m(?:a|on) pointure
    ma (?:taille|fille|femme|soeur|mere|adresse|nouvelle|voiture|langue)|mes (?:enfants|colis|commandes|livraisons)
    mon (?:fils|mari|frere|pere|adresse|chien|chat|email|e-mail|mail|numero|anniversaire|tel\w*|metier|role|poste\
    |bureau)
    my (?:\w+ )?(?:size|daughter|son|wife|husband|partner|dog|cat|kids?|children|birthday|address|email|phone\
    |number|role)
    my (?:job|title|office|new|name|mum|mom|dad|sister|brother|home|assistant|flat|house|first language|mother tongue)
    my (?:time ?zone|parcels?|orders?|deliver\w+)|mes (?:horaires|filles|fils)|je fonctionne|calls? me
    m'appelle(?:nt)?|m(?:on|a) (?:objectif|but|priorite)|my (?:goal|aim|priority)
    """
)
"""How somebody is and lives."""

ENTITLEMENT = any_of(
    r"""
    remises?|reductions?|discounts?|\S+ off|free (?:shipping|delivery|returns?|gift)|for free|gratuit\w*|offerte?s?
    rembours\w*|refund\w*|credits?|avoir de|admin\w*|owner|proprietaire|gerante?|staff|employee|vip|droit a|rights?
    manager
    """
)
"""What a customer may not grant themselves by saying so."""

_SAME = {
    "pro": "pros pro professionnel professionnell professional wholesal trad grossist b2b revendeur resell stockist",
    "restaurant": "resto restaurateur",
    "email": "mail courriel",
    "newsletter": "infolettr",
    "review": "avi",
    "payment": "paiement",
    "return": "retour",
    "store": "boutiqu shop magasin sit websit",
    "shipping": "livraison livr expedition expedi deliver dispatch port ship",
    "press": "pres presse",
    "accounting": "comptabilit compta",
    "accountant": "comptabl",
    "label": "etiquett",
    "support": "sav clientel",
    "stock": "inventor",
    "social": "reseau reseaux",
    "wax": "cir",
    "packag": "emballag",
    "switzerland": "suiss",
    "belgium": "belgiqu",
    "germany": "allemagn",
    "spain": "espagn",
    "italy": "itali",
    "corsica": "cors",
    "uk": "angleterr england britain",
    "us": "usa america unis",
    "eu": "ue europ",
    "visual": "visuel visuell",
    "quote": "devi",
    "refund": "remboursement rembours",
    "order": "command",
    "candle": "bougi",
    "soap": "savon",
    "belt": "ceintur",
    "mug": "tass",
    "gift": "cadeau cadeaux",
    "discount": "remis reduction",
    "warehouse": "entrepot warehous",
    "carrier": "transporteur courier",
    "sell": "vend vendon vent sal",
    "offer": "propos proposon offr offron offert",
    "work": "travaill travaillon",
    "use": "utilis utilison",
    "accept": "acceptent accepton",
    "open": "ouvr ouvert ouvrent",
    "exclam": "exclamation",
    "price": "prix tarif pric",
}
SYNONYMS = {word: name for name, others in _SAME.items() for word in others.split()}
"""Stem of `app.domain.wording` to the name that both languages share in keys."""
