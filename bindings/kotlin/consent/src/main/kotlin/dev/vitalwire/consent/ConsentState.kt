package dev.vitalwire.consent

import dev.vitalwire.ErrorKind
import dev.vitalwire.ProviderSlug
import dev.vitalwire.VitalwireException
import java.io.IOException
/** State of a consent screen. */
public class ConsentState internal constructor(
    /** The current step. */
    public val phase: ConsentPhase,
    /** The providers; empty until the list has been read once. */
    public val providers: List<ConsentProvider>,
    /** The provider of the connection; null while the list is shown. */
    public val provider: ProviderSlug? = null,
    /** The reason of [ConsentPhase.UNAVAILABLE] and [ConsentPhase.FAILED]. */
    public val failure: ConsentFailure? = null,
    /** The error of the last step, for logs. */
    public val error: Exception? = null,
)

/** A step of a consent screen. */
public enum class ConsentPhase {
    /** The list is being read. */
    LOADING,

    /** The list could not be read. */
    UNAVAILABLE,

    /** The list is up to date. */
    READY,

    /** The user is on the consent page, or the connection is being confirmed. */
    WAITING,

    /** The service lists the new connection. */
    CONNECTED,

    /** The redirect reports an error: the user did not agree, or the provider failed. */
    REFUSED,

    /** The service lists the new connection as broken. */
    BROKEN,

    /** The connection failed for another reason. */
    FAILED,
}

/** The reason why a list or a connection failed. */
public enum class ConsentFailure {
    /** The device is offline, or the service cannot respond now. */
    UNAVAILABLE,

    /** The token is missing, expired or not allowed. */
    SIGN_IN,

    /** The service has no consent URL for this provider, the redirect URL is not on its list, or the provider requires another user id. */
    REJECTED,

    /** No browser could open the consent page, or the state file could not be written. */
    BROWSER,


    /** The provider has agreed, but the service does not list the connection yet. */
    UNCONFIRMED;

    internal companion object {
        fun of(error: VitalwireException): ConsentFailure = when (error.kind) {
            // If the token function could not reach its server, the user need not sign in.
            ErrorKind.AUTHENTICATION -> if (error.cause is IOException) UNAVAILABLE else SIGN_IN
            ErrorKind.PERMISSION -> SIGN_IN
            ErrorKind.INVALID_REQUEST, ErrorKind.NOT_FOUND, ErrorKind.INVALID_ARGUMENT -> REJECTED
            else -> UNAVAILABLE
        }
    }
}

/** A provider in the list, with its state at the service. */
public class ConsentProvider internal constructor(
    /** The provider. */
    public val slug: ProviderSlug,
    /** State of the connection when the list was read. */
    public val status: ConsentStatus,
)

/** State of a user's connection with a provider. */
public enum class ConsentStatus {
    /** The user has no connection. */
    NOT_CONNECTED,

    /** The service reads the provider's data. */
    CONNECTED,

    /** The service has marked the connection as broken. The user must connect again. */
    BROKEN,
}
