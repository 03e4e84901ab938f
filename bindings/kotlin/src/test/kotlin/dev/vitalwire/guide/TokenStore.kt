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
import java.time.Instant
import javax.crypto.Cipher
import javax.crypto.KeyGenerator
import javax.crypto.SecretKey
import javax.crypto.spec.GCMParameterSpec

/**
 * Keeps a user's token in a file, such as `File(context.noBackupFilesDir, "token")`. The key of the file never leaves the Android Keystore.
 */
class TokenStore(private val file: File) {
    fun save(token: UserToken) {
        val cipher = Cipher.getInstance("AES/GCM/NoPadding").apply { init(Cipher.ENCRYPT_MODE, key()) }
        val new = File("${file.path}.new")
        FileOutputStream(new).use {
            it.write(cipher.iv + cipher.doFinal("${token.expiresAt.epochSecond} ${token.text}".toByteArray()))
            it.fd.sync()
        }
        // Replaces the file in one step, so it is always complete.
        if (!new.renameTo(file)) throw IOException("the file of the token cannot be replaced")
    }

    /** Returns the token, or null if there is none, the file is damaged, or its key no longer exists. */
    fun load(): UserToken? {
        // 12 bytes of initialization vector and 16 of authentication tag.
        if (file.length() < 28) return null
        return try {
            val bytes = file.readBytes()
            val cipher = Cipher.getInstance("AES/GCM/NoPadding")
            cipher.init(Cipher.DECRYPT_MODE, key(), GCMParameterSpec(128, bytes, 0, 12))
            val (expiry, token) = cipher.doFinal(bytes, 12, bytes.size - 12).decodeToString().split(' ', limit = 2)
            UserToken(token, Instant.ofEpochSecond(expiry.toLong()))
        } catch (_: GeneralSecurityException) {
            null
        } catch (_: IOException) {
            null
        }
    }

    /** Deletes the token, for example when the user signs out. */
    fun delete() {
        file.delete()
    }

    /** Returns the stored token for a token provider. If there is no usable one, requests and stores a new one. */
    fun token(reason: RefreshReason, request: () -> UserToken): AccessToken {
        val kept = load()?.takeIf { reason == RefreshReason.MISSING && it.expiresAt > Instant.now().plusSeconds(60) }
        if (kept != null) return kept.toAccessToken()
        val requested = request()
        // Without the file, the next start of the app requests another token.
        try { save(requested) } catch (_: IOException) { }
        return requested.toAccessToken()
    }

    private fun key(): SecretKey {
        val keys = KeyStore.getInstance("AndroidKeyStore").apply { load(null) }
        (keys.getKey("vitalwire-token", null) as SecretKey?)?.let { return it }
        val purposes = KeyProperties.PURPOSE_ENCRYPT or KeyProperties.PURPOSE_DECRYPT
        val parameters = KeyGenParameterSpec.Builder("vitalwire-token", purposes)
            .setBlockModes(KeyProperties.BLOCK_MODE_GCM)
            .setEncryptionPaddings(KeyProperties.ENCRYPTION_PADDING_NONE)
            .build()
        return KeyGenerator.getInstance("AES", "AndroidKeyStore").apply { init(parameters) }.generateKey()
    }
}
// --8<-- [end:program]
