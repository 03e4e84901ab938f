vitalwire --sandbox stats daily --from 2024-01-01 --to 2024-12-31 --split-days 30 --format parquet --output 2024.parquet
vitalwire --sandbox stats daily --from 2024-01-01 --to 2024-12-31 --split-days 30 --format parquet --output 2024.parquet --resume
