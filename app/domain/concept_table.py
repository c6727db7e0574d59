"""What shops speak of, in French and English: one line for each meaning, by the plain beginnings of its words.

`name: words`; a word that ends in `*` stands for all that begin so. Names ending in `~` say little by themselves:
nearly every statement holds some. Those ending in `+` and `-` are the two poles of one axis. `class=name` is one of
several values of which a thing has one.
"""

from typing import Final

MEANINGS: Final = """
customer~: client* acheteu* customer* buyer* shopper* consommat*
order~: commande commandes achat achats order orders ordered purchase purchases placed placee passee passees
item~: article* produit* piece pieces item* product* good goods modele* model models reference references thing things
shop~: boutique* magasin* shop shops store stores enseigne*
company~: entreprise* societe* company companies firm business
person~: people person persons personne* member* membre* employe* salarie* staff colleague* collegue* human*
team~: equipe* team teams effectif
time~: heure* horaire* hour* time times moment* delai* jour journee* day days lead window duree* duration
period~: period periode* semaine* week* mois month* annee* year* an ans fois times
cost~: cout* cost* vaut valent prix price* tarif* frais fee fees vendu* vendue* montant* amount* sold pricing facture*
start~: commence* start starts debut* begin* starting
need~: faut besoin need* require* doit doivent must necessite*
line~: gamme* range ranges line lines
set~: fixe fixee fixed set pose
message~: message* mot mots note notes
new: neuf neuve neufs neuves brand-new
used: second-hand used secondhand reconditionne* refurbished
hot: chaud* hot warm
cold: froid* cold cool
sweet: sucre* sweet*
savoury: salty savoury savory
big: grand* large big gros grosse
small: petit* small little mini
light: leger* legere* light lightweight
heavy: lourd* heavy
vary: varie* variable* vary varies
constant: identique* fixe* same constant
fresh: fraiche* fresh
frozen: surgele* congele* frozen
public: public* publique*
private: prive* private
handmade: artisanal* handmade hand-made handcrafted artisan handwritten manuscrit*
machine_made: industriel* machine-made mass-produced
open_air: exterieur* outdoor* outside
indoors: interieur* indoor* inside
ship: livr* expedi* envoi envois envoie* envoy* deliver* ship shipped shipping ships shipment* dispatch* port postage
ship: posted partent part acheminement postal
parcel~: colis paquet* parcel* package packages
return: retour* renvoy* renvoi* return* returned
refund: rembours* refund*
exchange: echang* exchang* swap*
guarantee: garanti* guarante* warrant*
discount: remise* reduction* discount* rabais promo* promotion* solde soldes solde* sale soldee soldees
voucher: bon bons voucher* coupon* code codes
gift_card: giftcard
wrap: emball* packag* pack packs packed wrap* wrapped wrapping conditionn*
gift: cadeau* gift*
sample: echantillon* sample*
threshold~: seuil* threshold* minimum minimal* mini* dessus above over atteint
basket: panier* basket* cart
margin: marge* margin*
revenue: ventes turnover revenue* recettes
budget: budget* allou* alloc*
stock: stock* inventor* inventaire*
supplier: fourni* supplier* supplied supplies supply provide* provider* source sourced approvisionn* vendor*
buy: achete* achetons buy buys bought purchasing
carrier: transporteur* carrier* courier* coursier*
warehouse: entrepot* warehouse* depot
workshop: atelier* workshop* studio*
showroom: showroom*
office: bureau* office* siege headquarters
website: site sites web website* internet online ligne e-shop eshop
host: heberg* host hosts hosted hosting
phone: telephone* tel phone* appel* call calls telephon* ligne_tel
email: mail mails email* e-mail* courriel* courrier*
newsletter: newsletter* infolettre*
support: sav support support@ assistance helpdesk
answer: repon* repond* reply replies respon* answer* reponse* replied
payment: paiement* payment* reglement* checkout encaissement* pay pays paid paye payer payes payee payees paient
payment: payent payons paie regler regle regles reglee reglees reglent reglable payable
card: carte* card cards
cheque: cheque* check checks
invoice: invoice* factur* billing
bank: banque* bank banks
accountant: comptab* accountant* accounting bookkeep*
lawyer: avocat* lawyer* juriste* solicitor* attorney
insurance: assur* insur*
printer: imprim* print printer* printed printing prints
photographer: photograph* photo photos pictures
designer: design* graphiste* graphism*
manager: responsable* manager* gerant* directeur* directrice* director* head chef* boss patron*
owner: proprietaire* owner* fondat* founder* owns
intern: stagiaire* intern interns apprenti* apprentice* alternant*
trainer: form* training trains
wholesale: pro pros professionnel* professional* grossiste* wholesale* trade b2b revendeur* resell* stockist*
wholesale: distribut* retailer*
retail: particulier* retail detail individual*
student: etudiant* student*
subscriber: abonn* subscri*
loyalty: fidelit* loyalty points
review: avis review* rating*
social: reseau* social reseaux
post: publi* publish* post posts publication*
visual: visuel* visual* image* artwork*
validate: valid* approv* approbation approuv* sign-off
logo: logo*
brand: marque* brand*
font: police* typographi* fonts
slogan: slogan* tagline* motto devise
tone: ton tone voix voice style
colour: couleur* colour* color*
label: etiquette* label* etiquet*
sticker: autocollant* sticker*
box: boite* box boxes carton* coffret*
bag: sac sacs bag bags sachet* pouch*
pot: pot pots jar jars bocal bocaux
bottle: bouteille* bottle* flacon* vial*
candle: bougie* candle*
soap: savon* soap*
cream: creme* cream* lotion*
oil: huile* oil oils
perfume: parfum* perfume* scent* fragrance*
wax: cire* wax
tea: tea teas thes infusion*
coffee: cafe coffee cafes
honey: miel honey miels
jam: confiture* jam jams
chocolate: chocolat* chocolate*
bread: pain pains bread
cheese: fromage* cheese*
wine: vin vins wine*
beer: biere* beer*
biscuit: biscuit* cookie* gateau* cake*
mug: mug mugs tasse* cup cups
plate: assiette* plate plates
vase: vase*
jumper: pull pulls jumper* sweater* pullover*
shirt: chemise* shirt shirts tee-shirt* t-shirt* tshirt*
dress: robe robes dress dresses
shoe: chaussure* shoe shoes sneaker* basket_shoe boot boots
scarf: echarpe* foulard* scarf scarves
belt: ceinture* belt*
jewel: bijou* jewel*
ring: bague* ring rings
necklace: collier* necklace*
toy: jouet* toy toys
book: bouquin* roman romans book books
poster: affiche* poster*
lamp: lampe* lamp*
chair: chaise* chair*
table: table tables
cushion: coussin* cushion*
blanket: couverture* plaid* blanket*
plant: plante* plant plants
flower: fleur* flower*
furniture: meuble* furniture
ceramic: ceramique* ceramic* poterie* pottery
fabric: tissu* fabric* textile*
thread: fil fils thread yarn
dye: teint* dye dyed dyes
sell: vend* vent vente sell sells selling vendons
make: fabriq* fabrication fabricat* produi* confection* manufactur* produce produced made
sew: cous* cousu* sew sewn sews couture
cook: cui* cuit* cuisson cook* cooked
burn: brul* burn*
engrav: grav* engrav*
repair: repar* repair*
custom: personnalis* custom* sur-mesure bespoke tailor-made
size: taille* size* pointure*
weigh~: pese* poids weigh* weight
measure~: mesur* measure* longueur* length largeur* width hauteur* height
contain~: contien* contenance contain* content contenu hold holds capacity compos*
last~: dure durent durable duration lasts
allergen: allerg*
gluten: gluten
vegan: vegan* vegetalien*
organic: bio biologique* organic*
recycle: recycl*
natural: naturel* natural*
season: saison* season*
christmas: noel christmas xmas
holiday: vacance* conge* holiday* vacation*
launch: lance* lancement launch* sort sortira releas*
collection: collection*
event: evenement* event*
class: cours class classes lesson*
market: marche marches market* foire fair salon
stand: stand stall
appointment: rendez-vous rdv appointment*
booking: reserv* book booked booking*
preorder: precommand* pre-order* preorder*
pickup: retrait* collect pickup pick-up click-and-collect
relay: relais
track: suivi* track*
customs: douane* customs
tax: taxe* tax taxes tva vat
meeting: reunion* meeting*
report: rapport* report* bilan* compte-rendu
goal: objectif* goal* target*
campaign: campagne* campaign*
ad: publicit* pub pubs ad ads advert*
influencer: influenc*
partner: partenair* partner*
charity: association* charit* don donate*
profit: benefice* profit*
salary: salaire* salary wage*
hire: embauch* recrut* hire hired hiring
remote: teletravail* remote remotely
translate: tradui* translat*
language: langue* language*
speak: parl* speak* spoke* spoken
live: habit* vit live lives living
work: travail* work works working
prefer: prefer*
wear: porte portent wear wears
drive: conduit drive drives
blog: blog*
video: video*
catalogue: catalogue* catalog*
price_list: price-list
key: cle cles key keys
till: caisse* till tills register
delivery_slot: creneau* slot slots
age: age ages
child: enfant* child* kid kids
woman: femme* women woman
man: homme* men man
pet: animal animaux pet pets chien* dog dogs cat cats
hand: mains hand hands
face: visage* face facial
hair: cheveu* hair
body: corps body
kitchen: cuisine* kitchen*
bathroom: bathroom*
seat: seat seats place places assis
"""
