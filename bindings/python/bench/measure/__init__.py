"""Measures: one file for each row of the table, or for related rows."""
