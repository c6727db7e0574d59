"""Files that are not what an export wrote: each damage is named with its place, and nothing of the file is kept."""

import json
from collections.abc import AsyncIterator
from dataclasses import dataclass

import pytest
from sqlalchemy import NullPool, text
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from app.domain.export import LINES
from tests.support.damages import UNFIT, Damage, change, lines_of, sealed, without
from tests.support.sessions import TOOL, post
from tests.support.talk import FREE_FROM_60, tell, write
from tests.support.trips import empty, export, records, send
from tests.support.world import Tenant, World


@dataclass(frozen=True)
class Border:
    """Where files are turned away."""

    world: World
    superuser: AsyncEngine

    async def require_refused(self, file: bytes, status: int, code: str, kind: str, pointer: str | None = None) -> None:
        there = await empty(self.world)
        answer = await send(there.owner, file)
        problem = answer.json()
        assert (answer.status_code, problem["code"]) == (status, code), answer.text
        (fault,) = problem["errors"]
        assert fault["kind"] == kind, answer.text
        if pointer:
            assert fault["pointer"].endswith(pointer)
        assert len(answer.content) < 8192
        await self.require_untouched(there)

    async def require_untouched(self, there: Tenant) -> None:
        """Nothing of the file is kept, and nothing waits."""
        async with self.superuser.connect() as connection:
            for table in ("import_records", "jobs"):
                query = text(f"select count(*) from {table} where org_id = :org_id")
                assert (await connection.execute(query, {"org_id": there.org_id})).scalar_one() == 0
        found = records(await export(there.owner))
        assert not any(found[name] for name in ("stores", "people", "facts", "messages", "observations", "rules"))


@pytest.fixture(scope="module")
async def border(world: World, superuser_url: str) -> AsyncIterator[Border]:
    engine = create_async_engine(superuser_url, poolclass=NullPool)
    yield Border(world, engine)
    await engine.dispose()


@pytest.fixture(scope="module")
async def shop(world: World) -> Tenant:
    tenant = await world.organisation(people={"alice": "owner", "336": None})
    alice = tenant.acting("alice")
    await tell(alice, FREE_FROM_60, answer="Je note 60 €.")
    await post(alice, {**TOOL, "session_id": "s1"})
    await post(alice, {"type": "note", "content": "Le matin, à noter."})
    await world.finish_jobs()
    fact = await write(alice, "org", "carrier", "Colissimo")
    assert (await alice.post(f"/memory/facts/org/{fact['id']}/pin")).is_success
    assert (await alice.put("/memory/rules", json={"markdown": "# Rules"})).is_success
    link = {"user_id": "alice", "store_id": "shop1"}
    assert (await tenant.owner.put(f"{tenant.path}/channels/whatsapp/337", json=link)).is_success
    return tenant


@pytest.fixture(scope="module")
async def file(shop: Tenant) -> bytes:
    return await export(shop.owner, lines=True)


@pytest.mark.parametrize(("damage", "pointer", "kind"), [case[1:] for case in UNFIT], ids=[case[0] for case in UNFIT])
async def test_what_does_not_fit_is_told_with_its_place(
    border: Border, file: bytes, damage: Damage, pointer: str, kind: str
) -> None:
    lines = lines_of(file)
    damage(lines)
    await border.require_refused(sealed(lines), 422, "unfit_file", kind, pointer)


@pytest.mark.parametrize(
    ("damage", "kind"),
    [
        (without("manifest"), "manifest_missing"),
        (lambda lines: lines.append(lines[-1]), "behind_manifest"),
        (lambda lines: lines[-1]["record"]["counts"].update(facts=99), "count_differs"),
        (lambda lines: lines[-1]["record"]["counts"].update(secrets=0), "count_differs"),
        (lambda lines: lines[-1]["record"].update(checksum="sha256:" + "0" * 64), "checksum_differs"),
        (change("message", content="Another one."), "checksum_differs"),
    ],
    ids=["no manifest", "more behind it", "counts", "odd counts", "checksum", "other words"],
)
async def test_what_is_not_whole_is_refused(border: Border, file: bytes, damage: Damage, kind: str) -> None:
    lines = [json.loads(line) for line in file.splitlines()]
    damage(lines)
    damaged = b"".join(json.dumps(line, ensure_ascii=False, separators=(",", ":")).encode() + b"\n" for line in lines)
    await border.require_refused(damaged, 422, "unfit_file", kind)


@pytest.mark.parametrize("kind", ["store", "person", "source"])
async def test_what_names_what_is_not_in_the_file_is_refused(border: Border, file: bytes, kind: str) -> None:
    lines = lines_of(file)
    without(kind)(lines)
    await border.require_refused(sealed(lines), 422, "unfit_file", "not_in_file")


