@_final
class {prefix}Nights:
    """{nights}, found by `sleeps.between`: nothing is asked before they are iterated, collected or read as a table, and each of these
    asks anew.

    It gives one `Night` after the other, in the order of their days. Daily statistics say which records are behind each day's sleep, 90
    days in a call; then each record is read. Several calls are made at once, as many as `concurrency` says; options of the call hold for
    each: a timeout is a call's own. A day is a part: it is read whole or it fails.
    """

    def __{iter}__(self) -> {prefix}Parts[Night]: ...
    {def} collect(self) -> Merged[tuple[Night, ...], _datetime.date]:
        """Every night. `parts` of what this gives are the days that were read, and where their nights are.

        An error that ends it has `resume_token` for what was not read, and `so_far` for what was.
        """

    {def} collect_table(self, table: str | None = None) -> Merged[Table, _datetime.date]:
        """One table of every night, read straight from the answers: `sleep_stages`, or `sleep_samples` by its name. It asks for what it
        needs, whatever `include_stages` and `include_samples` say. `answer` of what this gives is the table.
        """

{read}