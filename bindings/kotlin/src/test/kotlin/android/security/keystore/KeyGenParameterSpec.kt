package android.security.keystore

import java.security.spec.AlgorithmParameterSpec

/** Stub of `android.security.keystore.KeyGenParameterSpec`. */
class KeyGenParameterSpec private constructor(val alias: String, val purposes: Int, val modes: List<String>, val paddings: List<String>) :
    AlgorithmParameterSpec {
    class Builder(private val alias: String, private val purposes: Int) {
        private var modes = emptyList<String>()
        private var paddings = emptyList<String>()

        fun setBlockModes(vararg modes: String): Builder = apply { this.modes = modes.toList() }

        fun setEncryptionPaddings(vararg paddings: String): Builder = apply { this.paddings = paddings.toList() }

        fun build(): KeyGenParameterSpec = KeyGenParameterSpec(alias, purposes, modes, paddings)
    }
}
