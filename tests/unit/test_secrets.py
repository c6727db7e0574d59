"""What must never become a fact, and what only looks like it."""

import pytest

from app.domain.noremember import is_noremember
from app.domain.secrets import holds_secret


@pytest.mark.parametrize(
    "text",
    [
        "Voici ma carte : 4242 4242 4242 4242",
        "card 4242-4242-4242-4242 thanks",
        "exp 04/28, crypto 311",
        "mdp: Hiver2026!",
        "le mot de passe du wifi c'est bonjour33",
        "login ops, password Teapot-9931",
        "password Teapot",
        "identifiants : alice / 1234",
        "Le code de l'alarme c'est 4471",
        "the door code is 4512A",
        "our API key is abcd1234efgh",
        "use sk-abcdefghijk123 for now",
        "ghp_abcdefghijklmnop1234",
        "密码hunter2",
        "我的密码是：hunter22",
        "notre IBAN est FR76 3000 6000 0112 3456 7890 189",
    ],
)
def test_secrets_are_seen_whatever_stands_around_them(text: str) -> None:
    assert holds_secret(text)


@pytest.mark.parametrize(
    "text",
    [
        "we lost the password",
        "le mot de passe est obligatoire",
        "we use 1Password as password manager",
        "login is via Google",
        "our promo code is WELCOME10",
        "le code de retrait est envoyé par SMS",
        "SIRET 732 829 320 00074",
        "06 12 34 56 78",
        "commande 4412, 60 € de plus",
    ],
)
def test_what_only_names_a_secret_is_none(text: str) -> None:
    assert not holds_secret(text)


@pytest.mark.parametrize(
    ("text", "skipped"),
    [
        ("Ma marge est de 71 %. #noremember", True),
        ("keep it quiet #NoRemember ", True),
        ("keep it quiet #noremember.", True),
        ("keep it quiet\n#noremember !", True),
        ("#noremember", True),
        ("Saw the #noremember tip, neat. Our warehouse is in Swindon.", False),
        ("use #noremembering", False),
        ("use a#noremember", False),
        ("nothing", False),
    ],
)
def test_the_tag_counts_at_the_end_only(text: str, skipped: bool) -> None:
    assert is_noremember(text) is skipped
