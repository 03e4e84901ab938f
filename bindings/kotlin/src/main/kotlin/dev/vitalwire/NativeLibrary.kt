package dev.vitalwire

import dev.vitalwire.ffi.uniffiEnsureInitialized

/** The native library, loaded at the first call that needs it. */
internal object NativeLibrary {
    /** Kept: a class that could not be initialised once says later only that it could not. */
    private val failure: Throwable? = try {
        uniffiEnsureInitialized()
        null
    } catch (error: Throwable) {
        generateSequence(error) { it.cause }.last()
    }

    /** @throws VitalwireException.Library where it cannot be used. */
    fun ensure() {
        if (failure != null) throw VitalwireException.Library(VitalwireException.Facts(ErrorKind.CONFIGURATION, text(failure), remedy(failure)), failure)
    }

    private fun text(failure: Throwable) = "${ErrorKind.CONFIGURATION}: the native library cannot be used: ${remedy(failure)}"

    private fun remedy(failure: Throwable): String {
        val place = "${System.getProperty("os.name")}, ${System.getProperty("os.arch")}"
        val text = failure.message.orEmpty()
        return when {
            failure is NoClassDefFoundError || failure is ClassNotFoundException ->
                "JNA (net.java.dev.jna:jna) is missing; add it to the class path, on Android as @aar"
            "mismatch" in text || "undefined symbol" in text ->
                "it is of another version than the classes; have one version of this package on the class path and no older library in a folder"
            else ->
                "no vitalwire_uniffi for $place could be loaded; install it for this system, readable, and name its folder by the property " +
                    "jna.library.path (the cause says where it was looked for)"
        }
    }
}
