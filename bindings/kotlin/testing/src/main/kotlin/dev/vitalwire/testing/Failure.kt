package dev.vitalwire.testing

import dev.vitalwire.MockResponse
import dev.vitalwire.ErrorKind
import kotlin.time.Duration
import kotlin.time.toKotlinDuration

/** A way in which a call can fail, for tests of what an application does then. */
public class Failure private constructor(
    /** The kind of the exception that the call ends with. */
    public val kind: ErrorKind,
    /** The mock response that causes the failure. */
    public val response: MockResponse,
) {
    private constructor(kind: ErrorKind, status: Int) : this(kind, MockResponse.status(status))

    /** The kind. */
    override fun toString(): String = "Failure($kind)"

    public companion object {
        /** The token is missing, expired or refused: status 401. */
        @JvmField
        public val AUTHENTICATION: Failure = Failure(ErrorKind.AUTHENTICATION, 401)

        /** The token may not do this: status 403. */
        @JvmField
        public val PERMISSION: Failure = Failure(ErrorKind.PERMISSION, 403)

        /** There is no such record: status 404. */
        @JvmField
        public val NOT_FOUND: Failure = Failure(ErrorKind.NOT_FOUND, 404)

        /** The service refuses the content: status 422. */
        @JvmField
        public val INVALID_REQUEST: Failure = Failure(ErrorKind.INVALID_REQUEST, 422)

        /** A file is too large for the service: status 413. */
        @JvmField
        public val TOO_LARGE: Failure = Failure(ErrorKind.TOO_LARGE, 413)

        /** Too many requests: status 429, without a wait that the service asks for. */
        @JvmField
        public val RATE_LIMITED: Failure = Failure(ErrorKind.RATE_LIMITED, 429)

        /** The service fails: status 503. */
        @JvmField
        public val SERVICE: Failure = Failure(ErrorKind.SERVICE, 503)

        /** A status that has no kind of its own: 409. */
        @JvmField
        public val UNEXPECTED_STATUS: Failure = Failure(ErrorKind.UNEXPECTED_STATUS, 409)

        /** The service gave up waiting: status 408. To let a deadline of the client expire, delay a response. */
        @JvmField
        public val TIMEOUT: Failure = Failure(ErrorKind.TIMEOUT, 408)

        /** There is no connection, as without a network. */
        @JvmField
        public val TRANSPORT: Failure = Failure(ErrorKind.TRANSPORT, 0)

        /** The response does not match the interface. */
        @JvmField
        public val DECODE: Failure = Failure(ErrorKind.DECODE, MockResponse.json("[0"))

        /** Every failure above, each once. */
        @JvmStatic
        public val all: List<Failure> = listOf(
            AUTHENTICATION, PERMISSION, NOT_FOUND, INVALID_REQUEST, TOO_LARGE, RATE_LIMITED, SERVICE, UNEXPECTED_STATUS, TIMEOUT, TRANSPORT,
            DECODE,
        )

        /** Too many requests: status 429, and how long the service asks to wait, in whole seconds. */
        public fun rateLimited(retryAfter: Duration): Failure {
            val response = MockResponse {
                status = 429
                header("retry-after", "${retryAfter.inWholeSeconds}")
            }
            return Failure(ErrorKind.RATE_LIMITED, response)
        }

        /** The same for Java. */
        @JvmStatic
        public fun rateLimited(retryAfter: java.time.Duration): Failure = rateLimited(retryAfter.toKotlinDuration())
    }
}
