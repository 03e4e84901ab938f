import Foundation
internal import VitalwireFFI

extension VitalwireClient.Sleeps {
    /// Finds the sleeps of a range of days, including naps.
    ///
    /// Daily statistics list the ids of the sleeps; then each sleep is read.
    ///
    /// ```swift
    /// for try await found in client.sleeps.between(monday...sunday, include: [.stages]) {
    ///     show(try found.night.record)
    /// }
    /// let nights = try await client.sleeps.between(monday...sunday).collect().response
    /// ```
    ///
    /// - Parameters:
    ///   - days: The first and the last day.
    ///   - include: The optional parts of each sleep to request.
    ///   - providers: The providers whose sleeps to return. Defaults to all.
    ///   - excludeManual: Whether to leave out sleeps that were entered by hand.
    ///   - range: The concurrency, the handling of failed days, and the resume token of an earlier search.
    ///   - options: The timeouts, retries and token of each call. Options that are not set default to the client's settings.
    public func between(
        _ days: ClosedRange<CalendarDate>,
        include: GetInclude = [],
        providers: [ProviderSlug]? = nil,
        excludeManual: Bool? = nil,
        range: RangeOptions = .init(),
        options: CallOptions = .init()
    ) -> NightSearch {
        NightSearch(
            range: RangeCall(client) { native, cancel in
                try native.sleepsBetween(
                    params: SleepsBetweenParams(
                        first: days.lowerBound.native,
                        last: days.upperBound.native,
                        includeStages: include.requested["include_stages"],
                        includeSamples: include.requested["include_samples"],
                        providers: providers?.map(\.rawValue),
                        excludeManual: excludeManual),
                    rangeOptions: range.native(partLength: nil), options: options.native, cancel: cancel)
            } response: { _ in
                nil
            } whole: { merged in
                try merged.nights().map { Night($0.days, $0.record) }
            })
    }
}

/// A sleep with the days that it belongs to.
public struct Night: Sendable {
    /// Days that the sleep counts towards; empty if the service's statistics do not state the day.
    public let days: [CalendarDate]
    /// Record of the sleep.
    public let record: SleepRecord

    /// Creates a night, for tests and previews.
    public init(days: [CalendarDate] = [], record: SleepRecord) { (self.days, self.record) = (days, record) }

    init(_ days: [VitalwireFFI.CalendarDate], _ record: VitalwireFFI.SleepRecord) {
        (self.days, self.record) = (days.map { CalendarDate($0) }, SleepRecord(record))
    }
}

/// A search for sleeps by their days. Iterate the search to read nights in the order of their days, or collect all nights.
///
/// Requests are sent when you iterate or collect. Each iteration sends them again.
public struct NightSearch: AsyncSequence, Sendable {
    /// A night that was found, or days that could not be read.
    public typealias Element = NightResult

    let range: RangeCall<[Night]>

    init(range: RangeCall<[Night]>) { self.range = range }

    /// Returns an iterator that reads one night at a time.
    public func makeAsyncIterator() -> Iterator { Iterator(parts: range.makeAsyncIterator()) }

    /// Reads all nights. Each part of the result is a day that was read, with the positions of its nights.
    ///
    /// - Parameter onProgress: Called after each day, on the thread that runs the search. The closure must return quickly.
    /// - Throws: ``VitalwireError``, also if the task is cancelled. ``VitalwireError/resumeToken`` contains the days that were not read,
    ///   and `partialResult(of:)` returns the nights that were read.
    public func collect(onProgress: (@Sendable (RangeProgress) -> Void)? = nil) async throws -> MergedRange<[Night]> {
        try await range.collect(onProgress: onProgress)
    }

    /// Reads all nights into the table `sleeps`, one row for each sleep. A column marks naps.
    ///
    /// Stages and samples are not requested. A resume token continues both ``collect(onProgress:)`` and this method.
    ///
    /// ```swift
    /// let table = try await client.sleeps.between(monday...sunday).collectSleepsTable(missingRows: true).response
    /// Chart(table.points("score")) { PointMark(x: .value("Day", $0.time), y: .value("Score", $0.value)) }
    /// ```
    ///
    /// - Parameters:
    ///   - missingRows: Whether to add a row for each day without a sleep. Such a row has only the date. Days that failed have no row.
    ///     Defaults to `false`.
    ///   - onProgress: Called after each day, on the thread that runs the search. The closure must return quickly.
    /// - Throws: ``VitalwireError``, also if the task is cancelled. ``VitalwireError/resumeToken`` contains the days that were not read,
    ///   and ``VitalwireError/partialSleepsTable(of:)`` returns the rows that were read.
    public func collectSleepsTable(
        missingRows: Bool = false, onProgress: (@Sendable (RangeProgress) -> Void)? = nil
    ) async throws -> MergedRange<ColumnTable> {
        switch range.source {
        case .requested(let nights):
            let table = RequestedRange<ColumnTable>(client: nights.client) {
                try nights.begin($0, $1).table(table: "sleeps", missingRows: missingRows)
            } convertPart: { _ in
                nil
            } convertMerged: {
                ColumnTable(try $0.table())
            }
            return try await table.collect(onProgress: onProgress)
        case .fake(let nights): return try nights.collectSleepsTable(onProgress: onProgress)
        }
    }

