package dev.vitalwire

import java.time.Instant
import java.time.LocalDate
import java.time.ZoneId
import kotlin.time.Duration.Companion.minutes
import kotlinx.coroutines.runBlocking
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertFalse
import org.junit.jupiter.api.Assertions.assertNull
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.assertThrows

/** Tests the conversion of responses to tables of columns. */
class ColumnTest {
    private val day = LocalDate.of(2025, 3, 1)

    private fun statistics() = DailyStatistics {
        fromDate = day
        toDate = day.plusDays(2)
        statistics = listOf(
            DailyBucket {
                date = day
                values = StatisticsValues {
                    set(StatisticName.STEPS, 1_200.0)
                    set(StatisticName.HEARTRATE_RESTING, 58.5)
                }
            },
            DailyBucket {
                date = day.plusDays(1)
                values = StatisticsValues { set(StatisticName.HEARTRATE_RESTING, 60.0) }
            },
            DailyBucket {
                date = day.plusDays(2)
                values = StatisticsValues { set(StatisticName.STEPS, 900.0) }
            },
        )
    }

    @Test
    fun `statistics are columns with units and points`(): Unit = runBlocking {
        val table = statistics().table()
        assertEquals(3, table.rows)
        assertEquals(listOf(1_200.0, Double.NaN, 900.0), table["steps"]?.series?.toList())
        assertEquals("bpm", table["heartrate_resting"]?.unit)
        assertNull(table["distance_total"])
        val berlin = ZoneId.of("Europe/Berlin")
        val points = table.points("steps", zone = berlin)
        assertEquals(listOf(1_200.0, 900.0), points.map { it.value })
        assertEquals(listOf(0, 2), points.map { it.row })
        assertEquals(listOf(0L, 2L).map { day.plusDays(it).atStartOfDay(berlin).toInstant() }, points.map { it.time })
        assertEquals(points.map { it.value }, table.points(StatisticName.STEPS, zone = berlin).map { it.value })
        assertEquals(table["steps"], table[StatisticName.STEPS])
        assertEquals(listOf(day, day.plusDays(1), day.plusDays(2)), table.columns.first { it.kind == Table.Column.Kind.DAY }.days())
    }

    @Test
    fun `a name that the table does not have is an error`(): Unit = runBlocking {
        val table = statistics().table()
        val works = listOf<() -> Unit>(
            { table["step"] },
            { table.points("step") },
            { table.points("steps", over = "day") },
            { table.points(SleepStageName.DEEP) },
        )
        for (work in works) {
            val error = assertThrows<VitalwireException.InvalidArgument> { work() }
            assertEquals("invalid_argument: the table has no column with this name; `names` has all names", error.message)
        }
        // No day has a value of these names.
        assertTrue("distance_total" in table.names && "date" in table.names)
        assertEquals(emptyList<Table.Point>(), table.points("distance_total") + table.points(StatisticName.DISTANCE_TOTAL))
        // A name of a later version, which no day has.
        assertEquals(emptyList<Table.Point>(), table.points(StatisticName("later")))
        assertNull(table[StatisticName("later")])
    }

    @Test
    fun `stages of a night have times and names`(): Unit = runBlocking {
        val start = Instant.ofEpochSecond(1_740_870_000)
        val night = SleepRecord {
            id = "s-1"
            startAt = start
            stages = listOf(
                SleepStage {
                    stage = SleepStageName.DEEP
                    startAt = start
                    endAt = start.plusSeconds(600)
                },
                SleepStage {
                    stage = SleepStageName.REM
                    startAt = start.plusSeconds(600)
                },
            )
        }
        val table = night.sleepStagesTable()
        assertEquals(2, table.rows)
        assertEquals(listOf("deep", "rem"), table["stage"]?.texts)
        assertEquals(listOf(start, start.plusSeconds(600)), table["start_at"]?.times())
        assertEquals(listOf(start.plusSeconds(600), null), table["end_at"]?.times())
    }

