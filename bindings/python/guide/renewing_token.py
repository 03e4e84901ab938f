import os

import vitalwire
from signing import token_of


def renew(reason: str) -> vitalwire.Token:
    """Returns a new token. Called when the client needs one."""
    print("getting a token: the current one is", reason)
    token, expires_at = token_of("person-1")
    return vitalwire.Token(token, expires_at=expires_at)


with vitalwire.Client(os.environ["VITALWIRE_BASE_URL"], token=renew) as client:
    for call in (1, 2):
        user = client.user.info()
        print("call", call, "has", len(user.integrated_providers or ()), "providers")
