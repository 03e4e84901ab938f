@_final
class {client}:
    """{about}

    What is not given keeps its default; there is no default base URL. `timeout` is in seconds and holds for whole calls,
    uploads too. `proxy` is a URL or `"none"`; unless given, `HTTPS_PROXY` and its like count. `ca_certificate` is PEM, trusted
    beside the platform's. `array_style` is `"repeated"` or `"comma"`. `max_response_bytes` holds for answers once they are
    unpacked, 64 MiB unless given; `gzip=False` asks for answers that are not packed. `local_checks=False` sends arguments too that
    the service is known to refuse.
    """

    def __new__(
        cls,
        base_url: str | None = None,
        *,
        care_base_url: str | None = None,
        token: str | None = None,
        care_token: str | None = None,
        timeout: float | None = None,
        max_retries: int | None = None,
        proxy: str | None = None,
        ca_certificate: _Buffer | None = None,
        allow_plain_http: bool = False,
        array_style: _Literal["repeated", "comma"] | None = None,
        user_agent: str | None = None,
        max_response_bytes: int | None = None,
        gzip: bool | None = None,
        local_checks: bool | None = None,
    ) -> {client}: ...
    @staticmethod
    def from_env() -> {client}:
        """A client from the `VITALWIRE_*` environment variables."""

