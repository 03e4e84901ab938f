import Foundation
import Vitalwire

/// Collects the sleeps of some days as a table.
func nights(_ call: JSON, _ client: VitalwireClient) async throws -> Outcome {
    let days = try CalendarDate(given: call["first"] ?? .null)...CalendarDate(given: call["last"] ?? .null)
    let names = (call["columns"]?.items ?? []).compactMap(\.text)
    let search = client.sleeps.between(days, range: try rangeOptions(call))
    let merged = try await search.collectSleepsTable(missingRows: call["missing_rows"]?.truth ?? false)
    return try Outcome(merged: merged) { table, reading in
        reading.show(table)
        let columns = try names.map { name in
            guard let column = table[name] else { throw Unplayable(what: "no row has a value of \(name)") }
            return column
        }
        return .list((0..<table.rows).map { row in
            .object(columns.compactMap { column in cell(column, row, reading).map { JSON.Member(name: column.name, value: $0) } })
        })
    }
}

/// Returns a value of a column; `nil` if it is missing.
private func cell(_ column: ColumnTable.Column, _ row: Int, _ reading: Reading) -> JSON? {
    switch column.kind {
    case .text: column.texts[row].map { .text($0) }
    case .day: column.times(in: .gmt)[row].map { CalendarDate($0, in: .gmt).canonical(reading) }
    case .time: column.times(in: .gmt)[row].map { Timestamp($0).canonical(reading) }
    case .flag: column.series[row].isNaN ? nil : .truth(column.series[row] == 1)
    case .number: column.series[row].isNaN ? nil : column.series[row].canonical(reading)
    case .localTime: .text("local times are not supported")
    }
}
