package android.content

/** In Android's place. */
abstract class Context {
    abstract fun getContentResolver(): ContentResolver
}