@pytest.mark.parametrize(
    ("line", "code"),
    [
        (b'{"type":"store","record":{"name":"a\\u0000b"}}', "forbidden_character"),
        (b'{"type":"store","record":{"name":"\\ud800"}}', "forbidden_character"),
        (b'{"type":"store","record":{"name":9223372036854775808}}', "integer_out_of_range"),
        (b'{"type":"store","record":{"name":1e400}}', "number_not_finite"),
        (b'{"type":"store","record":{"name":NaN}}', "number_not_finite"),
        (b'{"type":"store","type":"person","record":{}}', "duplicate_key"),
        (b'{"type":"store","record":' + b"[" * 40 + b"]" * 40 + b"}", "body_too_deep"),
        (b'{"type":"store","record":[' + b"0," * 60_000 + b"0]}", "body_too_many_values"),
        (b'{"type":"store","record":{"na', "body_not_json"),
        (b"", "body_not_json"),
        (b"\xff\xfe", "body_not_utf8"),
    ],
)
async def test_each_line_is_guarded_as_a_body_is(border: Border, file: bytes, line: bytes, code: str) -> None:
    opening, *rest = file.splitlines(keepends=True)
    there = await empty(border.world)
    answer = await send(there.owner, opening + line + b"\n" + b"".join(rest))
    assert (answer.status_code, answer.json()["code"]) == (400, code)
    assert answer.json()["detail"].startswith("Line 2: ")
    assert len(answer.content) < 8192
    await border.require_untouched(there)


@pytest.mark.parametrize("cut", [1, 2, 5, 40])
async def test_a_file_that_was_cut_is_refused(border: Border, file: bytes, cut: int) -> None:
    for whole in (file, unended(file)):
        there = await empty(border.world)
        answer = await send(there.owner, whole[: -cut * 7])
        assert answer.status_code in (400, 422)
        await border.require_untouched(there)


def unended(file: bytes) -> bytes:
    """The same file without its last newline, which says no less."""
    return file.rstrip(b"\n")


async def test_the_last_newline_may_be_missing(world: World, file: bytes) -> None:
    there = await empty(world)
    assert (await send(there.owner, unended(file))).status_code == 202


@pytest.mark.parametrize(
    ("media", "body", "status", "code"),
    [
        ("application/json", b"", 400, "body_not_json"),
        ("application/json", b"[]", 400, "body_not_json"),
        ("application/json", b"null", 400, "body_not_json"),
        ("application/json", b'{"organisation":', 400, "body_not_json"),
        ("application/json", b"{} x", 400, "body_not_json"),
        ("application/json", b'{"organisation":"', 400, "body_not_json"),
        ("application/json", b"{}", 422, "unfit_file"),
        ("application/json", b'{"secrets":[1]}', 422, "unfit_file"),
        ("application/json", b'{"organisation":[1]}', 422, "unfit_file"),
        ("application/json", b'{"organisation":{"org_id":"a","name":"b"},"stores":1}', 422, "unfit_file"),
        ("application/json", b'{"organisation":{"org_id":"a","name":"b"},"organisation":1}', 400, "duplicate_key"),
        ("application/json", b'{"organisation":' + b"[" * 5000 + b"]" * 5000 + b"}", 400, "body_too_deep"),
        (LINES, b"", 422, "unfit_file"),
        (LINES, b"[]\n", 422, "unfit_file"),
        (LINES, b'"x"\n', 422, "unfit_file"),
        (LINES, b"x" * 2_000_000, 413, "line_too_long"),
        ("text/csv", b"a,b", 415, "unsupported_media_type"),
        ("application/json; charset=latin-1", b"{}", 415, "unsupported_media_type"),
    ],
)
async def test_what_is_no_such_file_is_refused(border: Border, media: str, body: bytes, status: int, code: str) -> None:
    there = await empty(border.world)
    answer = await there.owner.post("/memory/import", content=body, headers={"Content-Type": media})
    assert (answer.status_code, answer.json()["code"]) == (status, code), answer.text
    await border.require_untouched(there)


async def test_a_document_may_be_16_mib_and_lines_any(world: World) -> None:
    there = await empty(world)
    big = b'{"organisation":{"org_id":"a","name":"' + b"x" * (17 * 1024 * 1024) + b'"}}'
    answer = await send(there.owner, big)
    assert (answer.status_code, answer.json()["code"]) == (413, "body_too_large")


async def test_compressed_files_are_refused(world: World, file: bytes) -> None:
    there = await empty(world)
    answer = await send(there.owner, file, **{"Content-Encoding": "gzip"})
    assert (answer.status_code, answer.json()["code"]) == (415, "unsupported_content_encoding")


async def test_only_owners_bring_something_in(world: World, shop: Tenant, file: bytes) -> None:
    there = await world.organisation(people={"alice": "owner", "anna": "admin", "mia": "member", "336": None})
    for person in ("anna", "mia", "336", "nobody"):
        assert (await send(there.acting(person), file)).status_code == 403
    limited = there.with_key(await there.make_key(store_ids=["shop1"]))
    answer = await send(limited, file)
    assert (answer.status_code, answer.json()["code"]) == (403, "limited_key")
    assert (await send(world.nobody, file)).status_code == 401
    assert (await send(world.platform, file)).status_code == 403
