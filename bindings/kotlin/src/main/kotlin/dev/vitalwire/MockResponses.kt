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

    /** The headers. */
    public val headers: Map<String, String> = builder.headers

    /** Delay before the response. It counts against the deadlines of the call. */
    public val delay: Duration = builder.delay

    /** [delay] for Java. */
    @JvmName("getDelay")
    public fun delayForJava(): java.time.Duration = delay.toJavaDuration()

    /** Shows neither body nor headers. */
    override fun toString(): String = "MockResponse(status $status)"

    internal fun crossing() = NativeMockResponse(
        json,
        status.coerceIn(0, UShort.MAX_VALUE.toInt()).toUShort(),
        headers.map { (name, value) -> NameAndValue(name, value) },
        delay.crossing(),
    )

    /** Builds a mock response. Defaults to status 200 without a body. */
    @VitalwireDsl
    public class Builder internal constructor() {
        /** The body as JSON text; `null` for no body. */
        public var json: String? = null

        /** The HTTP status; 0 simulates a connection failure. */
        public var status: Int = 200

        /** The headers. */
        public var headers: Map<String, String> = emptyMap()

        /** Delay before the response. It counts against the deadlines of the call. */
        public var delay: Duration = Duration.ZERO

        /** The body as JSON text. */
        public fun json(json: String?): Builder = apply { this.json = json }

        /** The HTTP status; 0 simulates a connection failure. */
        public fun status(status: Int): Builder = apply { this.status = status }

        /** Adds a header. */
        public fun header(name: String, value: String): Builder = apply { headers += name to value }

        /** Delay before the response. It counts against the deadlines of the call. */
        public fun delay(delay: java.time.Duration): Builder = apply { this.delay = delay.toKotlinDuration() }

        /** Builds the response. */
        public fun build(): MockResponse = MockResponse(this)
    }

    public companion object {
        /** Creates a builder with status 200 and no body. */
        @JvmStatic
        public fun builder(): Builder = Builder()

        /** Creates a response. */
        public operator fun invoke(parts: Builder.() -> Unit): MockResponse = Builder().apply(parts).build()

        /** Creates a response with a JSON body and status 200. */
        @JvmStatic
        public fun json(json: String): MockResponse = MockResponse { this.json = json }

        /** Creates a response without a body. */
        @JvmStatic
        public fun status(status: Int): MockResponse = MockResponse { this.status = status }
    }
}

/**
 * Mock responses for a client, for tests and previews. The rest of a call is real: local checks, deadlines, retries, decoding,
 * cancellation.
 *
 * Each attempt of an operation takes the next of its responses; the last one repeats. A call without a response throws an exception of
 * kind `configuration` that names its operation. Needs the native library; a fake of [VitalwireApi] does not.
 */
public class MockResponses private constructor(private val make: () -> NativeMockResponses) {
    /** Creates an empty set. */
    public constructor() : this({ NativeMockResponses() })

    private var made: NativeMockResponses? = null

    /** Changes that were made before the native library was loaded. */
    private val pending = mutableListOf<(NativeMockResponses) -> Unit>()

    @Synchronized
    internal fun native(): NativeMockResponses = made ?: make().also { native ->
        pending.forEach { it(native) }
        pending.clear()
        made = native
    }

    /** Adds a response to an operation, by its id in the service's specification. */
    public fun add(operation: String, response: MockResponse): Unit = change { it.add(operation, response.crossing()) }

    /** Removes the responses of an operation, so that others can replace them. */
    public fun clear(operation: String): Unit = change { it.clear(operation) }

    /** Returns the requests so far, one for each attempt. */
    @Synchronized
    public fun requests(): List<MockRequest> = made?.requests().orEmpty().map { MockRequest(it) }

    @Synchronized
    private fun change(work: (NativeMockResponses) -> Unit) {
        made?.let { translated { work(it) } } ?: pending.add(work)
    }

    public companion object {
        /** Creates a set with a synthetic response to every operation. The people in them do not exist. */
        @JvmStatic
        public fun samples(): MockResponses = MockResponses { NativeMockResponses.samples() }

        /**
         * Reads the exchanges that `vitalwire record` wrote into a folder. A request takes the next exchange with its method, path and query.
         * The folder is read at the first call, which throws an exception of kind `configuration` if it has no exchanges.
         */
        @JvmStatic
        public fun fromFolder(folder: File): MockResponses = MockResponses { NativeMockResponses.fromFolder(folder.path) }
    }
}

/** A request that a mock response answered, one for each attempt, without its token. */
public class MockRequest internal constructor(native: NativeMockRequest) {
    /** The operation. */
    public val operation: String = native.operation

    /** `GET`, `POST` and so on. */
    public val httpMethod: String = native.httpMethod

    /** The path below the base URL, percent-encoded. */
    public val path: String = native.path

    /** The query, decoded, in the order in which it was written. */
    public val query: List<Pair<String, String>> = native.query.map { it.name to it.value }

    /** The body; empty if there is none. */
    public val body: ByteArray = native.body

    /** Shows no path, query and body. */
    override fun toString(): String = "MockRequest($operation, ${body.size} bytes)"
}
