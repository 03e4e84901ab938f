package dev.vitalwire

/** A search for fakes. It finds the given nights. */
internal class FakeNightSearch(private val nights: List<Night>) : NightSearch {
    private fun progress(index: Int) = RangeProgress(index + 1, nights.size, index + 1L)

    override fun open(): RangeReader<NightResult> = object : RangeReader<NightResult> {
        private var at = 0

        override suspend fun next(): NightResult? = nights.getOrNull(at)?.let { NightResult.of(at++, nights.size, it) }

        override val progress: RangeProgress? get() = if (at == 0) null else progress(at - 1)

        override val resumeToken: ResumeToken? get() = null

        override fun close() {
            at = nights.size
        }
    }

    override suspend fun collectAll(onProgress: (RangeProgress) -> Unit): MergedRange<List<Night>> {
        nights.indices.forEach { onProgress(progress(it)) }
        return MergedRange.of(nights)
    }

    /** Returns the table of the nights. A fake has no days without a sleep. */
    override suspend fun collectSleepsTable(missingRows: Boolean, onProgress: (RangeProgress) -> Unit): MergedRange<Table> {
        val records = collectAll(onProgress).response.map { it.record }
        return MergedRange.of(Table.of("sleeps", "get_sleep", records, "get_sleep", emptyList()))
    }

    /** Returns a description without days. */
    override fun toString(): String = "NightSearch(..)"
}
