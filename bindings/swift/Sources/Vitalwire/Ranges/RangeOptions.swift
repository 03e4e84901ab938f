internal import VitalwireFFI

/// The time that a part of a range covers.
public enum PartLength: Hashable, Sendable, Codable {
    /// Number of calendar days in a range of days; periods of 24 hours in a range of times.
    case days(Int)
    /// Number of hours; for ranges of times only.
    case hours(Int)

    var native: RangePartLength {
        switch self {
        case .days(let count): .days(count: UInt32(clamping: count))
        case .hours(let count): .hours(count: UInt32(clamping: count))
        }
    }
}

/// Options for the parts of a range.
public struct RangeOptions: Hashable, Sendable {
    /// Maximum number of concurrent requests. Defaults to 4.
    public var concurrency: Int?
    /// Whether to return failed parts with their errors and continue with the others. Otherwise the first error ends the range. Defaults to
    /// `false`.
    public var collectsFailures: Bool
    /// Resume token of an earlier run of the same call. Only the parts in it are requested, with the part length of that run.
    public var resume: ResumeToken?
    /// Key that resume tokens are bound to, such as your own id of the person. A token is rejected with a different key or without one.
    ///
    /// Set a key if calls for several people differ only in their access tokens, because resume tokens do not contain access tokens.
    public var resumeKey: String?

    /// Creates options. Options that are not set keep their defaults.
    public init(concurrency: Int? = nil, collectsFailures: Bool = false, resume: ResumeToken? = nil, resumeKey: String? = nil) {
        (self.concurrency, self.collectsFailures) = (concurrency, collectsFailures)
        (self.resume, self.resumeKey) = (resume, resumeKey)
    }

    func native(partLength: PartLength?) -> VitalwireFFI.RangeOptions {
        .init(
            partLength: partLength?.native,
            concurrency: concurrency.map { UInt32(clamping: $0) },
            collectsFailures: collectsFailures,
            resume: resume?.text,
            resumeKey: resumeKey)
    }
}

extension RangeOptions: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The type name, without token and key.
    public var description: String { "RangeOptions(..)" }

    /// Same as `description`.
    public var debugDescription: String { description }

    /// An empty mirror, so that `dump` shows no values.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}

/// The progress of a range. Parts of an earlier run are not counted.
public struct RangeProgress: Hashable, Sendable {
    /// Number of completed parts, including collected failures.
    public let done: Int
    /// Number of parts in this run.
    public let total: Int
    /// Number of items so far.
    public let items: Int

    /// Completed fraction from 0 to 1, for a `ProgressView`.
    public var fraction: Double { total == 0 ? 0 : Double(done) / Double(total) }

    /// Creates an instance for fakes.
    package init(done: Int, total: Int, items: Int) { (self.done, self.total, self.items) = (done, total, items) }

    init(_ native: VitalwireFFI.RangeProgress) {
        (done, total, items) = (Int(native.done), Int(native.total), Int(clamping: native.items))
    }
}
