"""More of what shops speak of, as `concept_table` writes it: their trade, their people, and the things they sell."""

from typing import Final

THINGS: Final = """
prepare: prepar* prepare* assembl*
store_up: entrepos* stored storage stockage
wash: lav* wash* lessive* laundry machine
clean: nettoy* clean*
dry: sech* dry dried
choose: chois* choose chose chosen choix choice
ask: demand* ask asks asked request* requests
write: ecri* redig* write writes written wrote redact*
read: lit lis lire lisent read reads
test: test* essai* essay* try tries trial*
check: verifi* controle* inspect*
call_back: rappel* callback
wait: attent* attend* wait waits waiting
receive_people: accueil* reception* welcome* visiteur* visit*
teach: enseign* teach*
learn: apprend* learn*
plan: planning* planifi* schedule* plan plans rota
expire: expir* peremption perim* shelf-life
keep_data: donnees data
privacy: rgpd gdpr privacy confidential*
terms: cgv conditions
vat_number: siret siren
legal: juridiqu* legal* statut*
associate: associe* shareholder* actionnaire*
investor: investiss* investor*
loan: pret emprunt* loan* credit
debt: dette* debt*
cash: especes cash liquide
transfer: virement* transfer*
paypal: paypal
apple_pay: applepay
average~: moyen moyenne average mean
rate~: taux rate rates
convert: conver*
bounce: rebond* bounce*
traffic: trafic traffic visites
seo: seo referencement
keyword: motcle keyword*
audience: audience*
follower: follower*
hashtag: hashtag* mot-diese
emoji: emoji* emoticon* smiley*
exclamation: exclamation*
abbreviation: abrevi* abbrevia*
spelling: orthograph* spelling
british: britanniqu* british
capital: majuscul* capital* uppercase
short: court courte courts courtes bref breve brefs brievement short shorter brief briefly concis* concise*
long: long longue longs longues longer
detail_level: detaill* detailed
table_format: tableau tableaux spreadsheet* tabl
bullet: puces bullet* liste listes list lists
humour: humour humor drole funny
jargon: jargon*
competitor: concurrent* competitor* rival*
franchise: franchis*
storefront: vitrine* storefront
facade: facade*
fitting_room: cabine* fitting
parking: parking* stationnement
terrace: terrasse* terrace*
cellar: cave caves cellar*
fridge: frigo* refrigerat* fridge*
freezer: congelateur* freezer*
oven: four fours oven* kiln*
machine: machine* machinery
maintenance: maintenance entretien
alarm: alarme* alarm*
safe_box: coffre-fort safe
camera: camera* videosurveillance cctv
wifi: wifi wi-fi
printer_shop: serigraph* screen-print*
embroidery: brod* embroider*
knit: tricot* knit*
weave: tiss* weav* woven
paint: peint* paint*
glaze: glaze* emaill*
pour: coulee* couler coules poured pouring
distil: distill* distil*
roast: torref* roast*
brew: brass* brew*
bottle_up: embouteill* bottling
harvest: recolt* harvest* vendang*
grow: cultiv* culture farm*
breed: elevage* breed*
cut: coup* cut cuts
polish: poli polir polish*
varnish: vernis* varnish*
oil_finish: hand-oiled
assemble: mont* montage assembly
sofa: canape* sofa* couch*
bed: bed beds matelas mattress*
sheet: drap draps sheet sheets linge linens
towel: serviette* towel*
curtain: rideau* curtain*
rug: tapis rug rugs carpet*
mirror: miroir* mirror*
clock: horloge* clock*
frame: cadre* frame frames
notebook: carnet* cahier* notebook*
pen: stylo* pen pens
pencil: crayon* pencil*
game: jeu jeux game games
puzzle: puzzle*
doll: poupee* doll dolls
bear: teddy peluche* plush*
hat: chapeau* bonnet* hat hats beanie*
glove: gant gants glove*
sock: chaussette* sock socks
coat: manteau* coat coats veste* jacket*
jean: jean jeans denim
trousers: pantalon* trousers
skirt: jupe* skirt*
underwear: lingerie underwear
swimsuit: maillot* swimsuit* swimwear
sunglasses: lunettes sunglasses
watch: montre montres watch watches
earring: boucle boucles earring*
bracelet: bracelet* bangle*
pendant: pendentif* pendants
backpack: sac-a-dos backpack*
wallet: portefeuille* wallet* purse*
suitcase: valise* suitcase* luggage
helmet: casque* helmet*
tyre: pneu pneus tyre* tire tires
battery: batterie* battery batteries pile piles
charger: chargeur* charger*
cable: cable* cables
screen: ecran* screen*
keyboard: clavier* keyboard*
headphones: ecouteur* headphone* earphone*
phone_case: coque* case cases
shampoo: shampo* shampoing*
balm: baume* balm*
scrub: gommage* exfoliant* scrub*
mask: masque* mask masks
makeup: maquillage makeup
nail: ongle* nail nails
deodorant: deodorant*
toothpaste: dentifrice* toothpaste*
sunscreen: solaire* sunscreen
salt: sel salt
sugar: sucre sugar
flour: farine* flour
butter: beurre butter
egg: oeuf oeufs egg eggs
milk: lait milk dairy laitier*
meat: viande* meat
fish: poisson* fish
vegetable: legume* vegetable*
fruit: fruit fruits
lemon: citron* lemon*
apple: pomme* apple apples
olive: olive*
vinegar: vinaigre* vinegar*
sauce: sauce*
spice: epice* spice*
nut: noix noisette* nut nuts hazelnut* walnut*
peanut: arachide* peanut*
almond: amande* almond*
lactose: lactose
pastry: patisser* pastry pastries tarte* tart tarts
sandwich: sandwich*
pizza: pizza*
soup: soupe* soup soups
salad: salade* salad*
breakfast: petit-dejeuner breakfast*
dinner: diner dinner
menu: menu* menus
recipe: recette* recipe*
juice: jus juice*
water: eau water
spirit: spiritueux spirits gin rum rhum whisky whiskey
cider: cidre* cider*
champagne: champagne*
alcohol: alcool* alcohol*
seed: graine* seed* seeds
compost: compost*
pot_plant: terreau soil
tree: arbre* tree trees
bouquet: bouquet* bunch
feed: croquette* kibble nourri* feed food aliment* foods
leash: laisse* leash*
saddle: selle* saddle*
guitar: guitare* guitar*
record: vinyle* vinyl*
concert: concert* gig gigs
ticket: billet* ticket*
tour: tour tours
massage: massage*
haircut: coiff* haircut* hairdress*
yoga: yoga
coach: coach*
doctor: medecin* doctor*
nurse: infirm* nurse*
neighbour: voisin* neighbour* neighbor*
friend: ami amis amie friend*
family: famil* family
mother: mere maman mother mum
father: pere papa father dad
daughter: fille filles daughter*
son: sons
wife: epouse wife
husband: mari epoux husband*
brother: frere* brother*
sister: soeur* sister*
birthday: anniversaire* birthday*
wedding: mariage* wedding*
superior: superieur* supervisor* superior*
assistant: assistant* assistante*
trainee: alternance trainee*
seller: vendeuse* salesperson clerk
cashier: caissier* cashier*
cleaner: menage cleaner
dispatcher: preparateur* picker*
translator: traducteur* traductrice* translator*
agency: agence* agency
freelance: freelance* independant* independent*
landlord: proprio landlord*
contract: contrat* contract*
trial: probation
overtime: overtime
bonus: prime primes bonus*
training: formation*
strike: greve* strike
uniform: uniforme* uniform*
badge: badge* badges
smoke: fum* smok*
spend: depens* spend spends spent
alert: alerte* alert alerts
trigger: declench* trigger*
unit: unite* unit units
lot: lot lots batch* bundle*
pack_of: pack-de
refill: recharge* refill*
cover: couvr* cover* couvert*
scratch: rayure* scratch*
"""
