package android.database

/** Stand-in for Android's interface. */
interface Cursor : java.io.Closeable {
    fun moveToFirst(): Boolean
    fun isNull(column: Int): Boolean
    fun getString(column: Int): String?
}
