package dev.vitalwire

import java.time.LocalDate

/** Options of [VitalwireApi.sync]. Timeouts and other options of calls apply to each call of the sync. */
public class SyncOptions private constructor(builder: Builder) : BaseCallOptions(builder) {
    /**
     * First day of the copy. An earlier day than in the last sync adds the days in between. A later day has no effect. Defaults to
     * that of the last sync, and to 365 days ago for the first one.
     */
    public val from: LocalDate? = builder.from

    /**
     * Number of days before the last requested day that are requested again, because providers deliver late and correct values. Must be
     * from 1 to 3,660. Defaults to 7.
     */
    public val lookBack: Int? = builder.lookBack

    /** Events whose days to request, too. */
    public val events: List<SyncEvent> = builder.events.toList()

    /**
     * Whether to request the user's information first. It shows whether the token belongs to the user of the state, and whether the user
     * has connected a provider, which can add data to any day. Defaults to true.
     */
    public val checkAccount: Boolean = builder.checkAccount

    /**
     * Id of the user at the service. If the token belongs to another user, the sync fails before it reads records. Defaults to any user for
     * a first sync, and to the user of the state for later ones.
     */
    public val expectAccount: String? = builder.expectAccount

    /** Name of the service in states, for a service whose base URL changes. Defaults to the base URL. */
    public val serviceName: String? = builder.serviceName

    override fun values(): List<Any?> = super.values() + listOf(from, lookBack, events, checkAccount, expectAccount, serviceName)

    /** Shows no values. */
    override fun toString(): String = "SyncOptions(..)"

    /** A builder of options. Options that are not set keep their defaults. */
    @VitalwireDsl
    public class Builder internal constructor() : BaseCallOptions.Builder<Builder>() {
        /** First day of the copy. Defaults to that of the last sync, and to 365 days ago for the first one. */
        public var from: LocalDate? = null

        /** Number of days before the last requested day that are requested again. Must be from 1 to 3,660. Defaults to 7. */
        public var lookBack: Int? = null

        /** Events whose days to request, too. */
        public var events: List<SyncEvent> = emptyList()

        /** Whether to request the user's information first. Without it, the token of any user is accepted. Defaults to true. */
        public var checkAccount: Boolean = true

        /** Id of the user at the service. If the token belongs to another user, the sync fails before it reads records. */
        public var expectAccount: String? = null

        /** Name of the service in states, for a service whose base URL changes. Defaults to the base URL. */
        public var serviceName: String? = null

        /** Sets the first day of the copy. Defaults to that of the last sync, and to 365 days ago for the first one. */
        public fun from(from: LocalDate?): Builder = apply { this.from = from }

        /** Sets the number of days before the last requested day that are requested again. Must be from 1 to 3,660. Defaults to 7. */
        public fun lookBack(lookBack: Int?): Builder = apply { this.lookBack = lookBack }

        /** Adds an event whose days to request, too. Pass it again if the sync returns no part. */
        public fun event(event: SyncEvent): Builder = apply { events += event }

        /** Sets whether to request the user's information first. Defaults to true. */
        public fun checkAccount(checkAccount: Boolean): Builder = apply { this.checkAccount = checkAccount }

        /** Sets the id of the user at the service, to which the token must belong. */
        public fun expectAccount(expectAccount: String?): Builder = apply { this.expectAccount = expectAccount }

        /** Sets the name of the service in states, for a service whose base URL changes. Defaults to the base URL. */
        public fun serviceName(serviceName: String?): Builder = apply { this.serviceName = serviceName }

        /** Creates the options. */
        public fun build(): SyncOptions = SyncOptions(this)
    }

    public companion object {
        /** Default options. */
        @JvmField
        public val DEFAULT: SyncOptions = Builder().build()

        /** Creates a builder. */
        @JvmStatic
        public fun builder(): Builder = Builder()

        /** Creates options from a builder block. */
        public operator fun invoke(values: Builder.() -> Unit): SyncOptions = Builder().apply(values).build()
    }
}
