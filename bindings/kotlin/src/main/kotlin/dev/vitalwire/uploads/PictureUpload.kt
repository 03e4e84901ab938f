package dev.vitalwire

import java.io.File
import java.io.InputStream
import java.nio.file.Path
import dev.vitalwire.ffi.Upload as NativeUpload

/**
 * A picture of food to upload. The native library reads a file when the call is made.
 *
 * With `removeMetadata`, a JPEG, PNG or WebP picture is sent without place, time, camera, texts and thumbnails.
 */
public class PictureUpload private constructor(private val file: UploadFile, private val removeMetadata: Boolean) {
    internal suspend fun read(vararg alternatives: Any?): NativeUpload {
        if (alternatives.any { it != null }) throw invalidArgument("a picture must not be set both as an upload and in the options")
        return file.read(removeMetadata)
    }

    /** Returns a description without path, URL and content. */
    override fun toString(): String = "PictureUpload(..)"

    public companion object {
        /** Creates an upload from the contents of an image file, such as a JPEG or PNG. Raw pixels are not supported. */
        @JvmStatic
        @JvmOverloads
        public fun of(bytes: ByteArray, removeMetadata: Boolean = false): PictureUpload =
            PictureUpload(UploadFile.Bytes(bytes), removeMetadata)

        /** Creates an upload of a file. */
        @JvmStatic
        @JvmOverloads
        public fun of(file: File, removeMetadata: Boolean = false): PictureUpload = PictureUpload(UploadFile.OnDisk(file), removeMetadata)

        /** Creates an upload of a file in any file system. */
        @JvmStatic
        @JvmOverloads
        public fun of(path: Path, removeMetadata: Boolean = false): PictureUpload = PictureUpload(UploadFile.of(path), removeMetadata)

        /** Creates an upload of a stream. Each call opens a new stream and closes it. */
        internal fun fromStreams(removeMetadata: Boolean, open: () -> InputStream?): PictureUpload =
            PictureUpload(UploadFile.Reopened(open), removeMetadata)

        /**
         * Creates an upload of a stream. The upload can be used for one call only.
         *
         * The call reads the stream but does not close it. Close the stream after the call.
         */
        @JvmStatic
        @JvmOverloads
        public fun of(stream: InputStream, removeMetadata: Boolean = false): PictureUpload =
            PictureUpload(UploadFile.Stream(stream), removeMetadata)

        /** Creates an upload by URL. The service downloads the picture itself. */
        @JvmStatic
        public fun at(url: String): PictureUpload = PictureUpload(UploadFile.Address(url), false)
    }
}
