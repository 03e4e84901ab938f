package dev.vitalwire

import java.io.File
import java.io.InputStream
import java.nio.file.Path
import dev.vitalwire.ffi.Upload as NativeUpload

/** A document to upload. The native library reads a file when the call is made. */
public class DocumentUpload private constructor(private val file: UploadFile, private val name: suspend () -> String?) {
    internal suspend fun read(vararg alternatives: Any?): NativeUpload {
        if (alternatives.any { it != null }) throw invalidArgument("a document must not be set both as an upload and in the options")
        return file.read(name = name())
    }

    /** Returns a description without path, name and content. */
    override fun toString(): String = "DocumentUpload(..)"

    public companion object {
        /** Creates an upload from the contents of a file, with the file name to send. */
        @JvmStatic
        public fun of(bytes: ByteArray, name: String): DocumentUpload = DocumentUpload(UploadFile.Bytes(bytes)) { name }

        /**
         * Creates an upload of a file.
         *
         * @param name file name to send. Defaults to the file's own name, which may be personal data.
         */
        @JvmStatic
        @JvmOverloads
        public fun of(file: File, name: String? = null): DocumentUpload = DocumentUpload(UploadFile.OnDisk(file)) { name }

        /**
         * Creates an upload of a file in any file system.
         *
         * @param name file name to send. Defaults to the file's own name, which may be personal data.
         */
        @JvmStatic
        @JvmOverloads
        public fun of(path: Path, name: String? = null): DocumentUpload =
            DocumentUpload(UploadFile.of(path)) { name ?: path.fileName?.toString() }

        /** Creates an upload of a stream. Each call opens a new stream and closes it. */
        internal fun fromStreams(name: suspend () -> String?, open: () -> InputStream?): DocumentUpload =
            DocumentUpload(UploadFile.Reopened(open), name)

        /**
         * Creates an upload of a stream, with the file name to send. The upload can be used for one call only.
         *
         * The call reads the stream but does not close it. Close the stream after the call.
         */
        @JvmStatic
        public fun of(stream: InputStream, name: String): DocumentUpload = DocumentUpload(UploadFile.Stream(stream)) { name }
    }
}
