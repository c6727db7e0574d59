"""Jobs: the work that follows an answer."""

from app.api.cursors import PageOut
from app.api.deps import Admin, Contact, Services
from app.api.lists import Listed
from app.api.openapi import problems
from app.api.routing import router
from app.api.schemas.common import RowId
from app.api.schemas.jobs import JobOut, JobsQuery

routes = router("/memory/jobs", "jobs")


@routes.get("")
async def list_jobs(scope: Contact, services: Services, lists: Listed, query: JobsQuery) -> PageOut[JobOut]:
    """Jobs, newest first: those of one's own making, and to admins all."""
    page = await services.jobs.page(scope, query.status, lists.request(scope, query))
    return lists.page(scope, query, page, JobOut.of)


@routes.get("/{job_id}")
async def read_job(job_id: RowId, scope: Contact, services: Services) -> JobOut:
    """How a job stands. Its maker and admins see it, from the moment it was answered."""
    return JobOut.of(await services.jobs.get(scope, job_id))


@routes.post("/{job_id}/retry", responses=problems(409))
async def retry_job(job_id: RowId, scope: Admin, services: Services) -> JobOut:
    """Try a failed or dead job again, from its first attempt."""
    return JobOut.of(await services.jobs.retry(scope, job_id))
