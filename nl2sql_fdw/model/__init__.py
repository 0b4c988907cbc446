"""Language models: how they are reached, fetched and served."""

from __future__ import annotations

from nl2sql_fdw.errors import BadSetup
from nl2sql_fdw.model.protocol import Model
from nl2sql_fdw.types import Profile


def connect(profile: Profile) -> Model:
    """Return the client for the profile's provider; nothing is sent before the first question."""
    if profile.model_provider == "openai":
        from nl2sql_fdw.model.openai import OpenAiModel

        return OpenAiModel(profile)
    if profile.model_provider == "ollama":
        from nl2sql_fdw.model.ollama import OllamaModel  # 600 ms, for this provider only

        return OllamaModel(profile)
    raise BadSetup(
        f"The profile's model_provider is {profile.model_provider!r}.",
        hint="Use 'openai' (any OpenAI-compatible server, and the embedded one) or 'ollama'.",
    )
