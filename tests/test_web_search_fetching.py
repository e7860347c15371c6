"""Fetching a page that a search named: what is read, and everything that must not be asked, taken or waited for."""

import re
import ssl
import time
from datetime import UTC, datetime, timedelta
from importlib.resources import files
from pathlib import Path

import httpx
import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from pytest_httpserver import HTTPServer
from werkzeug import Request, Response

from research.core import SourceError
from research.core.wire import confine
from research.library import recogniser
from research.sources.fetching import Fetched, Fetcher
from tests.support.scans import WORDS, picture, scan

ARTICLE = """<html><head><title>Pump market</title><meta property="article:published_time" content="2026-10-01">
</head><body><nav>Home</nav><article><h1>Pump market</h1>
<p>The pump market grew by 4.2% in 2025, and water utilities bought most of the pumps that were sold.</p>
<p>Imports fell to 310 units in March 2026, which analysts put down to a strong currency.</p>
</article><script>alert("no")</script></body></html>"""
JAPANESE = "ポンプ市場は2025年に4.2%拡大した。水道事業者が最大の買い手である。"


async def fetched(url: str, fetcher: Fetcher) -> Fetched:
    async with fetcher.opened() as fetch:
        return await fetch(url)


async def failure(url: str, fetcher: Fetcher) -> str:
    with pytest.raises(SourceError) as caught:
        await fetched(url, fetcher)
    assert caught.value.code == "pages_unreadable"
    return caught.value.detail


@pytest.fixture
def fetcher() -> Fetcher:
    return Fetcher(seconds=5.0, allowed=lambda address: address == "127.0.0.1")


def page_at(server: HTTPServer, path: str = "/page") -> str:
    return f"http://127.0.0.1:{server.port}{path}"


# --- what is read ----------------------------------------------------------------------------------------------


async def test_a_page_is_read_as_its_main_text_with_title_and_date(httpserver: HTTPServer, fetcher: Fetcher) -> None:
    httpserver.expect_request("/page").respond_with_data(ARTICLE, content_type="text/html")
    page = await fetched(page_at(httpserver), fetcher)
    assert (page.title, page.published, page.url) == ("Pump market", "2026-10-01", page_at(httpserver))
    assert "grew by 4.2% in 2025" in page.text
    assert "alert" not in page.text and "Home" not in page.text


@pytest.mark.parametrize(
    ("data", "content_type"),
    [
        (JAPANESE.encode("shift_jis"), "text/plain; charset=Shift_JIS"),
        (JAPANESE.encode("euc_jp"), "text/plain; charset=euc-jp"),
        (JAPANESE.encode(), "text/plain; charset=iso-8859-1"),
        (JAPANESE.encode("cp932"), "text/plain"),
        (JAPANESE.encode("utf-16"), "text/plain; charset=utf-16"),
        (JAPANESE.encode("shift_jis"), "text/plain; charset=no-such-thing"),
    ],
)
async def test_text_is_read_in_its_encoding(
    httpserver: HTTPServer, fetcher: Fetcher, data: bytes, content_type: str
) -> None:
    httpserver.expect_request("/page").respond_with_data(data, content_type=content_type)
    assert JAPANESE in (await fetched(page_at(httpserver), fetcher)).text


async def test_a_western_page_keeps_its_letters(httpserver: HTTPServer, fetcher: Fetcher) -> None:
    text = "Le marché a progressé de 4,2 % – à 3 €."
    httpserver.expect_request("/page").respond_with_data(
        text.encode("cp1252"), content_type="text/plain; charset=ISO-8859-1"
    )
    assert (await fetched(page_at(httpserver), fetcher)).text == text


async def test_a_pdf_is_known_by_its_first_bytes(httpserver: HTTPServer, fetcher: Fetcher) -> None:
    data = files("research").joinpath("samples/house/studies/2025-12-an300-field-test.pdf").read_bytes()
    httpserver.expect_request("/page").respond_with_data(data, content_type="application/octet-stream")
    assert "AN-300" in (await fetched(page_at(httpserver), fetcher)).text


@pytest.mark.skipif(recogniser() is None, reason="Tesseract is not installed")
async def test_a_pdf_of_scanned_pages_is_recognised(httpserver: HTTPServer, fetcher: Fetcher) -> None:
    httpserver.expect_request("/page").respond_with_data(scan(picture(WORDS)), content_type="application/pdf")
    assert WORDS in (await fetched(page_at(httpserver), fetcher)).text


