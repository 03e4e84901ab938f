package dev.vitalwire

import dev.vitalwire.ffi.pictureWithoutMetadata
import java.util.concurrent.CompletableFuture

/** Functions for pictures to upload. */
public object Picture {
    /**
     * Returns a JPEG, PNG or WebP picture without its metadata: place, time, camera, texts, thumbnails and appended pictures.
     *
     * Pixels, colour profiles and orientation are kept. Runs on another thread.
     *
     * @throws VitalwireException of kind `invalid_argument` if the picture has another format, is damaged or is truncated.
     */
    @JvmSynthetic
    public suspend fun withoutMetadata(picture: ByteArray): ByteArray =
        runInBackground { translateErrors { pictureWithoutMetadata(picture) } }

    /** Returns the picture without its metadata, for Java. */
    @JvmStatic
    @JvmName("withoutMetadata")
    public fun withoutMetadataForJava(picture: ByteArray): CompletableFuture<ByteArray> = startForJava { withoutMetadata(picture) }
}
