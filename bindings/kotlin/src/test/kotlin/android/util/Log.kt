package android.util

/** Stub of `android.util.Log` that keeps the logged lines. */
object Log {
    /** Tag and message of each logged line. */
    val lines = mutableListOf<kotlin.Pair<String, String>>()

    @JvmStatic
    fun d(tag: String, text: String): Int {
        lines += tag to text
        return 0
    }
}
