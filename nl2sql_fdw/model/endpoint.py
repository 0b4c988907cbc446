"""A model server's address and key, as the profile gives them."""

from __future__ import annotations

import http.client
from pathlib import Path
from urllib.parse import urlsplit

from nl2sql_fdw.errors import BadSetup
from nl2sql_fdw.types import Profile

CONNECT_S = 5.0


def check_url(url: str) -> None:
    """Raise BadSetup unless the URL is one that http.client can reach."""
    parts = urlsplit(url)
    try:
        usable = parts.scheme in ("http", "https") and parts.hostname and parts.port != 0
    except ValueError:  # a port that is no number
        usable = False
    if not usable:
        raise BadSetup(
            f"The profile's model_url {url!r} is no URL of a model server.",
            hint="Write it like http://127.0.0.1:8642/v1",
        )


def open_connection(url: str) -> http.client.HTTPConnection:
    """Return an unconnected connection to the server of a checked URL."""
    parts = urlsplit(url)
    kind = http.client.HTTPSConnection if parts.scheme == "https" else http.client.HTTPConnection
    return kind(parts.hostname or "", parts.port, timeout=CONNECT_S)


def key_header(profile: Profile) -> dict[str, str]:
    """Return the Authorization header, its key read anew from the profile's file."""
    if profile.model_key_file is None:
        return {}
    try:
        key = Path(profile.model_key_file).read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise BadSetup(
            f"The key file {profile.model_key_file} cannot be read.",
            getattr(error, "strerror", None) or "It is no text.",
            "Make it readable for the operating system user that runs the database server.",
        ) from None
    if not key.isascii() or not key.isprintable():
        raise BadSetup(f"The key file {profile.model_key_file} holds no key on one line.")
    return {"Authorization": f"Bearer {key}"}
