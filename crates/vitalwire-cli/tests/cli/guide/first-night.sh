# --8<-- [start:night]
vitalwire --sandbox sleep --date 2025-11-20
# --8<-- [end:night]
# --8<-- [start:csv]
vitalwire --sandbox sleep --date 2025-11-20 --table stages --format csv --units --output stages.csv
# --8<-- [end:csv]
# --8<-- [start:nights]
vitalwire --sandbox stats daily --types sleep_duration_total --record-ids --from 2025-11-14 --to 2025-11-20
# --8<-- [end:nights]
