internal import VitalwireFFI

/// The length of a part of a range.
public enum PartLength: Hashable, Sendable, Codable {
    /// Calendar days in a range of days, 24 hours each in a range of time.
    case days(Int)
    /// Hours; for ranges of time only.
    case hours(Int)

    var native: RangePartLength {
        switch self {
        case .days(let count): .days(count: UInt32(clamping: count))
        case .hours(let count): .hours(count: UInt32(clamping: count))
        }
    }
}

/// How the parts of a range are requested.
public struct RangeOptions: Hashable, Sendable {
    /// How many parts may be requested at once. Default: 4.
    public var concurrency: Int?
    /// Whether a part that fails is handed out with its error, and all others are read. Else its error ends the range.
    public var collectsFailures: Bool
    /// What an earlier run of the same call left: nothing else is requested, in parts as long as that run's.
    public var resume: ResumeToken?
    /// Binds resume tokens to a key, such as your own id of the person: a token made under one key is refused under another, and
    /// without one. Calls for two people differ in their access tokens alone, which resume tokens do not hold.
    public var resumeKey: String?

    /// What is not given keeps its default.
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

/// How far a range is. Parts of an earlier run are not counted.
public struct RangeProgress: Hashable, Sendable {
    /// Parts that are done, failures that were collected included.
    public let done: Int
    /// Parts of this run.
    public let total: Int
    /// Items so far.
    public let items: Int

    /// From 0 to 1, for a `ProgressView`.
    public var fraction: Double { total == 0 ? 0 : Double(done) / Double(total) }

    /// That of a range that is not a client's, for fakes.
    package init(done: Int, total: Int, items: Int) { (self.done, self.total, self.items) = (done, total, items) }

    init(_ native: VitalwireFFI.RangeProgress) {
        (done, total, items) = (Int(native.done), Int(native.total), Int(clamping: native.items))
    }
}
