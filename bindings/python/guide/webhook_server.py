import http.server
import os

import vitalwire
from vitalwire import webhook

KINDS = {"/events": "events", "/lab-reports": "lab_report", "/meals": "nutrition"}
MAX_BODY = 32 * 1024 * 1024
verifier = webhook.Verifier(os.environ["VITALWIRE_WEBHOOK_KEY"])
seen: set[str] = set()  # Use a database table if several processes receive webhooks.


def process(path: str, body: bytes) -> None:
    """Prints the changes. A real receiver stores them and processes them later."""
    kind = KINDS.get(path) or webhook.detect_kind(body)
    if kind == "nutrition":
        meal = webhook.parse_nutrition(body)
        print("meal of", meal.application_user_id, meal.status, flush=True)
    elif kind == "lab_report":
        report = webhook.parse_lab_report(body)
        print("lab report of", report.application_user_id, report.status, flush=True)
    else:
        for event in webhook.parse_events(body):
            print(event.event_type, "of", event.application_user_id, flush=True)


class Receiver(http.server.BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        length = int(self.headers["Content-Length"] or 0)
        if length > MAX_BODY:
            self.send_error(413)
            return
        body = self.rfile.read(length)
        try:
            verifier.verify_headers(body, self.headers)
            key = webhook.content_key(body)
            if key not in seen:
                process(self.path, body)
                seen.add(key)
        except vitalwire.VitalwireError as error:
            self.send_error(401 if isinstance(error, vitalwire.SignatureError) else 400)
            return
        self.send_response(200)
        self.end_headers()


port = int(os.environ.get("PORT", 9000))
with http.server.ThreadingHTTPServer(("127.0.0.1", port), Receiver) as server:
    print(f"listening on port {port}", flush=True)
    server.serve_forever()
