package android.content

/** Stand-in for Android's class. */
abstract class Context {
    abstract fun getContentResolver(): ContentResolver
}
