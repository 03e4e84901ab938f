package dev.vitalwire

import java.io.File
import java.io.InputStream
import java.nio.file.Path
import dev.vitalwire.ffi.Upload as Crossed

/**
 * A picture of food to upload. A file is read when the call is made, by the native library; `removeMetadata` sends it without place,
 * time, camera, texts and thumbnails (JPEG, PNG and WebP).
 */
public class PictureUpload private constructor(private val file: UploadFile, private val removeMetadata: Boolean) {
    internal suspend fun read(vararg instead: Any?): Crossed {
        if (instead.any { it != null }) throw refused("a picture is given twice: as an upload and in the options")
        return file.read(removeMetadata)
    }

    /** Shows no path, no address and no content. */
    override fun toString(): String = "PictureUpload(..)"

    public companion object {
        /** Bytes of a file: JPEG, PNG and what else the service takes, not the pixels. */
        @JvmStatic
        @JvmOverloads
        public fun of(bytes: ByteArray, removeMetadata: Boolean = false): PictureUpload = PictureUpload(UploadFile.Bytes(bytes), removeMetadata)

        /** A file. */
        @JvmStatic
        @JvmOverloads
        public fun of(file: File, removeMetadata: Boolean = false): PictureUpload = PictureUpload(UploadFile.At(file), removeMetadata)

        /** A file, of any file system. */
        @JvmStatic
        @JvmOverloads
        public fun of(path: Path, removeMetadata: Boolean = false): PictureUpload = PictureUpload(UploadFile.of(path), removeMetadata)

        /** What is opened for the call and closed after it. */
        internal fun opened(removeMetadata: Boolean, open: () -> InputStream?): PictureUpload =
            PictureUpload(UploadFile.Opened(open), removeMetadata)

        /**
         * What a stream gives. It is read once, when the call is made, and stays open: whoever
         * opened it closes it after the call.
         */
        @JvmStatic
        @JvmOverloads
        public fun of(stream: InputStream, removeMetadata: Boolean = false): PictureUpload =
            PictureUpload(UploadFile.Stream(stream), removeMetadata)

        /** The address of a picture, from which the service downloads it itself. */
        @JvmStatic
        public fun at(url: String): PictureUpload = PictureUpload(UploadFile.Address(url), false)
    }
}
