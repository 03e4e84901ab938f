package android.security.keystore

import java.io.InputStream
import java.io.OutputStream
import java.security.Key
import java.security.KeyStoreSpi
import java.security.Provider
import java.security.ProviderException
import java.security.SecureRandom
import java.security.UnrecoverableKeyException
import java.security.cert.Certificate
import java.security.spec.AlgorithmParameterSpec
import java.util.Collections
import java.util.Date
import java.util.Enumeration
import javax.crypto.KeyGenerator
import javax.crypto.KeyGeneratorSpi
import javax.crypto.SecretKey
import javax.crypto.spec.SecretKeySpec

/** Stub of the Android Keystore: a security provider whose keys are in memory. */
object AndroidKeyStore : Provider("AndroidKeyStore", "1", "keys in memory, for tests") {
    private val secrets = mutableMapOf<String, SecretKey>()

    /** Names of keys that can no longer be read. */
    private val unreadable = mutableSetOf<String>()

    /** Whether keys can be generated. */
    var isAvailable = true

    init {
        put("KeyStore.AndroidKeyStore", Store::class.java.name)
        put("KeyGenerator.AES", Generator::class.java.name)
    }

    /** Deletes all keys, as a device does when the user's data is restored on another device. */
    fun deleteKeys() = secrets.clear()

    /** Makes all keys unreadable, as a device may do after an update. */
    fun makeKeysUnreadable() {
        unreadable += secrets.keys
    }

    /** Makes all keys invalid, as a device may do after a change of its lock screen. */
    fun invalidateKeys() {
        for (alias in secrets.keys.toList()) secrets[alias] = SecretKeySpec(ByteArray(5), "AES")
    }

    class Generator : KeyGeneratorSpi() {
        private var parameters: KeyGenParameterSpec? = null

        override fun engineInit(random: SecureRandom?): Unit = unsupported()

        override fun engineInit(size: Int, random: SecureRandom?): Unit = unsupported()

        override fun engineInit(parameters: AlgorithmParameterSpec?, random: SecureRandom?) {
            this.parameters = parameters as KeyGenParameterSpec
        }

        override fun engineGenerateKey(): SecretKey {
            if (!isAvailable) throw ProviderException("no key can be generated")
            val wanted = checkNotNull(parameters) { "a key needs parameters" }
            check(wanted.purposes == 3 && wanted.modes == listOf("GCM") && wanted.paddings == listOf("NoPadding"))
            return KeyGenerator.getInstance("AES", "SunJCE").generateKey().also { secrets[wanted.alias] = it }
        }
    }

    class Store : KeyStoreSpi() {
        override fun engineGetKey(alias: String, password: CharArray?): Key? =
            if (alias in unreadable) throw UnrecoverableKeyException("the key cannot be read") else secrets[alias]

        override fun engineLoad(stream: InputStream?, password: CharArray?): Unit = check(stream == null)

        override fun engineContainsAlias(alias: String) = alias in secrets

        override fun engineAliases(): Enumeration<String> = Collections.enumeration(secrets.keys)

        override fun engineSize() = secrets.size

        override fun engineIsKeyEntry(alias: String) = alias in secrets

        override fun engineIsCertificateEntry(alias: String) = false

        override fun engineGetCertificateChain(alias: String): Array<Certificate>? = null

        override fun engineGetCertificate(alias: String): Certificate? = null

        override fun engineGetCertificateAlias(certificate: Certificate?): String? = null

        override fun engineGetCreationDate(alias: String): Date = Date(0)

        override fun engineSetKeyEntry(alias: String, key: Key?, password: CharArray?, chain: Array<Certificate>?): Unit = unsupported()

        override fun engineSetKeyEntry(alias: String, key: ByteArray?, chain: Array<Certificate>?): Unit = unsupported()

        override fun engineSetCertificateEntry(alias: String, certificate: Certificate?): Unit = unsupported()

        override fun engineDeleteEntry(alias: String) {
            secrets -= alias
            unreadable -= alias
        }

        override fun engineStore(stream: OutputStream?, password: CharArray?): Unit = unsupported()
    }
}

private fun unsupported(): Nothing = throw UnsupportedOperationException()
