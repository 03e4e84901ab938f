FROM read_parquet('changes/daily/*.parquet', union_by_name = true)
QUALIFY change IN ('added', 'changed')
    AND number = max(number) OVER (PARTITION BY id)
    AND number > coalesce(max(number) FILTER (change = 'day_removed')
        OVER (PARTITION BY day), 0);
