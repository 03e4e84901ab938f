import http.server
import json
import os

from signing import token_of

# Your own sign-in. The server decides who the user is, never the app.
USERS = {"session-of-person-1": "person-1"}


class TokenHandler(http.server.BaseHTTPRequestHandler):
    """Returns a token and its expiry to a signed-in user."""

    def do_POST(self) -> None:
        session = (self.headers["Authorization"] or "").removeprefix("Bearer ")
        if session not in USERS:
            self.send_error(401)
            return
        token, expires_at = token_of(USERS[session])
        body = {"token": token, "expires_at": expires_at and expires_at.isoformat()}
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Cache-Control", "no-store")
        self.end_headers()
        self.wfile.write(json.dumps(body).encode())


port = int(os.environ.get("PORT", 9001))
with http.server.ThreadingHTTPServer(("127.0.0.1", port), TokenHandler) as server:
    print(f"listening on port {port}", flush=True)
    server.serve_forever()
