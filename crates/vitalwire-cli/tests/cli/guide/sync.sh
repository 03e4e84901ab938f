# --8<-- [start:sync]
vitalwire sync --users users.csv --kinds daily,sleeps --from -30d --state states --out changes
# --8<-- [end:sync]
# --8<-- [start:plan]
vitalwire sync --users users.csv --kinds daily,sleeps --state states --out changes --plan
# --8<-- [end:plan]
