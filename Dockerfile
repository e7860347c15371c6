# One image for the page and for workers; see compose.yaml.
FROM python:3.12-slim

RUN apt-get update && apt-get install --yes --no-install-recommends tesseract-ocr tesseract-ocr-jpn \
    && rm -rf /var/lib/apt/lists/*
WORKDIR /app
COPY . .
RUN pip install --no-cache-dir --constraint constraints.txt --editable '.[all,login,team,telemetry]' \
    && python -m research prepare \
    && useradd --create-home research \
    && install --directory --owner=research --mode=700 /data

USER research
ENV RESEARCH_HOME=/data
VOLUME /data

CMD ["streamlit", "run", "app.py"]
