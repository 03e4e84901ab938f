package android.net

/** Stub of `android.net.Uri`. */
class Uri(private val text: String) {
    override fun toString(): String = text
}
