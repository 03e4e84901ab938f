SIGNATURE_HEADER: _Final[str]
"""The header with the signature. Names of headers are the same in either case."""

DEFAULT_BODY_LIMIT: _Final[int]
"""The largest body that is checked unless another limit is set: 32 MiB."""

@_final
class Verifier:
    """Checks the signatures of webhooks under one or several keys. No text shows a key.

    keys: A key, or several while one takes the other's place: a signature under any of them is taken. A key is bytes, or a str
    that stands for its UTF-8; a line end that a file added is part of it. No key, or one that is empty, is a `ConfigurationError`.

    body_limit: The largest body that is checked, in bytes; 32 MiB unless given. A web server should refuse more before it reads it.

    A check takes as long whichever key fits and wherever signatures differ. A verifier can be shared by threads.
    """

    def __new__(cls, keys: str | _Buffer | _Iterable[str | _Buffer], *, body_limit: int | None = None) -> Verifier: ...
    def verify(self, body: _Buffer, signature: str | _Buffer | None) -> None:
        """Checks a body, as it came, against the value of its signature header.

        body: The raw bytes. JSON that was read and written again has another signature.

        signature: 64 hex digits in either case; `None` stands for a header that is not there.

        Raises `SignatureError` where the signature fits under no key or there is none, and `TooLargeError` for a body over the
        limit, whose signature is then not looked at.
        """

    def verify_headers(self, body: _Buffer, headers: _SupportsHeaders | _Iterable[tuple[str | _Buffer, str | _Buffer]]) -> None:
        """Checks a body with the signature out of the request's headers.

        headers: What web frameworks have: an object with `items()`, or pairs of name and value (ASGI). A signature header that
        is there more than once is a `SignatureError`.
        """

    def verify_and_parse_events(self, body: _Buffer, signature: str | _Buffer | None) -> tuple[WebhookEvent, ...]:
        """Checks a body by `verify`, then reads it by `parse_events`."""

    def verify_and_parse_lab_report(self, body: _Buffer, signature: str | _Buffer | None) -> LabReportWebhook:
        """Checks a body by `verify`, then reads it by `parse_lab_report`."""

    def verify_and_parse_nutrition(self, body: _Buffer, signature: str | _Buffer | None) -> NutritionWebhook:
        """Checks a body by `verify`, then reads it by `parse_nutrition`."""

def verify(body: _Buffer, signature: str | _Buffer | None, keys: str | _Buffer | _Iterable[str | _Buffer]) -> None:
    """Checks a body, as it came, against the value of its signature header: `Verifier(keys).verify(body, signature)`."""

def parse_events(body: _Buffer) -> tuple[WebhookEvent, ...]:
    """Reads a body of the main webhook: a list of events, which may be about several users.

    Events of a type that this version does not know are passed on as they are, with their members in `extra`. `null` is an empty
    list. One event that is not in a list is a `DecodeError`.
    """

def parse_lab_report(body: _Buffer) -> LabReportWebhook:
    """Reads a body of the lab report webhook. That it is one is the caller's to know, from the address it was sent to."""

def parse_nutrition(body: _Buffer) -> NutritionWebhook:
    """Reads a body of the nutrition webhook. That it is one is the caller's to know, from the address it was sent to.

    What its numbers refer to is not stated anywhere: their basis is `unknown`.
    """

def guess(body: _Buffer) -> _Literal["events", "lab_report", "nutrition"] | None:
    """What a body looks like; `None` where it could be either record, or is neither.

    A lab report and a nutrition record that say no more than an id, a status and times cannot be told apart. Give each kind an
    address of its own where you can. A guess does not check the body: reading it may still fail.
    """

def content_key(body: _Buffer) -> str:
    """The key under which a receiver remembers a body: 64 hex digits, equal for equal contents.

    The order of members, white space, escapes, and `72` or `72.0` make no difference; the order of a list, a member that is null
    or absent, and two ways to write one instant do. The key is of the body, not of each event in it. It is made from health data:
    who can guess a short body can check the guess against its key, so store it as you store the data.
    """

def sign(body: _Buffer, key: str | _Buffer) -> str:
    """Signs a body as the service does, for tests of a receiver: the value of its signature header, in lower-case hex."""
