@file:JvmName("Signing")

package dev.vitalwire.server

import dev.vitalwire.VitalwireException
import dev.vitalwire.server.ffi.serverSignUserId
import dev.vitalwire.translateErrors

/**
 * Signs a user id for the token exchange: HMAC-SHA256 under the application key, as lower-case hex. Pass it to `tokens.exchange`.
 *
 * @param key the application key. Trailing line ends are removed.
 * @throws VitalwireException of kind `configuration` if the key is shorter than 16 bytes, quoted, surrounded by white space, contains a
 * line break or begins with `Bearer `; of kind `invalid_argument` if the key or the user id is empty.
 */
@Throws(VitalwireException::class)
public fun signUserId(key: ByteArray, userId: String): String = translateErrors { serverSignUserId(key, userId) }

/** Signs a user id with a key that is a text. */
@Throws(VitalwireException::class)
public fun signUserId(key: String, userId: String): String = signUserId(key.toByteArray(), userId)
