package dev.vitalwire

import dev.vitalwire.ffi.ResponseMeta

/** An answer: its value, and what is known of it besides. */
class Response<out T>(
    /** The answer itself. */
    val value: T,
    /** Status, request id, attempts, time. */
    val meta: ResponseMeta,
) {
    /** Shows no values. */
    override fun toString(): String = "Response(status ${meta.status})"
}
