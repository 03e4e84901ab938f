import base64
import datetime
import json
import os

import vitalwire

client = vitalwire.Client(os.environ["VITALWIRE_BASE_URL"])


def token_of(user_id: str) -> tuple[str, datetime.datetime | None]:
    """Signs the id of a user. Returns a token for it, with its expiry."""
    signature = vitalwire.sign_user_id(os.environ["APPLICATION_KEY"], user_id)
    application_id = int(os.environ["APPLICATION_ID"])
    token = client.tokens.exchange(application_id, user_id, signature).access_token
    return token, expiry_of(token)


def expiry_of(token: str) -> datetime.datetime | None:
    """Reads the expiry in a token. Returns `None` if the token states none."""
    parts = token.split(".")
    if len(parts) != 3:  # Only a JSON Web Token has three parts.
        return None
    seconds = json.loads(base64.urlsafe_b64decode(parts[1] + "==")).get("exp")
    if seconds is None:
        return None
    return datetime.datetime.fromtimestamp(seconds, datetime.timezone.utc)
