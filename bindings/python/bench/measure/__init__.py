"""The measures: one file for each row of the table, or for rows that share what they are about."""
