internal import VitalwireFFI

/// Options of a wait.
public struct WaitOptions: Hashable, Sendable {
    /// Maximum time for the whole wait, including an upload. Defaults to 300 seconds.
    public var timeout: Duration?
    /// Interval between two polls. Defaults to 1 second, growing to 5 seconds.
    public var interval: WaitInterval?

    /// Creates options. Options that are not set keep their defaults.
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

/// An interval between two polls of a record. The interval grows by half after each poll.
public struct WaitInterval: Hashable, Sendable {
    /// First interval. Must be greater than 0.
    public var first: Duration
    /// Maximum interval.
    public var longest: Duration

    /// Creates an interval that grows from `first` to `longest`.
    public init(_ first: Duration, upTo longest: Duration) {
        (self.first, self.longest) = (first, longest)
    }
}
