code=0
vitalwire --format json sleep 00000000-0000-4000-8000-000000000000 2> errors.log || code=$?
# The last line of errors.log is a JSON object.
if tail -n 1 errors.log | grep -q '"is_transient":true'; then
  echo "exit code $code: try again later"
elif test "$code" -ne 0; then
  echo "exit code $code: errors.log has the reason"
fi
