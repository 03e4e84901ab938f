package dev.vitalwire

/** Options of one call; what is not given comes from the client. */
public class CallOptions private constructor(builder: Builder) : BaseCallOptions(builder) {
    /** Shows no values. */
    override fun toString(): String = "CallOptions(..)"

    /** What is not given comes from the client. */
    @VitalwireDsl
    public class Builder internal constructor() : BaseCallOptions.Builder<Builder>() {
        /** The options. */
        public fun build(): CallOptions = CallOptions(this)
    }

    public companion object {
        /** Nothing is given. */
        @JvmField
        public val DEFAULT: CallOptions = Builder().build()

        /** A builder without values. */
        @JvmStatic
        public fun builder(): Builder = Builder()

        /** These options. */
        public operator fun invoke(values: Builder.() -> Unit): CallOptions = Builder().apply(values).build()
    }
}
