"""What a scheduled run came to, told to whoever wants to hear of it: by e-mail, or as JSON to an address (a webhook).

What is told leaves: question, state and what changed since the run before, with the words of the report. It is told
once, after the run has ended; where that fails, the log says so, and the page *Schedules* has it all the same.
"""

from __future__ import annotations

import logging
import re
import smtplib
import ssl
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from email.headerregistry import Address
from email.message import EmailMessage
from email.utils import make_msgid
from functools import partial
from ipaddress import ip_address
from urllib.parse import unquote, urlsplit

from research.core import Status, UsageError, is_askable, is_public, is_web, leads_to_askable, without_marks
from research.language import Language, Phrase
from research.results import Difference, Report, difference
from research.settings import Settings
from research.store.recorder import load_report
from research.store.store import RunStore

_log = logging.getLogger(__name__)
_MAIL = re.compile(r"[^\s@<>(),;:\"\\]+@[^\s@<>(),;:\"\\]+\.[^\s@<>(),;:\"\\]+")
_SECONDS = 20.0
_WAITS = (0.0, 1.0, 10.0)
"""Seconds before each attempt: a server that restarts is back by the third."""
_LATER = (408, 425, 429)
"""Answers below 500 that may be others the next time."""
_LARGEST = 100_000
"""Bytes of an answer, of which nothing is read."""
_MOST = 10
"""Statements of one kind that are told."""

_NO_ADDRESS = Phrase("{address} is neither an e-mail address nor a web address that may be asked.")
_INSIDE = Phrase(
    "{address} is in the server's own network. Whoever keeps this workbench lists in RESEARCH_WEBHOOK_HOSTS what may "
    "be told there."
)
_NO_SERVER = Phrase("No e-mail can be sent: whoever keeps this workbench sets RESEARCH_SMTP and RESEARCH_MAIL_FROM.")
_SUBJECT = Phrase("Research: {question}")
_ENDED = {
    Status.COMPLETE: Phrase("The run is complete."),
    Status.PARTIAL: Phrase("The run is complete in part: something is missing, and its report says what."),
    Status.FAILED: Phrase("The run failed."),
}
_FIRST = Phrase("It is the first of its schedule.")
_SAME = Phrase("Nothing changed since the run before.")
_CHANGED, _NEW, _GONE = Phrase("Changed"), Phrase("New"), Phrase("No longer said")
_PAGES = Phrase("Sources: {new} new, {changed} changed, {lost} no longer found.")
_REPORT = Phrase("The report")


def told_address(address: str, settings: Settings) -> str:
    """Return an e-mail or web address as it is kept; empty stays empty.

    In the server's own network an account of a team names only what an administrator has listed.

    Raises:
        UsageError: it is neither, leads where no service can be, or no e-mail can be sent.
    """
    address = address.strip()
    if not address:
        return ""
    if _MAIL.fullmatch(address):
        if settings.mail_server is None or not settings.mail_from:
            raise UsageError(_NO_SERVER)
        return address
    host = urlsplit(address).hostname or ""
    if not is_web(address) or not leads_to_askable(host):
        raise UsageError(_NO_ADDRESS.filled(address=address))
    if not leads_to_askable(host, allowed=_allowed(address, settings, is_of_account=settings.common_home is not None)):
        raise UsageError(_INSIDE.filled(address=address))
    return address


def _allowed(address: str, settings: Settings, *, is_of_account: bool) -> Callable[[str], bool]:
    """Return at which IP addresses a webhook may be, once it is known where its name leads."""
    host = (urlsplit(address).hostname or "").rstrip(".")
    if not is_of_account or host in settings.webhook_hosts:
        return is_askable

    def is_listed(found: str) -> bool:
        plain = ip_address(found.partition("%")[0])
        plain = getattr(plain, "ipv4_mapped", None) or plain
        return any(plain in network for network in settings.webhook_networks)

    return lambda found: is_public(found) or (is_askable(found) and is_listed(found))


def tell_of(store: RunStore, run_id: str, address: str, settings: Settings) -> bool:
    """Tell an address what a run that has ended came to; return whether it was told."""
    try:
        report = load_report(store, run_id)
        earlier = store.get(run_id).follows
        before = load_report(store, earlier) if earlier else None
        allowed = partial(_allowed, address, settings, is_of_account=bool(store.account))
        send = _mail if _MAIL.fullmatch(address) else partial(_post, allowed=allowed())
        found = None if before is None else difference(before, report)
        for wait in _WAITS:
            time.sleep(wait)
            with suppress(_NotNow):
                return send(address, report, found, settings)
    except Exception:  # noqa: BLE001 - whatever goes wrong here must not end who carries runs out
        _log.exception("What became of the run %s was not told.", run_id)
    return False


