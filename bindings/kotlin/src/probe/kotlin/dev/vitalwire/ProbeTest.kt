package dev.vitalwire

import dev.vitalwire.conformance.Log
import dev.vitalwire.ffi.ApiException
import dev.vitalwire.ffi.CalendarDate
import dev.vitalwire.ffi.CancelToken
import dev.vitalwire.ffi.ErrorInfo
import dev.vitalwire.ffi.ErrorKind as NativeErrorKind
import dev.vitalwire.ffi.Timestamp
import dev.vitalwire.ffi.probeBoolean
import dev.vitalwire.ffi.probeBytes
import dev.vitalwire.ffi.probeDate
import dev.vitalwire.ffi.probeError
import dev.vitalwire.ffi.probeInteger
import dev.vitalwire.ffi.probeMap
import dev.vitalwire.ffi.probeNumber
import dev.vitalwire.ffi.probeNumbers
import dev.vitalwire.ffi.probeOpen
import dev.vitalwire.ffi.probeOptional
import dev.vitalwire.ffi.probePanic
import dev.vitalwire.ffi.probePanicLater
import dev.vitalwire.ffi.probeSeries
import dev.vitalwire.ffi.probeSlow
import dev.vitalwire.ffi.probeText
import dev.vitalwire.ffi.probeTexts
import dev.vitalwire.ffi.probeTimestamp
import kotlinx.coroutines.CancellationException
import kotlinx.coroutines.CoroutineStart
import kotlinx.coroutines.async
import kotlinx.coroutines.awaitAll
import kotlinx.coroutines.delay
import kotlinx.coroutines.runBlocking
import org.junit.jupiter.api.Assertions.assertArrayEquals
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertFalse
import org.junit.jupiter.api.Assertions.assertNull
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.assertThrows
import java.time.Instant
import java.time.LocalDate
import kotlin.time.Duration.Companion.seconds
import kotlin.time.TimeSource

/** Tests conversions between Kotlin and the native library. `cargo xtask test` builds the library with the probe. */
class ProbeTest {
    private val canary = "canary-7f3a"

    @Test
    fun `plain values are converted both ways`() {
        assertTrue(probeBoolean(true))
        assertFalse(probeBoolean(false))
        for (integer in listOf(0, -1, (1L shl 53) + 1, Long.MAX_VALUE, Long.MIN_VALUE)) assertEquals(integer, probeInteger(integer))
        val numbers = listOf(0.0, -0.0, 0.1, Double.MIN_VALUE, Double.MAX_VALUE, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY,
            Double.NaN)
        for (number in numbers) assertEquals(number.toRawBits(), probeNumber(number).toRawBits())
    }

    @Test
    fun `texts are converted both ways`() {
        val texts = listOf("", "a\u0000b", "é e\u0301 \u202e 👩‍👩‍👧 \uDBFF\uDFFF", "x".repeat(1 shl 20))
        for (text in texts) {
            assertEquals(text, probeText(text))
            assertEquals(text, probeOptional(text))
        }
        assertNull(probeOptional(null))
        assertEquals(texts, probeTexts(texts))
        assertEquals(emptyList<String>(), probeTexts(emptyList()))
    }

    @Test
    fun `an unpaired surrogate is rejected`() {
        assertThrows<VitalwireException.InvalidArgument> { translateErrors { probeText("\uD800") } }
        assertEquals("x", probeText("x"))
    }

    @Test
    fun `bytes and maps are converted both ways`() {
        for (bytes in listOf(ByteArray(0), ByteArray(256) { it.toByte() }, ByteArray(1 shl 20))) assertArrayEquals(bytes, probeBytes(bytes))
        val numbers = mapOf("" to 0.0, "steps" to 12.5, "é" to -1.0, "big" to 1e300)
        assertEquals(numbers, probeMap(numbers))
        assertEquals(emptyMap<String, Double>(), probeMap(emptyMap()))
    }

    @Test
    fun `series are converted both ways`() {
        val bytes = probeNumbers()
        val series = Series(bytes)
        assertEquals(listOf(-0.5, 0.1, 1e300), series)
        assertEquals(Series.of(-0.5, 0.1, 1e300), series)
        assertArrayEquals(doubleArrayOf(-0.5, 0.1, 1e300), Series(probeSeries(bytes)).toDoubleArray())
        assertEquals(Series.EMPTY, Series(probeSeries(ByteArray(0))))
    }

    @Test
    fun `open sets are converted both ways`() {
        assertEquals(MetricName.STEPS, MetricName(probeOpen(MetricName.STEPS.text)))
        assertEquals("not known yet", probeOpen("not known yet"))
    }

    @Test
    fun `times are converted both ways`() {
        val instants = listOf("1970-01-01T00:00:00Z", "1969-12-31T23:59:59.999999999Z", "2000-02-29T00:00:00.000000001Z",
            "0001-01-01T00:00:00Z", "9999-12-30T00:00:00.000000005Z")
        for (instant in instants.map(Instant::parse)) assertEquals(instant, probeTimestamp(instant.toNative()).toKotlin())
        val dates = listOf(LocalDate.of(1, 1, 1), LocalDate.of(2024, 2, 29), LocalDate.of(9999, 12, 31))
        for (date in dates) assertEquals(date, probeDate(date.toNative()).toKotlin())
    }