    @Test
    fun `meals have the basis of their numbers`(): Unit = runBlocking {
        fun meal(of: String, energy: Double, refer: NumberBasis) = NutritionRecord {
            id = of
            nutritionalFields = NutritionalFields {
                set(NutrientName.ENERGY_KCAL, energy)
                basis = refer
            }
        }
        // In the third meal, only one ingredient has a basis. The fourth meal has no basis at all.
        val rice = Ingredient {
            name = "rice"
            nutritionalFields = NutritionalFields {
                set(NutrientName.ENERGY_KCAL, 130.0)
                basis = NumberBasis.PER_100
            }
        }
        val mealWithBasis = NutritionRecord {
            id = "n-3"
            ingredients = listOf(Ingredient { name = "salt" }, rice)
        }
        val mealWithoutBasis = NutritionRecord { id = "n-4" }
        val meals = listOf(meal("n-1", 640.0, NumberBasis.PER_SERVING), meal("n-2", 210.5, NumberBasis.PER_100), mealWithBasis,
            mealWithoutBasis)
        val table = meals.nutritionRecordsTable()
        assertEquals(listOf("n-1", "n-2", "n-3", "n-4"), table["record_id"]?.texts)
        assertEquals(listOf("per_serving", "per_100", "per_100", "unknown"), table["basis"]?.texts)
        assertEquals("kcal", table["energy_kcal"]?.unit)
        assertEquals(listOf("salt", "rice"), meals.nutritionIngredientsTable()["name"]?.texts)
        assertEquals(0, emptyList<NutritionRecord>().nutritionRecordsTable().rows)
    }

    @Test
    fun `a response counts the items skipped by its table`(): Unit = runBlocking {
        val body = """{"from_date": "2025-03-01", "to_date": "2025-03-03", "statistics": [
            {"date": "2025-03-01", "values": {"steps": 100}}, null, {"date": "2025-03-03", "values": {"steps": "canary"}}]}"""

        fun meal(id: String, ingredients: String) = """{"record_id": "$id", "status": "completed",
            "uploaded_at": "2025-03-02T12:00:00Z", "modified_at": "2025-03-02T12:00:20Z", "ingredients": [$ingredients]}"""
        val responses = MockResponses().apply {
            add("daily_statistics", MockResponse.json(body))
            add("list_lab_reports", MockResponse.json("""[{"record_id": "lab-1", "status": "completed"}, null]"""))
            add("list_nutrition_records", MockResponse.json("""[${meal("n-1", "")}, 3, ${meal("n-2", """null, {"name": "rice"}, 4""")}]"""))
        }
        VitalwireClient { mockResponses = responses }.use { client ->
            val days = client.withResponse { statistics.daily(day, day, listOf(StatisticName.STEPS)) }
            val table = days.table()
            assertEquals(2, table.rows)
            assertEquals(mapOf("statistics" to 1L, "steps" to 1L), table.skippedByColumn)
            assertEquals(2, table.skippedCount)
            // Skipped items are known to the response only, not to the record.
            assertEquals(mapOf("steps" to 1L), days.value.table().skippedByColumn)
            assertEquals(table.skippedByColumn, days.value.table(days.skippedItems).skippedByColumn)

            val labs = client.withResponse { labReports.list() }
            assertEquals(mapOf("response" to 1L), labs.table().skippedByColumn)
            assertEquals(0, labs.value.table().skippedCount)

            val meals = client.withResponse { nutritionRecords.list() }
            assertEquals(mapOf("response" to 1L), meals.nutritionRecordsTable().skippedByColumn)
            val ingredients = meals.nutritionIngredientsTable()
            assertEquals(listOf("rice"), ingredients["name"]?.texts)
            assertEquals(mapOf("response" to 1L, "ingredients" to 2L), ingredients.skippedByColumn)
            assertEquals(3, ingredients.skippedCount)
        }
    }

    @Test
    fun `records are written in the format of the service`() {
        val record = SleepRecord {
            id = "a \"b\" \\ \u0001"
            stages = null
            stagesIsNull = true
            extra = mapOf("new" to """{"a": [1]}""")
        }
        val json = record.toJson()
        assertTrue(""""a \"b\" \\ \u0001"""" in json && """"stages":null""" in json && """"new":{"a": [1]}""" in json, json)
        val stage = SleepStage {
            stage = SleepStageName.DEEP
            duration = 1.minutes
        }
        assertEquals("""{"stage":"deep","duration":60000}""", stage.toJson())
    }

    @Test
    fun `toString shows no values`(): Unit = runBlocking {
        val table = statistics().table()
        val shown = "$table ${table.columns} ${table.points("steps")} ${table.points("steps").first()}"
        for (canary in listOf("1200", "2025")) assertFalse(canary in shown, shown)
    }
}
