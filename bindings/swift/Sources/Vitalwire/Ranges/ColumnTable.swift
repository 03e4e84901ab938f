import Foundation
internal import VitalwireFFI

/// Records as columns of one length with units, for charts.
///
/// ```swift
/// let table = try merged.response.dailyStatisticsTable()
/// Chart(table.points("steps")) { BarMark(x: .value("Day", $0.time), y: .value("Steps", $0.value)) }
/// ```
public struct ColumnTable: Sendable {
    /// Number of rows.
    public let rows: Int
    /// The columns that have a value in a row.
    public let columns: [Column]
    /// Number of values that were left out, by column: of an unexpected type, or times that no column can represent. If a whole object or
    /// list was of another type, or an item of a list could not be decoded, the key is the field of the response, `response` for a response
    /// that itself is the list. Items are counted in tables of a ``Response``, and among its ``Response/skippedItems`` only.
    ///
    /// An undeclared name of a column may be personal.
    public let skippedByColumn: [String: Int]

    /// Number of values that were left out: the sum of ``skippedByColumn``.
    public var skippedCount: Int { skippedByColumn.values.reduce(0, +) }

    /// The column of a name; `nil` where no row has a value.
    public subscript(name: String) -> Column? { columns.first { $0.name == name } }

    /// Reads a table from records, each as the operation would return it.
    ///
    /// - Parameters:
    ///   - returnedBy: The operation of the response that the records are in.
    ///   - skippedItems: The list items that were left out of that response.
    ///   - basis: Returns the basis of the numbers of a record.
    init<Record: Encodable>(
        _ table: String, of records: [Record], _ operation: String, returnedBy: String = "", _ skippedItems: [SkippedItem] = [],
        basis: ((Record) -> NumberBasis)? = nil
    ) throws {
        let encoder = JSONEncoder()
        let answers = try records.map { record in
            TableAnswer(json: String(decoding: try encoder.encode(record), as: UTF8.self), basis: basis?(record).rawValue)
        }
        let places = skippedItems.map(\.jsonPath)
        let native = try translated {
            try tableColumns(table: table, operation: operation, answers: answers, returnedBy: returnedBy, skippedPlaces: places)
        }
        rows = Int(clamping: native.rows)
        columns = native.columns.map { Column($0) }
        skippedByColumn = native.skipped.mapValues { Int(clamping: $0) }
    }

    /// One column.
    public struct Column: Sendable {
        /// What the values are.
        public enum Kind: Hashable, Sendable {
            /// Numbers, whole ones too.
            case number
            /// True or false.
            case flag
            /// Texts.
            case text
            /// Days of the calendar.
            case day
            /// Instants.
            case time
            /// Times on the user's clock, as if that showed UTC.
            case localTime
        }

        /// Name.
        public let name: String
        /// Unit of the numbers, if known.
        public let unit: String?
        /// What the values are.
        public let kind: Kind
        /// Its numbers, not a number where one is missing: true is 1; days are counted, and times in seconds, since 1970-01-01. None
        /// of texts.
        public let series: Series
        /// Its texts; none of all else.
        public let texts: [String?]

        /// Its numbers as an array, not a number where one is missing.
        public var numbers: [Double] { Array(series) }

        /// Its times; a day begins at midnight in the time zone. `nil` where one is missing.
        public func times(in zone: TimeZone = .current) -> [Date?] { series.indices.map { time($0, in: zone) } }

        func time(_ row: Int, in zone: TimeZone) -> Date? {
            let number = series[row]
            guard !number.isNaN else { return nil }
            guard kind == .day else { return kind == .time || kind == .localTime ? Date(timeIntervalSince1970: number) : nil }
            // In UTC every day has as many seconds.
            return CalendarDate(Date(timeIntervalSince1970: number * 86_400), in: .gmt).start(in: zone)
        }

        init(_ native: TableColumn) {
            (name, unit, texts) = (native.name, native.unit, native.texts)
            series = Series(bytes: native.numbers)
            kind =
                switch native.kind {
                case .number, .integer: .number
                case .boolean: .flag
                case .text: .text
                case .date: .day
                case .instant: .time
                case .localTime: .localTime
                }
        }
    }
}

extension ColumnTable {
    /// One value of a column and its time: what a chart takes.
    public struct Point: Identifiable, Hashable, Sendable {
        /// The row.
        public let id: Int
        /// The time of the row.
        public let time: Date
        /// The value.
        public let value: Double
    }

    /// The values of a column with their times, each made when it is asked for. Rows without a value or a time are left out.
    public struct Points: RandomAccessCollection, Sendable {
        private let rows: [Int]
        private let times: Column?
        private let values: Column?
        private let zone: TimeZone

        /// The unit of the values, if known: for the label of the axis.
        public var unit: String? { values?.unit }

        /// Always 0.
        public var startIndex: Int { 0 }

        /// The number of points.
        public var endIndex: Int { rows.count }

        /// The point at an index.
        public subscript(position: Int) -> Point {
            let row = rows[position]
            return Point(id: row, time: times?.time(row, in: zone) ?? .distantPast, value: values?.series[row] ?? .nan)
        }

        init(_ table: ColumnTable, _ name: String, over time: String?, in zone: TimeZone) {
            let times = time.map { table[$0] } ?? table.columns.first(where: \.isTime)
            let values = table[name]
            (self.times, self.values, self.zone) = (times, values, zone)
            guard let times, let values, times.series.count == values.series.count else {
                rows = []
                return
            }
            rows = values.series.indices.filter { !values.series[$0].isNaN && times.time($0, in: zone) != nil }
        }
    }

    /// The values of a column with their times; none where there is no such column.
    ///
    /// - Parameters:
    ///   - name: The column's name.
    ///   - time: The name of the column of times; the first that has some by default.
    ///   - zone: The time zone in which days begin.
    public func points(_ name: String, over time: String? = nil, in zone: TimeZone = .current) -> Points {
        Points(self, name, over: time, in: zone)
    }
}

extension ColumnTable.Column {
    fileprivate var isTime: Bool { kind == .day || kind == .time }
}

extension ColumnTable: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The number of rows and columns, without values.
    public var description: String { "ColumnTable(\(rows) rows, \(columns.count) columns)" }

    /// Same as `description`.
    public var debugDescription: String { description }

    /// An empty mirror, so that `dump` shows no values.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}

extension ColumnTable.Column: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The name, without values.
    public var description: String { "Column(\(name))" }

    /// Same as `description`.
    public var debugDescription: String { description }

    /// An empty mirror, so that `dump` shows no values.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}

extension ColumnTable.Points: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The number of points, without values.
    public var description: String { "Points(\(count))" }

    /// Same as `description`.
    public var debugDescription: String { description }

    /// An empty mirror, so that `dump` shows no values.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}

extension ColumnTable.Point: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The row, without values.
    public var description: String { "Point(\(id))" }

    /// Same as `description`.
    public var debugDescription: String { description }

    /// An empty mirror, so that `dump` shows no values.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
