# --8<-- [start:sandbox]
vitalwire sandbox --fault "status; status=503; retry_after=120; operation=get_user_info" > sandbox.txt &
sandbox=$!
until grep -qs '^export VITALWIRE_CARE_TOKEN=' sandbox.txt; do sleep 0.1; done
eval "$(grep '^export ' sandbox.txt)"

vitalwire stats daily --types steps --from 2025-11-20 --to 2025-11-20 --format csv
vitalwire user || echo "exit code $?, as expected: the first call meets the fault"
kill "$sandbox"
# --8<-- [end:sandbox]
# --8<-- [start:record]
# Without --sandbox, the service of your settings is recorded.
vitalwire --sandbox record --to session > recorder.txt &
recorder=$!
until grep -qs '^export VITALWIRE_CARE_TOKEN=' recorder.txt; do sleep 0.1; done
eval "$(grep '^export ' recorder.txt)"
vitalwire stats daily --types steps --from 2025-11-20 --to 2025-11-20 --format csv
kill "$recorder"
# --8<-- [end:record]
# --8<-- [start:replay]
vitalwire sandbox --replay session > replay.txt &
replay=$!
until grep -qs '^export VITALWIRE_CARE_TOKEN=' replay.txt; do sleep 0.1; done
eval "$(grep '^export ' replay.txt)"
vitalwire stats daily --types steps --from 2025-11-20 --to 2025-11-20 --format csv
kill "$replay"
# --8<-- [end:replay]
