package dev.vitalwire

import dev.vitalwire.ffi.NameAndValue
import java.io.File
import kotlin.time.Duration
import kotlin.time.toJavaDuration
import kotlin.time.toKotlinDuration
import dev.vitalwire.ffi.Answer as CrossedAnswer
import dev.vitalwire.ffi.Answers as CrossedAnswers
import dev.vitalwire.ffi.Requested as CrossedRequested

/** One answer of a service that is not there. */
public class Answer private constructor(builder: Builder) {
    /** The body as JSON text; without it there is none. */
    public val json: String? = builder.json

    /** The HTTP status; 0 makes no connection, as without a network. */
    public val status: Int = builder.status

    /** The headers. */
    public val headers: Map<String, String> = builder.headers

    /** Time before the answer; it counts against the deadlines of the call. */
    public val delay: Duration = builder.delay

    /** [delay] for Java. */
    @JvmName("getDelay")
    public fun delayForJava(): java.time.Duration = delay.toJavaDuration()

    /** Shows neither body nor headers. */
    override fun toString(): String = "Answer(status $status)"

    internal fun crossing() = CrossedAnswer(
        json,
        status.coerceIn(0, UShort.MAX_VALUE.toInt()).toUShort(),
        headers.map { (name, value) -> NameAndValue(name, value) },
        delay.crossing(),
    )

    /** Status 200 without a body, unless it is told otherwise. */
    @VitalwireDsl
    public class Builder internal constructor() {
        /** The body as JSON text; without it there is none. */
        public var json: String? = null

        /** The HTTP status; 0 makes no connection, as without a network. */
        public var status: Int = 200

        /** The headers. */
        public var headers: Map<String, String> = emptyMap()

        /** Time before the answer; it counts against the deadlines of the call. */
        public var delay: Duration = Duration.ZERO

        /** The body as JSON text. */
        public fun json(json: String?): Builder = apply { this.json = json }

        /** The HTTP status; 0 makes no connection, as without a network. */
        public fun status(status: Int): Builder = apply { this.status = status }

        /** Adds a header. */
        public fun header(name: String, value: String): Builder = apply { headers += name to value }

        /** Time before the answer; it counts against the deadlines of the call. */
        public fun delay(delay: java.time.Duration): Builder = apply { this.delay = delay.toKotlinDuration() }

        /** The answer. */
        public fun build(): Answer = Answer(this)
    }

    public companion object {
        /** A builder of an answer with status 200 and without a body. */
        @JvmStatic
        public fun builder(): Builder = Builder()

        /** An answer of these parts. */
        public operator fun invoke(parts: Builder.() -> Unit): Answer = Builder().apply(parts).build()

        /** An answer with a body: JSON text. */
        @JvmStatic
        public fun json(json: String): Answer = Answer { this.json = json }

        /** An answer with a status and without a body. */
        @JvmStatic
        public fun status(status: Int): Answer = Answer { this.status = status }
    }
}

/**
 * What a client answers instead of calling a service, for tests and previews. All else of a call is real: local checks, deadlines,
 * retries, decoding, cancelling.
 *
 * The answers of an operation are given in turn, one to each attempt; the last one stays. A call of an operation without an answer is
 * an exception of kind `configuration` that names it. For this the native library is needed; a fake of [VitalwireApi] needs none.
 */
public class Answers private constructor(private val make: () -> CrossedAnswers) {
    /** Answers without any. */
    public constructor() : this({ CrossedAnswers() })

    private var made: CrossedAnswers? = null

    /** What was told before the native library was needed. */
    private val told = mutableListOf<(CrossedAnswers) -> Unit>()

    @Synchronized
    internal fun native(): CrossedAnswers = made ?: make().also { native ->
        told.forEach { it(native) }
        told.clear()
        made = native
    }

    /** Adds the next answer of an operation, which is called as in the service's specification. */
    public fun add(operation: String, answer: Answer): Unit = tell { it.add(operation, answer.crossing()) }

    /** Forgets the answers of an operation, so that others can take their place. */
    public fun clear(operation: String): Unit = tell { it.clear(operation) }

    /** What was requested so far, attempt by attempt. */
    @Synchronized
    public fun requested(): List<Requested> = made?.requested().orEmpty().map { Requested(it) }

    @Synchronized
    private fun tell(work: (CrossedAnswers) -> Unit) {
        made?.let { translated { work(it) } } ?: told.add(work)
    }

    /** One request that was answered from memory: an attempt, without its token. */
    public class Requested internal constructor(native: CrossedRequested) {
        /** The operation. */
        public val operation: String = native.operation

        /** `GET`, `POST` and their like. */
        public val httpMethod: String = native.httpMethod

        /** The path below the base URL, percent-encoded. */
        public val path: String = native.path

        /** The query, decoded, in the order in which it was written. */
        public val query: List<Pair<String, String>> = native.query.map { it.name to it.value }

        /** The body; empty if there is none. */
        public val body: ByteArray = native.body

        /** Shows no path, query and body. */
        override fun toString(): String = "Requested($operation, ${body.size} bytes)"
    }

    public companion object {
        /** A synthetic answer to every operation. Nobody in them exists. */
        @JvmStatic
        public fun samples(): Answers = Answers { CrossedAnswers.samples() }

        /**
         * The exchanges that the program `vitalwire record` wrote into a folder, by path and query, in turn. They are read at the first call, which
         * is an exception of kind `configuration` where the folder holds none.
         */
        @JvmStatic
        public fun fromFolder(folder: File): Answers = Answers { CrossedAnswers.fromFolder(folder.path) }
    }
}
