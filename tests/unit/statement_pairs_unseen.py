"""See `statement_pairs`."""

TABLE = """
same | paraphrase | fr-fr | Notre service client répond en moins de 24 heures. | Le SAV donne une réponse sous 24 h.
same | paraphrase | fr-fr | Les confitures sont cuites au chaudron de cuivre.
    | Nous cuisons nos confitures dans un chaudron en cuivre.
same | format | fr-fr | La boutique ouvre du lundi au vendredi de 10h à 18h. | Horaires : lundi-vendredi, 10:00-18:00.
same | low_overlap | fr-fr | Le client règle les frais de retour. | Les retours sont à la charge de l'acheteur.
same | negation_word | fr-fr | Nous refusons les chèques. | Nous n'acceptons pas les chèques.
same | format | fr-fr | Le coffret est vendu vingt euros. | Le coffret coûte 20 €.
same | low_overlap | fr-fr | Inès valide les visuels avant publication.
    | Avant toute publication, les visuels sont approuvés par Inès.
same | negation_word | fr-fr | Nos tee-shirts sont sans plastique. | Il n'y a pas de plastique dans nos tee-shirts.
same | paraphrase | en-en | Every parcel includes a handwritten note. | All parcels include a note written by hand.
same | low_overlap | en-en | Oskar is in charge of purchasing. | Purchasing is Oskar's responsibility.
same | format | en-en | Same-day dispatch for orders placed before 2 pm.
    | Orders placed before 14:00 are dispatched the same day.
same | negation_word | en-en | We don't charge for gift wrapping. | Gift wrapping is free.
same | negation_word | en-en | Our creams contain no parabens. | Our creams are made without parabens.
same | paraphrase | en-en | The gross margin on ceramics is 55 percent. | We make a 55% gross margin on ceramics.
same | low_overlap | en-en | We only sell online. | We have no physical shop, we sell exclusively on the web.
same | cross_language | fr-en | Notre atelier se trouve à Bordeaux. | Our workshop is located in Bordeaux.
same | cross_language | en-fr | The average order is 48 euros. | Le panier moyen est de 48 €.
same | cross_language | fr-en | Nous n'acceptons pas les retours de produits soldés.
    | We don't accept returns of sale items.
same | cross_language | en-fr | The spring collection launches on March 15.
    | La collection de printemps sort le 15 mars.
same | cross_language | fr-en | Tous nos produits sont véganes. | All our products are vegan.
same | cross_language | en-fr | Refunds are made within 5 days. | Nous remboursons sous 5 jours.
contradiction | negation | fr-fr | Nos bougies sont parfumées. | Nos bougies ne sont pas parfumées.
contradiction | number | fr-fr | La remise pour les revendeurs est de 30 %. | Les revendeurs ont une remise de 25 %.
contradiction | day | fr-fr | Le marché a lieu le samedi. | Le marché a lieu le dimanche.
contradiction | named_value | fr-fr | La responsable logistique est Sonia. | La responsable logistique est Clara.
contradiction | antonym | fr-fr | L'emballage cadeau est gratuit. | L'emballage cadeau est payant.
contradiction | direction | fr-fr | Le prix affiché est hors taxes. | Le prix affiché est toutes taxes comprises.
contradiction | unit | fr-fr | La garantie dure 2 ans. | La garantie dure 2 mois.
contradiction | quantifier | fr-fr | On ne vend qu'aux professionnels. | On vend à tout le monde, particuliers compris.
contradiction | negation | en-en | Our sauces contain gluten. | Our sauces do not contain gluten.
contradiction | number | en-en | The repair service costs 15 €. | A repair costs 25 €.
contradiction | day | en-en | Stock arrives on Monday mornings. | Stock arrives on Friday mornings.
contradiction | named_value | en-en | We host the website with Gandi. | Our website is hosted by Hetzner.
contradiction | antonym | en-en | We write to customers in a formal tone. | We write to customers in an informal tone.
contradiction | unit | en-en | The guarantee lasts 6 months. | The guarantee lasts 6 years.
contradiction | quantifier | en-en | All our prints are signed. | Only the large prints are signed.
contradiction | direction | en-en | Free delivery on orders above 40 €. | Free delivery on orders below 40 €.
contradiction | cross_language | fr-en | Nous livrons en Norvège. | We do not deliver to Norway.
contradiction | cross_language | en-fr | The mug holds 30 cl. | La tasse contient 40 cl.
contradiction | cross_language | fr-en | La boutique est ouverte le dimanche. | The shop is closed on Sundays.
contradiction | cross_language | en-fr | Our lawyer is Maître Aubert. | Notre avocate est Maître Delmas.
contradiction | cross_language | fr-en | Les commandes partent le mardi. | Orders ship on Fridays.
update | named_value | fr-fr | Notre imprimeur est Copyfac. | On est passés chez Imprimtout pour l'impression.
update | number | fr-fr | Le sac coûte 90 €. | Le sac est désormais à 95 €.
update | negation | fr-fr | Nous vendons sur Etsy. | Nous avons arrêté de vendre sur Etsy.
update | antonym | fr-fr | Les ateliers sont gratuits. | Les ateliers deviennent payants à partir de janvier.
update | day | fr-fr | On reçoit le stock le mardi. | On reçoit dorénavant le stock le jeudi.
update | named_subject | fr-fr | Paul gère les commandes de gros.
    | Ce n'est plus Paul mais Lina qui gère les commandes de gros.
update | number | fr-fr | Le délai de fabrication est de 3 semaines.
    | Le délai de fabrication est passé de 3 à 5 semaines.
update | named_value | fr-fr | Notre boîte postale est à Brest. | Notre boîte postale est maintenant à Quimper.
update | named_value | en-en | Our photographer is Jonas. | Since last week our photographer is Petra.
update | number | en-en | The workshop seats 8 people. | The workshop can now seat 12 people.
update | negation | en-en | We offer free engraving. | We used to offer free engraving, but not any longer.
update | negation | en-en | We don't sell on Amazon. | We've started selling on Amazon.
update | day | en-en | We ship on Mondays and Thursdays. | Starting this month we ship on Tuesdays and Fridays.
update | number | en-en | Our refund delay is 10 days. | The refund delay has been reduced to 5 days.
update | named_value | en-en | Payments go through Stripe. | We moved our payments to Mollie.
update | antonym | en-en | The café is closed on Mondays. | The café is now open on Mondays too.
update | cross_language | fr-en | Notre seuil de livraison offerte est de 70 €. | Free shipping now starts at 80 €.
update | cross_language | en-fr | We deliver to Portugal. | On ne livre plus au Portugal.
update | cross_language | fr-en | Le magasin ferme à 18 h 30. | The shop now closes at 7 pm.
update | cross_language | en-fr | Our warehouse is in Lille. | L'entrepôt a été transféré à Reims.
update | cross_language | fr-en | Sophie tient la caisse. | Hugo has replaced Sophie at the till.
apart | named_object | fr-fr | Nous avons un revendeur à Genève. | Nous avons un revendeur à Turin.
apart | scope | fr-fr | Les professionnels sont livrés sous 3 jours. | Les particuliers sont livrés sous 5 jours.
apart | attribute | fr-fr | Le vase mesure 30 cm. | Le vase coûte 45 €.
apart | named_subject | fr-fr | Samira travaille le mercredi. | Loïc travaille le vendredi.
apart | overlap | fr-fr | On envoie la newsletter le jeudi. | On envoie les commandes le jeudi.
apart | attribute | fr-fr | Nous vendons du thé en vrac. | Notre thé vient du Japon.
apart | named_object | fr-fr | La crème mains coûte 12 €. | La crème visage coûte 18 €.
apart | overlap | fr-fr | Nos clients aiment les couleurs vives. | Nos clients aiment recevoir un petit mot.
apart | scope | fr-fr | La livraison express coûte 9 €. | La livraison standard coûte 4 €.
apart | attribute | en-en | The tea tin weighs 100 g. | The tea tin costs 9 €.
apart | named_object | en-en | We don't deliver to Malta. | We don't deliver to Cyprus.
apart | named_subject | en-en | Greta dislikes phone calls. | Milo dislikes long meetings.
apart | scope | en-en | The London shop is closed on Sundays. | The Leeds shop is open on Sundays.
apart | attribute | en-en | Returns are accepted within 30 days. | Return labels are free.
apart | overlap | en-en | Our best seller is the oak tray. | Our oak trays are hand-oiled.
apart | overlap | en-en | We give 15% to newsletter subscribers. | We give 15% of profits to charity.
apart | named_object | en-en | The small candle burns for 20 hours. | The large candle burns for 45 hours.
apart | cross_language | fr-en | Le délai de livraison est de 3 jours. | The delivery fee is 3 €.
apart | cross_language | en-fr | We ship to Ireland. | Nous livrons en Finlande.
apart | cross_language | fr-en | L'atelier ferme en août. | The workshop hosts classes in April.
apart | cross_language | en-fr | Ben is our designer. | Ben habite à Toulouse.
"""
