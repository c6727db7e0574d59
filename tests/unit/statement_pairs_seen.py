"""See `statement_pairs`."""

TABLE = """
same | paraphrase | fr-fr | Nous expédions les commandes sous 48 heures. | Les commandes partent en 48 h.
same | negation_word | fr-fr | La boutique est fermée le lundi. | On n'ouvre pas le lundi.
same | format | fr-fr | Le port est offert dès 60 euros d'achat. | Livraison gratuite à partir de 60,00 €.
same | paraphrase | fr-fr | Notre fournisseur de verre est Duralex. | C'est Duralex qui nous fournit le verre.
same | low_overlap | fr-fr | Les retours sont acceptés pendant trente jours.
    | Le client a 30 jours pour renvoyer un article.
same | negation_word | fr-fr | Aucun de nos savons ne contient d'huile de palme.
    | Tous nos savons sont sans huile de palme.
same | format | fr-fr | L'atelier ouvre à 9h30. | Ouverture de l'atelier à 9 heures 30.
same | low_overlap | fr-fr | On tutoie nos clients. | Dans nos messages, on dit tu aux clients.
same | paraphrase | en-en | We ship orders within two business days. | Orders leave our warehouse in 2 working days.
same | format | en-en | The shop opens at 9 am. | Opening time of the shop is 09:00.
same | negation_word | en-en | We don't open on Sundays. | The shop is closed on Sundays.
same | low_overlap | en-en | Customers pay for return postage. | Return shipping is at the buyer's expense.
same | low_overlap | en-en | Our wholesale minimum is 250 euros. | Trade orders start at €250.
same | paraphrase | en-en | Léa runs our Instagram account. | Our Instagram is managed by Léa.
same | paraphrase | en-en | All our candles are made of soy wax. | Every candle we sell is soy wax.
same | cross_language | fr-en | Livraison gratuite à partir de 50 €. | Free shipping on orders over 50 euros.
same | cross_language | en-fr | We are closed on Mondays. | Le magasin est fermé le lundi.
same | cross_language | fr-en | Nous n'expédions pas en Suisse. | We don't ship to Switzerland.
same | cross_language | en-fr | Our return window is 14 days. | Les clients ont 14 jours pour retourner un article.
same | cross_language | fr-en | Nos bougies sont fabriquées à Lyon. | Our candles are made in Lyon.
same | cross_language | en-fr | Marta handles customer support. | C'est Marta qui s'occupe du service client.
contradiction | negation | fr-fr | Nous livrons en Corse. | Nous ne livrons pas en Corse.
contradiction | number | fr-fr | Le délai de retour est de 14 jours. | Le délai de retour est de 30 jours.
contradiction | day | fr-fr | Notre jour de fermeture est le lundi. | Notre jour de fermeture est le mardi.
contradiction | antonym | fr-fr | Les retours sont gratuits. | Les retours sont payants.
contradiction | named_value | fr-fr | Notre banque est le Crédit Coopératif. | Notre banque est la Banque Postale.
contradiction | quantifier | fr-fr | Tous nos pulls sont en laine. | Seuls certains de nos pulls sont en laine.
contradiction | unit | fr-fr | Chaque pot contient 250 g. | Chaque pot contient 250 ml.
contradiction | direction | fr-fr | On facture le client avant l'expédition. | On facture le client après l'expédition.
contradiction | negation | en-en | We accept American Express. | We do not accept American Express.
contradiction | number | en-en | Our team has six people. | There are 8 people on our team.
contradiction | day | en-en | The newsletter goes out on Tuesday. | The newsletter goes out every Thursday.
contradiction | antonym | en-en | The shop is open on Sundays. | The shop is closed on Sundays.
contradiction | named_value | en-en | Our accountant is Fiona Park. | Our accountant is Dominic Reyes.
contradiction | unit | en-en | Our gift box weighs 2 kg. | Our gift box weighs 2 lb.
contradiction | quantifier | en-en | All our bags are leather. | Some of our bags are not leather.
contradiction | direction | en-en | Prices are shown including VAT. | Prices are shown excluding VAT.
contradiction | cross_language | fr-en | Le panier moyen est de 45 €. | Our average basket is 62 euros.
contradiction | cross_language | en-fr | We gift-wrap every order. | Nous ne faisons pas d'emballage cadeau.
contradiction | cross_language | fr-en | Les retours sont gratuits. | Customers pay for returns.
contradiction | cross_language | en-fr | We close on Wednesdays. | Notre jour de fermeture est le jeudi.
contradiction | cross_language | fr-en | Notre transporteur est Colissimo. | Our carrier is DHL.
update | named_value | fr-fr | Nous expédions avec Colissimo. | Désormais nous expédions avec Mondial Relay.
update | number | fr-fr | La boutique ferme à 18 h. | La boutique ferme maintenant à 19 h.
update | negation | fr-fr | On livre en Belgique. | On ne livre plus en Belgique.
update | number | fr-fr | Le seuil de livraison offerte est de 50 €. | Le seuil de livraison offerte passe à 65 €.
update | number | fr-fr | Les clients ont 14 jours pour un retour.
    | Depuis le 1er mars, les retours sont possibles pendant 30 jours.
update | antonym | fr-fr | On vouvoie les clients. | À partir d'aujourd'hui on tutoie les clients.
update | named_value | fr-fr | L'atelier est à Nantes. | L'atelier a déménagé à Rennes.
update | named_value | fr-fr | Notre comptable est Madame Vidal. | C'est maintenant Monsieur Roche notre comptable.
update | named_value | en-en | We use Mailchimp for the newsletter. | We switched to Brevo for the newsletter.
update | number | en-en | Our shop closes at 6 pm. | From now on our shop closes at 7 pm.
update | negation | en-en | We ship to Norway. | We no longer ship to Norway.
update | antonym | en-en | Returns are free. | Returns are not free anymore.
update | number | en-en | The mug costs 18 €. | The mug is now 21 €.
update | named_subject | en-en | Nadia answers the support emails. | Tom has taken over the support emails from Nadia.
update | number | en-en | Postage costs 5 €. | Postage has gone up to 6 €.
update | number | en-en | We have three employees. | Our team has grown to five employees.
update | cross_language | fr-en | Notre fournisseur de cire est Cerabel.
    | We now buy our wax from Apis instead of Cerabel.
update | cross_language | en-fr | We're closed on Mondays. | Depuis septembre, on ouvre aussi le lundi.
update | cross_language | fr-en | On offre les échantillons. | We stopped giving free samples.
update | cross_language | en-fr | Our minimum order is 100 €. | Le minimum de commande passe à 150 €.
update | cross_language | en-fr | We pack in bubble wrap. | Nous avons remplacé le papier bulle par du papier kraft.
apart | named_object | fr-fr | Nous livrons en Espagne sous 5 jours. | Nous livrons en Italie sous 5 jours.
apart | scope | fr-fr | La boutique de Lille ferme à 19 h. | La boutique de Metz ferme à 18 h.
apart | named_object | fr-fr | Le savon à la lavande coûte 7 €. | Le savon au miel coûte 8 €.
apart | attribute | fr-fr | Les retours sont acceptés sous 30 jours. | Les remboursements sont faits sous 10 jours.
apart | named_subject | fr-fr | Julie préfère les mails. | Karim préfère le téléphone.
apart | attribute | fr-fr | Notre logo est vert. | Nos emballages sont bleus.
apart | attribute | fr-fr | On ouvre à 9 h. | On ferme à 19 h.
apart | overlap | fr-fr | Nous acceptons PayPal. | Nous acceptons les chèques-cadeaux.
apart | attribute | fr-fr | Le site est traduit en anglais. | Le site est hébergé chez OVH.
apart | scope | en-en | Delivery in France takes 2 days. | Delivery in Germany takes 4 days.
apart | named_subject | en-en | The workshop opens at 8 am. | The showroom opens at 10 am.
apart | attribute | en-en | Our soap is vegan. | Our soap is made in Marseille.
apart | named_object | en-en | We sell through Etsy. | We sell through Amazon.
apart | overlap | en-en | The newsletter goes out on Tuesday. | The stock delivery arrives on Tuesday.
apart | scope | en-en | Retail customers get 30 days to return an item.
    | Wholesale customers get 14 days to return an item.
apart | overlap | en-en | We offer 10% off for students. | We offer 10% off the first order.
apart | attribute | en-en | Ana manages the warehouse. | Ana speaks Portuguese.
apart | cross_language | fr-en | La livraison est offerte dès 60 €. | Gift wrapping is free above 60 €.
apart | cross_language | en-fr | Our phone line is open until 5 pm. | La boutique ferme à 17 h le samedi.
apart | cross_language | fr-en | Nos bougies brûlent 40 heures. | Our candles weigh 200 g.
apart | cross_language | en-fr | We don't sell gift cards. | Nous ne vendons pas en gros.
apart | schedule | fr-fr | On ouvre de 9 h à 19 h en semaine. | On ouvre de 10 h à 17 h le samedi.
apart | several | fr-fr | On peut payer en 2 fois dès 100 €. | On peut payer en 4 fois dès 300 €.
"""
