package dev.vitalwire

import dev.vitalwire.ffi.RangePartLength
import dev.vitalwire.ffi.RangeOptions as Crossed

/** The length of a part of a range. */
public class PartLength private constructor(private val count: Int, private val isDays: Boolean) {
    override fun equals(other: Any?): Boolean = other is PartLength && count == other.count && isDays == other.isDays

    override fun hashCode(): Int = if (isDays) count else -count

    /** Shows the length. */
    override fun toString(): String = "$count ${if (isDays) "days" else "hours"}"

    internal fun crossing(): RangePartLength = count.crossing().let { if (isDays) RangePartLength.Days(it) else RangePartLength.Hours(it) }

    public companion object {
        /** Calendar days in a range of days, 24 hours each in a range of time. */
        @JvmStatic
        public fun days(count: Int): PartLength = PartLength(count, true)

        /** Hours; for ranges of time only. */
        @JvmStatic
        public fun hours(count: Int): PartLength = PartLength(count, false)
    }
}

/** How the parts of a range are requested. */
public class RangeOptions private constructor(builder: Builder) {
    /** How many parts may be requested at once; 4 by default. */
    public val concurrency: Int? = builder.concurrency

    /** Whether a part that fails is handed out with its error, and all others are read. Else its error ends the range. */
    public val collectsFailures: Boolean = builder.collectsFailures

    /** What an earlier run of the same call left: nothing else is requested, in parts as long as that run's. */
    public val resume: ResumeToken? = builder.resume

    /**
     * Binds resume tokens to a key, such as your own id of the person: a token made under one key is refused under another, and without
     * one. Calls for two people differ in their access tokens alone, which resume tokens do not hold.
     */
    public val resumeKey: String? = builder.resumeKey

    override fun equals(other: Any?): Boolean = this === other || other is RangeOptions && values == other.values

    override fun hashCode(): Int = values.hashCode()

    /** Shows neither token nor key. */
    override fun toString(): String = "RangeOptions(..)"

    private val values get() = listOf(concurrency, collectsFailures, resume, resumeKey)

    internal fun crossing(partLength: PartLength?): Crossed = Crossed(partLength?.crossing(), concurrency?.crossing(), collectsFailures, resume?.text, resumeKey)

    /** What is not given keeps its default. */
    @VitalwireDsl
    public class Builder internal constructor() {
        /** How many parts may be requested at once; 4 by default. */
        public var concurrency: Int? = null

        /** Whether a part that fails is handed out with its error, and all others are read. Else its error ends the range. */
        public var collectsFailures: Boolean = false

        /** What an earlier run of the same call left: nothing else is requested, in parts as long as that run's. */
        public var resume: ResumeToken? = null

        /** Binds resume tokens to a key, such as your own id of the person: a token made under one key is refused under another. */
        public var resumeKey: String? = null

        /** How many parts may be requested at once; 4 by default. */
        public fun concurrency(concurrency: Int?): Builder = apply { this.concurrency = concurrency }

        /** Whether a part that fails is handed out with its error, and all others are read. Else its error ends the range. */
        public fun collectsFailures(collectsFailures: Boolean): Builder = apply { this.collectsFailures = collectsFailures }

        /** What an earlier run of the same call left: nothing else is requested, in parts as long as that run's. */
        public fun resume(resume: ResumeToken?): Builder = apply { this.resume = resume }

        /** Binds resume tokens to a key, such as your own id of the person: a token made under one key is refused under another. */
        public fun resumeKey(resumeKey: String?): Builder = apply { this.resumeKey = resumeKey }

        /** The options. */
        public fun build(): RangeOptions = RangeOptions(this)
    }

    public companion object {
        /** Nothing is given. */
        @JvmField
        public val DEFAULT: RangeOptions = Builder().build()

        /** A builder without values. */
        @JvmStatic
        public fun builder(): Builder = Builder()

        /** These options. */
        public operator fun invoke(values: Builder.() -> Unit): RangeOptions = Builder().apply(values).build()
    }
}
