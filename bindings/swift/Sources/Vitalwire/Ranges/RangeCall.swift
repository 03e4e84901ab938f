import Foundation
internal import VitalwireFFI

/// A call over a span of time, made in parts. Iterate the call to read the parts, or collect the parts into one response:
///
/// ```swift
/// let year = client.statistics.daily(first...last, of: [.steps], partLength: .days(30))
/// for try await part in year {
///     show(try part.response.statistics, part.progress.fraction)
///     save(part.resumeToken)
/// }
/// ```
///
/// Requests are sent when you iterate or collect. Each iteration sends them again. Call options apply to each part separately, including
/// timeouts.
public struct RangeCall<Response: Sendable>: AsyncSequence, Sendable {
    /// The response to one part, or its failure.
    public typealias Element = RangePart<Response>

    /// The source of the parts: a client, or a fake.
    enum Source: Sendable {
        case requested(RequestedRange<Response>)
        case fake(FakeRange<Response>)
    }

    let source: Source

    init(
        _ client: VitalwireClient, begin: @escaping RequestedRange<Response>.Begin,
        response convertPart: @escaping RequestedRange<Response>.ConvertPart
    ) {
        self.init(client, begin: begin, response: convertPart) { convertPart(try $0.response()) }
    }

    init(
        _ client: VitalwireClient, begin: @escaping RequestedRange<Response>.Begin,
        response convertPart: @escaping RequestedRange<Response>.ConvertPart,
        whole: @escaping RequestedRange<Response>.ConvertMerged
    ) {
        source = .requested(RequestedRange(client: client, begin: begin, convertPart: convertPart, convertMerged: whole))
    }

    /// Creates a range for fakes, with these parts and a merged response or an error after the last part.
    package init(known parts: [RangePart<Response>], end: Result<Response, any Error>, partialResult: Response? = nil) {
        source = .fake(FakeRange(parts: parts, end: end, partialResult: partialResult))
    }

    /// Returns an iterator that reads one part at a time.
    public func makeAsyncIterator() -> RangeParts<Response> { RangeParts(source) }

    /// Reads all parts and merges the responses.
    ///
    /// Items stay in the order of the parts. Items that the previous part contained are left out.
    ///
    /// - Parameter onProgress: Called after each part, on the thread that runs the range. The closure must return quickly.
    /// - Throws: ``VitalwireError``, also if the task is cancelled. ``VitalwireError/resumeToken`` contains the parts that were not read,
    ///   and `partialResult(of:)` returns the parts that were read.
    public func collect(onProgress: (@Sendable (RangeProgress) -> Void)? = nil) async throws -> MergedRange<Response> {
        switch source {
        case .requested(let range): try await range.collect(onProgress: onProgress)
        case .fake(let range): try range.collect(onProgress: onProgress)
        }
    }
}

extension RangeCall: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The type name, without bounds.
    public var description: String { "RangeCall(..)" }

    /// Same as `description`.
    public var debugDescription: String { description }

    /// An empty mirror, so that `dump` shows no values.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
