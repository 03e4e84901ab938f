package dev.vitalwire

import dev.vitalwire.ffi.pictureWithoutMetadata

/** A picture of food, made ready to be uploaded. */
public object Picture {
    /**
     * The same picture, pixel for pixel, without metadata: place, time, camera, texts, thumbnails, further pictures after its end.
     * Colour profiles and orientation stay. For JPEG, PNG and WebP.
     *
     * @throws VitalwireException of kind `invalid_argument` where the picture is of another kind, broken or cut short.
     */
    @JvmStatic
    public fun withoutMetadata(picture: ByteArray): ByteArray = translated { pictureWithoutMetadata(picture) }
}
