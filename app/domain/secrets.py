"""What must never become a fact: card numbers, passwords, codes and keys."""

import re

from app.domain.wording import plain, words

_DIGITS = re.compile(r"(?<!\d)(?:\d[ .-]?){12,18}\d(?!\d)")
_SCHEMES = re.compile(r"3[47]\d{13}|3(?:0[0-5]|[68]\d)\d{11}|4\d{12}(?:\d{3}){0,2}|(?:5[0-8]|2[2-7])\d{14}|6\d{15,18}")
# Latin-only edges: a secret next to Chinese or Japanese text has no word boundary there.
_EDGE, _END = r"(?<![a-z0-9])", r"(?![a-z0-9])"
_NAMES = (
    r"pass ?words?|pass ?phrases?|pass ?codes?|passwd|pwd|mots? de passe|mdp|code ?pin|pin ?codes?|codes? secrets?"
    r"|codes? (?:d'acces|de l'alarme|d'alarme|de la porte|d'entree|du portail|du coffre|de deverrouillage"
    r"|wi-?fi|bancaire|cb)"
    r"|(?:alarm|door|gate|entry|access|safe|unlock|security|wi-?fi) codes?|cle(?:f)?s? (?:d'?)?(?:api|secrete"
    r"|privee|wi-?fi|wep|wpa2?)"
    r"|codes? (?:(?:recu|envoye)s? )?(?:par )?(?:sms|otp|2fa|e-?mail|de (?:verification|validation|confirmation"
    r"|securite|connexion)|a usage unique|unique)|(?:verification|confirmation|one-?time|authentication|auth"
    r"|login|sms|otp|2fa) (?:pass)?codes?|otp"
    r"|(?:api|secret|private|access|licen[cs]e)[ _-]keys?|api[_-]?key|secret[_-]?key|(?:access|auth|bearer|api"
    r"|refresh) tokens?"
    r"|jetons? (?:d'acces|d'api|secret)|client secrets?|crypto(?:gramme)?|cvv2?|cvc2?"
)
_LOGINS = r"log-?ins?|identifiants?|user ?names?|credentials"
_TELLS = rf"(?:[:=：]|{_EDGE}(?:is|are|est|sont|c'est|was)(?: still| toujours)?{_END}|[,-])"
_TOLD = (
    re.compile(rf"{_EDGE}(?:{_NAMES}){_END}[^.!?\n]{{0,24}}?{_TELLS}\s*[\"'`]?(?P<secret>[^\s\"'`,;]{{3,}})"),
    re.compile(rf"{_EDGE}(?:{_NAMES}|{_LOGINS}){_END}\s+[\"'`]?(?P<secret>(?=[^\s,;]*[\d!@#$%&*_])[^\s,;\"'`]{{3,}})"),
    re.compile(rf"{_EDGE}(?:{_LOGINS}){_END}(?: [a-z]+)? ?[:=] ?(?P<secret>[^\s\"'`,;]{{3,}})"),
    re.compile(rf"{_EDGE}(?:pass ?words?|passwd|pwd|mots? de passe|mdp){_END} (?P<secret>[a-z]{{4,}})(?=[,;.!]|$)"),
)
_ASIAN = re.compile(r"(?:密码|密碼|口令|パスワード|暗証番号|비밀번호|암호|пароль)[^a-z0-9\n]{0,6}[a-z0-9!@#$%&*_-]{3,}")
_EXPIRY = re.compile(
    rf"{_EDGE}(?:exp|expires?|expiration|expiry|valid thru|valable jusqu'au)\.?:? ?(?:0?[1-9]|1[0-2]) ?/"
    rf" ?(?:20)?\d\d(?!\d)"
)
# "My code is 4821": whose it is and no word more about it; a postal or promotional code says what it is.
_CODE = re.compile(
    rf"{_EDGE}(?:mon|ton|ma|votre|le|my|your|the) code (?:est|is|c'est|etait|was)?\s?:?\s?\d{{3,4}}[ -]?\d{{0,4}}{_END}"
)
_LOGIN_ADDRESS = re.compile(r"[a-z][a-z0-9+.-]*://[^\s/:@]+:[^\s/@]+@")
_SHAPES = re.compile(
    r"(?<![A-Za-z0-9])(?:sk-[A-Za-z0-9_-]{8,}|[sr]k_(?:live|test)_[A-Za-z0-9]{8,}|gh[pousr]_[A-Za-z0-9]{16,}"
    r"|xox[abprs]-[A-Za-z0-9-]{8,}"
    r"|AKIA[A-Z0-9]{12,}|AIza[A-Za-z0-9_-]{20,}|eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{6,}|shp(?:at|ss|ca"
    r"|pa)_[A-Za-z0-9]{8,}|rtn_[A-Za-z0-9]{8,}"
    r"|pk_live_[A-Za-z0-9]{8,}|npm_[A-Za-z0-9]{16,}|hf_[A-Za-z0-9]{16,}|[Bb]earer [A-Za-z0-9._~+/-]{16,}"
    r"|whsec_[A-Za-z0-9]{8,}|glpat-[A-Za-z0-9_-]{8,}|-----BEGIN [A-Z ]*PRIVATE KEY)"
)
_IBAN = re.compile(r"(?<![A-Za-z0-9])[A-Za-z]{2}\d{2}(?: ?[A-Za-z0-9]{4}){3,7}(?: ?[A-Za-z0-9]{1,3})?(?![A-Za-z0-9])")
_NOT_SECRET = frozenset(
    words(
        """
        in is the a an to and or for on at on-line online required not never used needed changed reset lost expired
        safe mandatory optional obligatoire facultatif perdu oublie dans le la les un une pour sur et ou pas jamais
        requis please stp svp merci thanks manager managers protected policy forgotten again necessaire change expire
        different enregistre stocke same changing wrong too very my our your notre votre mon
        """
    )
)


def holds_secret(text: str) -> bool:
    """Whether `text` shows a card or bank account number, a password, an access code, a key or a token.

    Naming one without its content ("we lost the password") is no secret.
    """
    flat = plain(text)
    return (
        any(_is_card(match[0]) for match in _DIGITS.finditer(flat))
        or any(_is_account(match[0]) for match in _IBAN.finditer(text))
        or any(_told(match) for pattern in _TOLD for match in pattern.finditer(flat))
        or any(pattern.search(flat) for pattern in (_ASIAN, _EXPIRY, _CODE, _LOGIN_ADDRESS))
        or _SHAPES.search(text) is not None
    )


def _told(match: re.Match[str]) -> bool:
    return match["secret"].strip(".!?)") not in _NOT_SECRET and len(match["secret"].strip(".!?)")) > 2


def _is_card(text: str) -> bool:
    """A card scheme's prefix and length, and Luhn's check: a SIRET or a bar code passes one of them at most."""
    number = re.sub(r"\D", "", text)
    digits = [int(char) for char in number]
    doubled = [digit if place % 2 == 0 else sum(divmod(2 * digit, 10)) for place, digit in enumerate(reversed(digits))]
    return _SCHEMES.fullmatch(number) is not None and sum(doubled) % 10 == 0


def _is_account(text: str) -> bool:
    """The remainder check of an IBAN."""
    squeezed = text.replace(" ", "").upper()
    turned = squeezed[4:] + squeezed[:4]
    return len(squeezed) >= 15 and int("".join(str(int(char, 36)) for char in turned)) % 97 == 1
