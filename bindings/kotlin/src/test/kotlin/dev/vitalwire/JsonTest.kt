package dev.vitalwire

import dev.vitalwire.serialization.DailyStatisticsSerializer
import dev.vitalwire.serialization.RecordSerializer
import dev.vitalwire.serialization.SleepRecordSerializer
import dev.vitalwire.serialization.UserInfoSerializer
import dev.vitalwire.serialization.recordSerializers
import dev.vitalwire.testing.Samples
import java.io.File
import java.time.Instant
import kotlinx.serialization.SerializationException
import kotlinx.serialization.builtins.ListSerializer
import kotlinx.serialization.builtins.MapSerializer
import kotlinx.serialization.builtins.serializer
import kotlinx.serialization.json.Json
import kotlinx.serialization.json.buildJsonObject
import kotlinx.serialization.json.contentOrNull
import kotlinx.serialization.json.jsonArray
import kotlinx.serialization.json.jsonObject
import kotlinx.serialization.json.jsonPrimitive
import kotlinx.serialization.json.put
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertFalse
import org.junit.jupiter.api.Assertions.assertNull
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.assertThrows

/** Tests the conversion of records from and to JSON, with `toJson`, `fromJson` and kotlinx.serialization. */
class JsonTest {
    private val night = Samples.sleepRecord

    @Test
    fun `a record is read from its own JSON`() {
        assertEquals(night, SleepRecord.fromJson(night.toJson()))
        for (record in Samples.all) {
            @Suppress("UNCHECKED_CAST")
            val serializer =
                recordSerializers.first { it.descriptor.serialName == record.javaClass.name } as RecordSerializer<ServiceRecord>
            val text = Json.encodeToString(serializer, record)
            assertEquals(Json.parseToJsonElement(record.toJson()), Json.parseToJsonElement(text))
            // The basis of numbers is not part of the JSON.
            assertEquals(record.toJson(), Json.decodeFromString(serializer, text).toJson())
        }
        val records = File(System.getProperty("package.dir"), "src/main/kotlin/generated/records").list().orEmpty()
        assertEquals(records.size, recordSerializers.size)
    }

    @Test
    fun `unknown fields, nulls and fields of another type are kept`() {
        val times = """"modified_at": "2025-03-03T06:00:00+02:00", "start_at_timestamp": "2025-03-02T22:10:00Z""""
        val others = """"stages": null, "score": "high", "new": {"a": [1, 2.50]}, "duration": 60000"""
        val json = """ {$times, "sleep_id": "s-\u00e9\n\"", $others } """
        val record = SleepRecord.fromJson(json)
        assertEquals("s-\u00e9\n\"", record.id)
        assertEquals(Instant.parse("2025-03-03T04:00:00Z"), record.modifiedAt)
        assertNull(record.stages)
        assertTrue(record.stagesIsNull)
        assertNull(record.score)
        assertEquals(mapOf("score" to "\"high\"", "new" to """{"a": [1, 2.50]}"""), record.extra)
        assertEquals(record, SleepRecord.fromJson(record.toJson()))
    }

    @Test
    fun `a list replaces a null`() {
        val record = SleepRecord { stagesIsNull = true }.toBuilder().stages(listOf(SleepStage { stage = SleepStageName.DEEP })).build()
        val json = record.toJson()
        assertEquals(1, Regex("\"stages\":").findAll(json).count(), json)
        assertFalse(record.stagesIsNull)
        assertEquals(record, SleepRecord.fromJson(json))
    }

    @Test
    fun `instants have the forms that the core reads`() {
        val table = File(System.getProperty("package.dir"), "../../tests/forms/instants.json")
        val forms = Json.parseToJsonElement(table.readText()).jsonObject.getValue("forms").jsonArray
        assertTrue(forms.size > 50)
        for (form in forms) {
            val (text, instant) = listOf("text", "instant").map { form.jsonObject.getValue(it).jsonPrimitive.contentOrNull }
            val stage = SleepStage.fromJson("${buildJsonObject { put("start_at", text) }}")
            assertEquals(instant?.let(Instant::parse), stage.startAt, text)
            assertEquals(instant == null, "start_at" in stage.extra, text)
        }
    }

    @Test
    fun `list items of another type are left out, but series stay complete`() {
        val times = """"modified_at": "2025-03-03T06:00:00", "start_at_timestamp": "2025-03-02T22:10:00""""
        val lists = """"record_ids": ["a", null, 7, "b"], "stages": [null, {"stage": "deep"}, "deep"]"""
        val samples = """"samples": {"offsets": [0, "one"], "durations": [1, null]}"""
        val record = SleepRecord.fromJson("{$times, $lists, $samples}")
        assertEquals(listOf("a", "b"), record.recordIds)
        assertEquals(listOf(SleepStageName.DEEP), record.stages?.map { it.stage })
        assertEquals(emptyMap<String, String>(), record.extra)
        assertNull(record.samples?.offsets)
        assertEquals(mapOf("offsets" to """[0, "one"]"""), record.samples?.extra)
        assertEquals(Series.of(1.0, Double.NaN), record.samples?.durations)
        val none = """{"from_date": "2025-03-01", "to_date": "2025-03-01", "statistics": null}"""
        assertEquals(emptyList<DailyBucket>(), DailyStatistics.fromJson(none).statistics)
    }

    @Test
    fun `invalid JSON is rejected and not shown`() {
        val deep = "[".repeat(100_000)
        val broken = listOf(
            "", "[]", "null", "1", "{", "{\"a\"}", "{\"a\":}", "{\"a\":1,}", "{\"a\":01}", "{\"a\":tru}", "{} {}",
            "{\"a\":\"\\u12\"}", "{\"CANARY\":nope}",
            "{\"a\":\"\n\"}", deep, "{\"a\":$deep}",
        )
        for (text in broken) {
            val error = assertThrows<VitalwireException>(text.take(20)) { UserInfo.fromJson(text) }
            assertEquals(ErrorKind.DECODE, error.kind)
            assertFalse("CANARY" in error.stackTraceToString())
        }
        assertThrows<SerializationException> { Json.decodeFromString(DailyStatisticsSerializer, "{}") }
    }

    @Test
    fun `records are serialized within other values`() {
        val nights = MapSerializer(String.serializer(), ListSerializer(SleepRecordSerializer))
        val text = Json.encodeToString(nights, mapOf("me" to listOf(night)))
        assertTrue(text.startsWith("""{"me":[{"""))
        assertEquals(mapOf("me" to listOf(night)), Json.decodeFromString(nights, text))
        assertEquals(Samples.userInfo, Json.decodeFromString(UserInfoSerializer, Samples.userInfo.toJson()))
    }
}
