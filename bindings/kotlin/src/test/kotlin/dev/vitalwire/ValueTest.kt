package dev.vitalwire

import org.junit.jupiter.api.Assertions.assertArrayEquals
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertFalse
import org.junit.jupiter.api.Assertions.assertNotEquals
import org.junit.jupiter.api.Assertions.assertNull
import org.junit.jupiter.api.Assertions.assertSame
import org.junit.jupiter.api.Assertions.assertThrows
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Test
import java.nio.ReadOnlyBufferException
import java.time.Instant
import java.time.LocalDate
import kotlin.time.Duration.Companion.hours
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.minutes
import kotlin.time.Duration.Companion.seconds
import kotlinx.coroutines.runBlocking

/** Tests records, maps, open sets and options that builders create. */
class ValueTest {
    private val night = SleepRecord {
        id = "night-1"
        startAt = Instant.parse("2025-03-02T22:10:00.123456789Z")
        duration = 7.hours + 1.milliseconds
        sleepDate = LocalDate.of(2025, 3, 3)
        stages = listOf(
            SleepStage {
                stage = SleepStageName.DEEP
                duration = 40.minutes
            },
        )
        metrics = Metrics { this[MetricName.HEARTRATE] = 51.5 }
        samples = SleepSamples { values = SleepSampleValues { this[MetricName.HEARTRATE] = Series.of(50.0, Double.NaN, 53.0) } }
        extra = mapOf("new" to "[1]")
    }

    @Test
    fun `records of equal values are equal`() {
        assertEquals(night, night.toBuilder().build())
        assertEquals(night.hashCode(), night.toBuilder().build().hashCode())
        assertEquals(1, setOf(night, night.toBuilder().build()).size)
        val others = listOf<SleepRecord.Builder.() -> Unit>(
            { id = "night-2" }, { startAt = startAt.plusNanos(1) }, { duration = 7.hours }, { sleepDate = null }, { stages = null },
            { stages = emptyList() },
            { metrics = Metrics { this[MetricName.HEARTRATE] = 51.6 } }, { samples = null }, { extra = emptyMap() },
        )
        for (change in others) assertNotEquals(night, night.toBuilder().apply(change).build())
        // Null differs from absent.
        assertNotEquals(SleepRecord { }, SleepRecord { stagesIsNull = true })
        assertFalse(night.equals("SleepRecord(..)"))
    }

    @Test
    fun `a passed list may change afterwards`() {
        val stages = mutableListOf(SleepStage { })
        val record = SleepRecord { this.stages = stages }
        stages.clear()
        assertEquals(1, record.stages?.size)
    }

    @Test
    fun `unset fields are absent, or empty if they are required`() {
        val empty = SleepRecord { }
        assertEquals(listOf(null, null, false, Instant.EPOCH), listOf(empty.id, empty.stages, empty.stagesIsNull, empty.startAt))
        assertEquals("", ProblemItem { }.let { it.message.orEmpty() })
    }

    @Test
    fun `toString shows no values`() {
        val options = GetSleepOptions { token = "secret" }
        assertEquals(
            "SleepRecord(..) [SleepStage(..)] Metrics(..) SleepSamples(..) SleepSampleValues(..)",
            "$night ${night.stages} ${night.metrics} ${night.samples} ${night.samples?.values}",
        )
        assertEquals(
            "SleepStageName(..) GetSleepOptions(..) NumberBasis(..)",
            "${SleepStageName.DEEP} $options ${NumberBasis.PER_100}",
        )
        assertEquals("Series(3 numbers)", "${night.samples?.values?.get(MetricName.HEARTRATE)}")
    }

    @Test
    fun `open sets know their names`() {
        assertTrue(SleepStageName.DEEP.isKnown)
        assertEquals(SleepStageName.DEEP, SleepStageName("deep"))
        assertFalse(SleepStageName("new").isKnown)
        // `other` is an alternative spelling of the same gender.
        assertTrue(Gender("other").isKnown && Gender.OTHER.isKnown)
        assertEquals(Gender.OTHER, Gender("other"))
        assertEquals(setOf(Gender.OTHER), setOf(Gender.OTHER, Gender("other")))
        assertEquals("other", Gender("other").text)
        assertNotEquals(Gender.OTHER, Gender("OTHER"))
        assertNotEquals(Gender.OTHER, Gender.UNKNOWN)
        assertFalse(Gender("OTHER").isKnown)
        assertNotEquals(SleepStageName("unknown"), Gender("unknown"))
        assertTrue(MetricName.STEPS in MetricName.allKnown && MetricName.allKnown.size > 90)
        assertEquals(listOf("count", null), listOf(MetricName.STEPS.unit, MetricName("new").unit))
    }

    @Test
    fun `maps have numbers by name`() {
        val metrics = night.metrics!!
        assertEquals(listOf(51.5, 51.5, null), listOf(metrics[MetricName.HEARTRATE], metrics.heartrate, metrics.sleepDuration))
        assertEquals(mapOf(MetricName.HEARTRATE to 51.5), metrics.values)
        val fields = NutritionalFields { basis = NumberBasis.PER_100 }
        assertNotEquals(fields, NutritionalFields { })
        assertEquals(fields, fields.toBuilder().build())
    }

