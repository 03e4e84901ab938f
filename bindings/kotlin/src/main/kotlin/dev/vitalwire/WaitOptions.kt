package dev.vitalwire

import dev.vitalwire.ffi.WaitInterval
import java.util.function.Consumer
import kotlin.time.Duration
import kotlin.time.toJavaDuration
import kotlin.time.toKotlinDuration
import dev.vitalwire.ffi.WaitOptions as NativeWaitOptions

/** Options of a wait. */
public class WaitOptions private constructor(builder: Builder) {
    /** Maximum time for the whole wait, including an upload. Defaults to 300 seconds. */
    public val timeout: Duration? = builder.timeout

    /** First interval between two polls. Defaults to 1 second. */
    public val firstInterval: Duration? = builder.first

    /** Longest interval between two polls. Defaults to 5 seconds. */
    public val longestInterval: Duration? = builder.longest

    /** Called after every response. */
    public val onProgress: ((WaitProgress) -> Unit)? = builder.onProgress

    /** Returns [timeout] for Java. */
    @JvmName("getTimeout")
    public fun timeoutForJava(): java.time.Duration? = timeout?.toJavaDuration()

    /** Returns [firstInterval] for Java. */
    @JvmName("getFirstInterval")
    public fun firstIntervalForJava(): java.time.Duration? = firstInterval?.toJavaDuration()

    /** Returns [longestInterval] for Java. */
    @JvmName("getLongestInterval")
    public fun longestIntervalForJava(): java.time.Duration? = longestInterval?.toJavaDuration()

    /** Returns a description without values. */
    override fun toString(): String = "WaitOptions(..)"

    internal fun toNative(): NativeWaitOptions {
        val interval = if (firstInterval == null || longestInterval == null) null
            else WaitInterval(firstInterval.toNative(), longestInterval.toNative())
        return NativeWaitOptions(timeout?.toNative(), interval)
    }

    /** Returns a copy that calls a second callback after [onProgress]. */
    internal fun withProgressCallback(added: (WaitProgress) -> Unit): WaitOptions {
        val builder = Builder()
        builder.timeout = timeout
        builder.first = firstInterval
        builder.longest = longestInterval
        val own = onProgress
        builder.onProgress = { progress ->
            own?.invoke(progress)
            added(progress)
        }
        return builder.build()
    }

    /** A builder of options. Options that are not set keep their defaults. */
    @VitalwireDsl
    public class Builder internal constructor() {
        internal var first: Duration? = null
        internal var longest: Duration? = null
        internal var onProgress: ((WaitProgress) -> Unit)? = null

        /** Maximum time for the whole wait, including an upload. Defaults to 300 seconds. */
        public var timeout: Duration? = null

        /** Sets the maximum time for the whole wait, including an upload. Defaults to 300 seconds. */
        public fun timeout(timeout: java.time.Duration?): Builder = apply { this.timeout = timeout?.toKotlinDuration() }

        /** Sets the interval between two polls. It grows by half each time, up to [longest]. Defaults to 1 second, growing to 5 seconds. */
        public fun interval(first: Duration, longest: Duration): Builder = apply {
            this.first = first
            this.longest = longest
        }

        /** Sets the interval between two polls. It grows by half each time, up to [longest]. Defaults to 1 second, growing to 5 seconds. */
        public fun interval(first: java.time.Duration, longest: java.time.Duration): Builder =
            interval(first.toKotlinDuration(), longest.toKotlinDuration())

        /**
         * Sets a callback to call after every response, on the thread that runs the wait. The callback must return quickly. If it throws,
         * the wait ends and rethrows the exception.
         */
        @JvmSynthetic
        public fun onProgress(callback: (WaitProgress) -> Unit): Builder = apply { onProgress = callback }

        /** Sets a callback to call after every response, for Java. */
        @JvmName("onProgress")
        public fun onProgressForJava(callback: Consumer<WaitProgress>): Builder = apply { onProgress = callback::accept }

        /** Creates the options. */
        public fun build(): WaitOptions = WaitOptions(this)
    }

    public companion object {
        /** Default options. */
        @JvmField
        public val DEFAULT: WaitOptions = Builder().build()

        /** Creates a builder. */
        @JvmStatic
        public fun builder(): Builder = Builder()

        /** Creates options from a builder block. */
        public operator fun invoke(values: Builder.() -> Unit): WaitOptions = Builder().apply(values).build()
    }
}
