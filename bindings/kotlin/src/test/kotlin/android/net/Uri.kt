package android.net

/** Stub of `android.net.Uri`. */
class Uri(private val text: String) {
    override fun toString(): String = text

    companion object {
        @JvmStatic
        fun parse(text: String?): Uri = Uri(checkNotNull(text))
    }
}
