package dev.vitalwire

import java.security.GeneralSecurityException
import java.security.KeyStore
import java.util.Base64
import javax.net.ssl.TrustManagerFactory
import javax.net.ssl.X509TrustManager

/** Reads the root certificates of Android or the JVM. Reading them in Kotlin needs no JVM handle in the native library. */
internal object PlatformTrust {
    /**
     * Returns the certificates as PEM text. Reads files, so call this function on a thread that may block.
     *
     * The text is empty if the platform trusts no certificate; the native library rejects an empty text.
     */
    fun pem(): String = try {
        val factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm())
        factory.init(null as KeyStore?)
        val trusted = factory.trustManagers.filterIsInstance<X509TrustManager>().flatMap { it.acceptedIssuers.asList() }
        trusted.joinToString("") { "-----BEGIN CERTIFICATE-----\n${lines.encodeToString(it.encoded)}\n-----END CERTIFICATE-----\n" }
    } catch (error: GeneralSecurityException) {
        val fields = VitalwireException.Fields(ErrorKind.CONFIGURATION, "${ErrorKind.CONFIGURATION}: $UNREADABLE", UNREADABLE)
        throw VitalwireException.of(fields, error)
    }

    private const val UNREADABLE = "the platform's trusted certificates cannot be read"

    private val lines = Base64.getMimeEncoder(64, "\n".toByteArray())
}
