package android.content

/** Stub of `android.content.Context`. */
abstract class Context {
    abstract fun getContentResolver(): ContentResolver
}
