import datetime
import http.server
import json
import os

import vitalwire
from signing import token_of

# A stub of your own sign-in. The server decides who the user is, never the app.
USERS = {"Bearer a-session-of-person-1": "person-1"}
LIFETIME = 60 * 60  # In seconds, for tokens that do not state when they expire.


class TokenHandler(http.server.BaseHTTPRequestHandler):
    """Returns a token and its lifetime to a signed-in user."""

    timeout = 10  # In seconds, for a client that sends nothing.

    def do_POST(self) -> None:
        user_id = USERS.get(self.headers["Authorization"] or "")
        if self.path != "/token":
            self.send_error(404)
        elif user_id is None:
            self.send_error(401)
        else:
            self.send_token(user_id)

    def send_token(self, user_id: str) -> None:
        try:
            token, expires_at = token_of(user_id)
        except vitalwire.VitalwireError:
            self.send_error(502)
            return
        seconds = LIFETIME
        if expires_at is not None:
            left = expires_at - datetime.datetime.now(datetime.timezone.utc)
            seconds = int(left.total_seconds())
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Cache-Control", "no-store")
        self.end_headers()
        body = {"access_token": token, "expires_in": seconds}
        self.wfile.write(json.dumps(body).encode())


port = int(os.environ.get("PORT", 9001))
with http.server.ThreadingHTTPServer(("127.0.0.1", port), TokenHandler) as server:
    print(f"listening on port {port}", flush=True)
    server.serve_forever()
