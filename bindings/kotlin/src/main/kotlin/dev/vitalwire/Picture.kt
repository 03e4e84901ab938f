package dev.vitalwire

import dev.vitalwire.ffi.pictureWithoutMetadata

/** Functions for pictures to upload. */
public object Picture {
    /**
     * Returns a JPEG, PNG or WebP picture without its metadata: place, time, camera, texts, thumbnails and appended pictures.
     *
     * Pixels, colour profiles and orientation are kept.
     *
     * @throws VitalwireException of kind `invalid_argument` if the picture has another format, is damaged or is truncated.
     */
    @JvmStatic
    public fun withoutMetadata(picture: ByteArray): ByteArray = translateErrors { pictureWithoutMetadata(picture) }
}
