package dev.vitalwire

import dev.vitalwire.ffi.NameAndValue
import dev.vitalwire.ffi.NativeClient
import dev.vitalwire.ffi.ReceivedResponse
import java.io.File
import java.time.Instant
import java.util.concurrent.CancellationException
import dev.vitalwire.ffi.PreparedUpload as NativePreparedUpload

/**
 * An upload that the application sends with its own HTTP client, for example in a background job.
 *
 * [headers] contain the access token, and [file] contains the document or picture. Pass both only to the HTTP client. Do not log or
 * store the headers. The input data of a job is stored, too, so do not put them there. Use a new file for each upload, and remove it
 * after the response was read. Also remove it after a cancellation, a timeout or a killed process: the file may then contain a part of
 * the body.
 *
 * The client's network settings do not apply: proxy, trusted certificates, pinned keys, timeouts and retries. Turn off redirects and
 * retries in the HTTP client. `HttpURLConnection` repeats an upload unless `setFixedLengthStreamingMode` was called.
 */
public class PreparedUpload internal constructor(
    native: NativePreparedUpload,
    /** File with the request body. Only the application's user can read it. */
    public val file: File,
) {
    /** HTTP method. */
    public val method: String = native.method

    /** URL. */
    public val url: String = native.url

    /** All headers, with the access token. The HTTP client adds `Content-Length` and `Accept-Encoding`. */
    public val headers: Map<String, String> =
        native.headers.groupBy({ it.name }, { it.value }).mapValues { (_, values) -> values.joinToString(", ") }

    /** Receipt to pass to `readUploadResponse`. It can be stored; it contains no token, URL or health data. */
    public val receipt: String = native.receipt

    /** Instant at which the access token expires; null if its provider did not state it. A later request is rejected with status 401. */
    public val tokenExpiresAt: Instant? = native.tokenExpiresAt?.toKotlin()

    /** Returns the type name, without URL, headers and path. */
    override fun toString(): String = "PreparedUpload(..)"
}

/** Prepares an upload. Removes its file if the coroutine was cancelled after the native library had written the file. */
internal suspend fun Calls.prepareUpload(file: File, work: suspend (NativeClient) -> NativePreparedUpload): PreparedUpload {
    var isNew = false
    try {
        return native {
            isNew = !file.exists()
            PreparedUpload(work(it), file)
        }
    } catch (error: CancellationException) {
        if (isNew) file.delete()
        throw error
    }
}

/** The response to a prepared upload, as the application's HTTP client received it. */
public class UploadResponse private constructor(
    /** HTTP status. */
    public val status: Int,
    private val headers: Map<out String?, List<String>>,
    private val body: ByteArray,
) {
    internal fun toNative() = ReceivedResponse(
        status.coerceIn(0, UShort.MAX_VALUE.toInt()).toUShort(),
        headers.flatMap { (name, values) -> values.map { NameAndValue(name.orEmpty(), it) } },
        body,
    )

    /** Returns a description without headers and body. */
    override fun toString(): String = "UploadResponse(status $status)"

    public companion object {
        /**
         * Creates a response.
         *
         * @param headers headers by name. A name that is null is ignored; `HttpURLConnection.headerFields` has one.
         * @param body the decompressed body.
         */
        @JvmStatic
        public fun of(status: Int, headers: Map<out String?, List<String>>, body: ByteArray): UploadResponse =
            UploadResponse(status, headers, body)
    }
}
