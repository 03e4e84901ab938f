import Foundation
internal import VitalwireFFI

/// A mock response: status, headers, body and delay.
public struct MockResponse: Hashable, Sendable {
    /// The body as JSON text; `nil` for no body.
    public var json: String?
    /// The HTTP status; 0 simulates a connection failure.
    public var status: Int
    /// The headers.
    public var headers: [String: String]
    /// Delay before the response. It counts against the deadlines of the call.
    public var delay: Duration

    /// Creates a response.
    public init(json: String? = nil, status: Int = 200, headers: [String: String] = [:], delay: Duration = .zero) {
        (self.json, self.status, self.headers, self.delay) = (json, status, headers, delay)
    }

    /// Creates a response with a record as its body.
    ///
    /// - Throws: What `JSONEncoder` throws.
    public init(_ record: some Encodable) throws {
        self.init(json: try JSONValue(record).json)
    }

    var native: VitalwireFFI.MockResponse {
        .init(
            json: json, status: UInt16(clamping: status), headers: headers.map { .init(name: $0.key, value: $0.value) },
            delayMs: delay.unsignedMilliseconds)
    }
}

extension MockResponse: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Shows neither body nor headers.
    public var description: String { "MockResponse(status \(status))" }

    /// Shows neither body nor headers.
    public var debugDescription: String { description }

    /// Shows nothing to `dump` either.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}

/// Mock responses for a client, for tests and previews. The rest of a call is real: local checks, deadlines, retries, decoding,
/// cancellation.
///
/// Each attempt of an operation takes the next of its responses; the last one repeats. A call without a response throws an error of kind
/// ``ErrorKind/configuration`` that names its operation.
public struct MockResponses: Sendable {
    let native: VitalwireFFI.MockResponses

    /// Creates an empty set.
    public init() { native = VitalwireFFI.MockResponses() }

    private init(_ native: VitalwireFFI.MockResponses) { self.native = native }

    /// A set with a synthetic response to every operation. The people in them do not exist.
    public static var samples: MockResponses { MockResponses(VitalwireFFI.MockResponses.samples()) }

    /// Reads the exchanges that `vitalwire record` wrote into a folder. A request takes the next exchange with its method, path and query.
    ///
    /// - Throws: ``VitalwireError`` of kind ``ErrorKind/configuration`` if the folder has no exchanges.
    public static func recorded(in folder: URL) throws -> MockResponses {
        MockResponses(try translated { try VitalwireFFI.MockResponses.fromFolder(folder: folder.path) })
    }

    /// Adds a response to an operation, by its id in the service's specification.
    public func add(_ response: MockResponse, to operation: String) { native.add(operation: operation, response: response.native) }

    /// Removes the responses of an operation, so that others can replace them.
    public func clear(_ operation: String) { native.clear(operation: operation) }

    /// The requests so far, one for each attempt.
    public var requests: [MockRequest] { native.requests().map { MockRequest($0) } }
}

/// A request that a mock response answered, one for each attempt, without its token.
public struct MockRequest: Hashable, Sendable {
    /// The operation.
    public let operation: String
    /// `GET`, `POST` and so on.
    public let httpMethod: String
    /// The path below the base URL, percent-encoded.
    public let path: String
    /// The query, decoded, in the order in which it was written.
    public let query: [URLQueryItem]
    /// The body; empty if there is none.
    public let body: Data

    init(_ native: VitalwireFFI.MockRequest) {
        (operation, httpMethod, path, body) = (native.operation, native.httpMethod, native.path, native.body)
        query = native.query.map { URLQueryItem(name: $0.name, value: $0.value) }
    }
}

extension MockRequest: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Shows no path, query and body.
    public var description: String { "MockRequest(\(operation), \(body.count) bytes)" }

    /// Shows no path, query and body.
    public var debugDescription: String { description }

    /// Shows nothing to `dump` either.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
