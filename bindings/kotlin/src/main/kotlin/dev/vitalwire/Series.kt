package dev.vitalwire

import java.nio.ByteBuffer
import java.nio.ByteOrder
import java.nio.DoubleBuffer

/** A series of doubles, kept as the one buffer it crossed in. A gap is not a number (`isNaN`). */
public class Series internal constructor(
    /** Little endian, eight bytes a number. */
    private val bytes: ByteArray,
) : AbstractList<Double>(), RandomAccess {
    private val numbers = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).asReadOnlyBuffer().order(ByteOrder.LITTLE_ENDIAN).asDoubleBuffer()

    override val size: Int get() = bytes.size / Double.SIZE_BYTES

    override fun get(index: Int): Double = numbers.get(index)

    /** The numbers as an array of primitives: one copy. */
    public fun toDoubleArray(): DoubleArray = DoubleArray(size).also { asDoubleBuffer().get(it) }

    /** The numbers without a copy, for reading; each call gives a buffer with a position of its own. */
    public fun asDoubleBuffer(): DoubleBuffer = numbers.duplicate()

    override fun equals(other: Any?): Boolean = if (other is Series) bytes.contentEquals(other.bytes) else super.equals(other)

    override fun hashCode(): Int = super.hashCode()

    /** Shows the length, no values. */
    override fun toString(): String = "Series($size numbers)"

    public companion object {
        /** A series without numbers. */
        @JvmField
        public val EMPTY: Series = Series(ByteArray(0))

        /** A series made by hand, for tests and previews. */
        @JvmStatic
        public fun of(vararg numbers: Double): Series {
            val buffer = ByteBuffer.allocate(numbers.size * Double.SIZE_BYTES).order(ByteOrder.LITTLE_ENDIAN)
            buffer.asDoubleBuffer().put(numbers)
            return Series(buffer.array())
        }
    }
}
