code=0
vitalwire cohort export --users users.csv --tables daily,sleeps --from -30d --out study --resume \
  --per-second 20 --audit-log audit.jsonl --no-reasons || code=$?
# Exit code 21: some users could not be read. The next run requests their days again.
test "$code" -eq 0 || test "$code" -eq 21 || exit "$code"
vitalwire cohort coverage study --fail-without-data-for 7