class _NotNow(Exception):
    """It was not told, and may be at another time."""


def summary(report: Report, found: Difference | None) -> str:
    """Return what a run came to, in the language of its report; `found` is what changed since the one before."""
    language = report.record.brief.language
    said = [_ENDED[report.status].in_(language)]
    if found is None:
        return f"{said[0]} {_FIRST.in_(language)}" if language is Language.EN else said[0] + _FIRST.in_(language)
    lists = dict(zip((_CHANGED, _NEW, _GONE), _statements(found).values(), strict=True))
    said += ["\n".join([f"{head.in_(language)}:", *(f"- {line}" for line in _some(lines))])
             for head, lines in lists.items() if lines]  # fmt: skip
    sources = found.sources
    if sources.new or sources.changed or sources.lost:
        counts = {name: len(getattr(sources, name)) for name in ("new", "changed", "lost")}
        said.append(_PAGES.in_(language).format(**counts))
    return "\n\n".join(said if len(said) > 1 else [*said, _SAME.in_(language)])


def _statements(found: Difference) -> dict[str, list[str]]:
    """Return what is said otherwise, newly and no longer; what changed has both versions in one line."""
    claims = found.claims
    return {
        "changed": [f"{without_marks(one.before.text)} → {without_marks(one.after.text)}" for one in claims.changed],
        "new": [without_marks(one.text) for one in claims.new],
        "gone": [without_marks(one.text) for one in claims.gone],
    }


def _some(lines: Sequence[str]) -> Iterator[str]:
    yield from lines[:_MOST]
    if len(lines) > _MOST:
        yield f"… (+{len(lines) - _MOST})"


def _post(
    address: str, report: Report, found: Difference | None, _: Settings, *, allowed: Callable[[str], bool]
) -> bool:
    """Post what a run came to; `text` is what chat programs show (Slack, Mattermost). Raises `_NotNow`."""
    import httpx

    from research.core.wire import certificates, for_service

    record = report.record
    told = {
        "text": f"{record.brief.question}\n\n{summary(report, found)}",
        "run": record.run,
        "question": record.brief.question,
        "status": report.status.value,
        "changes": None if found is None else _statements(found),
        "sources": None if found is None else {
            name: [one.url for one in getattr(found.sources, name)] for name in ("new", "changed", "lost")
        },
    }  # fmt: skip
    try:
        with for_service(httpx.Client(timeout=_SECONDS, verify=certificates()), _LARGEST, allowed=allowed) as client:
            answer = client.post(address, json=told)
    except httpx.HTTPError as error:
        # An address may hold what opens it.
        _log.warning("A webhook was not reached: %s", type(error).__name__)
        raise _NotNow from None
    if not answer.is_success:
        _log.warning("A webhook answered %s.", answer.status_code)
    if answer.is_server_error or answer.status_code in _LATER:
        raise _NotNow
    return answer.is_success


def _mail(address: str, report: Report, found: Difference | None, settings: Settings) -> bool:
    """Send what a run came to, with the whole report below. Raises `_NotNow`."""
    assert settings.mail_server is not None
    language, record = report.record.brief.language, report.record
    mail = EmailMessage()
    name, _, domain = settings.mail_from.rpartition("@")
    mail["From"], mail["To"] = Address(username=name, domain=domain), address
    mail["Subject"] = _SUBJECT.in_(language).format(question=" ".join(record.brief.question.split())[:150])
    mail["Message-ID"] = make_msgid(domain=domain)
    mail.set_content(f"{summary(report, found)}\n\n{_REPORT.in_(language)}\n{'-' * 40}\n\n{report.markdown}")
    server = urlsplit(settings.mail_server.get_secret_value())
    is_secret, host = server.scheme == "smtps", server.hostname or ""
    tls = ssl.create_default_context()
    try:
        with (
            smtplib.SMTP_SSL(host, server.port or 465, timeout=_SECONDS, context=tls)
            if is_secret
            else smtplib.SMTP(host, server.port or 587, timeout=_SECONDS)
        ) as sender:
            sender.ehlo()
            if not is_secret and sender.has_extn("starttls"):
                sender.starttls(context=tls)
                sender.ehlo()
            if server.username:
                sender.login(unquote(server.username), unquote(server.password or ""))
            sender.send_message(mail)
    except (OSError, smtplib.SMTPException) as error:
        _log.warning("An e-mail was not sent: %s", type(error).__name__)
        if isinstance(error, smtplib.SMTPRecipientsRefused | smtplib.SMTPAuthenticationError):
            return False
        raise _NotNow from None
    return True