    @Test
    fun `invalid times are rejected`() {
        for (instant in listOf(Timestamp(0, 1_000_000_000u), Timestamp(Long.MAX_VALUE, 0u))) {
            expectError(NativeErrorKind.INVALID_ARGUMENT, "value") { probeTimestamp(instant) }
        }
        for (date in listOf(CalendarDate(2023, 2, 29), CalendarDate(2023, 0, 1))) {
            expectError(NativeErrorKind.INVALID_ARGUMENT, "value") { probeDate(date) }
        }
    }

    @Test
    fun `each kind of error is thrown`() {
        // Numbers of the error kinds, as in the table of the errors documentation.
        val kinds = mapOf(
            1001 to "CONFIGURATION", 1002 to "INVALID_ARGUMENT", 1101 to "AUTHENTICATION", 1102 to "PERMISSION", 1201 to "NOT_FOUND",
            1202 to "INVALID_REQUEST", 1203 to "TOO_LARGE", 1301 to "RATE_LIMITED", 1302 to "SERVICE", 1303 to "UNEXPECTED_STATUS",
            1401 to "TIMEOUT", 1402 to "TRANSPORT", 1501 to "DECODE", 1502 to "SIGNATURE", 1601 to "CANCELLED", 1602 to "CLOSED",
            1901 to "INTERNAL",
        )
        assertEquals(kinds, NativeErrorKind.entries.associate { it.value.toInt() to it.name })
        assertEquals(kinds + (1902 to "LIBRARY"), ErrorKind.allKnown.associate { it.code to "$it".uppercase() })
        for ((code, kind) in kinds) {
            val error = expectError(NativeErrorKind.valueOf(kind), null) { probeError(code.toUShort()) }
            val thrown = VitalwireException.of(error, null)
            assertEquals(listOf(code, kind.lowercase()), listOf(thrown.code, "${thrown.kind}"))
            assertEquals(kind.replace("_", ""), thrown.javaClass.simpleName.uppercase())
            assertTrue(error.text.isNotEmpty())
            assertEquals(listOf(null, null, 0u), listOf(error.status, error.problem, error.attempts))
        }
        // All other numbers are no error kinds, so the call must succeed.
        for (code in 900..2100) if (code !in kinds) probeError(code.toUShort())
    }

    @Test
    fun `a panic is an internal error without its text`(): Unit = runBlocking {
        val (errors, said) = Log(listOf(2)).use { log ->
            val both = listOf(expectError(NativeErrorKind.INTERNAL, null) { probePanic(canary) },
                expectError(NativeErrorKind.INTERNAL, null) { probePanicLater(canary) })
            both to log.lines()
        }
        assertEquals(2, said.count { it.startsWith("vitalwire: internal error") }, "$said")
        val shown = errors.map { "$it ${it.text} ${VitalwireException.of(it, null).stackTraceToString()}" } + said
        assertTrue(shown.none { canary in it })
        // The library is still usable after a panic.
        assertEquals(1uL, probeSlow(1uL, null))
    }

    @Test
    fun `slow calls do not block their thread`(): Unit = runBlocking {
        // All calls start on one thread. If they blocked this thread, they would run in sequence, one second each.
        val started = TimeSource.Monotonic.markNow()
        assertEquals(List(64) { 1000uL }, List(64) { async { probeSlow(1000uL, null) } }.awaitAll())
        assertTrue(started.elapsedNow() in 1.seconds..20.seconds)
    }

    @Test
    fun `a slow call ends when it is cancelled`(): Unit = runBlocking {
        val started = TimeSource.Monotonic.markNow()
        // Cancel the coroutine, as users do.
        val call = async(start = CoroutineStart.UNDISPATCHED) { probeSlow(60_000uL, null) }
        delay(50)
        call.cancel()
        assertThrows<CancellationException> { call.await() }
        // Cancel by a `CancelToken`.
        CancelToken().use { token ->
            val other = async(start = CoroutineStart.UNDISPATCHED) {
                expectError(NativeErrorKind.CANCELLED, null) { probeSlow(60_000uL, token) }
            }
            delay(50)
            token.cancel()
            assertEquals(1601, other.await().code.toInt())
        }
        assertTrue(started.elapsedNow() < 30.seconds)
    }

    /** Checks that [work] throws an error of this kind, and returns the details of the error. */
    private inline fun expectError(kind: NativeErrorKind, argument: String?, work: () -> Unit): ErrorInfo {
        try {
            work()
        } catch (error: ApiException.Failed) {
            assertEquals(kind, error.info.kind)
            assertEquals(argument, error.info.argument)
            return error.info
        }
        throw AssertionError("no error where $kind is expected")
    }
}
