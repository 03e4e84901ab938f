package dev.vitalwire

import dev.vitalwire.ffi.FINGERPRINT
import dev.vitalwire.ffi.abiFingerprint
import dev.vitalwire.ffi.uniffiEnsureInitialized
import java.io.File

/** The native library, loaded at the first call that needs it. */
internal object NativeLibrary {
    /** Kept: a class that could not be initialised once says later only that it could not. */
    private val failure: Throwable? = try {
        uniffiEnsureInitialized()
        check(abiFingerprint() == FINGERPRINT) { "mismatch of classes and library" }
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
            // JNA says so of its own library, before it looks for ours.
            "jnidispatch" in text ->
                "JNA has no library of its own for $place; on Android take JNA as net.java.dev.jna:jna@aar, in unit tests on a desktop its jar"
            // The second is JNA's, of a function that the library does not have.
            "mismatch" in text || "Error looking up function" in text ->
                "it is of another version than the classes; have one version of this package on the class path and no older library in a folder"
            // What a JVM and Android say of a native function that JNA's classes have under another name.
            failure is UnsatisfiedLinkError && (text.startsWith("'") || "No implementation found" in text) ->
                "JNA's classes were renamed; use the R8 rules of the AAR, which keep com.sun.jna.**"
            else -> unloadable(place)
        }
    }

    /** What to do where nothing could be loaded: it depends on what is in the folders that were named. */
    private fun unloadable(place: String): String {
        val folders = System.getProperty("jna.library.path").orEmpty().split(File.pathSeparator).filter { it.isNotEmpty() }
        val there = folders.map { File(it, System.mapLibraryName(NAME)) }.filter { it.exists() }
        return when {
            there.isEmpty() ->
                "no $NAME for $place could be loaded; have the jar or the AAR of this package that has one for this system, or name the " +
                    "folder of a library by the property jna.library.path (the cause says where it was looked for)"
            there.none { it.isFile && it.canRead() } ->
                "$NAME is in a folder of the property jna.library.path, and this process may not read it; give it the right to"
            else ->
                "$NAME is in a folder of the property jna.library.path, and is damaged or for another system; have the one for $place there"
        }
    }

    /** What JNA is asked for. */
    private const val NAME = "vitalwire_uniffi"
}
