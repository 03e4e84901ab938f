package dev.vitalwire.guide

// --8<-- [start:program]
import android.security.keystore.KeyGenParameterSpec
import android.security.keystore.KeyProperties
import dev.vitalwire.AccessToken
import dev.vitalwire.RefreshReason
import java.io.File
import java.io.FileOutputStream
import java.io.IOException
import java.security.GeneralSecurityException
import java.security.KeyStore
import java.security.MessageDigest
import java.security.ProviderException
import java.time.Instant
import javax.crypto.Cipher
import javax.crypto.KeyGenerator
import javax.crypto.SecretKey
import javax.crypto.spec.GCMParameterSpec

/**
 * Keeps the token of one user in a file of [folder], such as `context.noBackupFilesDir`. The key of the file never leaves the Android
 * Keystore. The file cannot be decrypted for another user.
 */
class TokenStore(folder: File, private val user: String) {
    private val file = File(folder, "token-" + hex(MessageDigest.getInstance("SHA-256").digest(user.toByteArray())))
    private var isDeleted = false

    /** Stores a token, unless the user has signed out. */
    @Synchronized
    fun save(token: UserToken) {
        if (isDeleted) return
        val cipher = try {
            createCipher(Cipher.ENCRYPT_MODE)
        } catch (_: GeneralSecurityException) {
            // The key can no longer be used. A new key replaces it.
            keyStore().deleteEntry(KEY)
            createCipher(Cipher.ENCRYPT_MODE)
        }
        val new = File("${file.path}.new")
        FileOutputStream(new).use {
            it.write(cipher.iv + cipher.doFinal("${token.expiresAt.epochSecond} ${token.text}".toByteArray()))
            it.fd.sync()
        }
        // Replaces the file in one step, so it is always complete.
        if (!new.renameTo(file)) throw IOException("the file of the token cannot be replaced")
    }

    /** Returns the token. Returns null if the file is missing, damaged or of another user, or if its key is unusable. */
    fun load(): UserToken? {
        // 12 bytes of initialization vector and 16 of authentication tag.
        if (file.length() < 28) return null
        return tryOrNull {
            val bytes = file.readBytes()
            val cipher = createCipher(Cipher.DECRYPT_MODE, GCMParameterSpec(128, bytes, 0, 12))
            val (expiry, token) = cipher.doFinal(bytes, 12, bytes.size - 12).decodeToString().split(' ', limit = 2)
            UserToken(token, Instant.ofEpochSecond(expiry.toLong()))
        }
    }

    /** Deletes the token when the user signs out. A token that arrives later is not stored. */
    @Synchronized
    fun delete() {
        isDeleted = true
        file.delete()
    }

    /** Returns the stored token for a token provider. If there is no usable one, requests and stores a new one. */
    fun token(reason: RefreshReason, request: () -> UserToken): AccessToken {
        val kept = load()?.takeIf { reason == RefreshReason.MISSING && it.expiresAt > Instant.now().plusSeconds(60) }
        if (kept != null) return kept.toAccessToken()
        val requested = request()
        // The client keeps the token in memory. If it cannot be stored, the next start of the app requests another token.
        tryOrNull { save(requested) }
        return requested.toAccessToken()
    }

    private fun createCipher(mode: Int, parameters: GCMParameterSpec? = null): Cipher {
        val cipher = Cipher.getInstance("AES/GCM/NoPadding")
        cipher.init(mode, key(), parameters)
        cipher.updateAAD(user.toByteArray())
        return cipher
    }

    private fun key(): SecretKey {
        (keyStore().getKey(KEY, null) as SecretKey?)?.let { return it }
        val purposes = KeyProperties.PURPOSE_ENCRYPT or KeyProperties.PURPOSE_DECRYPT
        val parameters = KeyGenParameterSpec.Builder(KEY, purposes)
            .setBlockModes(KeyProperties.BLOCK_MODE_GCM)
            .setEncryptionPaddings(KeyProperties.ENCRYPTION_PADDING_NONE)
            .build()
        return KeyGenerator.getInstance("AES", "AndroidKeyStore").apply { init(parameters) }.generateKey()
    }

    private fun keyStore() = KeyStore.getInstance("AndroidKeyStore").apply { load(null) }

    private fun hex(bytes: ByteArray) = bytes.joinToString("") { "%02x".format(it) }

    /** Returns null if a file cannot be read or written, or if the Keystore fails. */
    private fun <T> tryOrNull(work: () -> T): T? =
        try {
            work()
        } catch (_: IOException) {
            null
        } catch (_: GeneralSecurityException) {
            null
        } catch (_: ProviderException) {
            null
        }

    private companion object {
        const val KEY = "vitalwire-token"
    }
}
// --8<-- [end:program]
