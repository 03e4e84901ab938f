import Foundation
internal import VitalwireFFI

/// A table of columns with units, made from records, for charts.
///
/// ```swift
/// let table = try merged.response.dailyStatisticsTable()
/// Chart(table.points("steps")) { BarMark(x: .value("Day", $0.time), y: .value("Steps", $0.value)) }
/// ```
public struct ColumnTable: Sendable {
    /// Number of rows; every column has this length.
    public let rows: Int
    /// Columns with a value in at least one row.
    public let columns: [Column]
    /// Number of skipped values by column.
    ///
    /// A value is skipped if it has an unexpected type, or if it is a time that a column cannot represent. If a whole object or list has an
    /// unexpected type, or a list item cannot be decoded, the key is the field of the response. For a response that is itself the list, the
    /// key is `response`.
    ///
    /// List items are counted only in tables of a ``Response``, from its ``Response/skippedItems``. Undeclared column names may be
    /// personal.
    public let skippedByColumn: [String: Int]

    /// Number of all skipped values, the sum of ``skippedByColumn``.
    public var skippedCount: Int { skippedByColumn.values.reduce(0, +) }

    /// Returns the column with the given name; `nil` if no row has a value.
    public subscript(name: String) -> Column? { columns.first { $0.name == name } }

    /// Builds a table from records, each in the form that the operation returns.
    ///
    /// - Parameters:
    ///   - returnedBy: The operation of the response that contains the records.
    ///   - skippedItems: The skipped items of that response.
    ///   - basis: A closure that returns the basis of a record's numbers.
    init<Record: Encodable>(
        _ table: String, of records: [Record], _ operation: String, returnedBy: String = "", _ skippedItems: [SkippedItem] = [],
        basis: ((Record) -> NumberBasis)? = nil
    ) throws {
        let encoder = JSONEncoder()
        let inputs = try records.map { record in
            EncodedResponse(json: String(decoding: try encoder.encode(record), as: UTF8.self), basis: basis?(record).rawValue)
        }
        let places = skippedItems.map(\.jsonPath)
        let native = try translateErrors {
            try tableColumns(table: table, operation: operation, inputs: inputs, returnedBy: returnedBy, skippedPlaces: places)
        }
        self.init(native)
    }

    init(_ native: TableColumns) {
        rows = Int(clamping: native.rows)
        columns = native.columns.map { Column($0) }
        skippedByColumn = native.skipped.mapValues { Int(clamping: $0) }
    }

    /// A column of values with one type.
    public struct Column: Sendable {
        /// The type of a column's values.
        public enum Kind: Hashable, Sendable {
            /// Numbers, including integers.
            case number
            /// True or false.
            case flag
            /// Texts.
            case text
            /// Days of the calendar.
            case day
            /// Instants.
            case time
            /// Local times of the user, represented as if the time zone were UTC.
            case localTime
        }

        /// Name of the column.
        public let name: String
        /// Unit of the numbers, if known.
        public let unit: String?
        /// Type of the values.
        public let kind: Kind
        /// Values as numbers; empty for a column of texts. A missing value is NaN.
        ///
        /// True is 1. Days are counted since 1970-01-01, times are seconds since then.
        public let series: Series
        /// Values of a column of texts; empty for all other kinds.
        public let texts: [String?]

        /// Values as an array of numbers. A missing value is NaN.
        public var numbers: [Double] { Array(series) }

        /// Returns the values as times; `nil` for a missing value or if the column has no times. A day becomes its start in the time zone.
        public func times(in zone: TimeZone = .current) -> [Date?] { series.indices.map { time($0, in: zone) } }

        func time(_ row: Int, in zone: TimeZone) -> Date? {
            let number = series[row]
            guard !number.isNaN else { return nil }
            guard kind == .day else { return kind == .time || kind == .localTime ? Date(timeIntervalSince1970: number) : nil }
            // In UTC every day has 86,400 seconds.
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
    /// A value of a column with its time, for a chart.
    public struct Point: Identifiable, Hashable, Sendable {
        /// Index of the row.
        public let id: Int
        /// Time of the row.
        public let time: Date
        /// Value in the row.
        public let value: Double
    }

    /// A collection of the values of a column with their times. Points are created on access. Rows without a value or a time are left out.
    public struct Points: RandomAccessCollection, Sendable {
        private let rows: [Int]
        private let times: Column?
        private let values: Column?
        private let zone: TimeZone

        /// Unit of the values, if known, for the label of an axis.
        public var unit: String? { values?.unit }

        /// Always 0.
        public var startIndex: Int { 0 }

        /// Number of points.
        public var endIndex: Int { rows.count }

        /// Returns the point at an index.
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

    /// Returns the values of a column with their times. The collection is empty if there is no such column.
    ///
    /// - Parameters:
    ///   - name: The name of the column of numbers.
    ///   - time: The name of the column of times. Defaults to the first column of days or times.
    ///   - zone: The time zone in which days begin. Defaults to the current one.
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
