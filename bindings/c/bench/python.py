"""Measures small synchronous calls of the Python package, as an alternative of the C benchmarks."""

import os
import sys
import time

import vitalwire

client = vitalwire.Client(os.environ["BENCH_URL"], token="bench-token")
print(flush=True)
for line in sys.stdin:
    times = int(line.split()[0])
    wall, cpu = time.perf_counter(), time.process_time()
    for _ in range(times):
        if len(client.user.info().uid) != 36:
            raise SystemExit("the response must have an id")
    print((time.perf_counter() - wall) / times, (time.process_time() - cpu) / times, flush=True)
