"""Ask a model server which models it has: a quick look, for status reports."""

from __future__ import annotations

import http.client
import json
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlsplit

from nl2sql_fdw.model.endpoint import check_url, key_header, open_connection
from nl2sql_fdw.model.failures import Server
from nl2sql_fdw.types import Profile

_WAIT_S = 2.0


def probe(profile: Profile, wait_s: float = _WAIT_S) -> list[str]:
    """Return the names of the models that the profile's server has, its own among them.

    Waits `wait_s` at most: llama-cpp-python's server lists nothing while it answers
    somebody's question. Raises ModelUnavailable where the server does not answer, answers
    something else, or lacks the profile's model; BadSetup for an unusable URL or key.
    """
    check_url(profile.model_url)
    server = Server(
        profile.model_url, profile.model_name, profile.context_tokens, profile.model_provider
    )
    try:
        names = list(_names(_listing(profile, wait_s)))
    except TimeoutError:
        raise server.busy(int(wait_s * 1000)) from None
    except OSError as error:
        raise server.down(str(error)) from None
    except (http.client.HTTPException, ValueError) as error:
        raise server.foreign(str(error)) from None
    wanted = {profile.model_name, f"{profile.model_name}:latest"}
    if not wanted & set(names):
        raise server.missing(f"It has: {', '.join(names) or 'none'}.")
    return names


def _listing(profile: Profile, wait_s: float) -> Any:
    connection = open_connection(profile.model_url)
    connection.timeout = wait_s
    base = urlsplit(profile.model_url).path.rstrip("/")
    path = f"{base}/api/tags" if profile.model_provider == "ollama" else f"{base}/models"
    try:
        connection.request("GET", path, headers=key_header(profile))
        return json.loads(connection.getresponse().read(1_000_000))
    finally:
        connection.close()


def _names(listing: Any) -> Iterator[str]:
    """Read both shapes: {"data": [{"id"}]} of OpenAI, {"models": [{"name"}]} of Ollama."""
    if not isinstance(listing, dict):
        raise ValueError("the list of models has another shape")
    for entry in listing.get("data") or listing.get("models") or ():
        yield str(entry.get("id") or entry.get("name"))
