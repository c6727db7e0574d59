# The service or, by another command, its worker: servers are named by RETENIR_… variables (.env.example).
FROM python:3.13-slim AS build
WORKDIR /srv/retenir
RUN python -m venv /opt/retenir
COPY requirements.lock ./
RUN /opt/retenir/bin/pip install --no-cache-dir --require-hashes -r requirements.lock
COPY pyproject.toml README.md LICENSE alembic.ini ./
COPY alembic alembic
COPY app app
RUN /opt/retenir/bin/pip install --no-cache-dir --no-deps --no-build-isolation -e . \
    && /opt/retenir/bin/pip uninstall --yes hatchling pip \
    && /opt/retenir/bin/python -m compileall -q app

FROM python:3.13-slim
RUN useradd --system --uid 10001 --no-create-home --shell /usr/sbin/nologin retenir
COPY --from=build /opt/retenir /opt/retenir
COPY --from=build /srv/retenir /srv/retenir
WORKDIR /srv/retenir
ENV PATH=/opt/retenir/bin:$PATH \
    PYTHONUNBUFFERED=1 \
    RETENIR_EMBEDDED=false \
    RETENIR_HOST=0.0.0.0 \
    RETENIR_PORT=8000 \
    RETENIR_LOG_FORMAT=json
USER 10001
EXPOSE 8000
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s --retries=3 \
    CMD ["python", "-c", "import os, urllib.request as web; web.urlopen(f'http://127.0.0.1:{os.environ[\"RETENIR_PORT\"]}/healthz', timeout=2)"]
CMD ["retenir", "serve"]
