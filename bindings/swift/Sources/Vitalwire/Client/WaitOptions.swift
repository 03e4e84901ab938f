internal import VitalwireFFI

/// How an analysis is waited for.
public struct WaitOptions: Hashable, Sendable {
    /// How long may be waited in all, an upload included. Default: 5 minutes.
    public var timeout: Duration?
    /// The waits between two readings. Default: 1 s at first, growing up to 5 s.
    public var interval: WaitInterval?

    /// What is not given keeps its default.
    public init(timeout: Duration? = nil, interval: WaitInterval? = nil) {
        (self.timeout, self.interval) = (timeout, interval)
    }

    var native: VitalwireFFI.WaitOptions {
        .init(
            timeoutMs: timeout?.unsignedMilliseconds,
            interval: interval.map {
                .init(floorMs: $0.first.unsignedMilliseconds, ceilingMs: $0.longest.unsignedMilliseconds)
            })
    }
}

/// The waits between two readings of a record.
public struct WaitInterval: Hashable, Sendable {
    /// The first wait; more than 0.
    public var first: Duration
    /// The longest that it grows to.
    public var longest: Duration

    /// From the first wait to the longest.
    public init(_ first: Duration, upTo longest: Duration) {
        (self.first, self.longest) = (first, longest)
    }
}
