package dev.vitalwire

import java.io.File
import java.io.InputStream
import java.nio.file.Path
import dev.vitalwire.ffi.Upload as Crossed

/** A document to upload. A file is read when the call is made, by the native library. */
public class DocumentUpload private constructor(private val file: UploadFile, private val name: suspend () -> String?) {
    internal suspend fun read(vararg instead: Any?): Crossed {
        if (instead.any { it != null }) throw refused("a document is given twice: as an upload and in the options")
        return file.read(name = name())
    }

    /** Shows no path, no name and no content. */
    override fun toString(): String = "DocumentUpload(..)"

    public companion object {
        /** Bytes of a file, and what the service is told it is called. */
        @JvmStatic
        public fun of(bytes: ByteArray, name: String): DocumentUpload = DocumentUpload(UploadFile.Bytes(bytes)) { name }

        /**
         * A file.
         *
         * @param name what the service is told it is called, where that is not the file's own name, which may be personal.
         */
        @JvmStatic
        @JvmOverloads
        public fun of(file: File, name: String? = null): DocumentUpload = DocumentUpload(UploadFile.At(file)) { name }

        /**
         * A file, of any file system.
         *
         * @param name what the service is told it is called, where that is not the file's own name, which may be personal.
         */
        @JvmStatic
        @JvmOverloads
        public fun of(path: Path, name: String? = null): DocumentUpload =
            DocumentUpload(UploadFile.of(path)) { name ?: path.fileName?.toString() }

        /** What is opened for the call and closed after it, and what the service is told it is called. */
        internal fun opened(name: suspend () -> String?, open: () -> InputStream?): DocumentUpload =
            DocumentUpload(UploadFile.Opened(open), name)

        /**
         * What a stream gives, and what the service is told it is called. It is read once, when
         * the call is made, and stays open: whoever opened it closes it after the call.
         */
        @JvmStatic
        public fun of(stream: InputStream, name: String): DocumentUpload = DocumentUpload(UploadFile.Stream(stream)) { name }
    }
}
