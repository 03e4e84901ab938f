"""Measures small synchronous calls of the Python package. Reads a count per line and prints the seconds per call.

python.py URL TOKEN
"""

import sys
import time

import vitalwire


def main() -> None:
    """Runs the calls of each input line, until the input ends."""
    client = vitalwire.Client(sys.argv[1], token=sys.argv[2])
    for line in sys.stdin:
        times = int(line)
        started = time.perf_counter()
        for _ in range(times):
            if len(client.user.info().uid) != 36:
                raise SystemExit("the response must have an id")
        print((time.perf_counter() - started) / times, flush=True)


if __name__ == "__main__":
    main()
