"""What goes wrong with models and their providers, by name: what fails an attempt, and what an answer may hold."""

import json

from tests.support.model_server import Answer, Asked, draft, envelope, failing, http, saying, told

SAID = "J'habite à Lyon depuis toujours."
"""What the oddities are an answer to."""

FAULTS: dict[str, Answer] = {
    "429 with Retry-After": failing("429 Too Many Requests", "retry-after: 7"),
    "429 without": failing("429 Too Many Requests"),
    "429 with a date": failing("429 Too Many Requests", "retry-after: Wed, 21 Oct 2015 07:28:00 GMT"),
    "500": failing("500 Internal Server Error"),
    "529": failing("529 Overloaded"),
    "401": failing("401 Unauthorized"),
    "400": failing("400 Bad Request"),
    "a redirect": failing("307 Temporary Redirect", "location: http://127.0.0.1:9/"),
    "hang": lambda _: None,
    "no answer": lambda _: b"",
    "half an answer": lambda _: b"HTTP/1.1 200 OK\r\ncontent-length: 900\r\n\r\n{",
    "a page": lambda _: http("200 OK", b"<html>sorry</html>"),
    "too much": lambda _: http("200 OK", b'"' + b"x" * 3_000_000 + b'"'),
    "deep JSON": lambda _: http("200 OK", b"[" * 100_000),
    "null": lambda _: told(None),
    "no choices": lambda _: told({"choices": [], "content": None}),
    "refusal": saying(lambda _: "", "refusal"),
    "truncated": saying(lambda asked: envelope([draft(asked)] * 9)[:-40], "max_tokens"),
    "cut without a word": saying(lambda asked: envelope([draft(asked)] * 9)[:-40]),
    "prose": saying(lambda _: "I am sorry, there is nothing to say about {this}."),
    "no envelope": saying(lambda _: "{}"),
    "null facts": saying(lambda _: '{"facts": null}'),
    "facts of another type": saying(lambda _: '{"facts": "none"}'),
    "a number": saying(lambda _: "7"),
    "two envelopes": saying(lambda asked: f"{envelope([])}\n{envelope([draft(asked)])}"),
}
"""After each of these the turn is read again."""


def _thousand(asked: Asked) -> str:
    return envelope([draft(asked), *(draft(asked, key=f"k{number}") for number in range(999))])


ODDITIES: dict[str, tuple[Answer, int, dict[str, int]]] = {
    "as asked": (saying(lambda asked: envelope([draft(asked)])), 1, {}),
    "nothing": (saying(lambda _: envelope([])), 0, {}),
    "fenced": (saying(lambda asked: f"```json\n{envelope([draft(asked)])}\n```"), 1, {}),
    "fenced in prose": (saying(lambda asked: f"Here:\n```\n{envelope([draft(asked)])}\n```\nAnything else?"), 1, {}),
    "trailing prose": (saying(lambda asked: f"{envelope([draft(asked)])}\n\nLet me know {{if}} you need more!"), 1, {}),
    "leading prose": (saying(lambda asked: f"Sure, here you are: {envelope([draft(asked)])}"), 1, {}),
    "thoughts": (saying(lambda asked: f"<think>{{hm}}</think>\n{envelope([draft(asked)])}"), 1, {}),
    "written twice": (saying(lambda asked: json.dumps(envelope([draft(asked)]))), 1, {}),
    "a bare list": (saying(lambda asked: json.dumps([draft(asked)])), 1, {}),
    "one for a list": (saying(lambda asked: json.dumps({"facts": draft(asked)})), 1, {}),
    "1,000 facts": (saying(_thousand), 5, {"too_many": 995}),
    "wrong types beside a good one": (
        saying(lambda asked: envelope([None, 7, [draft(asked)], draft(asked, confidence="high"), draft(asked)])),
        1,
        {"not_an_object": 3, "bad_confidence": 1},
    ),
    "invented evidence": (
        saying(lambda asked: envelope([draft(asked, evidence="Je suis riche")])),
        0,
        {"no_evidence": 1},
    ),
    "evidence of the prompt's": (
        saying(lambda asked: envelope([draft(asked, evidence=asked.document["spoken_before"] or "speaker")])),
        0,
        {"no_evidence": 1},
    ),
    "an invented amount": (saying(lambda asked: envelope([draft(asked, content=f"{SAID} 5 €")])), 0, {"unfounded": 1}),
    "an invented fact": (
        saying(lambda asked: envelope([draft(asked, content="Bob Martin possède la société")])),
        0,
        {"unfounded": 1},
    ),
    "another scope's key": (
        saying(lambda asked: envelope([draft(asked, key="org-b:user/bob"), draft(asked, about="bob", org_id="org-b")])),
        0,
        {"bad_key": 1, "bad_about": 1},
    ),
    "somebody else named beside": (
        saying(lambda asked: envelope([draft(asked, org_id="org-b", user_id="bob", store_id="shop9")])),
        1,
        {},
    ),
    "a secret": (
        saying(lambda asked: envelope([draft(asked, value="4111 1111 1111 1111", content=SAID)])),
        0,
        {"secret": 1},
    ),
}
"""What is answered, how many facts come of it, and why the rest is dropped."""
