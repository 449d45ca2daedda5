# Candor in a small image. `docker compose up` in this folder serves it with HTTPS (compose.yaml).
FROM python:3.11-slim-bookworm AS build
WORKDIR /src
COPY requirements.txt ./
RUN python -m venv /opt/candor \
 && /opt/candor/bin/pip install --no-cache-dir --requirement requirements.txt
COPY . .
RUN /opt/candor/bin/pip install --no-cache-dir --no-deps .

FROM python:3.11-slim-bookworm
COPY --from=build /opt/candor /opt/candor
RUN useradd --system --uid 10001 --no-create-home candor && install -d -o candor -m 700 /data
ENV PATH=/opt/candor/bin:$PATH CANDOR_DATA=/data PYTHONDONTWRITEBYTECODE=1
USER 10001
VOLUME /data
EXPOSE 8000
# Candor writes no access log, here or anywhere.
HEALTHCHECK --interval=30s --timeout=10s --start-period=20s \
  CMD ["python", "-c", "from urllib.request import urlopen; urlopen('http://127.0.0.1:8000/healthz', timeout=8)"]
ENTRYPOINT ["candor"]
CMD ["serve", "--host", "0.0.0.0", "--port", "8000"]
