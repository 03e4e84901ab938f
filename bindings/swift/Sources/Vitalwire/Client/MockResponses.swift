import Foundation
internal import VitalwireFFI

/// A mock response: status, headers, body and delay.
public struct MockResponse: Hashable, Sendable {
    /// Body as JSON text; `nil` for no body.
    public var json: String?
    /// HTTP status; 0 simulates a connection failure.
    public var status: Int
    /// Response headers.
    public var headers: [String: String]
    /// Delay before the response. The delay counts towards the timeouts of the call.
    public var delay: Duration

    /// Creates a response.
    public init(json: String? = nil, status: Int = 200, headers: [String: String] = [:], delay: Duration = .zero) {
        (self.json, self.status, self.headers, self.delay) = (json, status, headers, delay)
    }

    /// Creates a mock response with a record as its body.
    ///
    /// - Throws: `EncodingError` if the record cannot be encoded.
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
    /// The type and the status, without body and headers.
    public var description: String { "MockResponse(status \(status))" }

    /// Same as `description`.
    public var debugDescription: String { description }

    /// An empty mirror, so that `dump` shows no values.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}

/// A set of mock responses for a client, for tests and previews.
///
/// Everything except the network is real: client-side validation, timeouts, retries, decoding and cancellation. Each attempt of an
/// operation takes the next of its responses; the last one repeats. A call without a response throws an error of kind
/// ``ErrorKind/configuration`` that names its operation.
public struct MockResponses: Sendable {
    let native: VitalwireFFI.MockResponses

    /// Creates an empty set.
    public init() { native = VitalwireFFI.MockResponses() }

    private init(_ native: VitalwireFFI.MockResponses) { self.native = native }

    /// A set with a synthetic response for every operation. All people and values are invented.
    public static var samples: MockResponses { MockResponses(VitalwireFFI.MockResponses.samples()) }

    /// Loads the exchanges that `vitalwire record` wrote to a folder.
    ///
    /// A request receives the next exchange with the same method, path and query.
    ///
    /// - Throws: ``VitalwireError`` of kind ``ErrorKind/configuration`` if the folder has no exchanges.
    public static func recorded(in folder: URL) throws -> MockResponses {
        MockResponses(try translateErrors { try VitalwireFFI.MockResponses.fromFolder(folder: folder.path) })
    }

    /// Adds a response to an operation. `operation` is its `operationId` in the specification of the service.
    public func add(_ response: MockResponse, to operation: String) { native.add(operation: operation, response: response.native) }

    /// Removes all responses of an operation.
    public func clear(_ operation: String) { native.clear(operation: operation) }

    /// All requests so far, one per attempt.
    public var requests: [MockRequest] { native.requests().map { MockRequest($0) } }
}

/// A recorded request of an attempt, without the token.
public struct MockRequest: Hashable, Sendable {
    /// Id of the operation.
    public let operation: String
    /// HTTP method, such as `GET`.
    public let httpMethod: String
    /// Percent-encoded path below the base URL.
    public let path: String
    /// Decoded query parameters in the order of the request.
    public let query: [URLQueryItem]
    /// Request body; empty if the request has none.
    public let body: Data

    init(_ native: VitalwireFFI.MockRequest) {
        (operation, httpMethod, path, body) = (native.operation, native.httpMethod, native.path, native.body)
        query = native.query.map { URLQueryItem(name: $0.name, value: $0.value) }
    }
}

extension MockRequest: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The operation and the size of the body, without path, query and content.
    public var description: String { "MockRequest(\(operation), \(body.count) bytes)" }

    /// Same as `description`.
    public var debugDescription: String { description }

    /// An empty mirror, so that `dump` shows no values.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
