"""Patterns and words that several subjects of `topic_table` share."""

SHIPPING = r"(?:livraisons?|port|expeditions?|envois?|shipping|delivery|deliveries|postage|p&p)"
SENDS = (
    r"(?:expedi\w*|envoi\w*|envoy\w*|ship\w*|dispatch\w*|send out|post(?:ed|ing)?|(?:parcels?|orders|colis"
    r"|commandes) (?:leave|go out|partent|are sent))"
)
"""Verbs of sending."""
BACK = (
    r"(?:retours?|retourne\w*|renvoy\w*|renvoie\w*|returns?|returned|send (?:\w+ )?back|echang\w*|exchanges?"
    r"|retracter|retractation|changer d'avis)"
)
"""Words for a thing that comes back."""
REGULAR = (
    r"(?!.*\b(?:ce (?:\w+di|dimanche)|this \w+|prochaine?|next|demain|tomorrow|exceptionnel\w*|exceptionally"
    r"|dernier|last|cette semaine)\b)"
)
"""Not about one day only: a rule."""
SHIP_OWN = """
livraison livrer livre livrons livrent port frais expedition expedie expedions expedier envoi envoie envoyer
shipping ship ships delivery deliver delivers dispatch dispatched postage parcel parcels colis orders order
commande commandes achat achats achete offert offerte offerts offrons gratuit gratuite gratuits free starts
start kicks seuil threshold minimum over above spend basket panier offer offers dessus montant cost costs
coute delai time lead prepare preparation sent go leave partent part arrive arrivent arrives recoit recoivent
takes take send
"""
"""What clauses about sending are made of."""
BACK_OWN = """
retour retours retourner renvoyer renvoi return returns returned send back echange echanger exchange delai
window period policy article articles item items accept accepted accepte acceptons accepter refund refunds
refunded rembourse remboursement remboursements charge frais pays paid pay postage shipping label free gratuit
gratuits payant payants retracter produit produits product products order orders commande commandes pendant
giv have allow
"""
"""What clauses about returns are made of."""
HOURS_OWN = """
horaire horaires ouvert ouverte ouverts ouvre ouvrons ouvrent ouverture open opens opening hours ferme fermee
fermes fermons fermeture closed close closes shut shuts boutique magasin shop store semaine midi work
travaille travaillons seul only repos start finish
"""
"""What clauses about opening hours are made of."""
