# One image for the web server and both workers; docker-compose.yml says which one a container is.
FROM node:24-slim AS frontend
WORKDIR /quorum/frontend
COPY frontend/package.json frontend/package-lock.json frontend/.npmrc ./
RUN npm ci
COPY frontend/ ./
RUN npm run build

FROM python:3.11-slim-bookworm
ENV PYTHONUNBUFFERED=1 PYTHONDONTWRITEBYTECODE=1 PIP_NO_CACHE_DIR=1 PIP_DISABLE_PIP_VERSION_CHECK=1
WORKDIR /quorum
COPY requirements.txt requirements.lock ./
RUN pip install --no-deps --require-hashes -r requirements.lock && pip install -r requirements.txt
COPY manage.py pyproject.toml ./
COPY annotation_app/ annotation_app/
COPY al_worker/ al_worker/
COPY --from=frontend /quorum/frontend/dist/ frontend/dist/
RUN python -m whitenoise.compress --quiet frontend/dist
# Named volumes take over owner and mode of what the image has at their place.
RUN useradd --system --uid 10001 --create-home quorum && install -d -o quorum -g quorum /data/media /data/models
USER quorum
EXPOSE 8000
CMD ["gunicorn", "annotation_app.config.wsgi:application", "--bind", "0.0.0.0:8000", \
     "--worker-class", "annotation_app.config.web_worker.Worker", "--workers", "2", "--threads", "8", \
     "--timeout", "60", "--graceful-timeout", "20", "--keep-alive", "30", \
     "--worker-tmp-dir", "/dev/shm", "--preload", "--no-control-socket"]
