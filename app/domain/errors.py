"""Everything a caller can be refused for, as one tree. Statuses are not known here: `app/api/errors.py` holds them.

`code` is snake_case and stable: clients branch on it, nobody matches on `detail`. `detail` is a sentence for a person,
made of fixed words, field names and numbers, never of a stored or sent text, for it leaves in answers.
`retry_after` is the number of whole seconds after which the same request may well succeed, or None.
"""


class RetenirError(Exception):
    """A refusal. Only its subclasses are raised."""

    def __init__(self, code: str, detail: str, retry_after: int | None = None) -> None:
        super().__init__(code, detail)
        self.code = code
        self.detail = detail
        self.retry_after = retry_after


class BadRequest(RetenirError):
    """The request cannot be understood as it stands: `organisation_required`, `bad_cursor`, `unsupported_parameter`."""


class Unauthenticated(RetenirError):
    """Nobody we know is asking. Whatever is wrong with the credentials, the answer is the same one."""

    def __init__(self, code: str = "unauthenticated", detail: str = "Valid credentials are required.") -> None:
        super().__init__(code, detail)


class Forbidden(RetenirError):
    """The caller is known, may know that the thing exists, and lacks the right."""

    def __init__(self, code: str = "forbidden", detail: str = "Your role does not allow this.") -> None:
        super().__init__(code, detail)


class NotFound(RetenirError):
    """Nothing there for this caller. What lies out of reach and what does not exist are told in the same words."""

    def __init__(self, code: str = "not_found", detail: str = "There is nothing of this id within your reach.") -> None:
        super().__init__(code, detail)


class Conflict(RetenirError):
    """It does not go together with what is stored: `message_conflict`, `last_owner`."""


class PreconditionFailed(RetenirError):
    """It was changed since the caller last read it."""

    def __init__(
        self, code: str = "precondition_failed", detail: str = "This was changed meanwhile: read it again."
    ) -> None:
        super().__init__(code, detail)


class Invalid(RetenirError):
    """Understood, and refused for what it says.

    `faults` name the places: (JSON pointer into the body as of RFC 6901, kind in snake_case). They may be empty.
    """

    def __init__(self, code: str, detail: str, faults: tuple[tuple[str, str], ...] = ()) -> None:
        super().__init__(code, detail)
        self.faults = faults


class TooMany(RetenirError):
    """Over a limit of use; always with the seconds to wait."""

    def __init__(self, code: str, detail: str, retry_after: int) -> None:
        super().__init__(code, detail, retry_after)


class Unavailable(RetenirError):
    """Something we stand on does not answer; nothing was written. Always with the seconds to wait."""

    def __init__(
        self, code: str = "unavailable", detail: str = "The service cannot answer just now.", retry_after: int = 1
    ) -> None:
        super().__init__(code, detail, retry_after)


class Collision(Unavailable):
    """Transactions stood in each other's way, and this one was undone whole: made again it may well go through."""

    def __init__(self) -> None:
        super().__init__("collision", "Others were writing the same just now; try again.")
