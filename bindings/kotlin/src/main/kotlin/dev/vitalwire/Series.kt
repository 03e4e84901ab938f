package dev.vitalwire

import java.nio.ByteBuffer
import java.nio.ByteOrder
import java.nio.DoubleBuffer

/** A list of doubles in one buffer, without boxing. A missing value is NaN. */
public class Series internal constructor(
    /** Little-endian, eight bytes per number. */
    private val bytes: ByteArray,
) : AbstractList<Double>(), RandomAccess {
    private val numbers =
        ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).asReadOnlyBuffer().order(ByteOrder.LITTLE_ENDIAN).asDoubleBuffer()

    override val size: Int get() = bytes.size / Double.SIZE_BYTES

    override fun get(index: Int): Double = numbers.get(index)

    /** Copies the numbers to an array. */
    public fun toDoubleArray(): DoubleArray = DoubleArray(size).also { asDoubleBuffer().get(it) }

    /** Returns a read-only view without a copy. Each call returns a buffer with its own position. */
    public fun asDoubleBuffer(): DoubleBuffer = numbers.duplicate()

    override fun equals(other: Any?): Boolean = if (other is Series) bytes.contentEquals(other.bytes) else super.equals(other)

    override fun hashCode(): Int = super.hashCode()

    /** Returns a description with the length, but without values. */
    override fun toString(): String = "Series($size numbers)"

    public companion object {
        /** An empty series. */
        @JvmField
        public val EMPTY: Series = Series(ByteArray(0))

        /** Creates a series, for tests and previews. */
        @JvmStatic
        public fun of(vararg numbers: Double): Series {
            val buffer = ByteBuffer.allocate(numbers.size * Double.SIZE_BYTES).order(ByteOrder.LITTLE_ENDIAN)
            buffer.asDoubleBuffer().put(numbers)
            return Series(buffer.array())
        }
    }
}
