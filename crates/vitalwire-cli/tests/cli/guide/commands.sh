# --8<-- [start:read]
vitalwire --sandbox sleep
vitalwire --sandbox sleep --date yesterday          # the longest sleep of that date
vitalwire --sandbox stats daily --types steps,heartrate
vitalwire --sandbox nutrition list --format json
vitalwire --sandbox token
# --8<-- [end:read]
# --8<-- [start:files]
vitalwire --sandbox stats daily --from 2024-01-01 --to 2024-12-31 --split-days 30 --format json --output 2024.json
vitalwire --sandbox stats daily --format parquet > daily.parquet     # polars.read_parquet, or FROM 'daily.parquet' in DuckDB
vitalwire --sandbox sleep --table samples --format arrow > samples.arrow
vitalwire --sandbox cohort export --tables daily,sleeps --from -30d --out study
# --8<-- [end:files]
# --8<-- [start:help]
vitalwire help stats daily                          # examples, units, names
vitalwire explain not_found                         # what an error means
vitalwire completions bash > vitalwire.bash         # completes names, profiles and dates
vitalwire man --dir man1
vitalwire licenses > licences.txt
# --8<-- [end:help]