    @Test
    fun `a series is one buffer`() {
        val series = Series.of(1.5, -0.0, Double.MAX_VALUE)
        assertArrayEquals(doubleArrayOf(1.5, -0.0, Double.MAX_VALUE), series.toDoubleArray())
        assertEquals(listOf(1.5, -0.0, Double.MAX_VALUE), series)
        assertEquals(series.hashCode(), listOf(1.5, -0.0, Double.MAX_VALUE).hashCode())
        val buffer = series.asDoubleBuffer()
        assertEquals(1.5, buffer.get())
        assertEquals(0, series.asDoubleBuffer().position())
        assertThrows(ReadOnlyBufferException::class.java) { buffer.put(0, 2.0) }
        assertThrows(IndexOutOfBoundsException::class.java) { series[3] }
        assertEquals(0, Series.EMPTY.size)
    }

    @Test
    fun `options are values`() {
        val options = UploadNutritionRecordOptions {
            body = byteArrayOf(1)
            timeout = 5.seconds
            query("a", "1")
            query("a", "2")
            header("b", "3")
        }
        val same = UploadNutritionRecordOptions.builder().body(byteArrayOf(1)).timeout(java.time.Duration.ofSeconds(5))
            .query("a", "1").query("a", "2").header("b", "3")
        assertEquals(options, same.build())
        assertEquals(options.hashCode(), same.build().hashCode())
        assertNotEquals(options, same.header("b", "4").build())
        assertEquals(listOf("a" to "1", "a" to "2"), options.query)
        assertSame(GetSleepOptions.DEFAULT, GetSleepOptions.DEFAULT)
        assertNotEquals(GetUserInfoOptions { }, GetSleepOptions { })
        assertNull(options.includeIngredients)
    }

    /** Returns lists of unequal values. In each list, every value differs from the first one in one field. */
    private fun unequalValues(): List<List<Any>> {
        val day = LocalDate.of(2025, 3, 3)
        val instant = Instant.parse("2025-03-02T22:10:00Z")
        val token = ResumeToken.of("token")
        return listOf(
            listOf(AccessToken("a", 1.hours), AccessToken("b", 1.hours), AccessToken("a", 2.hours), AccessToken("a")),
            listOf(token, ResumeToken.of("other")),
            listOf(RangeBounds.Days(day, day), RangeBounds.Days(day.minusDays(1), day), RangeBounds.Days(day, day.plusDays(1))),
            listOf(RangeBounds.Time(instant, instant), RangeBounds.Time(Instant.EPOCH, instant), RangeBounds.Time(instant, Instant.EPOCH)),
            listOf(PartLength.days(1), PartLength.days(2), PartLength.hours(1)),
            listOf(RangeProgress(1, 2, 3), RangeProgress(0, 2, 3), RangeProgress(1, 3, 3), RangeProgress(1, 2, 4)),
            listOf(
                RangeOptions { }, RangeOptions { concurrency = 2 }, RangeOptions { collectsFailures = true },
                RangeOptions { resume = token },
                RangeOptions { resumeKey = "person-1" },
            ),
            listOf(Night(listOf(day), night), Night(emptyList(), night), Night(listOf(day), SleepRecord { })),
            listOf(ErrorKind.SERVICE, ErrorKind.DECODE),
            listOf("user_id=a&state=s", "user_id=b&state=s", "user_id=a&state=t", "user_id=a&state=s&provider=p",
                "user_id=a&state=s&new=1", "state=s&error=e")
                .map { runBlocking { ConsentRedirect.parse("app://back?$it", null) } },
            listOf(Series.of(1.0), Series.of(2.0), Series.of(1.0, 1.0), Series.of(-0.0), Series.of(0.0)),
        )
    }

    @Test
    fun `values are equal if all fields are equal`() {
        for ((first, second) in unequalValues().zip(unequalValues())) {
            assertEquals(first, second)
            assertEquals(first.map { it.hashCode() }, second.map { it.hashCode() })
            for (other in first.drop(1)) assertNotEquals(first[0], other, "of ${other.javaClass.simpleName} a member is left out")
        }
    }

    @Test
    fun `times out of range are rejected`() {
        assertThrows(VitalwireException.InvalidArgument::class.java) { LocalDate.of(10_000, 1, 1).toNative() }
        // Truncated to 16 bits, this year would be 1.
        assertThrows(VitalwireException.InvalidArgument::class.java) { LocalDate.of(65_537, 1, 1).toNative() }
        assertEquals(0uL, (-5).seconds.toNative())
        assertEquals(Long.MAX_VALUE.milliseconds, ULong.MAX_VALUE.toKotlin())
    }

    @Test
    fun `exceptions can be created for fakes`() {
        val error = VitalwireException.of(ErrorKind.RATE_LIMITED, "later")
        assertTrue(error is VitalwireException.RateLimited)
        assertEquals(listOf("rate_limited: later", 1301, null, 0), listOf(error.message, error.code, error.status, error.attempts))
        val unlisted = VitalwireException.of(ErrorKind.of(4711))
        assertTrue(unlisted is VitalwireException.Other)
        assertEquals(listOf("kind 4711", 4711), listOf("${unlisted.kind}", unlisted.code))
    }
}
