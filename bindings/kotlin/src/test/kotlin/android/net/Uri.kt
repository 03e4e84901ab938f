package android.net

/** Stand-in for Android's class. */
class Uri(private val text: String) {
    override fun toString(): String = text
}
