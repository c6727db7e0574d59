"""French verbs as the rules see them: present forms that make a clause, past forms that make a narration."""

from app.domain.word_patterns import either
from app.domain.wording import words

CLITICS = r"(?:(?:ne|n'|se|s'|y|en|le|la|les|l'|lui|leur|me|m'|te|t'|nous|vous)\s?)*"
SUBJECT = r"(?:on|nous|je|j'|tu|vous|ils|elles|il|elle)"
_REGULAR = words(
    """
    livr expedi envoi vers utilis propos fabriqu accept rembours factur coul cout pes mesur dur commenc termin ferm
    emball travaill command rest arriv pass gagn march employ trouv conserv stock import export gard expos pay prepar
    valid ger occup approuv sign regl dirig anim control assur organis particip habit parl port chauss cherch ador
    detest aim prefer regard demand refus evit exig necessit compt represent touch tourn offr ouvr recouvr laiss mont
    baiss augment chang comport lanc adress appliqu limit depass bloqu impos tutoi vouvoi appell collabor recrut
    embauch ressembl depos grav personnalis coup tiss affich communiqu poste publi bascul migr invit recup autoris tri
    recycl reutilis calcul arrond ajout indiqu mentionn signal renvoi declench donn brul echang cuisin suiv partag
    achev exist comport plaqu doubl
    """
)
_OTHERS = words(
    """
    est sont sommes suis a ont avons ai fait font faisons vend vendent vendons vends prend prennent prenons met
    mettent mettons peut peuvent pouvons doit doivent devons va vont allons vient viennent venons part partent partons
    reprend reprennent reprenons rend rendent rendons tient tiennent tenons sert servent servons recoit recoivent
    recevons repond repondent repondons choisit fournit fournissent garantit garantissent finit vit lit ecrit ecrivent
    dit disent sait savent connait contient contiennent comprend comprennent correspond depend dependent attend
    attendent veut veulent voulons faut vaut valent achete achetent achetons envoie envoient envoyons paie paient
    payons gere gerent produit produisent produisons sera seront aura auront fera feront sort sortent permet recupere
    cuit cousons teint descend perd nait n'est n'a n'ont n'ouvre n'accepte n'expedie c'est interdit
    """
)
_VERBS = "(?:" + "|".join([rf"{stem}(?:e|ent|ons|es)" for stem in _REGULAR] + _OTHERS) + ")"
NOUN_PHRASE = rf"(?:[\w'&.@-]+[ ,]+){{1,8}}?(?:ne |n'|se |s'|nous |vous |y |en |lui |leur )?{_VERBS}(?=\s|$|[,.;!])"
AUXILIARY = either(
    r"""
    j'ai|je n'ai|j'avais|on a|on n'a|on avait|nous avons|nous n'avons|il a|elle a|ils ont|elles ont|il avait
    elle avait|l'a|l'ont|les a|m'a|t'a|lui a|il a fallu
    """
)
IRREGULAR_PAST = either(
    r"""
    fait|dit|mis|pris|ete|eu|vu|su|pu|lu|bu|du|ouvert|recu|perdu|vendu|repondu|rendu|tenu|voulu|fini|choisi|servi
    senti|entendu|attendu|appris|compris|promis|permis|ecrit|offert|souffert|reussi|grandi|couru|cru|connu|fallu|plu
    mordu
    """
)
BETWEEN = r"(?: (?:pas|deja|enfin|aussi|encore|tout|trop|bien|jamais|toujours|meme|vraiment|juste|beaucoup|rien|tous))*"
