package dev.vitalwire

import dev.vitalwire.ffi.WaitInterval
import java.util.function.Consumer
import kotlin.time.Duration
import kotlin.time.toJavaDuration
import kotlin.time.toKotlinDuration
import dev.vitalwire.ffi.WaitOptions as Crossed

/** How an analysis is waited for. */
public class WaitOptions private constructor(builder: Builder) {
    /** How long may be waited in all, an upload included; 5 minutes by default. */
    public val timeout: Duration? = builder.timeout

    /** The first wait between two readings; 1 s by default. */
    public val firstInterval: Duration? = builder.first

    /** The longest wait between two readings, up to which they grow; 5 s by default. */
    public val longestInterval: Duration? = builder.longest

    /** What is told of every answer. */
    public val onProgress: ((WaitProgress) -> Unit)? = builder.onProgress

    /** [timeout] for Java. */
    @JvmName("getTimeout")
    public fun timeoutForJava(): java.time.Duration? = timeout?.toJavaDuration()

    /** [firstInterval] for Java. */
    @JvmName("getFirstInterval")
    public fun firstIntervalForJava(): java.time.Duration? = firstInterval?.toJavaDuration()

    /** [longestInterval] for Java. */
    @JvmName("getLongestInterval")
    public fun longestIntervalForJava(): java.time.Duration? = longestInterval?.toJavaDuration()

    /** Shows no values. */
    override fun toString(): String = "WaitOptions(..)"

    internal fun crossing(): Crossed {
        val interval = if (firstInterval == null || longestInterval == null) null else WaitInterval(firstInterval.crossing(), longestInterval.crossing())
        return Crossed(timeout?.crossing(), interval)
    }

    /** The same, with something else that is told of every answer, after [onProgress]. */
    internal fun telling(further: (WaitProgress) -> Unit): WaitOptions {
        val builder = Builder()
        builder.timeout = timeout
        builder.first = firstInterval
        builder.longest = longestInterval
        val own = onProgress
        builder.onProgress = { progress ->
            own?.invoke(progress)
            further(progress)
        }
        return builder.build()
    }

    /** What is not given keeps its default. */
    @VitalwireDsl
    public class Builder internal constructor() {
        internal var first: Duration? = null
        internal var longest: Duration? = null
        internal var onProgress: ((WaitProgress) -> Unit)? = null

        /** How long may be waited in all, an upload included; 5 minutes by default. */
        public var timeout: Duration? = null

        /** How long may be waited in all, an upload included; 5 minutes by default. */
        public fun timeout(timeout: java.time.Duration?): Builder = apply { this.timeout = timeout?.toKotlinDuration() }

        /** The waits between two readings: [first], which is more than 0, growing up to [longest]. */
        public fun interval(first: Duration, longest: Duration): Builder = apply {
            this.first = first
            this.longest = longest
        }

        /** The waits between two readings: [first], which is more than 0, growing up to [longest]. */
        public fun interval(first: java.time.Duration, longest: java.time.Duration): Builder =
            interval(first.toKotlinDuration(), longest.toKotlinDuration())

        /** Is told of every answer, by the thread that drives the wait: it returns at once. What it throws ends the wait, which throws it. */
        @JvmSynthetic
        public fun onProgress(told: (WaitProgress) -> Unit): Builder = apply { onProgress = told }

        /** The same for Java. */
        @JvmName("onProgress")
        public fun onProgressForJava(told: Consumer<WaitProgress>): Builder = apply { onProgress = told::accept }

        /** The options. */
        public fun build(): WaitOptions = WaitOptions(this)
    }

    public companion object {
        /** Nothing is given. */
        @JvmField
        public val DEFAULT: WaitOptions = Builder().build()

        /** A builder without values. */
        @JvmStatic
        public fun builder(): Builder = Builder()

        /** These options. */
        public operator fun invoke(values: Builder.() -> Unit): WaitOptions = Builder().apply(values).build()
    }
}
