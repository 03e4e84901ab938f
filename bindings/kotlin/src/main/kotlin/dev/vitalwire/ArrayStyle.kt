package dev.vitalwire

import dev.vitalwire.ffi.ArrayStyle as NativeArrayStyle

/** Encoding of lists in a query. */
public enum class ArrayStyle(internal val native: NativeArrayStyle) {
    /** Repeats the parameter: `types=steps&types=floors`. */
    REPEATED(NativeArrayStyle.REPEATED),

    /** Separates the items by commas: `types=steps,floors`. */
    COMMA(NativeArrayStyle.COMMA),
}
