package dev.vitalwire

import dev.vitalwire.ffi.ArrayStyle as Crossed

/** How lists travel in a query. */
public enum class ArrayStyle(internal val native: Crossed) {
    /** `types=steps&types=floors` */
    REPEATED(Crossed.REPEATED),

    /** `types=steps,floors` */
    COMMA(Crossed.COMMA),
}
