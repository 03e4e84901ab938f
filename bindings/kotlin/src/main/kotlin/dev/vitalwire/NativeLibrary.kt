package dev.vitalwire

import dev.vitalwire.ffi.FINGERPRINT
import dev.vitalwire.ffi.abiFingerprint
import dev.vitalwire.ffi.uniffiEnsureInitialized
import java.io.File
import java.util.concurrent.ThreadLocalRandom

/** Loads the native library at the first call. */
internal object NativeLibrary {
    /** The first failure to load the library. Later attempts would only report that a class could not be initialised. */
    private val failure: Throwable? = try {
        check(claim()) { "another class loader" }
        uniffiEnsureInitialized()
        check(abiFingerprint() == FINGERPRINT) { "mismatch of classes and library" }
        null
    } catch (error: Throwable) {
        generateSequence(error) { it.cause }.last()
    }

    /** @throws VitalwireException.Library if the native library cannot be used. */
    fun ensure() {
        if (failure != null) {
            val fields = VitalwireException.Fields(ErrorKind.LIBRARY, text(failure), remedy(failure))
            throw VitalwireException.Library(fields, failure)
        }
    }

    /**
     * Claims the loaded copy of the library for this class loader. A copy calls the callbacks of the classes that were initialised last, so
     * the token provider of one application would supply the tokens of another.
     *
     * @return whether no other class loader has claimed the copy.
     */
    private fun claim(): Boolean {
        val name = System.getProperty("uniffi.component.vitalwire.libraryOverride") ?: NAME
        val library = com.sun.jna.NativeLibrary.getInstance(name, NativeLibrary::class.java.classLoader)
        val loader = ThreadLocalRandom.current().nextLong(1, Long.MAX_VALUE)
        return library.getFunction("vitalwire_uniffi_claim").invokeInt(arrayOf<Any>(loader)) == 1
    }

    private fun text(failure: Throwable) = "${ErrorKind.LIBRARY}: the native library cannot be used: ${remedy(failure)}"

    private fun remedy(failure: Throwable): String {
        val place = "${System.getProperty("os.name")}, ${System.getProperty("os.arch")}"
        val text = failure.message.orEmpty()
        return when {
            failure is NoClassDefFoundError || failure is ClassNotFoundException ->
                "JNA (net.java.dev.jna:jna) is missing; add it to the class path, on Android as @aar"
            "another class loader" in text ->
                "another class loader of this JVM uses the same file of $NAME; put this package into a class loader that both " +
                    "applications share, or use the library in this package's jar, because each class loader then gets its own copy"
            isTemporaryFolderUnusable(text) ->
                "JNA cannot load libraries from its temporary folder ${temporaryFolder(text)}, which must exist, be writable and not be " +
                    "mounted with noexec; set the property jna.tmpdir to another folder"
            // JNA failed to load its own library, which it needs to load others.
            "jnidispatch" in text ->
                "JNA has no library of its own for $place; on Android take JNA as net.java.dev.jna:jna@aar, in unit tests " +
                    "on a desktop its jar"
            // JNA reports a missing function as "Error looking up function".
            "mismatch" in text || "Error looking up function" in text ->
                "it is of another version than the classes; keep only one version of this package on the class path and in folders"
            // Messages of the JVM and of Android for a renamed class with native functions.
            failure is UnsatisfiedLinkError && (text.startsWith("'") || "No implementation found" in text) ->
                "JNA's classes were renamed; use the R8 rules of the AAR, which keep com.sun.jna.**"
            else -> unloadable(place)
        }
    }

    /**
     * Whether JNA could not create or map a file in its temporary folder. A system without a function of libc is reported for such a file
     * too.
     */
    private fun isTemporaryFolderUnusable(text: String) =
        "temporary file" in text || temporaryFile().containsMatchIn(text) && UNMAPPABLE.any { it in text }

    private fun temporaryFolder(text: String): String =
        temporaryFile().find(text)?.groupValues?.get(1)
            ?: System.getProperty("jna.tmpdir")
            ?: System.getProperty("java.io.tmpdir").orEmpty()

    /** Returns the remedy for a library that could not be loaded, depending on the contents of the folders in `jna.library.path`. */
    private fun unloadable(place: String): String {
        val folders = System.getProperty("jna.library.path").orEmpty().split(File.pathSeparator).filter { it.isNotEmpty() }
        val found = folders.map { File(it, System.mapLibraryName(NAME)) }.filter { it.exists() }
        return when {
            found.isEmpty() ->
                "no $NAME for $place could be loaded; add the jar or the AAR of this package for this system, or set the property " +
                    "jna.library.path to the folder of a library (the cause lists the places that were searched)"
            found.none { it.isFile && it.canRead() } ->
                "$NAME is in a folder of the property jna.library.path, but this process may not read it; grant read permission"
            else ->
                "$NAME in a folder of the property jna.library.path is damaged or for another system; replace it with the one for $place"
        }
    }

    /** Matches a file that JNA extracted from a jar, in its folder. A function, to load the classes of patterns only after failures. */
    private fun temporaryFile() = Regex("((?:/|[A-Z]:)[^:\n]*)[/\\\\]jna\\d+\\.(?:tmp|dll|so|dylib|jnilib)")

    /** Reasons of glibc, musl and Windows. */
    private val UNMAPPABLE = listOf("failed to map segment", "Operation not permitted", "Permission denied", "Access is denied")

    /** Name of the library for JNA. */
    private const val NAME = "vitalwire_uniffi"
}
