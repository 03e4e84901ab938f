package dev.vitalwire.guide

// --8<-- [start:program]
import android.security.keystore.KeyGenParameterSpec
import android.security.keystore.KeyProperties
import dev.vitalwire.AccessToken
import dev.vitalwire.RefreshReason
import java.io.File
import java.nio.file.Files
import java.nio.file.StandardCopyOption
import java.security.GeneralSecurityException
import java.security.KeyStore
import java.time.Duration
import java.time.Instant
import javax.crypto.Cipher
import javax.crypto.KeyGenerator
import javax.crypto.SecretKey
import javax.crypto.spec.GCMParameterSpec

/** Keeps a token in a file, such as `File(context.noBackupFilesDir, "token")`. The key of the file never leaves the Android Keystore. */
class TokenStore(private val file: File) {
    fun save(token: String, expiresAt: Instant) {
        val cipher = Cipher.getInstance("AES/GCM/NoPadding").apply { init(Cipher.ENCRYPT_MODE, key()) }
        // Only its owner can read a temporary file. The move replaces the token's file in one step, so the file is always complete.
        val new = Files.createTempFile(file.absoluteFile.parentFile.toPath(), "token", null)
        new.toFile().writeBytes(cipher.iv + cipher.doFinal("${expiresAt.epochSecond} $token".toByteArray()))
        Files.move(new, file.toPath(), StandardCopyOption.ATOMIC_MOVE)
    }

    /** Returns the token and its expiry, or null if there is no token, the file is damaged, or its key no longer exists. */
    fun load(): Pair<String, Instant>? {
        // 12 bytes of initialization vector and 16 of authentication tag.
        if (file.length() < 28) return null
        return try {
            val bytes = file.readBytes()
            val cipher = Cipher.getInstance("AES/GCM/NoPadding")
            cipher.init(Cipher.DECRYPT_MODE, key(), GCMParameterSpec(128, bytes, 0, 12))
            val (expiry, token) = cipher.doFinal(bytes, 12, bytes.size - 12).decodeToString().split(' ', limit = 2)
            token to Instant.ofEpochSecond(expiry.toLong())
        } catch (_: GeneralSecurityException) {
            null
        }
    }

    /** Deletes the token, for example when the user signs out. */
    fun delete() {
        file.delete()
    }

    /** Returns the kept token for a token provider. If there is none that can be used, keeps and returns the one from [fetch]. */
    fun token(reason: RefreshReason, fetch: () -> Pair<String, Instant>): AccessToken {
        val kept = load()?.takeIf { reason == RefreshReason.MISSING && it.second > Instant.now() }
        val (token, expiresAt) = kept ?: fetch().also { save(it.first, it.second) }
        return AccessToken.of(token, Duration.between(Instant.now(), expiresAt))
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
