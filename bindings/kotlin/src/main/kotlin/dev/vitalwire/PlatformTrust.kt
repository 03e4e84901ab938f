package dev.vitalwire

import java.security.GeneralSecurityException
import java.security.KeyStore
import java.util.Base64
import javax.net.ssl.TrustManagerFactory
import javax.net.ssl.X509TrustManager

/** What Android or the JVM trusts, as Java's own classes tell it: no handle of the JVM crosses to the native library. */
internal object PlatformTrust {
    /** The certificates as PEM; none where it trusts nothing, which the library refuses. It reads files: not on a thread that must not wait. */
    fun pem(): String = try {
        val factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm())
        factory.init(null as KeyStore?)
        val trusted = factory.trustManagers.filterIsInstance<X509TrustManager>().flatMap { it.acceptedIssuers.asList() }
        trusted.joinToString("") { "-----BEGIN CERTIFICATE-----\n${lines.encodeToString(it.encoded)}\n-----END CERTIFICATE-----\n" }
    } catch (error: GeneralSecurityException) {
        throw VitalwireException.of(VitalwireException.Facts(ErrorKind.CONFIGURATION, "${ErrorKind.CONFIGURATION}: $UNREADABLE", UNREADABLE), error)
    }

    private const val UNREADABLE = "what the platform trusts cannot be read"

    private val lines = Base64.getMimeEncoder(64, "\n".toByteArray())
}
