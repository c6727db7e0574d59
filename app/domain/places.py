"""Names of places that French and English write differently, each under one name."""

from typing import Final

_PLACES = """switzerland suisse|belgium belgique|germany allemagne|spain espagne|italy italie
netherlands hollande holland pays-bas|norway norvege|sweden suede|denmark danemark|finland finlande|poland pologne
austria autriche|ireland irlande|greece grece|uk angleterre england britain royaume-uni
us usa america etats-unis amerique|scotland ecosse|wales galles|canada|japan japon|china chine|india inde
morocco maroc|tunisia tunisie|algeria algerie|turkey turquie|brazil bresil|mexico mexique|australia australie
corsica corse|europe|portugal|luxembourg|hungary hongrie|czechia tcheque tchequie|romania roumanie|croatia croatie
cyprus chypre|malta malte|iceland islande|russia russie|ukraine|africa afrique|asia asie|egypt egypte|london londres
geneva geneve|brussels bruxelles|lisbon lisbonne|barcelona barcelone|rome roma|milan milano|turin torino
venice venise|florence firenze|vienna vienne|athens athenes|copenhagen copenhague|antwerp anvers|ghent gand
bruges brugge|edinburgh edimbourg|cologne koln|munich munchen|hamburg hambourg|frankfurt francfort|warsaw varsovie
prague praha|seville sevilla|lyon lyons|marseille marseilles|brittany bretagne|normandy normandie|alsace|provence
savoy savoie|france
"""
PLACES: Final = {
    name: group.split()[0] for group in _PLACES.replace("\n", "|").split("|") if group.strip() for name in group.split()
}
"""Folded name to the one that stands for it."""
