import Vitalwire

/// A simulated failure of a call, for tests of error handling.
public struct Failure: Hashable, Sendable {
    /// Kind of the error that the call throws.
    public let kind: ErrorKind
    /// Mock response that causes the failure.
    public let response: MockResponse

    private init(_ kind: ErrorKind, _ response: MockResponse) { (self.kind, self.response) = (kind, response) }

    private init(_ kind: ErrorKind, status: Int) { self.init(kind, MockResponse(status: status)) }

    /// Status 401: the token is missing, expired or invalid.
    public static let authentication = Failure(.authentication, status: 401)
    /// Status 403: the token has no permission for the call.
    public static let permission = Failure(.permission, status: 403)
    /// Status 404: the record does not exist.
    public static let notFound = Failure(.notFound, status: 404)
    /// Status 422: the service rejects the content of the request.
    public static let invalidRequest = Failure(.invalidRequest, status: 422)
    /// Status 413: the file is too large for the service.
    public static let tooLarge = Failure(.tooLarge, status: 413)
    /// Status 429: too many requests, without a `Retry-After` header.
    public static let rateLimited = Failure(.rateLimited, status: 429)
    /// Status 503: the service is unavailable.
    public static let service = Failure(.service, status: 503)
    /// Status 409, which has no error kind of its own.
    public static let unexpectedStatus = Failure(.unexpectedStatus, status: 409)
    /// Status 408: the service timed out. To test a timeout of the client, delay a response.
    public static let timeout = Failure(.timeout, status: 408)
    /// Connection failure, as without a network.
    public static let transport = Failure(.transport, status: 0)
    /// A response that does not match the interface.
    public static let decode = Failure(.decode, MockResponse(json: "[0"))

    /// Creates a failure with status 429 and a `Retry-After` header, in whole seconds.
    public static func rateLimited(retryAfter: Duration) -> Failure {
        Failure(.rateLimited, MockResponse(status: 429, headers: ["retry-after": "\(retryAfter.components.seconds)"]))
    }

    /// All failures, each once.
    public static let all: [Failure] = [
        .authentication, .permission, .notFound, .invalidRequest, .tooLarge, .rateLimited, .service, .unexpectedStatus, .timeout,
        .transport, .decode,
    ]
}

extension MockResponse {
    /// Returns the mock response of a failure.
    public static func failing(_ failure: Failure) -> MockResponse { failure.response }

    /// Returns a copy of the response with a longer delay. The delay counts towards the timeouts of the call.
    public func delayed(_ delay: Duration) -> MockResponse {
        var later = self
        later.delay += delay
        return later
    }
}
