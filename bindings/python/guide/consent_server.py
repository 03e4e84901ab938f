import http.cookies
import http.server
import os
import secrets

import vitalwire

port = int(os.environ.get("PORT", 9002))
back_url = f"http://127.0.0.1:{port}/back"
client = vitalwire.Client.from_env()


class ConsentHandler(http.server.BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        if self.path == "/connect":
            self.send_to_consent()
        elif self.path.startswith("/back?"):
            self.show_result()
        else:
            self.send_error(404)

    def send_to_consent(self) -> None:
        """Redirects to the consent URL. The state is kept in a cookie."""
        state = secrets.token_urlsafe()
        consent = client.integrations.init_url(
            "withings", redirect_uri=back_url, state=state
        )
        cookie = f"state={state}; HttpOnly; SameSite=Lax; Max-Age=600"
        self.send_response(303)
        self.send_header("Set-Cookie", cookie)
        self.send_header("Location", consent.path or "/")
        self.end_headers()

    def show_result(self) -> None:
        """Checks that the redirect belongs to this browser."""
        cookies = http.cookies.SimpleCookie(self.headers["Cookie"] or "")
        if "state" not in cookies:
            self.send_error(400, "No connection was started in this browser.")
            return
        try:
            back = vitalwire.parse_consent_redirect(self.path, cookies["state"].value)
        except vitalwire.VitalwireError:
            self.send_error(400, "This link belongs to another browser.")
            return
        self.send_response(200)
        self.send_header("Content-Type", "text/plain; charset=utf-8")
        self.end_headers()
        result = "is connected" if back.completed else "is not connected"
        self.wfile.write(f"{back.provider_slug} {result}".encode())


with http.server.ThreadingHTTPServer(("127.0.0.1", port), ConsentHandler) as server:
    print(f"listening on port {port}", flush=True)
    server.serve_forever()
