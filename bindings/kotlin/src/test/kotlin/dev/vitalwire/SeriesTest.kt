package dev.vitalwire

import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Test

/** Tests that the numbers of a series are read without a copy. */
class SeriesTest {
    @Test
    fun `a buffer shares the bytes of its series`() {
        val bytes = ByteArray(16)
        val series = Series(bytes)
        val buffer = series.asDoubleBuffer()
        assertTrue(buffer.isReadOnly)
        bytes[7] = 0x3f
        bytes[6] = 0xf0.toByte()
        assertEquals(1.0, buffer.get(0))
        buffer.position(1)
        assertEquals(0, series.asDoubleBuffer().position())
    }
}