async def test_without_tesseract_a_scanned_pdf_says_what_it_is(
    httpserver: HTTPServer, fetcher: Fetcher, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    httpserver.expect_request("/page").respond_with_data(scan(picture(WORDS)), content_type="application/pdf")
    assert "file_scanned" in await failure(page_at(httpserver), fetcher)


async def test_the_address_of_a_page_is_where_redirects_lead(httpserver: HTTPServer, fetcher: Fetcher) -> None:
    httpserver.expect_request("/old").respond_with_data(status=301, headers={"Location": "/page"})
    httpserver.expect_request("/page").respond_with_data("Text.", content_type="text/plain")
    assert (await fetched(page_at(httpserver, "/old"), fetcher)).url == page_at(httpserver)


# --- what must not be taken or waited for; what must not be asked stands in attacks/test_addresses.py --------------


async def test_redirects_have_an_end(httpserver: HTTPServer, fetcher: Fetcher) -> None:
    def on(request: Request) -> Response:
        return Response(status=302, headers={"Location": f"/{int(request.path[1:]) + 1}"})

    httpserver.expect_request(re.compile(r"/\d+")).respond_with_handler(on)
    await failure(page_at(httpserver, "/1"), fetcher)
    assert len([path for request, _ in httpserver.log if (path := request.path) != "/robots.txt"]) == 6


@pytest.mark.parametrize(
    ("status", "content_type", "data"),
    [
        (404, "text/html", ARTICLE),
        (200, "image/png", "x"),
        (200, "application/zip", "x"),
        (200, "application/pdf", "<html>Please log in</html>"),
        (200, "application/pdf", "%PDF-1.7 broken"),
        (200, "text/html", "<html><script>app()</script></html>"),
        (200, "text/plain", ""),
        (204, "text/plain", ""),
    ],
)
async def test_what_holds_no_text_costs_only_itself(
    httpserver: HTTPServer, fetcher: Fetcher, status: int, content_type: str, data: str
) -> None:
    httpserver.expect_request("/page").respond_with_data(data, status=status, content_type=content_type)
    assert page_at(httpserver) in await failure(page_at(httpserver), fetcher)


async def test_a_slow_page_is_left(httpserver: HTTPServer) -> None:
    def on(_: Request) -> Response:
        time.sleep(0.4)
        return Response("Late.", content_type="text/plain")

    httpserver.expect_request("/page").respond_with_handler(on)
    assert "0.1 s" in await failure(page_at(httpserver), Fetcher(seconds=0.1, allowed=lambda _: True))


async def test_a_server_that_is_down_is_told(fetcher: Fetcher) -> None:
    for address in ("http://127.0.0.1:9/page", "http://no-such-host.invalid/page"):
        assert address in await failure(address, fetcher)


# --- certificates ----------------------------------------------------------------------------------------------


def certificate_for(host: str, folder: Path) -> Path:
    """A file with a key and the certificate of `host`, signed by itself."""
    key, now = ec.generate_private_key(ec.SECP256R1()), datetime.now(UTC)
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, host)])
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(host)]), critical=False)
        .sign(key, hashes.SHA256())
    )
    form = serialization.Encoding.PEM
    secret = key.private_bytes(form, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    path = folder / "certificate.pem"
    path.write_bytes(secret + certificate.public_bytes(form))
    return path


async def test_the_certificate_has_to_be_that_of_the_name_and_not_of_the_address(tmp_path: Path) -> None:
    certificate = certificate_for("localhost", tmp_path)
    serving = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    serving.load_cert_chain(certificate)
    trusting = ssl.create_default_context(cafile=str(certificate))
    with HTTPServer(host="127.0.0.1", ssl_context=serving) as server:
        server.expect_request("/page").respond_with_data("Text.")
        transport = httpx.AsyncHTTPTransport(verify=trusting)
        confine(transport, lambda _: True)
        async with httpx.AsyncClient(transport=transport) as client:
            assert (await client.get(f"https://localhost:{server.port}/page")).text == "Text."
            with pytest.raises(httpx.ConnectError, match="CERTIFICATE_VERIFY_FAILED"):
                await client.get(f"https://127.0.0.1:{server.port}/page")
