package dev.vitalwire

import dev.vitalwire.ffi.StateReason

/**
 * Thrown if the state of a sync cannot be used. Use the right state, or start again without one, from the first day of the copy. A first
 * sync returns no removed records, so remove the user's records from the copy first.
 */
public class StateException internal constructor(
    /** Reason why the state cannot be used. */
    public val stateReason: Reason,
    text: String,
) : VitalwireException.InvalidArgument(
    VitalwireException.Fields(
        kind = ErrorKind.INVALID_ARGUMENT,
        text = "${ErrorKind.INVALID_ARGUMENT}: $text",
        reason = text,
        argument = "state",
    ),
    null,
) {
    /** Reason why a state cannot be used. */
    public enum class Reason {
        /** The bytes are not those of a state, or were changed. */
        DAMAGED,

        /** The state has the layout of another version of this library. */
        UNSUPPORTED_VERSION,

        /** The state was made with another secret. */
        OTHER_KEY,

        /** The state belongs to another base URL, service name or data set of a sandbox. */
        OTHER_SERVICE,

        /** The state belongs to another user or account. */
        OTHER_USER,
        ;

        internal companion object {
            fun of(native: StateReason): Reason = when (native) {
                StateReason.DAMAGED -> DAMAGED
                StateReason.UNSUPPORTED_VERSION -> UNSUPPORTED_VERSION
                StateReason.OTHER_KEY -> OTHER_KEY
                StateReason.OTHER_SERVICE -> OTHER_SERVICE
                StateReason.OTHER_USER -> OTHER_USER
            }
        }
    }
}
