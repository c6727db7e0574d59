"""How French sentences state, wish, order and narrate."""

import re

from app.adapters.extractors.rules.french_verbs import AUXILIARY, BETWEEN, CLITICS, IRREGULAR_PAST, NOUN_PHRASE, SUBJECT
from app.adapters.extractors.rules.patterns import Grammar
from app.domain.word_patterns import END, START, any_of, either

FRENCH = Grammar(
    own=any_of(
        r"""
        on|nous|notre|nos|chez nous
        (?:ma|mon|mes) (?:\w+ )?(?:boutique|magasin|marque|entreprise|societe|boite|site|entrepot|fournisseurs?\
        |produits?)
        (?:ma|mon|mes) (?:\w+ )?(?:marges?|equipe|clients?|clientes?|prix|gamme|atelier|catalogue|collection\
        |comptable)
        (?:ma|mon|mes) (?:\w+ )?(?:budget|newsletter|showroom|salon|labo|stock|associee?s?|salariee?s?|emballages?)
        """
    ),
    speaker=any_of(r"je|j'|moi|mon|ma|mes|perso|me|m'"),
    clause=re.compile(rf"(?:{SUBJECT}(?:\s|(?<=')){CLITICS}[a-z][a-zé'-]*|(?:c'est|il y a|y a) \w+|{NOUN_PHRASE})"),
    lead=either(
        r"""
        bonjour|bonsoir|salut|slt|coucou|cc|hello|hey|re|bjr|ok|okay|bon|ben|bah|alors|donc|du coup|au fait|d'ailleurs
        sinon|voila|bref|oh|ah|et|mais|puis|aussi|pour info(?:rmation)?|pour ta gouverne|(?:petite )?info|a savoir
        a noter(?: que)?|note(?:z)?(?: bien)?(?: que| ceci)?|sache(?:z)?(?: que)?|ps|nb|avant que j'oublie
        tant que j'y suis
        (?:retiens|retenez|souviens-toi|souvenez-vous|rappelle-toi|rappelez-vous)(?: bien)?(?: ceci| ca)?(?: que|:)
        (?:n'oublie(?:z)? pas|garde(?:z)? en (?:tete|memoire)|memorise(?:z)?)(?: bien)?(?: ceci| ca)?(?: que|:)
        je (?:te|vous) (?:precise|rappelle|signale|confirme|informe|previens)(?: que)?|(?:pendant|tant) que j'y pense
        tiens|en fait|(?:il )?faut savoir que|(?:il )?faut que tu saches que|je precise(?: que)?|petite precision
        (?:petit )?rappel|changement(?: de programme)?|nouveaute|perso|personnellement|moi|en gros|en resume
        concretement|franchement|merci(?! de)|oui|non|ouais|super|parfait|d'accord|finalement|donc je repete|je repete
        comme tu (?:le )?sais|encore une chose|derniere chose|autre chose|correction|pour rappel|en general|contexte
        faut savoir qu'|il faut savoir qu'|sache qu'|sachez qu'|a noter qu'|je precise qu'|bonne nouvelle
        """
    ),
    once=either(
        r"""
        (?:re)?ecris|ecrivez|redige[zr]?|fais|faites|prepare[zr]?|donne[zr]?|montre[zr]?|envoie|envoyez|dis|dites
        liste[zr]?|trouve[zr]?|regarde[zr]?|verifie[zr]?|raccourcis|raccourcissez|traduis|traduisez|resume[zr]?
        corrige[zr]?|relis|relisez|aide[zr]?|explique[zr]?|ajoute[zr]?|enleve[zr]?|supprime[zr]?|propose[zr]?
        compare[zr]?|analyse[zr]?|calcule[zr]?|planifie[zr]?|publie[zr]?|poste[zr]?|modifie[zr]?|ameliore[zr]?
        reformule[zr]?|imagine[zr]?|oublie[zr]?|ignore[zr]?|confirme[zr]?|rappelle|rappelez|mets|mettez|cree[zr]?
        genere[zr]?|lance[zr]?|attends|attendez|essaie|essayez|continue[zr]?|refais|refaites|reprends|reprenez|decris
        decrivez|cherche[zr]?|passe[zr]?|appelle|appelez|commande[zr]?|memorise[zr]?|redis|raconte[zr]?
        laisse[zr]? tomber|transfere[zr]?|reponds|repondez|change[zr]?
        """
    ),
    lasting_orders=either(
        r"""
        utilise[zr]?|emploie|employez|parle[zr]?|laisse[zr]?|depose[zr]?|livre[zr]?|garde[zr]?|evite[zr]?|reste[zr]?
        signe[zr]?|commence[zr]?|termine[zr]?|inclus|mentionne[zr]?|pense[zr]?|adresse[zr]?|tutoie|tutoyez|vouvoie
        vouvoyez|vois|voyez|voir|demande[zr]?|contacte[zr]?|previens|prevenez|emballe[zr]?|promets|affiche[zr]?
        arrondis|privilegie[zr]?|preferez|bannis|bannissez|va|allez|presente[zr]?|arrete[zr]?|sonne[zr]?|toque[zr]?
        offre[zr]?|prends|prenez|compte[zr]?|sois|soyez|considere[zr]?|facture[zr]?|tenez|tiens|limite[zr]?|colle[zr]?
        soigne[zr]?|remercie[zr]?|salue[zr]?|ecrire|parler
        """
    ),
    polite=(
        r"(?:(?:s'il te plait,?|s'il vous plait,?|stp,?|svp,?|merci de|toujours|jamais|desormais,?|dorenavant,?|ne|n'en"
        r"|plus jamais|surtout,?|pensez a|pense a|a l'avenir,?|veuillez|merci d') |n'|d')*"
    ),
    standing=any_of(
        r"""
        toujours(?! aussi| pas)|jamais|desormais|dorenavant|a chaque fois|chaque|systematiquement|en general
        par defaut|l[ea]s? (?:\w+dis?|dimanches?|week-ends?)|d'habitude|habituellement|normalement|uniquement
        seulement|seuls?|seules?|exclusivement|strictement|interdiction|obligatoire(?:ment|s)?|interdit(?:e|es|s)?
        autorise(?:e|es|s)?|il faut|doit|doivent|on doit|devons|pas le droit|n'a(?:vons)? (?:pas )?(?:le )?droit
        ont droit|n'est pas possible|regle|maison|politique|ne \w+ plus|n'\w+ plus|plus jamais|plus de
        que (?:le|la|les|du|de|des|par|en|sur|avec)|tous les|toutes les|toute l[ae]?|tout le|tout est|tous nos
        toutes nos|chacun(?:e)?|aucun(?:e)?|personne|maximum|minimum|maxi?|mini|au moins|au plus|jusqu'a|au-dela|sauf
        hors|meme si|par (?:commande|personne|client|jour|semaine|mois|an)|pas question|hors de question|la loi
        legalement|offerte?s?|legal(?:e|es)?|d'office|de base|en premier|d'abord|gratuit(?:e|es|s|ement)?|a l'avance
        d'avance|a la main
        """
    ),
    firm=any_of(
        r"""
        toujours(?! aussi| pas)|jamais|desormais|dorenavant|a chaque fois|systematiquement|par defaut|uniquement
        seulement|exclusivement|strictement|obligatoire(?:ment|s)?|interdit(?:e|es|s)?|il faut|doit|doivent|on doit
        devons|sauf|pas le droit|ne \w+ plus|n'\w+ plus|plus jamais|ne \w+ que|n'\w+ que|plus de|tous nos|toutes nos
        ne \w+ pas de|n'\w+ pas de|aucun(?:e)?
        """
    ),
    lasting=any_of(
        r"""
        toujours|jamais|desormais|dorenavant|a partir de maintenant|a chaque fois|chaque fois|systematiquement
        par defaut|d'habitude|a l'avenir|plus jamais|ne \w+ plus|n'\w+ plus|dans (?:tous|toutes)|pour (?:tous|toutes)
        meme si|a moins que|quand tu|lorsque tu|quand vous|d'office|pour la suite|en general
        quoi que tu (?:ecrives|dises|publies)|dans tout
        """
    ),
    past=re.compile(
        rf"\b{AUXILIARY}{BETWEEN} (?:\w+(?:é|ée|és|ées)|(?!une|notre|votre|cette|quatre|entre|treize|quinze|seize"
        rf"|autre"
        rf"|environ|double)\w{{3,}}(?:e|ee|es|ees)|{IRREGULAR_PAST}(?:e|s|es)?)\b"
        rf"|\b(?:le|la|les|notre|nos|mon|ma|mes|un|une|[a-z]+) \w+ (?:a|ont){BETWEEN} (?:\w+(?:é|ée|és|ées)"
        rf"|{IRREGULAR_PAST})\b"
        r"|\b(?:je suis|on est|nous sommes|il est|elle est|ils sont|elles sont|je me suis|on s'est|il s'est|elle s'est)"
        rf"{BETWEEN} (?:all|arriv|rentr|pass|tomb|rest|retourn|réveill|reveill|lev|couch|mont|tromp|plant)(?:é"
        rf"|e)e?s?\b"
        rf"|\b(?:je suis|on est|nous sommes|il est|elle est|ils sont|elles sont){BETWEEN} (?:venu|parti|sorti"
        rf"|descendu|revenu)e?s?\b"
        r"|\b(?:je|j'|on|nous|il|elle|ils|elles|c'|ca|le \w+|la \w+|l'\w+) ?(?:n'|ne |y |m'|s'|se |en )*"
        r"(?:\w{2,}ait|\w{2,}aient|étais|etais|avais|voulais|pensais|faisais|disais|croyais)\b"
        r"(?<!plait)(?<!fait)(?<!souhait)(?<!trait)(?<!connait)(?<!parait)(?<!nait)(?<!lait)"
    ),
    change=any_of(
        r"""
        (?:signe|demenage|change|lance|embauche|recrute|ferme|arrete|quitte|resilie|remplace|ajoute|retire\
        |supprime)e?s?
        (?:augmente|baisse|monte|decide|renomme|achete|rachete|adopte|instaure|migre|transfere|prolonge|depose\
        |nomme)e?s?
        (?:cree|commence|demarre|negocie|bascule|abandonne|stoppe|externalise|internalise|vire|licencie|fonde\
        |confie)e?s?
        (?:limite|rallonge|double|fusionne|installe|valide|gagne|renouvele|remanie|reorganise|delocalise|interdi\
        |inaugure)e?s?
        recu (?:la|le|l'|notre|un|une)|ouvert|choisi|rejoint|mis en place|reduit|etendu|convenu|raccourci|repris
        obtenu|rompu|interdit|promu|partie?s?|passee?s? (?:a|au|aux|en|de|chez|sur|par)|perdu (?:notre|un|le)|mis fin
        mis (?:\w+ )?en (?:vente|ligne)
        """
    ),
    life=any_of(
        r"""
        demenag\w+|mariee?s?|divorcee?s?|adoptee?s?|diplomee?s?|inscrite?s?|enceinte|a la retraite|demissionne\w*
        embauchee?|change de (?:travail|boulot|metier)|eu (?:un|une) (?:bebe|fils|fille)
        achete (?:une maison|un appart\w*|une voiture)|apprends|m'entraine|commence (?:le|la|un|une|mon)
        rejoint (?:un|une|le|la)
        """
    ),
    ongoing=re.compile(r"\ben train d[e']"),
    passing=re.compile(
        START + r"(?:je suis|on est|je me sens|c'est|ca|nous sommes|j'ai|on a|j'en ai|je|on)(?: (?:trop|tres|super|un"
        r" peu|assez|juste"
        r"|encore|bien|vraiment|tellement|pas|plutot|deja|la|si|tout|toute|aussi|ici|hyper))* "
        + either(
            r"""
            fatigue\w*|creve\w*|deborde\w*|contente?s?|contents?|ravi\w*|desole\w*|pressee?s?|malade|perdue?s?
            inquiet\w*|stresse\w*|la|de retour|dispo|prete?s?|d'accord|sure?s?|certaine?s?|en retard
            en (?:route|reunion|rdv|voiture)|bon|bonne|parfait|super|genial|top|cool|nickel|gentil|noel|lundi|vendredi
            beau|dommage|vrai|clair|note|tout|mort|chaud|en vacances|a la bourre|sous l'eau|bloque\w*|faim|soif|froid
            mal|hate|peur|une question|oublie|envie|un (?:souci|probleme|doute|rdv|truc|rendez-vous|service)
            besoin (?:de|d'|que)|enfin|marre|cinq minutes|verra|va voir|se (?:voit|parle|tient|rappelle)
            en (?:reparle|discute|parle)|y va|y (?:est|arrive)|galere|croise|rigole|adore ca|espere
            pense que (?:c'est|ca)|trouve (?:que|ca)|crois que (?:c'est|ca)|attends|cherche
            te (?:remercie|fais|dis|laisse|tiens|rappelle|souhaite|recontacte|propose|demande)|comprends|vois|arrive
            vous (?:remercie|souhaite|laisse|tiens|rappelle|recontacte)
            vais (?:voir|essayer|y|te|devoir|faire|regarder)|vais (?:dormir|manger|me)|me demande|m'en occupe|sais pas
            ne sais pas|l'impression|raison|tort
            """
        )
        + END
    ),
    hedged=any_of(
        r"""
        je crois|je pense|il me semble|autour de|environ|a peu pres|grosso modo|sans doute|probablement|plus ou moins
        si je me souviens|de memoire|approximativement|en moyenne|sauf erreur|dans les \d+
        """
    ),
    wish=re.compile(
        START
        + r"(?:je|j'|nous|on)(?:\s|(?<='))(?:ne |n'|les |l'|la |le )*"
        + either(
            r"""
            prefere|preferons|deteste|detestons|adore|aime|aimons|hais|veux|veut|voulons|souhaite|supporte|apprecie
            tiens a|tient a|ai horreur|a horreur|evite|privilegie|refuse
            """
        )
        + END
    ),
    update=any_of(
        r"""
        desormais|dorenavant|maintenant|a present|a partir de maintenant|a l'avenir|plus jamais|finalement|changement
        (?:ne |n')(?:(?!pas )[\w']+ ){1,3}plus(?! (?:de \d|que|d'un|tard))|(?:on|nous) \w+ plus(?! (?:de \d|tard|que))
        au lieu d[eu']|passe(?:nt|ons)? (?:a|au|aux|en|de|maintenant)|passee?s? (?:a|au|aux|en|de)
        vien(?:t|nent) de passer
        depuis (?:le|la|hier|que|ce|cette|peu|un|une|deux|trois|20\d\d|\w+di|dimanche|janvier|fevrier|mars|avril\
        |mai|juin)
        depuis (?:juillet|aout|septembre|octobre|novembre|decembre)|c'est fini|c'est termine|j'ai change d'avis
        est partie?
        a (?:compter|partir) d(?:u|e) (?:\d|1er|demain|la semaine|l'annee|ce|\w+di|dimanche|janvier|fevrier|mars\
        |avril|mai)
        a (?:compter|partir) d(?:e|')(?: ?)(?:juin|juillet|aout|septembre|octobre|novembre|decembre)|on arrete
        (?<=\w )enfin(?= \w)|on a (?:\w+ )?(?:quitte|resilie|arrete|change|remplace|abandonne|bascule|migre|demenage)
        on a (?:\w+ )?(?:augmente|baisse|stoppe|supprime|retire|rallonge|raccourci)
        nous avons (?:quitte|resilie|arrete|change|remplace|abandonne|bascule|migre|demenage|augmente|baisse|supprime)
        """
    ),
    session=re.compile(
        r"\b(?:juste|rien que|seulement|uniquement|que)(?: pour)? (?:aujourd'hui|ce soir|ce matin|cet apres-midi)\b"
        r"|\baujourd'hui (?:seulement|uniquement|exceptionnellement)\b|^\W*(?:aujourd'hui|ce soir)\b"
        r"|\b(?:aujourd'hui|ce soir)\W*$"
        r"|\bexceptionnellement,? (?:aujourd'hui|ce soir|ce matin)\b|\bpour (?:aujourd'hui|cette fois|cette"
        r" conversation)\b"
    ),
    volatile=any_of(
        r"""
        cette semaine|la semaine prochaine|ce mois-ci|en ce moment|pour l'instant|pour le moment|temporairement
        actuellement|jusqu'a (?:\w+di|dimanche|demain|nouvel ordre)|provisoirement|en rupture|rupture de stock
        ce (?:\w+di|dimanche)
        """
    ),
    negation=any_of(r"ne|n'|pas|jamais|aucun|aucune|sans|plus de|ni|rien"),
)
