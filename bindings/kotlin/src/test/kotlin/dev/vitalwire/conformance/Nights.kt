package dev.vitalwire.conformance

import dev.vitalwire.Table
import dev.vitalwire.RangeOptions
import dev.vitalwire.VitalwireClient
import java.time.LocalDate
import java.time.ZoneOffset
import kotlinx.serialization.json.JsonArray
import kotlinx.serialization.json.JsonElement
import kotlinx.serialization.json.JsonObject
import kotlinx.serialization.json.boolean
import kotlinx.serialization.json.jsonArray
import kotlinx.serialization.json.jsonPrimitive

/** Collects the sleeps of some days as a table. */
internal suspend fun nights(client: VitalwireClient, given: JsonObject): Outcome {
    val (first, last) = listOf("first", "last").map { LocalDate.parse(Conversions.text(given.getValue(it))) }
    val options = RangeOptions { collectsFailures = given.getValue("collect_errors").jsonPrimitive.boolean }
    val search = client.sleeps.between(first, last, range = options)
    val table = search.collectSleepsTable(given.getValue("missing_rows").jsonPrimitive.boolean)
    return merged(table, { found, reading -> rows(found, given.getValue("columns").jsonArray.map(Conversions::text), reading) }, "$search")
}

/** Writes the rows of a table with these columns. Missing values are left out. */
private fun rows(table: Table, names: List<String>, reading: Reading): JsonElement {
    reading.texts += listOf("$table", "${table.columns}")
    val columns = names.map { checkNotNull(table[it]) { "no row has a value of $it" } }
    return JsonArray(
        (0 until table.rows).map { row ->
            JsonObject(columns.mapNotNull { column -> cell(column, row, reading)?.let { column.name to it } }.toMap())
        },
    )
}

private fun cell(column: Table.Column, row: Int, reading: Reading): JsonElement? = when (column.kind) {
    Table.Column.Kind.TEXT -> column.texts[row]?.let { Canonical.text(it, reading) }
    Table.Column.Kind.DAY -> column.days()[row]?.let { Canonical.date(it, reading) }
    Table.Column.Kind.TIME -> column.times(ZoneOffset.UTC)[row]?.let { Canonical.instant(it, reading) }
    Table.Column.Kind.FLAG -> column.series[row].takeUnless { it.isNaN() }?.let { Canonical.boolean(it == 1.0, reading) }
    Table.Column.Kind.NUMBER -> column.series[row].takeUnless { it.isNaN() }?.let { Canonical.number(it, reading) }
    Table.Column.Kind.LOCAL_TIME -> throw Unsupported("local times of tables")
}
