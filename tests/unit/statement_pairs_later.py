"""See `statement_pairs`: written to find what the rules lacked, and read before these were mended."""

TABLE = """
same | paraphrase | fr-fr | Le service client est joignable de 9h à 17h.
    | On peut joindre le service client entre 9 h et 17 h.
same | paraphrase | fr-fr | Nos pots de miel font 500 g. | Chaque pot de miel pèse 500 grammes.
same | low_overlap | fr-fr | Nous ne faisons aucune promotion pendant l'année. | On ne propose jamais de remise.
same | low_overlap | fr-fr | Thomas est notre comptable. | La comptabilité est tenue par Thomas.
same | paraphrase | fr-fr | Les bijoux sont livrés dans une pochette en lin.
    | Chaque bijou est envoyé dans une pochette en lin.
same | format | fr-fr | Le loyer de l'atelier est de 1 150 € par mois.
    | L'atelier nous coûte 1150 euros de loyer mensuel.
same | negation_word | fr-fr | Nous ne travaillons jamais avec Amazon. | On refuse de travailler avec Amazon.
same | paraphrase | en-en | Refunds take up to five working days. | We refund customers within 5 business days.
same | low_overlap | en-en | Our founder hates emojis. | The founder can't stand emojis.
same | paraphrase | en-en | We restock every Wednesday. | Restocking happens on Wednesdays.
same | format | en-en | The annual budget for trade fairs is £4,000. | We spend £4000 a year on trade fairs.
same | negation_word | en-en | Sale items cannot be returned. | We do not accept returns on sale items.
same | paraphrase | en-en | Our packaging is plastic-free. | We use no plastic in our packaging.
same | low_overlap | en-en | Nora signs off all blog posts. | Every blog post is approved by Nora.
same | cross_language | fr-en | Nos clientes ont entre 30 et 45 ans. | Our customers are between 30 and 45 years old.
same | cross_language | en-fr | The workshop is closed in August. | L'atelier est fermé en août.
same | cross_language | fr-en | Théo s'occupe des réseaux sociaux. | Theo runs our social media.
same | cross_language | en-fr | We never use palm oil. | Nous n'utilisons jamais d'huile de palme.
same | cross_language | fr-en | Le site est hébergé par OVH. | Our website is hosted by OVH.
contradiction | negation | fr-fr | Nous proposons la gravure sur commande. | Nous ne proposons pas de gravure.
contradiction | number | fr-fr | La boutique compte trois salariés. | La boutique compte cinq salariés.
contradiction | antonym | fr-fr | La livraison express est disponible. | La livraison express n'est pas disponible.
contradiction | day | fr-fr | Les réassorts ont lieu le mercredi. | Les réassorts ont lieu le vendredi.
contradiction | named_value | fr-fr | Nos photos sont prises par Camille. | C'est Yanis qui prend nos photos.
contradiction | quantifier | fr-fr | Tous les articles sont échangeables. | Aucun article n'est échangeable.
contradiction | unit | fr-fr | Le rouleau fait 10 mètres. | Le rouleau fait 10 cm.
contradiction | direction | en-en | The invoice is sent before delivery. | The invoice is sent after delivery.
contradiction | negation | en-en | Our mugs are dishwasher-safe. | Our mugs are not dishwasher-safe.
contradiction | number | en-en | We keep customer data for 2 years. | Customer data is kept for 5 years.
contradiction | antonym | en-en | The fitting room is upstairs. | The fitting room is downstairs.
contradiction | named_value | en-en | Our main competitor is Lumiva. | Our main competitor is Brightly.
contradiction | quantifier | en-en | All staff work on Saturdays. | Nobody works on Saturdays.
contradiction | named_value | en-en | The brand colour is teal. | The brand colour is burgundy.
contradiction | cross_language | fr-en | La garantie est de deux ans. | The guarantee is one year.
contradiction | cross_language | fr-en | Nous vendons aux particuliers. | We don't sell to private individuals.
contradiction | cross_language | en-fr | Our slogan is in English. | Notre slogan est en français.
contradiction | cross_language | en-fr | The shop opens at 9 am. | La boutique ouvre à 10h.
update | number | fr-fr | Notre abonnement coûte 25 € par mois. | L'abonnement est passé à 29 € par mois.
update | named_value | fr-fr | On imprime nos étiquettes chez Exaprint.
    | On a changé d'imprimeur : les étiquettes viennent maintenant de Pixart.
update | negation | fr-fr | Nous faisons de la gravure. | La gravure, c'est terminé.
update | day | fr-fr | La boutique est fermée le lundi.
    | À partir de septembre, la boutique sera fermée le mardi au lieu du lundi.
update | named_subject | fr-fr | Claire est responsable des achats.
    | Claire a quitté l'entreprise, Marc la remplace aux achats.
update | antonym | fr-fr | Les emballages sont en plastique. | Nos emballages sont désormais en carton.
update | low_overlap | fr-fr | Le magasin ouvre six jours par semaine. | On n'ouvre plus que quatre jours par semaine.
update | number | en-en | Our loyalty points expire after 12 months. | Loyalty points now expire after 6 months.
update | named_value | en-en | The brand is sold at Harrods. | We pulled out of Harrods last month.
update | negation | en-en | Dogs are not allowed in the shop. | Dogs are allowed in the shop now.
update | named_value | en-en | Our courier is Evri. | We dropped Evri and went with Yodel.
update | low_overlap | en-en | The blog is written by Ruth. | Ruth handed the blog over to Kit.
update | number | en-en | Minimum order is 12 units. | We've lowered the minimum order to 6 units.
update | cross_language | fr-en | Notre caisse est Sumup. | We replaced Sumup with Zettle at the till.
update | cross_language | en-fr | The newsletter goes out weekly. | La newsletter est devenue mensuelle.
update | cross_language | fr-en | Nous vouvoyons nos clients. | We now use the informal tu with customers.
update | cross_language | en-fr | Support is available by phone. | Le support n'est plus joignable par téléphone.
apart | named_object | fr-fr | Camille gère la boutique de Nantes. | Camille gère le stock de tissus.
apart | scope | fr-fr | Le click and collect est gratuit à Lyon. | Le click and collect coûte 2 € à Paris.
apart | attribute | fr-fr | Notre huile est bio. | Notre huile est vendue en bouteille de 50 cl.
apart | named_subject | fr-fr | Le tapis berbère coûte 320 €. | Le tapis kilim coûte 210 €.
apart | overlap | fr-fr | Nous publions sur Instagram le lundi. | Nous publions sur le blog le lundi.
apart | scope | fr-fr | Les clients belges paient 8 € de port. | Les clients suisses paient 15 € de port.
apart | attribute | en-en | Our warehouse is 400 square metres. | Our warehouse is open until 8 pm.
apart | named_object | en-en | Jo approves discounts. | Jo approves holiday requests.
apart | named_subject | en-en | Mina works from home on Fridays. | Jo works from home on Tuesdays.
apart | scope | en-en | Trade customers pay within 30 days. | Retail customers pay at checkout.
apart | overlap | en-en | We dispatch small orders by post. | We dispatch furniture by van.
apart | attribute | en-en | The oak table seats six people. | The oak table takes six weeks to make.
apart | cross_language | fr-en | Le café est fermé le dimanche soir. | The shop is open on Sunday mornings.
apart | cross_language | en-fr | Our candles burn for 40 hours. | Nos savons durent 40 jours.
apart | cross_language | fr-en | Léa gère la presse. | Léa handles returns.
apart | cross_language | en-fr | We use Canva for posters. | On utilise Shopify pour la boutique.
same | paraphrase | fr-fr | Chaque commande est accompagnée d'un échantillon offert.
    | Un échantillon gratuit est glissé dans toutes les commandes.
same | paraphrase | fr-fr | Notre taux de conversion est de 2,4 %. | On convertit 2,4 % des visites.
same | format | fr-fr | L'accueil téléphonique ouvre à 14 h. | L'accueil téléphonique ouvre à 2 heures de l'après-midi.
same | low_overlap | fr-fr | Le cuir vient d'Italie. | Notre cuir est d'origine italienne.
same | negation_word | fr-fr | La boutique n'accepte pas les animaux. | Les animaux sont interdits dans la boutique.
same | paraphrase | fr-fr | Mon associée s'appelle Bérénice. | Bérénice est mon associée.
same | paraphrase | fr-fr | Les factures sont payées sous 30 jours. | Nos factures sont réglées dans les 30 jours.
same | paraphrase | en-en | Our bags come with a lifetime guarantee. | All our bags are guaranteed for life.
same | low_overlap | en-en | Ivy is vegetarian. | Ivy doesn't eat meat.
same | format | en-en | We hire two interns each summer. | Each summer we take on 2 interns.
same | negation_word | en-en | Prices do not include VAT. | Prices are shown excluding VAT.
same | paraphrase | en-en | Our leather comes from Tuscany. | We source our leather from Tuscany.
same | paraphrase | en-en | The stand at the Christmas market opens on December 1.
    | Our Christmas market stand opens on 1 December.
same | cross_language | fr-en | Nos prix n'incluent pas la TVA. | Our prices exclude VAT.
same | cross_language | en-fr | We pay suppliers within 30 days. | Nous payons nos fournisseurs sous 30 jours.
same | cross_language | fr-en | Le chien de la boutique s'appelle Pixel. | The shop dog is called Pixel.
same | cross_language | en-fr | We always answer in French. | On répond toujours en français.
contradiction | negation | fr-fr | Nous acceptons les paiements en plusieurs fois.
    | Le paiement en plusieurs fois n'est pas possible.
contradiction | number | fr-fr | L'abonnement annuel coûte 120 €. | Le prix de l'abonnement annuel est de 99 €.
contradiction | day | fr-fr | L'inventaire a lieu le 31 décembre. | L'inventaire a lieu le 30 juin.
contradiction | named_value | fr-fr | Nos bougies sont fabriquées à Grasse. | Nos bougies sont fabriquées à Nîmes.
contradiction | named_value | fr-fr | La gérante du magasin est Solène. | C'est Margaux la gérante du magasin.
contradiction | antonym | fr-fr | Les commandes sont toujours préparées le matin.
    | Les commandes sont toujours préparées le soir.
contradiction | quantifier | fr-fr | On répond à tous les avis. | On ne répond qu'aux avis négatifs.
contradiction | negation | en-en | The terrace is dog-friendly. | Dogs are not allowed on the terrace.
contradiction | number | en-en | The repair takes three weeks. | Repairs take five weeks.
contradiction | unit | en-en | A refill costs 3 pounds. | A refill costs 3 euros.
contradiction | named_value | en-en | Our VAT adviser is Helen Marsh. | Our VAT adviser is Colin Webb.
contradiction | antonym | en-en | The loyalty card is free. | Customers pay for the loyalty card.
contradiction | direction | en-en | The deposit is paid before the appointment.
    | The deposit is paid after the appointment.
contradiction | quantifier | en-en | We never discount. | We discount every January.
contradiction | cross_language | fr-en | Le colis est assuré. | Parcels are not insured.
contradiction | cross_language | en-fr | Our dinners seat 20 guests. | Nos dîners accueillent 14 convives.
contradiction | cross_language | fr-en | Le cours de poterie a lieu le mardi. | The pottery class is on Wednesdays.
update | number | fr-fr | Le café coûte 2 €. | Le café est monté à 2,40 €.
update | named_value | fr-fr | Notre banque est le CIC.
    | Nous avons changé de banque, nous sommes au Crédit Mutuel maintenant.
update | negation | fr-fr | On accepte les tickets restaurant. | On ne prend plus les tickets restaurant.
update | antonym | fr-fr | La cour est interdite aux chiens. | Les chiens sont désormais admis dans la cour.
update | low_overlap | fr-fr | Le stock est géré sur Excel. | Depuis le printemps, on suit le stock dans Odoo.
update | named_subject | fr-fr | Chloé fait les livraisons.
    | Chloé est en congé maternité, Driss fait les livraisons à sa place.
update | number | en-en | We open at 9 am on Saturdays. | On Saturdays we now open at 10 am.
update | named_value | en-en | Our studio is in Hackney. | We left Hackney: the studio is in Peckham.
update | negation | en-en | We offer a student discount. | The student discount has been scrapped.
update | low_overlap | en-en | The shop has one till. | A second till was installed this week, so we have two.
update | antonym | en-en | Our packaging is not recyclable. | Since spring our packaging is fully recyclable.
update | named_subject | en-en | Ed is the store manager. | Ed has been replaced by Farah as store manager.
update | cross_language | fr-en | Le seuil d'alerte de stock est de 10 unités.
    | The stock alert threshold is now 20 units.
update | cross_language | en-fr | Our team has four people. | On est passés à six dans l'équipe.
update | cross_language | fr-en | Nous vendons nos produits sur Etsy. | We have closed our Etsy shop.
update | cross_language | en-fr | Repairs are free. | Les réparations sont désormais payantes.
apart | named_object | fr-fr | Margot valide les devis. | Margot valide les congés.
apart | scope | fr-fr | En été, la boutique ferme à 20 h. | En hiver, la boutique ferme à 18 h.
apart | attribute | fr-fr | Notre fournisseur de cuir est italien. | Notre fournisseur de cuir livre en 10 jours.
apart | named_subject | fr-fr | Hugo est allergique aux noix. | Inès est allergique aux noix.
apart | overlap | fr-fr | Le client paie à la commande. | Le client paie par virement.
apart | scope | en-en | Gold members get free shipping. | Silver members pay for shipping.
apart | attribute | en-en | The leather bag is lined. | The leather bag is brown.
apart | named_object | en-en | Our supplier of glass is Verrex. | Our supplier of cork is Corkly.
apart | named_subject | en-en | The lemon tart contains eggs. | The apple tart contains eggs.
apart | overlap | en-en | We post a video every Monday. | We post a recipe every Monday.
apart | attribute | en-en | Kai runs the bakery. | Kai bakes on Mondays.
apart | scope | en-en | The Paris shop sells wine. | The Nice shop does not sell wine.
apart | cross_language | fr-en | Nos savons sont fabriqués à froid. | Our soaps are shipped cold.
apart | cross_language | en-fr | Mia prefers short answers. | Mia préfère les e-mails.
apart | cross_language | fr-en | L'entrepôt ferme à 16 h. | The shop closes at 7 pm.
same | paraphrase | fr-fr | Nos colis sont remis à Colissimo tous les matins.
    | Chaque matin, Colissimo récupère nos colis.
same | low_overlap | fr-fr | Le télétravail est autorisé deux jours par semaine.
    | L'équipe peut télétravailler 2 jours par semaine.
same | format | fr-fr | L'alerte de stock est fixée à 15 unités. | Le seuil d'alerte de stock est de quinze unités.
same | negation_word | fr-fr | Nous ne vendons pas d'articles d'occasion. | On ne vend aucun article d'occasion.
same | paraphrase | fr-fr | La marge sur les thés est de 60 %. | Sur les thés, notre marge est de 60 pour cent.
same | low_overlap | fr-fr | Élodie signe tous les contrats. | Tous les contrats sont signés par Élodie.
same | paraphrase | en-en | Our core customers are women aged 30 to 45.
    | Most of our customers are women between 30 and 45.
same | paraphrase | en-en | The monthly rent is $2,300. | We pay 2300 dollars of rent per month.
same | low_overlap | en-en | Orders over £60 ship free. | Free shipping on orders above 60 pounds.
same | negation_word | en-en | We never use animal glue. | Our glue contains nothing of animal origin.
same | format | en-en | The cut-off for same-day shipping is noon. | Orders placed before 12:00 ship the same day.
same | paraphrase | en-en | Tamsin writes the product descriptions. | Product descriptions are written by Tamsin.
same | cross_language | fr-en | Les soldes commencent le 8 janvier. | The sales start on January 8.
same | cross_language | en-fr | Our bags are handmade. | Nos sacs sont faits main.
same | cross_language | fr-en | On n'accepte pas les espèces. | We don't take cash.
same | cross_language | en-fr | Refunds go through Stripe. | Les remboursements passent par Stripe.
contradiction | negation | fr-fr | Le site est traduit en anglais. | Le site n'est pas traduit en anglais.
contradiction | number | fr-fr | Le code BIENVENUE donne 10 % de remise. | Le code BIENVENUE donne 15 % de remise.
contradiction | day | fr-fr | Les ateliers ont lieu le mercredi après-midi.
    | Les ateliers ont lieu le samedi après-midi.
contradiction | named_value | fr-fr | Notre hébergeur est OVH. | Notre hébergeur est Ionos.
contradiction | antonym | fr-fr | Le catalogue est public. | Le catalogue est privé.
contradiction | quantifier | fr-fr | Tous les bijoux sont en argent. | Certains bijoux sont en laiton.
contradiction | unit | en-en | The trial lasts 14 days. | The trial lasts 14 weeks.
contradiction | direction | en-en | We bill customers before shipping. | We bill customers after shipping.
contradiction | negation | en-en | Gift cards expire. | Gift cards never expire.
contradiction | number | en-en | The warehouse has 3 employees. | The warehouse has 7 employees.
contradiction | named_value | en-en | Our kiln is a Nabertherm. | Our kiln is a Rohde.
contradiction | antonym | en-en | Delivery is outsourced. | We do all deliveries in-house.
contradiction | cross_language | fr-en | La garantie couvre les rayures. | Scratches are not covered by the guarantee.
contradiction | cross_language | en-fr | We sell gift cards online. | On ne vend pas de cartes cadeaux en ligne.
contradiction | cross_language | fr-en | Nos clients paient à 30 jours. | Customers pay within 45 days.
update | number | fr-fr | Le taux de conversion est de 2 %. | Le taux de conversion est monté à 2,6 %.
update | named_value | fr-fr | Notre logiciel de caisse est Hiboutik. | On a abandonné Hiboutik pour Square.
update | negation | fr-fr | Nous imprimons un catalogue papier. | Le catalogue papier a été supprimé.
update | named_subject | fr-fr | Aline répond aux avis. | Depuis lundi c'est Jules qui répond aux avis.
update | low_overlap | fr-fr | La newsletter est hebdomadaire. | On envoie désormais la newsletter une fois par mois.
update | day | en-en | We restock on Mondays. | Restocking has moved to Thursdays.
update | named_value | en-en | The candles are poured in Leeds. | Candle pouring has moved from Leeds to York.
update | number | en-en | Returns are accepted for 14 days. | We extended the return period to 60 days.
update | negation | en-en | We don't offer repairs. | Repairs are now available.
update | antonym | en-en | The app is free. | The app has become a paid one.
update | cross_language | fr-en | Le panier moyen est de 40 €. | The average basket has risen to €52.
update | cross_language | en-fr | We use Trello for planning. | On a remplacé Trello par Notion pour le planning.
apart | named_object | fr-fr | Lucas gère les retours. | Lucas gère les réseaux sociaux.
apart | scope | fr-fr | La livraison en point relais coûte 4 €. | La livraison à domicile coûte 7 €.
apart | attribute | fr-fr | Nos tasses passent au lave-vaisselle. | Nos tasses passent au micro-ondes.
apart | named_subject | fr-fr | Le pull Alba coûte 89 €. | Le pull Nino coûte 95 €.
apart | overlap | fr-fr | Le stock est compté le 31 décembre. | La boutique ferme le 31 décembre.
apart | scope | en-en | In France, returns are free. | In Spain, customers pay for returns.
apart | attribute | en-en | Our tea is organic. | Our tea is sold in tins.
apart | named_object | en-en | We accept Visa. | We accept American Express.
apart | overlap | en-en | Rosa prefers bullet points. | Rosa prefers short emails.
apart | named_subject | en-en | The blue vase is sold out. | The green vase is available.
apart | cross_language | fr-en | Le savon coûte 6 €. | Gift wrapping costs 6 €.
apart | cross_language | en-fr | The workshop has two ovens. | La boutique a deux vitrines.
update | price | en-en | Gift wrapping costs 3 €. | Gift wrapping is now free.
update | price | fr-fr | Les retours coûtent 5 €. | Les retours sont désormais gratuits.
contradiction | price | en-en | Gift wrapping costs 3 €. | Gift wrapping is free.
contradiction | list | en-en | We ship to Spain and Portugal. | We do not ship to Spain.
contradiction | list | fr-fr | On livre en Espagne et au Portugal. | On ne livre pas en Espagne.
update | limit | en-en | The minimum order is 50 €. | We no longer have a minimum order.
update | limit | fr-fr | La commande minimum est de 50 €. | Il n'y a plus de minimum de commande.
apart | limit | en-en | The minimum order is 50 €. | The maximum order is 50 €.
apart | list | en-en | We ship to Spain and Portugal. | We do not ship to Italy.
apart | price | en-en | Gift wrapping costs 3 €. | Delivery is now free.
"""
