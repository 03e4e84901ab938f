package android.database

/** In Android's place. */
interface Cursor : java.io.Closeable {
    fun moveToFirst(): Boolean
    fun isNull(column: Int): Boolean
    fun getString(column: Int): String?
}
