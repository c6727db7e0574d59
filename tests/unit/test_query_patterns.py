"""Which domains a message speaks of."""

from datetime import timedelta
from uuid import UUID

import pytest

from app.domain.messages import Message, Speaker
from app.domain.observations import ObservationType
from app.domain.query_patterns import DEFAULT_DOMAINS, domains_in, query_patterns
from app.domain.sources import MessageRef
from app.domain.tenancy import ATLAS
from tests.unit.memories import START

LISTS = {"shipping": ("expédition", "point relais", "e-mail de suivi"), "paie": ("bulletin",), "none": ()}


@pytest.mark.parametrize(
    ("text", "domains"),
    [
        ("EXPEDITION demain ?", ["shipping"]),
        ("L’expédition, et le bulletin.", ["shipping", "paie"]),
        ("un point-relais", ["shipping"]),
        ("les points relais", ["shipping"]),
        ("ce point, relais de la discussion", ["shipping"]),
        ("relais point", []),
        ("un point de relais", []),
        ("E-mail de suivi", ["shipping"]),
        ("bulletins", ["paie"]),
        ("bulletinage réexpédition", []),
        ("", []),
        ("…", []),
    ],
)
def test_whole_words_whatever_their_case_and_accents(text: str, domains: list[str]) -> None:
    assert list(domains_in(text, LISTS)) == domains


@pytest.mark.parametrize(
    ("text", "domain"),
    [
        ("Où en est mon colis ?", "shipping"),
        ("When will my parcel be delivered?", "shipping"),
        ("Le client veut un remboursement", "returns"),
        ("I'd like a refund", "returns"),
        ("Prépare la newsletter de Noël", "marketing"),
        ("Which invoices are unpaid?", "accounting"),
        ("La TVA du trimestre", "accounting"),
        ("On est en rupture de lampes", "stock"),
    ],
)
def test_the_usual_lists_know_french_and_english(text: str, domain: str) -> None:
    assert domain in domains_in(text, DEFAULT_DOMAINS)


@pytest.mark.parametrize("text", ["Bonjour, merci beaucoup !", "Hello there, how are you today?", "Oui, vas-y."])
def test_the_usual_lists_are_quiet_in_small_talk(text: str) -> None:
    assert domains_in(text, DEFAULT_DOMAINS) == {}


def test_an_observation_for_each_domain_goes_with_its_message() -> None:
    place = ("talk", "m1", "web")
    words = "Le bulletin secret et l'expédition, au point relais."
    asked = Message(UUID(int=1), *place, Speaker.USER, words, START, None, "alice", "shop1", ATLAS, START)
    now = START + timedelta(minutes=1)
    found = query_patterns(asked, LISTS, now)
    assert [dict(one.metadata) for one in found] == [
        {"domain": "shipping", "query": "expédition, point relais"},
        {"domain": "paie", "query": "bulletin"},
    ]
    for one in found:
        assert (one.user_id, one.store_id, one.agent_id, one.session) == ("alice", "shop1", ATLAS, "talk")
        assert (one.occurred_at, one.recorded_at, one.message) == (START, now, MessageRef(*place))
        assert one.type is ObservationType.QUERY_PATTERN
    assert found[0].id != found[1].id
