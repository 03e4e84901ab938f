"""Local services for tests, on real sockets and their own threads."""

from __future__ import annotations

import http.server
import socket
import ssl
import threading
import types
import typing


class Request(typing.NamedTuple):
    """A received request."""

    method: str
    target: str
    headers: dict[str, str]
    body: bytes


class Reply(typing.NamedTuple):
    """A response to send."""

    status: int = 200
    body: bytes = b"[]"
    headers: tuple[tuple[str, str], ...] = ()
    delay: float = 0.0


Handler = typing.Callable[[Request], Reply]


class _Http(http.server.ThreadingHTTPServer):
    daemon_threads = True
    # Length of the queue for clients that connect at the same time.
    request_queue_size = 256

    def handle_error(self, request: object, client_address: object) -> None:
        """Ignores clients that disconnect."""


class Service:
    """A service whose responses come from a function of the request. Defaults to an empty list."""

    def __init__(self, handler: Handler = lambda _: Reply(), context: ssl.SSLContext | None = None) -> None:
        self.requests: list[Request] = []
        service = self
        late = threading.Event()

        class RequestHandler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            # Head and body are sent as one packet, so that nothing waits for an acknowledgement.
            wbufsize = -1
            disable_nagle_algorithm = True

            def _answer(self) -> None:
                body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
                request = Request(self.command, self.path, {name.lower(): value for name, value in self.headers.items()}, body)
                service.requests.append(request)
                reply = handler(request)
                if reply.delay and late.wait(reply.delay):
                    return
                # A reply can state the time of its own clock.
                has_date = any(name == "Date" for name, _ in reply.headers)
                (self.send_response_only if has_date else self.send_response)(reply.status)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(reply.body)))
                for name, value in reply.headers:
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(reply.body)

            do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = _answer

            def log_message(self, format: str, *args: object) -> None:
                """Logs nothing."""

        self._late = late
        self._server = _Http(("127.0.0.1", 0), RequestHandler)
        if context is not None:
            self._server.socket = context.wrap_socket(self._server.socket, server_side=True)
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True)
        self.port = self._server.server_address[1]
        self.url = f"{'http' if context is None else 'https'}://127.0.0.1:{self.port}"

    def __enter__(self) -> Service:
        self._thread.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: types.TracebackType | None) -> None:
        self._late.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def tokens(self) -> list[str]:
        """Returns the received tokens, in order."""
        return [request.headers.get("authorization", "").removeprefix("Bearer ") for request in self.requests]


#: Timeout of waits in tests, in seconds. It is long because machines may be slow, but shorter than the timeout of a call to
#: `SilentService`.
PATIENCE = 20.0


class SilentService:
    """A service that accepts connections and never responds."""

    def __init__(self) -> None:
        self._socket = socket.create_server(("127.0.0.1", 0), backlog=128)
        self._socket.settimeout(PATIENCE)
        self.url = f"http://127.0.0.1:{self._socket.getsockname()[1]}"

    def __enter__(self) -> SilentService:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: types.TracebackType | None) -> None:
        self._socket.close()

    def accept(self) -> socket.socket:
        """Returns the next connection."""
        connection, _ = self._socket.accept()
        connection.settimeout(PATIENCE)
        return connection

    @staticmethod
    def await_end(connection: socket.socket) -> None:
        """Waits until the other side has closed a connection."""
        with connection:
            while connection.recv(4096):
                pass
