/** Stub of `android.net`. */
package android.net

class Uri private constructor(private val text: String) {
    override fun toString(): String = text

    companion object {
        @JvmStatic
        fun parse(text: String): Uri = Uri(text)
    }
}
