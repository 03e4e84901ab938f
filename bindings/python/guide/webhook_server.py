import http.server
import os
import re
import threading

import vitalwire
from vitalwire import webhook

verifier = webhook.Verifier(os.environ["VITALWIRE_WEBHOOK_KEY"])
lock = threading.Lock()
# Whether a body was processed, by its content key. False: a thread is processing it.
# Use a database table if several processes receive webhooks.
processed: dict[str, bool] = {}


def process(kind: str, body: bytes) -> None:
    """Prints the changes. A real receiver stores them and processes them later."""
    if kind == "nutrition":
        meal = webhook.parse_nutrition(body)
        print("meal of", meal.application_user_id, meal.status, flush=True)
    elif kind == "lab_report":
        report = webhook.parse_lab_report(body)
        print("lab report of", report.application_user_id, report.status, flush=True)
    else:
        for event in webhook.parse_events(body):
            print(event.event_type, "of", event.application_user_id, flush=True)


def process_once(body: bytes) -> int:
    """Processes a body unless it is known. Returns the status of the response."""
    kind = webhook.detect_kind(body)
    if kind is None:
        return 400
    key = webhook.content_key(body)
    with lock:
        if key in processed:
            # With status 503, the service sends the body again.
            return 200 if processed[key] else 503
        processed[key] = False
    try:
        process(kind, body)
        processed[key] = True
    finally:
        if not processed[key]:
            del processed[key]
    return 200


class Receiver(http.server.BaseHTTPRequestHandler):
    timeout = 10  # In seconds, for a client that sends nothing.

    def do_POST(self) -> None:
        self.send_response(self.receive())
        self.send_header("Content-Length", "0")
        self.end_headers()

    def receive(self) -> int:
        length = self.headers["Content-Length"] or ""
        if not re.fullmatch("[0-9]{1,9}", length):
            return 411
        if int(length) > webhook.DEFAULT_BODY_LIMIT:
            return 413
        body = self.rfile.read(int(length))
        try:
            verifier.verify_headers(body, self.headers)
            return process_once(body)
        except vitalwire.SignatureError:
            return 401
        except vitalwire.VitalwireError:
            return 400


port = int(os.environ.get("PORT", 9000))
with http.server.ThreadingHTTPServer(("127.0.0.1", port), Receiver) as server:
    print(f"listening on port {port}", flush=True)
    server.serve_forever()
