package dev.vitalwire.testing

import dev.vitalwire.MockResponse
import dev.vitalwire.ErrorKind
import kotlin.time.Duration
import kotlin.time.toKotlinDuration

/** A failure to simulate with a mock response, for tests of error handling. */
public class Failure private constructor(
    /** Kind of the exception that the call throws. */
    public val kind: ErrorKind,
    /** The mock response that causes the failure. */
    public val response: MockResponse,
) {
    private constructor(kind: ErrorKind, status: Int) : this(kind, MockResponse.status(status))

    /** Returns a description with the kind. */
    override fun toString(): String = "Failure($kind)"

    public companion object {
        /** The token is missing, expired or rejected: status 401. */
        @JvmField
        public val AUTHENTICATION: Failure = Failure(ErrorKind.AUTHENTICATION, 401)

        /** The token does not permit the call: status 403. */
        @JvmField
        public val PERMISSION: Failure = Failure(ErrorKind.PERMISSION, 403)

        /** The record does not exist: status 404. */
        @JvmField
        public val NOT_FOUND: Failure = Failure(ErrorKind.NOT_FOUND, 404)

        /** The service rejects the content of the request: status 422. */
        @JvmField
        public val INVALID_REQUEST: Failure = Failure(ErrorKind.INVALID_REQUEST, 422)

        /** A file is too large for the service: status 413. */
        @JvmField
        public val TOO_LARGE: Failure = Failure(ErrorKind.TOO_LARGE, 413)

        /** Too many requests: status 429, without a `Retry-After` header. */
        @JvmField
        public val RATE_LIMITED: Failure = Failure(ErrorKind.RATE_LIMITED, 429)

        /** The service is unavailable: status 503. */
        @JvmField
        public val SERVICE: Failure = Failure(ErrorKind.SERVICE, 503)

        /** A status without an error kind of its own: 409. */
        @JvmField
        public val UNEXPECTED_STATUS: Failure = Failure(ErrorKind.UNEXPECTED_STATUS, 409)

        /** The service timed out: status 408. To test the client's own timeouts, delay a response. */
        @JvmField
        public val TIMEOUT: Failure = Failure(ErrorKind.TIMEOUT, 408)

        /** The connection fails, as without a network. */
        @JvmField
        public val TRANSPORT: Failure = Failure(ErrorKind.TRANSPORT, 0)

        /** The response does not match the interface. */
        @JvmField
        public val DECODE: Failure = Failure(ErrorKind.DECODE, MockResponse.json("[0"))

        /** All failures above. */
        @JvmStatic
        public val all: List<Failure> = listOf(
            AUTHENTICATION, PERMISSION, NOT_FOUND, INVALID_REQUEST, TOO_LARGE, RATE_LIMITED, SERVICE, UNEXPECTED_STATUS, TIMEOUT, TRANSPORT,
            DECODE,
        )

        /** Creates a failure for too many requests: status 429 with a `Retry-After` header, in whole seconds. */
        public fun rateLimited(retryAfter: Duration): Failure {
            val response = MockResponse {
                status = 429
                header("retry-after", "${retryAfter.inWholeSeconds}")
            }
            return Failure(ErrorKind.RATE_LIMITED, response)
        }

        /** Creates a failure for too many requests, for Java. */
        @JvmStatic
        public fun rateLimited(retryAfter: java.time.Duration): Failure = rateLimited(retryAfter.toKotlinDuration())
    }
}
