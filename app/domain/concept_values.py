"""Opposites, values of which a thing has one, and what else shops speak of, as `concept_table` writes them."""

from typing import Final

VALUES: Final = """
accept~+: accept* honor* honour* admis admise admises admet admettent autoris* permis permise permit permits permitted
accept~+: allow allows allowed welcome bienvenu*
accept~-: refus* declin* reject* interdi* forbid* forbidden prohibit* exclu* exclude* excluded
open+: ouvr* ouvert* open opens opened opening
open-: ferm* clos close closes closed closing closure shut shuts
free+: gratuit* offert* offrons offre offrent free complimentary gratis gracieusement
free-: payant* chargeable charge charged charges
formal+: vouvo* formal formel* formelle* soutenu
formal-: tuto* informal informel* casual decontract* familier
own+: internal* interne* in-house inhouse
own-: external* externe* outsourc* sous-trait* externalis*
refundable+: remboursable* refundable
refundable-: non-refundable nonrefundable
raise+: augment* hausse* increas* raise* raised rises rising grew grown grow grows grimp* up
raise-: bais* diminu* reduit reduite reduire decreas* reduced lower* lowered dropp* down recul*
in_stock+: disponible* available
in_stock-: rupture indisponible* unavailable sold-out epuise*
mandatory+: obligatoire* mandatory compulsory required
mandatory-: facultati* optional* optionnel*
like+: aime* adore* like likes love loves enjoy* apprecie*
like-: deteste* hate* dislike* dislikes
easy+: facile* easy simple*
easy-: difficile* hard difficult
season=spring: printemps spring
season=summer: ete summer
season=autumn: automne autumn fall
season=winter: hiver winter
daypart=morning: matin* morning*
daypart=afternoon: apres-midi afternoon*
daypart=evening: soir* evening*
daypart=night: nuit* night* overnight
daypart=noon: midi noon lunch*
colour=red: rouge* red
colour=blue: bleu* blue navy
colour=green: vert verte verts vertes green
colour=black: noir* black
colour=white: blanc* white
colour=yellow: jaune* yellow
colour=pink: rose roses pink
colour=grey: gris* grey gray
colour=orange: orange*
colour=purple: violet* purple
colour=brown: marron brown
colour=beige: beige
colour=gold: dore* gold golden
colour=silver: argent* silver
colour=teal: teal turquoise
colour=burgundy: burgundy bordeaux
colour=ivory: ivoire ivory
colour=khaki: kaki khaki
colour=coral: corail coral
colour=ochre: ocre ochre
colour=lilac: lilas lilac
tongue=french: francais francaise francaises french
tongue=english: anglais anglaise anglaises english
tongue=german: allemand allemande allemands german
tongue=spanish: espagnol espagnole espagnols spanish
tongue=italian: italien italienne italiens italian
tongue=portuguese: portugais portugaise portuguese
tongue=dutch: neerlandais neerlandaise dutch
tongue=japanese: japonais japonaise japanese
tongue=belgian: belge belges belgian
tongue=swiss: swiss
material=wool: laine* wool*
material=cotton: coton cotton
material=linen: lin linen
material=silk: soie silk
material=leather: cuir* leather
material=wood: bois wood wooden
material=oak: chene oak
material=plastic: plastique* plastic*
material=kraft: kraft
material=paper: papier paper
material=glass: verre glass
material=cardboard: cardboard
material=metal: metal* steel acier inox
material=brass: laiton brass
material=copper: cuivre copper
material=bamboo: bambou bamboo
material=walnut: noyer walnut
material=pine: pin pine
material=cashmere: cachemire cashmere
material=velvet: velours velvet
material=canvas: toile canvas
material=concrete: beton concrete
material=marble: marbre marble
material=porcelain: porcelaine porcelain
material=stoneware: gres stoneware
material=rubber: caoutchouc rubber
material=tin: fer-blanc tin
material=polyester: polyester
often=daily: quotidien* daily
often=weekly: hebdomadaire* weekly
often=monthly: mensuel* monthly
often=yearly: annuel* annual* yearly
often=quarterly: trimestriel* quarterly
stairs_up+: upstairs
stairs_up-: downstairs
matte+: mat mate mats matte
matte-: brillant* glossy shiny
left+: gauche
left-: droite
thick+: epais* thick
thick-: mince* thin
round+: rond ronde ronds round
round-: carre carree carres square
lid: couvercle* lid lids
wick: meche* wick*
scented: senteur* fragranced scented
unscented: unscented
fig: figue* fig figs
cedar: cedre* cedar
rose_scent: rosier
mint: menthe* mint
vanilla: vanill*
cinnamon: cannelle cinnamon
ginger: gingembre ginger
argan: argan
shea: karite shea
coconut: coco coconut
clay: argile* clay
charcoal: charbon charcoal
sheepskin: mouton* sheepskin
recycled: recyclee* recycled
certificate: certific* certified
origin: origine* origin
local: local locale locaux locally
handle_bag: anse* strap straps
pocket: poche* pocket*
zip: zip zipper*
button: bouton* button*
sole: semelle* sole soles
heel: talon* heel*
manual: notice* manual* mode_emploi
secret: secret*
quality: qualit* quality
lavender: lavande* lavender
palm: palme palm
soy: soja soy soya
beeswax: abeille* beeswax
paraben: paraben*
bee: ruche* hive hives
tray: plateau* tray*
express: express
standard: standard
lunch_break: pause*
import: import*
export: export*
delay: retard* delay* late
cancel: annul* cancel*
modify: modifi* modify amend
sign: sign* signe* signed
damage: abime* casse* damaged broken
deposit: acompte* deposit* arrhes caution consigne*
instalment: mensualit* instalment* installment*
rent: loyer* rent rental lou* louer location
electricity: electric*
car: voiture* car cars camion* van truck*
bike: velo* bike* bicycle*
tool: outil* tool tools logiciel* software
computer: ordinateur* computer*
account~: compte comptes account accounts
password: passe_mot password*
best: best meilleur* bestseller* best-seller*
name~: nom name named appelle called
address: adresse* address*
floor: etage* floor
street: rue street
city: ville* city town
country: pays country countries
europe: europe* european ue eu
world: monde world worldwide international* etranger abroad overseas
school: ecole* school*
hotel: hotel*
restaurant: restaurant* resto restos
"""