    /// Creates a search for fakes that returns these nights and then throws the error, if any.
    package init(known nights: [Night], error: (any Error)? = nil) {
        let parts = nights.enumerated().map { index, night in
            RangePart<[Night]>(
                index: index, days: nil, time: nil, result: .success([night]),
                progress: RangeProgress(done: index + 1, total: nights.count, items: index + 1), resumeToken: nil)
        }
        range = RangeCall(known: parts, end: error.map { .failure($0) } ?? .success(nights), partialResult: nights)
    }

    /// An iterator over the nights of a search.
    ///
    /// Only one task at a time may read. Calls in flight are cancelled when the last copy is released.
    public struct Iterator: AsyncIteratorProtocol, Sendable {
        let parts: RangeParts<[Night]>

        /// Returns the next night; `nil` after the last night, after an error and after ``close()``.
        ///
        /// - Throws: ``VitalwireError``, also if the task is cancelled. ``VitalwireError/resumeToken`` contains the days that were not
        ///   returned.
        public func next() async throws -> NightResult? {
            switch parts.reader {
            case .requested(let parts): try await found(parts)
            case .fake(let parts): try parts.next().map { NightResult($0) }
            }
        }

        private func found(_ parts: RequestedParts<[Night]>) async throws -> NightResult? {
            let (reading, left) = try await parts.read()
            guard let found = reading.night else { return nil }
            let progress = RangeProgress(reading.progress)
            let days = found.days.map { CalendarDate($0) }
            if let record = found.record {
                return NightResult(days: days, result: .success(Night(found.days, record)), progress: progress, resumeToken: left)
            }
            guard let failure = found.failure else { throw VitalwireError(.internal, "the days have neither a night nor a failure") }
            return NightResult(days: days, result: .failure(parts.range.error(failure)), progress: progress, resumeToken: left)
        }

        /// Current resume token for all days that could not be read or were not returned yet; `nil` if no days remain.
        public var resumeToken: ResumeToken? { parts.resumeToken }

        /// Stops the search. Cancels calls in flight and a pending ``next()``.
        public func close() { parts.close() }
    }
}

/// A night that was found, or days that could not be read.
public struct NightResult: Sendable {
    /// Days that the sleep counts towards, or the days that could not be read.
    public let days: [CalendarDate]
    /// Night, or the error of days that could not be read. Errors are only returned with ``RangeOptions/collectsFailures``.
    public let result: Result<Night, VitalwireError>
    /// Progress of the search, where parts are days and items are nights.
    public let progress: RangeProgress
    /// Resume token for the days after this night; `nil` after the last night. Store it together with the night.
    public let resumeToken: ResumeToken?

    /// The night. Throws the error if the days could not be read.
    public var night: Night { get throws { try result.get() } }

    init(days: [CalendarDate], result: Result<Night, VitalwireError>, progress: RangeProgress, resumeToken: ResumeToken?) {
        (self.days, self.result, self.progress, self.resumeToken) = (days, result, progress, resumeToken)
    }

    /// Creates a result from a part of a fake. Each part of a fake has one night.
    init(_ part: RangePart<[Night]>) {
        let night = part.result.flatMap { nights in
            nights.first.map { .success($0) } ?? .failure(VitalwireError(.internal, "the days have neither a night nor a failure"))
        }
        self.init(days: (try? night.get().days) ?? [], result: night, progress: part.progress, resumeToken: part.resumeToken)
    }
}

extension VitalwireError {
    /// Returns the nights that were read before a search failed; `nil` if there are none.
    public func partialResult(of search: NightSearch) -> MergedRange<[Night]>? { partialResult(of: search.range) }

    /// Returns the rows that ``NightSearch/collectSleepsTable(missingRows:onProgress:)`` read before it failed; `nil` if there are none.
    public func partialSleepsTable(of search: NightSearch) -> MergedRange<ColumnTable>? { merged as? MergedRange<ColumnTable> }
}

extension Night: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The type name, without days and values.
    public var description: String { "Night(..)" }

    /// Same as `description`.
    public var debugDescription: String { description }

    /// An empty mirror, so that `dump` shows no values.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}

extension NightResult: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The type name, without days and values.
    public var description: String { "NightResult(..)" }

    /// Same as `description`.
    public var debugDescription: String { description }

    /// An empty mirror, so that `dump` shows no values.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}

extension NightSearch: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The type name, without days.
    public var description: String { "NightSearch(..)" }

    /// Same as `description`.
    public var debugDescription: String { description }

    /// An empty mirror, so that `dump` shows no values.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
