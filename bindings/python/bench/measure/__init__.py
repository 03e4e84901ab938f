"""Measures: one module for each row of the printed table, or for a group of related rows."""
