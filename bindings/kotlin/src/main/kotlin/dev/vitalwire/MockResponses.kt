package dev.vitalwire

import dev.vitalwire.ffi.NameAndValue
import java.io.File
import kotlin.time.Duration
import kotlin.time.toJavaDuration
import kotlin.time.toKotlinDuration
import dev.vitalwire.ffi.MockResponse as NativeMockResponse
import dev.vitalwire.ffi.MockResponses as NativeMockResponses
import dev.vitalwire.ffi.MockRequest as NativeMockRequest

/** A mock response: status, headers, body and delay. */
public class MockResponse private constructor(builder: Builder) {
    /** The body as JSON text; `null` for no body. */
    public val json: String? = builder.json

    /** The HTTP status; 0 simulates a connection failure. */
    public val status: Int = builder.status

    /** The response headers. */
    public val headers: Map<String, String> = builder.headers

    /** Delay before the response. The delay counts against the timeouts of the call. */
    public val delay: Duration = builder.delay

    /** Returns [delay] for Java. */
    @JvmName("getDelay")
    public fun delayForJava(): java.time.Duration = delay.toJavaDuration()

    /** Returns a description without body and headers. */
    override fun toString(): String = "MockResponse(status $status)"

    internal fun toNative() = NativeMockResponse(
        json,
        status.coerceIn(0, UShort.MAX_VALUE.toInt()).toUShort(),
        headers.map { (name, value) -> NameAndValue(name, value) },
        delay.toNative(),
    )

    /** Builds a mock response. Defaults to status 200 without a body. */
    @VitalwireDsl
    public class Builder internal constructor() {
        /** The body as JSON text; `null` for no body. */
        public var json: String? = null

        /** The HTTP status; 0 simulates a connection failure. */
        public var status: Int = 200

        /** The response headers. */
        public var headers: Map<String, String> = emptyMap()

        /** Delay before the response. The delay counts against the timeouts of the call. */
        public var delay: Duration = Duration.ZERO

        /** Sets the body as JSON text; `null` for no body. */
        public fun json(json: String?): Builder = apply { this.json = json }

        /** Sets the HTTP status; 0 simulates a connection failure. */
        public fun status(status: Int): Builder = apply { this.status = status }

        /** Adds a header. */
        public fun header(name: String, value: String): Builder = apply { headers += name to value }

        /** Sets the delay before the response. The delay counts against the timeouts of the call. */
        public fun delay(delay: java.time.Duration): Builder = apply { this.delay = delay.toKotlinDuration() }

        /** Creates the mock response. */
        public fun build(): MockResponse = MockResponse(this)
    }

    public companion object {
        /** Creates a builder with status 200 and no body. */
        @JvmStatic
        public fun builder(): Builder = Builder()

        /** Creates a mock response from a builder block. */
        public operator fun invoke(parts: Builder.() -> Unit): MockResponse = Builder().apply(parts).build()

        /** Creates a mock response with a JSON body and status 200. */
        @JvmStatic
        public fun json(json: String): MockResponse = MockResponse { this.json = json }

        /** Creates a mock response without a body. */
        @JvmStatic
        public fun status(status: Int): MockResponse = MockResponse { this.status = status }
    }
}

/**
 * Mock responses for a client, for tests and previews. Everything else in a call is real: client-side validation, timeouts, retries,
 * decoding and cancellation.
 *
 * Each attempt takes the next response of its operation; the last one repeats. A call without a response throws an exception of kind
 * `configuration` that names the operation. Mock responses need the native library; a fake of [VitalwireApi] does not.
 */
public class MockResponses private constructor(private val make: () -> NativeMockResponses) {
    /** Creates an empty set of mock responses. */
    public constructor() : this({ NativeMockResponses() })

    private var made: NativeMockResponses? = null

    /** Changes to apply once the native library is loaded. */
    private val pending = mutableListOf<(NativeMockResponses) -> Unit>()

    @Synchronized
    internal fun native(): NativeMockResponses = made ?: make().also { native ->
        pending.forEach { it(native) }
        pending.clear()
        made = native
    }

    /** Adds a response to an operation. [operation] is an id from the service's specification, such as `get_sleep`. */
    public fun add(operation: String, response: MockResponse): Unit = change { it.add(operation, response.toNative()) }

    /** Removes all responses of an operation. */
    public fun clear(operation: String): Unit = change { it.clear(operation) }

    /** Returns the requests so far, one per attempt. */
    @Synchronized
    public fun requests(): List<MockRequest> = made?.requests().orEmpty().map { MockRequest(it) }

    @Synchronized
    private fun change(work: (NativeMockResponses) -> Unit) {
        made?.let { translateErrors { work(it) } } ?: pending.add(work)
    }

    public companion object {
        /** Creates a set with a synthetic response for every operation. All people in the responses are invented. */
        @JvmStatic
        public fun samples(): MockResponses = MockResponses { NativeMockResponses.samples() }

        /**
         * Creates a set from the exchanges that `vitalwire record` wrote to a folder. Each request takes the next exchange with the same
         * method, path and query.
         *
         * The folder is read at the first call, which throws an exception of kind `configuration` if the folder has no exchanges.
         */
        @JvmStatic
        public fun fromFolder(folder: File): MockResponses = MockResponses { NativeMockResponses.fromFolder(folder.path) }
    }
}

/** A recorded request of an attempt, without the token. */
public class MockRequest internal constructor(native: NativeMockRequest) {
    /** Id of the operation in the service's specification, such as `get_sleep`. */
    public val operation: String = native.operation

    /** HTTP method, such as `GET`. */
    public val httpMethod: String = native.httpMethod

    /** The path below the base URL, percent-encoded. */
    public val path: String = native.path

    /** The decoded query parameters, in the order of the request. */
    public val query: List<Pair<String, String>> = native.query.map { it.name to it.value }

    /** The request body; empty if there is none. */
    public val body: ByteArray = native.body

    /** Returns a description without path, query and body. */
    override fun toString(): String = "MockRequest($operation, ${body.size} bytes)"
}
