package android.content

import java.io.File

/** Stub of `android.content.Context`. */
abstract class Context {
    abstract fun getContentResolver(): ContentResolver

    open val filesDir: File get() = throw UnsupportedOperationException()
}
