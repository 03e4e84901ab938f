# --8<-- [start:year]
vitalwire --sandbox stats daily --types steps,heartrate_resting --from 2025-01-01 --to 2025-12-31 --split-days 30 --output 2025.csv
head -n 4 2025.csv
# --8<-- [end:year]
# --8<-- [start:resume]
vitalwire --sandbox stats daily --types steps,heartrate_resting --from 2025-01-01 --to 2025-12-31 --split-days 30 --output 2025.csv --resume
# --8<-- [end:resume]
