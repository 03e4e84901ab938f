import http.cookies
import http.server
import os
import secrets

import vitalwire

port = int(os.environ.get("PORT", 9002))
back_url = f"http://127.0.0.1:{port}/back"
only_client = vitalwire.Client.from_env()


def client_of(cookies: http.cookies.SimpleCookie) -> vitalwire.Client:
    """Returns the client of the signed-in user. A stub: put your own sign-in here."""
    return only_client


class ConsentHandler(http.server.BaseHTTPRequestHandler):
    timeout = 10  # In seconds, for a browser that sends nothing.

    def do_GET(self) -> None:
        cookies = http.cookies.SimpleCookie(self.headers["Cookie"] or "")
        path, _, query = self.path.partition("?")
        if path == "/connect":
            self.send_to_consent(client_of(cookies))
        elif path == "/back" and "state" in cookies:
            self.show_result(query, cookies["state"].value)
        elif path == "/back":
            self.send_error(400, "No connection was started in this browser.")
        else:
            self.send_error(404)

    def send_to_consent(self, client: vitalwire.Client) -> None:
        """Redirects to the consent URL. The state is kept in a cookie."""
        state = secrets.token_urlsafe()
        try:
            consent_url = client.integrations.init_url(
                "withings", redirect_uri=back_url, state=state
            ).path
        except vitalwire.VitalwireError:
            consent_url = None
        if consent_url is None:
            self.send_error(502)
            return
        self.send_response(303)
        self.set_state(state, seconds=600)
        self.send_header("Location", consent_url)
        self.end_headers()

    def show_result(self, query: str, state: str) -> None:
        """Checks that the redirect belongs to this browser."""
        try:
            back = vitalwire.parse_consent_redirect(query, state)
        except vitalwire.VitalwireError:
            self.send_error(400, "This link belongs to another browser.")
            return
        if back.provider_slug is None:
            self.send_error(400, "The link has no provider.")
            return
        self.send_response(200)
        self.set_state("", seconds=0)  # The state is valid once.
        self.send_header("Content-Type", "text/plain; charset=utf-8")
        self.end_headers()
        result = "is connected" if back.completed else "is not connected"
        self.wfile.write(f"{back.provider_slug} {result}".encode())

    def set_state(self, state: str, seconds: int) -> None:
        cookie = f"state={state}; Path=/; HttpOnly; SameSite=Lax; Max-Age={seconds}"
        self.send_header("Set-Cookie", cookie)

    def log_message(self, format: str, *args: object) -> None:
        """Logs nothing: the query of the redirect has the id of the user."""


with http.server.ThreadingHTTPServer(("127.0.0.1", port), ConsentHandler) as server:
    print(f"listening on port {port}", flush=True)
    server.serve_forever()
