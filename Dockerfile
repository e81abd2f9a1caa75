# One image for all processes: api, worker, sweeper, or everything at once with an embedded server (the default command).

FROM python:3.13-slim@sha256:8d9d0b8bcf6506481eae4907c18f5e3e7902e629f5f6d684f9e7c32e85e3ddf0 AS build
ENV PIP_NO_CACHE_DIR=1 PIP_DISABLE_PIP_VERSION_CHECK=1
RUN python -m venv /opt/venv
WORKDIR /src
COPY requirements/image.lock requirements/
RUN /opt/venv/bin/pip install --no-deps --require-hashes -r requirements/image.lock
COPY . ./
RUN /opt/venv/bin/pip wheel --no-deps --no-build-isolation --wheel-dir /wheels . \
    && /opt/venv/bin/pip install --no-deps /wheels/*.whl

FROM python:3.13-slim@sha256:8d9d0b8bcf6506481eae4907c18f5e3e7902e629f5f6d684f9e7c32e85e3ddf0
RUN useradd --system --uid 10001 --create-home --home-dir /var/lib/tafelrunde tafelrunde
COPY --from=build /opt/venv /opt/venv
ENV PATH=/opt/venv/bin:$PATH PYTHONUNBUFFERED=1 PYTHONDONTWRITEBYTECODE=1 TAFELRUNDE_HOST=0.0.0.0
USER tafelrunde
WORKDIR /var/lib/tafelrunde
EXPOSE 8000
ENTRYPOINT ["tafelrunde"]
CMD ["serve"]
