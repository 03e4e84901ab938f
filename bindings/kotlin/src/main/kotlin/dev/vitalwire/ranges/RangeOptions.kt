package dev.vitalwire

import dev.vitalwire.ffi.RangePartLength
import dev.vitalwire.ffi.RangeOptions as NativeRangeOptions

/** Length of the parts of a range. */
public class PartLength private constructor(private val count: Int, private val isDays: Boolean) {
    override fun equals(other: Any?): Boolean = other is PartLength && count == other.count && isDays == other.isDays

    override fun hashCode(): Int = if (isDays) count else -count

    /** Returns a description with the length. */
    override fun toString(): String = "$count ${if (isDays) "days" else "hours"}"

    internal fun toNative(): RangePartLength = count.toNative().let { if (isDays) RangePartLength.Days(it) else RangePartLength.Hours(it) }

    public companion object {
        /** Creates a length in days. In a range of instants, a day has 24 hours. */
        @JvmStatic
        public fun days(count: Int): PartLength = PartLength(count, true)

        /** Creates a length in hours, for ranges of instants only. */
        @JvmStatic
        public fun hours(count: Int): PartLength = PartLength(count, false)
    }
}

/** Options of a range call. */
public class RangeOptions private constructor(builder: Builder) {
    /** Maximum number of parts in flight. Defaults to 4. */
    public val concurrency: Int? = builder.concurrency

    /** Whether a failed part is returned with its error, and all others are read. By default, the first error ends the range call. */
    public val collectsFailures: Boolean = builder.collectsFailures

    /** Resume token of an earlier run of the same call. Only the parts in the token are requested, with the part length of that run. */
    public val resume: ResumeToken? = builder.resume

    /**
     * Key that resume tokens are bound to, such as your own id of the person. A token is rejected under another key, or without one.
     *
     * Set a key if you serve several people. Their calls differ only in the access token, which resume tokens do not contain.
     */
    public val resumeKey: String? = builder.resumeKey

    override fun equals(other: Any?): Boolean = this === other || other is RangeOptions && values == other.values

    override fun hashCode(): Int = values.hashCode()

    /** Returns a description without token and key. */
    override fun toString(): String = "RangeOptions(..)"

    private val values get() = listOf(concurrency, collectsFailures, resume, resumeKey)

    internal fun toNative(partLength: PartLength?): NativeRangeOptions =
        NativeRangeOptions(partLength?.toNative(), concurrency?.toNative(), collectsFailures, resume?.text, resumeKey)

    /** A builder of options. Options that are not set keep their defaults. */
    @VitalwireDsl
    public class Builder internal constructor() {
        /** Maximum number of parts in flight. Defaults to 4. */
        public var concurrency: Int? = null

        /** Whether a failed part is returned with its error, and all others are read. By default, the first error ends the range call. */
        public var collectsFailures: Boolean = false

        /** Resume token of an earlier run of the same call. Only the parts in the token are requested, with the part length of that run. */
        public var resume: ResumeToken? = null

        /** Key that resume tokens are bound to, such as your own id of the person. A token is rejected under another key. */
        public var resumeKey: String? = null

        /** Sets the maximum number of parts in flight. Defaults to 4. */
        public fun concurrency(concurrency: Int?): Builder = apply { this.concurrency = concurrency }

        /** Sets whether failed parts are returned with their errors. By default, the first error ends the range call. */
        public fun collectsFailures(collectsFailures: Boolean): Builder = apply { this.collectsFailures = collectsFailures }

        /** Sets the resume token of an earlier run of the same call. Only the parts in the token are requested. */
        public fun resume(resume: ResumeToken?): Builder = apply { this.resume = resume }

        /** Sets the key that resume tokens are bound to, such as your own id of the person. */
        public fun resumeKey(resumeKey: String?): Builder = apply { this.resumeKey = resumeKey }

        /** Creates the options. */
        public fun build(): RangeOptions = RangeOptions(this)
    }

    public companion object {
        /** Default options. */
        @JvmField
        public val DEFAULT: RangeOptions = Builder().build()

        /** Creates a builder. */
        @JvmStatic
        public fun builder(): Builder = Builder()

        /** Creates options from a builder block. */
        public operator fun invoke(values: Builder.() -> Unit): RangeOptions = Builder().apply(values).build()
    }
}
