@_final
class {client}:
    """{about}

    What is not given keeps its default; there is no default base URL. A token is text, or a callable that is asked when one is
    needed: it is given the reason (`"missing"`, `"expiring"`, `"rejected"`) and gives text or a `Token`; that of an
    `AsyncClient` may be async. `timeout` is in seconds or a `timedelta` and holds for whole calls, uploads too. `proxy` is a
    URL or `"none"`; unless given, `HTTPS_PROXY`, `NO_PROXY` and their like count. `ca_certificate` is PEM or the path of a
    file of it, trusted beside the platform's and the file or folder that `REQUESTS_CA_BUNDLE` names; `SSL_CERT_FILE` and
    `SSL_CERT_DIR` count too. `array_style` is `"repeated"` or `"comma"`. `max_connections` is how
    many requests are on their way at once, 64 unless given; further calls are queued until their `timeout`. `max_response_bytes` holds for answers once they are
    unpacked, 64 MiB unless given; `gzip=False` asks for answers that are not packed. `local_checks=False` sends arguments too
    that the service is known to refuse.

    Keywords of every call, for it alone; what is not given is as the client has it:{options}
    """

    def __new__(
        cls,
        base_url: str | None = None,
        *,
        care_base_url: str | None = None,
        token: str | {callable} | None = None,
        care_token: str | {callable} | None = None,
        timeout: float | _datetime.timedelta | None = None,
        max_retries: int | None = None,
        proxy: str | None = None,
        ca_certificate: _Buffer | str | _os.PathLike[str] | None = None,
        allow_plain_http: bool = False,
        array_style: _Literal["repeated", "comma"] | None = None,
        user_agent: str | None = None,
        max_connections: int | None = None,
        max_response_bytes: int | None = None,
        gzip: bool | None = None,
        local_checks: bool | None = None,
    ) -> {client}: ...
    @staticmethod
    def from_env() -> {client}:
        """A client from the `VITALWIRE_*` environment variables."""

    {def} {close}(self) -> None:
        """Closes the client and its connections. Calls on their way go on; later ones raise `ClosedError`."""

    {def} __{a}enter__(self) -> {client}: ...
    {def} __{a}exit__(self, *_exception: object) -> None: ...

