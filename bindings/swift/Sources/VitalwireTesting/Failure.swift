import Vitalwire

/// A way in which a call can fail, for tests of what an application does then.
public struct Failure: Hashable, Sendable {
    /// The kind of the error that the call ends with.
    public let kind: ErrorKind
    /// The mock response that causes the failure.
    public let response: MockResponse

    private init(_ kind: ErrorKind, _ response: MockResponse) { (self.kind, self.response) = (kind, response) }

    private init(_ kind: ErrorKind, status: Int) { self.init(kind, MockResponse(status: status)) }

    /// The token is missing, expired or refused: status 401.
    public static let authentication = Failure(.authentication, status: 401)
    /// The token may not do this: status 403.
    public static let permission = Failure(.permission, status: 403)
    /// There is no such record: status 404.
    public static let notFound = Failure(.notFound, status: 404)
    /// The service refuses the content: status 422.
    public static let invalidRequest = Failure(.invalidRequest, status: 422)
    /// A file is too large for the service: status 413.
    public static let tooLarge = Failure(.tooLarge, status: 413)
    /// Too many requests: status 429, without a wait that the service asks for.
    public static let rateLimited = Failure(.rateLimited, status: 429)
    /// The service fails: status 503.
    public static let service = Failure(.service, status: 503)
    /// A status that has no kind of its own: 409.
    public static let unexpectedStatus = Failure(.unexpectedStatus, status: 409)
    /// The service gave up waiting: status 408. To let a deadline of the client expire, delay a response.
    public static let timeout = Failure(.timeout, status: 408)
    /// There is no connection, as without a network.
    public static let transport = Failure(.transport, status: 0)
    /// The response does not match the interface.
    public static let decode = Failure(.decode, MockResponse(json: "[0"))

    /// Too many requests: status 429, and how long the service asks to wait, in whole seconds.
    public static func rateLimited(retryAfter: Duration) -> Failure {
        Failure(.rateLimited, MockResponse(status: 429, headers: ["retry-after": "\(retryAfter.components.seconds)"]))
    }

    /// Every failure, each once.
    public static let all: [Failure] = [
        .authentication, .permission, .notFound, .invalidRequest, .tooLarge, .rateLimited, .service, .unexpectedStatus, .timeout,
        .transport, .decode,
    ]
}

extension MockResponse {
    /// Creates a response that makes a call fail.
    public static func failing(_ failure: Failure) -> MockResponse { failure.response }

    /// Returns a copy with a longer delay, which counts against the deadlines of the call.
    public func delayed(_ delay: Duration) -> MockResponse {
        var later = self
        later.delay += delay
        return later
    }
}
