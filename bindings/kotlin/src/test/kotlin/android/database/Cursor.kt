package android.database

/** Stub of `android.database.Cursor`. */
interface Cursor : java.io.Closeable {
    fun moveToFirst(): Boolean
    fun isNull(column: Int): Boolean
    fun getString(column: Int): String?
}
