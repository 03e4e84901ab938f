import Foundation
internal import VitalwireFFI

extension VitalwireClient.Sleeps {
    /// The sleeps of a range of days, naps among them: daily statistics name them, then each is read.
    ///
    /// ```swift
    /// for try await found in client.sleeps.between(monday...sunday, include: [.stages]) {
    ///     show(try found.night.record)
    /// }
    /// let nights = try await client.sleeps.between(monday...sunday).collect().response
    /// ```
    ///
    /// - Parameters:
    ///   - days: First and last day.
    ///   - include: What to answer besides, of each sleep.
    ///   - providers: Only sleeps from these providers.
    ///   - excludeManual: Leave out what was entered by hand.
    ///   - range: How many calls at once, what happens when a day fails, and what an earlier search left.
    ///   - options: Deadlines, retries and token of each call; what is not set comes from the client.
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
                        includeStages: include.given["include_stages"],
                        includeSamples: include.given["include_samples"],
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

/// A sleep that was found by its days.
public struct Night: Sendable {
    /// The days whose sleep it is part of; empty if the service's statistics do not state the day.
    public let days: [CalendarDate]
    /// The record.
    public let record: SleepRecord

    /// A night made by hand, for tests and previews.
    public init(days: [CalendarDate] = [], record: SleepRecord) { (self.days, self.record) = (days, record) }

    init(_ days: [VitalwireFFI.CalendarDate], _ record: VitalwireFFI.SleepRecord) {
        (self.days, self.record) = (days.map { CalendarDate($0) }, SleepRecord(record))
    }
}

/// A search for sleeps by their days. Iterate it for the nights in the order of their days, or collect them.
///
/// Nothing is requested before it is iterated or collected, and each time it is requested anew.
public struct NightSearch: AsyncSequence, Sendable {
    /// A night, or days that could not be read.
    public typealias Element = FoundNight

    let range: RangeCall<[Night]>

    init(range: RangeCall<[Night]>) { self.range = range }

    /// The nights, to be read one by one.
    public func makeAsyncIterator() -> Iterator { Iterator(parts: range.makeAsyncIterator()) }

    /// Reads every night. The parts of what this returns are the days that were read, and where their nights are.
    ///
    /// - Parameter onProgress: Called after each day, on the thread that runs the search. It must return quickly.
    /// - Throws: ``VitalwireError``, whose ``VitalwireError/resumeToken`` has the days that were not read and
    ///   ``VitalwireError/soFar(of:)`` what was; of a cancelled task too.
    public func collect(onProgress: (@Sendable (RangeProgress) -> Void)? = nil) async throws -> MergedRange<[Night]> {
        try await range.collect(onProgress: onProgress)
    }

    /// Creates a search for fakes, which finds these nights and ends with the error, if there is one.
    package init(known nights: [Night], error: (any Error)? = nil) {
        let parts = nights.enumerated().map { index, night in
            RangePart<[Night]>(
                index: index, days: nil, time: nil, result: .success([night]),
                progress: RangeProgress(done: index + 1, total: nights.count, items: index + 1), resumeToken: nil)
        }
        range = RangeCall(known: parts, end: error.map { .failure($0) } ?? .success(nights), soFar: nights)
    }

    /// Reads one night after the other. One reading at a time has them; when nobody holds it any more, calls on their way end.
    public struct Iterator: AsyncIteratorProtocol, Sendable {
        let parts: RangeParts<[Night]>

        /// The next night; `nil` after the last, after the error that ended the search, and after ``close()``.
        ///
        /// - Throws: ``VitalwireError``, also if the task is cancelled. Its ``VitalwireError/resumeToken`` has the days that were not
        ///   returned.
        public func next() async throws -> FoundNight? {
            switch parts.reader {
            case .requested(let parts): try await found(parts)
            case .known(let parts): try parts.next().map { FoundNight($0) }
            }
        }

        private func found(_ parts: RequestedParts<[Night]>) async throws -> FoundNight? {
            let (reading, left) = try await parts.read()
            guard let found = reading.night else { return nil }
            let progress = RangeProgress(reading.progress)
            let days = found.days.map { CalendarDate($0) }
            if let record = found.record {
                return FoundNight(days: days, result: .success(Night(found.days, record)), progress: progress, resumeToken: left)
            }
            guard let failure = found.failure else { throw VitalwireError(.internal, "days without a night") }
            return FoundNight(days: days, result: .failure(parts.range.error(failure)), progress: progress, resumeToken: left)
        }

        /// A token for all days that have failed or were not handed out, at any time; `nil` if nothing is left.
        public var resumeToken: ResumeToken? { parts.resumeToken }

        /// Ends what is on its way, a reading too.
        public func close() { parts.close() }
    }
}

/// A night, or days that could not be read.
public struct FoundNight: Sendable {
    /// The days whose sleep it is part of, or that failed.
    public let days: [CalendarDate]
    /// The night, or why there is none: with ``RangeOptions/collectsFailures`` days that failed are handed out too.
    public let result: Result<Night, VitalwireError>
    /// The progress of the search: parts are days, items are nights.
    public let progress: RangeProgress
    /// A token for the days after this night, to be stored with it; `nil` after the last night.
    public let resumeToken: ResumeToken?

    /// The night. Throws the error of days that failed.
    public var night: Night { get throws { try result.get() } }

    init(days: [CalendarDate], result: Result<Night, VitalwireError>, progress: RangeProgress, resumeToken: ResumeToken?) {
        (self.days, self.result, self.progress, self.resumeToken) = (days, result, progress, resumeToken)
    }

    /// That of a fake, whose part is one night.
    init(_ part: RangePart<[Night]>) {
        let night = part.result.flatMap { nights in
            nights.first.map { .success($0) } ?? .failure(VitalwireError(.internal, "days without a night"))
        }
        self.init(days: (try? night.get().days) ?? [], result: night, progress: part.progress, resumeToken: part.resumeToken)
    }
}

extension VitalwireError {
    /// Returns the nights that were read before a search ended early.
    public func soFar(of search: NightSearch) -> MergedRange<[Night]>? { soFar(of: search.range) }
}

extension Night: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The type name, without days and values.
    public var description: String { "Night(..)" }

    /// Same as `description`.
    public var debugDescription: String { description }

    /// An empty mirror, so that `dump` shows no values.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}

extension FoundNight: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The type name, without days and values.
    public var description: String { "FoundNight(..)" }

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
