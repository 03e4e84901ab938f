package dev.vitalwire

import dev.vitalwire.ffi.Upload
import dev.vitalwire.ffi.UploadSource
import dev.vitalwire.ffi.maxFileBytes
import java.io.ByteArrayOutputStream
import java.io.File
import java.io.IOException
import java.io.InputStream
import java.nio.file.FileSystems
import java.nio.file.Files
import java.nio.file.Path
import java.util.concurrent.atomic.AtomicBoolean
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.runInterruptible

/** Source of a file to upload. If a file has a path, the native library reads it, so that the bytes are never on the Java heap. */
internal sealed class UploadFile {
    protected abstract suspend fun source(): UploadSource

    suspend fun read(removeMetadata: Boolean = false, name: String? = null): Upload = Upload(source(), name, removeMetadata)

    class Bytes(private val bytes: ByteArray) : UploadFile() {
        override suspend fun source() = if (bytes.isEmpty()) throw invalidArgument(EMPTY) else UploadSource.Bytes(bytes)
    }

    class OnDisk(private val file: File) : UploadFile() {
        // Pass an absolute path, because the JVM's working directory can differ from that of the process.
        override suspend fun source() = UploadSource.Path(file.absolutePath)
    }

    class Address(private val url: String) : UploadFile() {
        override suspend fun source() = UploadSource.Address(url)
    }

    class Stream(private val stream: InputStream) : UploadFile() {
        private val isRead = AtomicBoolean()

        override suspend fun source(): UploadSource {
            if (isRead.getAndSet(true)) throw invalidArgument("a stream can be read only once; create an upload for each call")
            return UploadSource.Bytes(runInterruptible(Dispatchers.IO) { readAll(stream) })
        }
    }

    /** A file that only Java can read, such as an entry of an archive. Each call opens it again. */
    class Reopened(private val open: () -> InputStream?) : UploadFile() {
        override suspend fun source() = UploadSource.Bytes(runInterruptible(Dispatchers.IO) { openStream().use(::readAll) })

        private fun openStream() = reading { open() } ?: throw invalidArgument(UNREADABLE)
    }

    companion object {
        fun of(path: Path): UploadFile =
            if (path.fileSystem == FileSystems.getDefault()) OnDisk(path.toFile()) else Reopened { Files.newInputStream(path) }
    }
}

/** Reads from a file system or content provider, and converts exceptions to [VitalwireException]. */
internal inline fun <T> reading(read: () -> T): T = try {
    read()
} catch (error: IOException) {
    throw invalidArgument(UNREADABLE, withoutMessage(error))
} catch (error: SecurityException) {
    throw invalidArgument(UNREADABLE, withoutMessage(error))
}

/**
 * Returns an exception with the class and stack of the original, but without the message, because a message may quote a path or content.
 */
internal fun withoutMessage(error: Exception): IOException = IOException(error.javaClass.name).apply { stackTrace = error.stackTrace }

/** Reads a stream to its end, up to the limit for files. */
private fun readAll(stream: InputStream): ByteArray {
    val limit = translateErrors { maxFileBytes() }.toLong()
    val content = ByteArrayOutputStream()
    val buffer = ByteArray(DEFAULT_BUFFER_SIZE)
    try {
        while (true) {
            val count = stream.read(buffer)
            if (count < 0) break
            if (content.size() + count > limit) throw invalidArgument("the file is larger than the limit for files")
            content.write(buffer, 0, count)
        }
    } catch (error: IOException) {
        throw invalidArgument("the stream cannot be read", withoutMessage(error))
    }
    if (content.size() == 0) throw invalidArgument(EMPTY)
    return content.toByteArray()
}

private const val EMPTY = "the file is empty"

internal const val UNREADABLE = "the file cannot be read"
