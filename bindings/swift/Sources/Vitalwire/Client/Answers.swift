import Foundation
internal import VitalwireFFI

/// One answer of a service that is not there.
public struct Answer: Hashable, Sendable {
    /// The body as JSON text; without it there is none.
    public var json: String?
    /// The HTTP status; 0 makes no connection, as without a network.
    public var status: Int
    /// The headers.
    public var headers: [String: String]
    /// Time before the answer; it counts against the deadlines of the call.
    public var delay: Duration

    /// An answer by its parts.
    public init(json: String? = nil, status: Int = 200, headers: [String: String] = [:], delay: Duration = .zero) {
        (self.json, self.status, self.headers, self.delay) = (json, status, headers, delay)
    }

    /// A record as the service would answer it.
    ///
    /// - Throws: What `JSONEncoder` throws.
    public init(_ record: some Encodable) throws {
        self.init(json: try JSONValue(record).json)
    }

    var native: VitalwireFFI.Answer {
        .init(
            json: json, status: UInt16(clamping: status), headers: headers.map { .init(name: $0.key, value: $0.value) },
            delayMs: delay.unsignedMilliseconds)
    }
}

extension Answer: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Shows neither body nor headers.
    public var description: String { "Answer(status \(status))" }

    /// Shows neither body nor headers.
    public var debugDescription: String { description }

    /// Shows nothing to `dump` either.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}

/// What a client answers instead of calling a service, for tests and previews. All else of a call is real: local checks, deadlines,
/// retries, decoding, cancelling.
///
/// The answers of an operation are given in turn, one to each attempt; the last one stays. A call of an operation without an answer is
/// an error of kind ``ErrorKind/configuration`` that names it.
public struct Answers: Sendable {
    let native: VitalwireFFI.Answers

    /// Answers without any.
    public init() { native = VitalwireFFI.Answers() }

    private init(_ native: VitalwireFFI.Answers) { self.native = native }

    /// A synthetic answer to every operation. Nobody in them exists.
    public static var samples: Answers { Answers(VitalwireFFI.Answers.samples()) }

    /// The exchanges that the program `vitalwire record` wrote into a folder, by path and query, in turn.
    ///
    /// - Throws: ``VitalwireError`` of kind ``ErrorKind/configuration`` where the folder holds no such exchanges.
    public static func recorded(in folder: URL) throws -> Answers {
        Answers(try translated { try VitalwireFFI.Answers.fromFolder(folder: folder.path) })
    }

    /// Adds the next answer of an operation, which is called as in the service's specification.
    public func add(_ answer: Answer, to operation: String) { native.add(operation: operation, answer: answer.native) }

    /// Forgets the answers of an operation, so that others can take their place.
    public func clear(_ operation: String) { native.clear(operation: operation) }

    /// What was requested so far, attempt by attempt.
    public var requested: [Requested] { native.requested().map { Requested($0) } }

    /// One request that was answered from memory: an attempt, without its token.
    public struct Requested: Hashable, Sendable {
        /// The operation.
        public let operation: String
        /// `GET`, `POST` and their like.
        public let httpMethod: String
        /// The path below the base URL, percent-encoded.
        public let path: String
        /// The query, decoded, in the order in which it was written.
        public let query: [URLQueryItem]
        /// The body; empty if there is none.
        public let body: Data

        init(_ native: VitalwireFFI.Requested) {
            (operation, httpMethod, path, body) = (native.operation, native.httpMethod, native.path, native.body)
            query = native.query.map { URLQueryItem(name: $0.name, value: $0.value) }
        }
    }
}

extension Answers.Requested: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Shows no path, query and body.
    public var description: String { "Requested(\(operation), \(body.count) bytes)" }

    /// Shows no path, query and body.
    public var debugDescription: String { description }

    /// Shows nothing to `dump` either.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
